"""Storages, tensors and graph nodes, as torch's autograd keeps them."""

from __future__ import annotations

from typing import Any

from .frames import Trace

Shape = tuple[int | None, ...] | None


class Mutation:
    """One change of a storage. ``bump`` says whether torch's version counter noticed."""

    __slots__ = ("assumed", "bump", "cause", "module", "op", "optimizer", "seq", "tensor", "trace")

    def __init__(
        self, trace: Trace, cause: str, op: str, bump: bool, tensor: Any = None, optimizer: Any = None
    ) -> None:
        self.trace = trace
        self.cause = cause  # "step" "inplace" "setitem" "augmented" "data" "numpy" "init" "load" "buffer"
        self.op = op
        self.bump = bump
        self.tensor = tensor
        self.optimizer = optimizer
        self.module: Any = None  # the library module whose forward did it
        self.seq: int | None = None  # of the last node made before it
        self.assumed = ""  # what it rests on, when it need not happen


class Storage:
    """Memory shared by a base and all its views: one version counter for all of them, as in torch.

    ``t.data = other`` gives a tensor other memory and leaves it its counter: ``counter`` is the storage that it had.
    ``t.data`` read gives the same ``memory`` under a counter of its own, which is then ``apart``.
    """

    __slots__ = ("apart", "log", "memory", "overlaps", "silent")

    def __init__(self, counter: Storage | None = None, memory: Storage | None = None) -> None:
        self.log: list[Mutation] = (
            counter.log if counter is not None else []
        )  # the changes that the counter has counted
        self.memory: Storage = memory.memory if memory is not None else self  # the same for all that share memory
        self.silent: list[Mutation] = self.memory.silent if memory is not None else []
        self.overlaps = False
        self.apart = counter is None and memory is not None

    @property
    def version(self) -> int:
        return len(self.log)

    def mutate(self, mutation: Mutation) -> None:
        if mutation.bump or self.apart:
            self.log.append(mutation)
        if not mutation.bump:
            self.silent.append(mutation)


class Saved:
    """A tensor that a node keeps for its backward, with the version it had."""

    __slots__ = ("is_output", "role", "silent", "storage", "tensor", "version")

    def __init__(self, tensor: Tensor, role: str, is_output: bool = False) -> None:
        self.tensor = tensor
        self.role = role
        self.storage = tensor.storage
        self.version = tensor.storage.version
        self.silent = len(tensor.storage.silent)
        self.is_output = is_output


class Node:
    """A node of the backward graph. ``edges`` lead to nodes, or to leaf tensors where gradient accumulates."""

    __slots__ = (
        "assumed", "edges", "freed", "hidden", "kind", "mode", "module", "op", "open", "operands", "over", "outputs", "saved", "seq", "trace", "walked",
    )  # fmt: skip

    def __init__(self, op: str, trace: Trace, seq: int, edges: list[Node | Tensor], hidden: bool) -> None:
        self.op = op
        self.trace = trace
        self.seq = seq
        self.edges = edges
        self.saved: list[Saved] = []
        self.hidden = hidden
        self.freed: Any = None  # the Backward that freed it
        self.open = False  # an input was unknown: more may hang on it than is known
        self.operands: tuple[int, ...] = ()  # which operand each edge belongs to, where that matters
        self.over: Any = None  # the dimensions that a sum sums over
        self.walked: Any = None  # the last backward that executed it
        self.outputs: list[Tensor] = []
        # "copy_slices", "view", "custom", "opaque", "checkpoint", or "keeps_old" (a clone of what it overwrites)
        self.kind = ""
        self.assumed = False
        self.mode: Any = None
        self.module: Any = None  # the library module whose forward made it

    @property
    def keeps(self) -> bool:
        """Whether a second backward through this node is refused once it is freed."""
        return self.hidden or bool(self.saved)

    def __repr__(self) -> str:
        return f"<{self.op} node at {self.trace}>"


class Tensor:
    """A tensor. ``requires_grad`` may be None: unknown. ``dtype`` is "float", "int", "bool", "complex" or None."""

    __slots__ = (
        "_requires_grad", "assigned", "attr_version", "attrs", "base", "bound", "created", "creation", "cuts", "detached_from",
        "dtype", "elements", "facets", "grad", "grad_fn", "hooks", "inference", "is_param", "label", "layout", "origin", "precision", "retains_grad",
        "saved_scalar", "shape", "stored", "storage", "view_op", "via_data",
    )  # fmt: skip

    def __init__(
        self,
        created: Trace,
        requires_grad: bool | None = False,
        shape: Shape = None,
        dtype: str | None = "float",
        storage: Storage | None = None,
    ) -> None:
        self.storage = storage if storage is not None else Storage()
        self._requires_grad = requires_grad
        self.grad_fn: Node | None = None
        self.base: Tensor | None = None
        self.creation = "default"  # how a view was made: "default" "multi" "custom" "no_grad" "inference"
        self.attr_version = 0
        self.view_op = ""
        self.shape = shape
        self.dtype = dtype
        self.created = created
        self.bound: Trace | None = None  # where it was last given a name or stored
        self.stored: Trace | None = None  # where it was last put into an attribute or a container
        self.assigned: str = ""  # that name
        self.is_param = False
        self.label = ""
        self.precision = ""  # of floats: "" for 32 bits, else "64" or "16"
        self.layout: Any = None  # where a view's elements lie, see geometry.py
        self.grad: Any = None
        self.retains_grad = False
        self.inference = False
        self.hooks: list[Any] | None = None
        self.detached_from: Tensor | None = None
        self.via_data = False  # reached through .data or numpy: writes are not counted
        self.origin = ""  # "detach" "item" "data" "tensor()" … how the graph was cut, when it was
        self.elements: Any = None  # known Python values of a small constant tensor
        self.attrs: dict[str, Any] | None = None
        self.facets: dict[Any, Any] | None = None
        self.saved_scalar = False
        self.cuts: tuple[Any, ...] = ()  # where the graph of what it was computed from was cut

    @property
    def requires_grad(self) -> bool | None:
        if self.grad_fn is not None or self._requires_grad:
            return True
        if self.base is not None and self.base.requires_grad:
            return True
        return self._requires_grad

    @property
    def is_leaf(self) -> bool:
        return not (
            self.grad_fn is not None or (self.base is not None and self.base.requires_grad and not self._requires_grad)
        )

    @property
    def floating(self) -> bool:
        return self.dtype in ("float", "complex")

    @property
    def name(self) -> str:
        return self.label or self.assigned

    def __repr__(self) -> str:
        return f"<tensor {self.name or '?'} {self.shape} grad={self.requires_grad}>"
