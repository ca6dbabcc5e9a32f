"""The gradients that flow through a backward: how they lie in memory and, with ``create_graph``, their own history.

Most backwards need neither, so the flow is followed only where someone gets to see a gradient: the results of
``autograd.grad``, hooks, the ``backward`` of a custom Function, and any backward with ``create_graph=True``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import autograd, geometry, shapes
from .tensor import Mutation, Node, Saved, Shape, Tensor

if TYPE_CHECKING:
    from .autograd import Backward
    from .core import Machine

PASSES: dict[str, frozenset[int]] = {
    **dict.fromkeys(("add", "add_"), frozenset({0, 1})),
    **dict.fromkeys(
        ("sub", "sub_", "addcmul", "addcmul_", "addcdiv", "addcdiv_", "addmm", "addmm_", "fmod", "fmod_", "remainder", "remainder_", "clone",
         "contiguous", "index_add", "index_add_"), frozenset({0}),
    ),
    "copy_": frozenset({1}),
}  # fmt: skip
"""Ops that hand the gradient on as it is, and to which of their operands."""
OVERWRITES = frozenset(
    "zero_ fill_ copy_ uniform_ normal_ random_ bernoulli_ exponential_ cauchy_ log_normal_ geometric_".split()
)
"""Writes that leave nothing of their target: its gradient is zeros, without a history."""
SAME_MEMORY = frozenset(
    {"view", "reshape", "flatten", "ravel", "unsqueeze", "squeeze", "unflatten", "view_as", "reshape_as"}
)
TURNED = frozenset(
    {
        "t",
        "T",
        "mT",
        "transpose",
        "swapaxes",
        "swapdims",
        "adjoint",
        "permute",
        "movedim",
        "moveaxis",
        "cat",
        "stack",
        "repeat_interleave",
    }
)
MASKED = frozenset({
    "max", "min", "amax", "amin", "median", "nanmedian", "clamp", "clamp_", "clip", "clip_", "clamp_min", "clamp_max", "maximum", "minimum", "fmax", "fmin",
    "where", "masked_fill", "masked_fill_", "fmod", "remainder", "nan_to_num", "cummax", "cummin", "take_along_dim", "gather", "index_add",
    "index_add_", "hardshrink",
    "softshrink", "threshold", "threshold_",
})  # fmt: skip
"""Ops whose saved tensors only say where the gradient goes: they have no part in its history."""
SMOOTH = frozenset({
    "gaussian_nll_loss", "poisson_nll_loss", "l1_loss", "triplet_margin_loss", "triplet_margin_with_distance_loss", "cross_entropy", "tanhshrink", "lstm_cell",
    "gru_cell", "scaled_dot_product_attention",
})  # fmt: skip
"""Ops that keep hidden what their gradient depends on."""
FACTORS = frozenset({"mul", "mul_", "mm", "matmul", "bmm", "mv", "dot", "vdot", "inner", "outer", "ger", "linear"})
"""Products: the gradient of one factor is made of the other one, that of the first operand of a quotient of the second."""
QUOTIENTS = frozenset({"div", "div_", "true_divide", "divide"})
FIRST = frozenset({"self", "input"})
"""The names of first operands."""
INDICES = frozenset({"index", "mask", "condition", "indices", "target"})


class Shared:
    """A gradient that goes to ``other``, too; ``mutation`` is the first write to it since."""

    def __init__(self, gradient: Tensor, other: Any) -> None:
        self.storage = gradient.storage
        self.other = other
        self.before = (len(self.storage.log), len(self.storage.silent))

    @property
    def mutation(self) -> Mutation | None:
        loud, silent = self.before
        written = (*self.storage.log[loud:], *self.storage.silent[silent:])
        return written[0] if written else None


class Flow:
    """The gradients of one backward. ``at`` holds, for each node and leaf, the gradient that has come to it so far."""

    def __init__(self, m: Machine, backward: Backward, gradients: Any) -> None:
        self.m = m
        self.where = backward.trace.node
        self.create = backward.create_graph
        self.at: dict[Any, Tensor] = {}
        given = (
            [gradients]
            if isinstance(gradients, Tensor)
            else list(gradients)
            if isinstance(gradients, list | tuple)
            else []
        )
        for i, root in enumerate(backward.roots):
            target = autograd.edge(m, root)
            if target is None:
                continue
            first = given[i] if i < len(given) and isinstance(given[i], Tensor) else self.fresh(root.shape, root.dtype)
            self._add(target, first if self.create else self._plain(first))

    def fresh(self, shape: Shape, dtype: str | None = "float") -> Tensor:
        return Tensor(self.m.here(self.where), False, shape, dtype)

    def _plain(self, gradient: Tensor) -> Tensor:
        """The same without history."""
        if not gradient.requires_grad:
            return gradient
        made = self.fresh(gradient.shape, gradient.dtype)
        made.layout = geometry.layout_of(gradient)
        return made

    def _add(self, target: Any, gradient: Tensor) -> None:
        before = self.at.get(target)
        self.at[target] = (
            gradient if before is None else self._computed("add", [before, gradient], before.shape or gradient.shape)
        )

    def _computed(
        self,
        op: str,
        inputs: Iterable[Tensor],
        shape: Shape,
        saves: Iterable[Tensor] = (),
        of: Node | None = None,
        operand: int = 0,
    ) -> Tensor:
        """A new gradient; with a history, if one is wanted and an input has one."""
        out = self.fresh(shape)
        attached = [t for t in inputs if t.requires_grad] if self.create else []
        within = of.edges if of is not None and self.create and self._reads_inputs(of, operand) else []
        if attached or within:
            node = autograd.make_node(
                self.m, op, attached, of is not None and (bool(of.saved) or of.hidden), self.where
            )
            node.edges += within
            for tensor in saves:
                autograd.save(self.m, node, tensor, "gradient")
            out._requires_grad = None
            out.grad_fn = node
            node.outputs.append(out)
        return out

    @staticmethod
    def _reads_inputs(node: Node, operand: int) -> bool:
        """Whether the gradient of an operand depends on inputs that are not among the node's saved tensors."""
        if node.kind != "keeps_old" or node.op in MASKED:
            return node.op in SMOOTH
        return operand > 0 or node.op not in FACTORS | QUOTIENTS

    def replaced(self, target: Any, gradient: Tensor) -> None:
        """A hook gave another gradient."""
        self.at[target] = gradient

    def shared(self, node: Node, backward: Backward) -> Shared | None:
        """The gradient of a node that code of the program gets to see, if it lies in the memory of another one that is
        still to be used."""
        gradient = self.at.get(node)
        if gradient is None or (node.mode is None and not any(out.hooks for out in node.outputs)):
            return None
        done = backward.executed.union(backward.leaves)
        for target, other in self.at.items():
            if target is not node and other.storage is gradient.storage and target not in done:
                return Shared(gradient, target)
        return None

    def through(self, node: Node) -> None:
        """Hand the gradient of an executed node on to where its edges lead."""
        gradient = self.at.get(node)
        if gradient is None:
            return
        for i, target in enumerate(node.edges):
            given = node.mode.gradient_of(i) if hasattr(node.mode, "gradient_of") else None
            if given is None:
                given = self._moved(node, i, target, gradient)
            if given is None:
                operand = node.operands[i] if i < len(node.operands) else i
                held = self._inputs(node, gradient, operand)
                given = self._computed(f"{node.op}_backward", held, _shape(target), held, node, operand)
            self._add(target, given)

    def _inputs(self, node: Node, gradient: Tensor, operand: int) -> list[Tensor]:
        """What the formula of an operand's gradient reads: the gradient and, of what was saved, that which it depends on
        smoothly."""
        if node.op in MASKED or not self.create:
            return [gradient]
        saved = [s for s in node.saved if not _chooses(s) and s.tensor.storage.version == s.version]
        if node.op in FACTORS:
            saved = [s for s in saved if operand < 2 and (s.role in FIRST) == (operand == 1)]
        elif node.op in QUOTIENTS and operand == 0:
            saved = [s for s in saved if s.role not in FIRST]
        return [gradient, *(s.tensor for s in saved)]

    def _moved(self, node: Node, i: int, target: Any, gradient: Tensor) -> Tensor | None:
        """The gradient as a view of the one that came, or itself; None where it is computed."""
        if node.kind == "copy_slices":
            return None  # a write through a view leaves the rest of the gradient, in new memory
        shape = _shape(target)
        known = shape is not None and gradient.shape is not None and None not in shape and None not in gradient.shape
        position = node.operands[i] if i < len(node.operands) else i
        if position in PASSES.get(node.op, ()):
            return gradient if shape == gradient.shape else None
        if node.op in OVERWRITES and position == 0:
            return self.fresh(shape)
        if node.op == "cat" and known and shape is not None and not self._constant(gradient):
            part = self._view(gradient, "narrow", shape)
            if part is not None:
                part.layout = None  # which part it is depends on the tensors before it
            return part
        if node.op in TURNED and known and shape is not None:
            layout = geometry.layout_of(gradient)
            if layout is not None and not any(layout[1]) and gradient.shape:
                return self._everywhere(gradient, node.op, shape)
            if node.kind == "view" and len(shape) == 2 and node.op not in ("movedim", "moveaxis"):
                return self._view(gradient, node.op, shape, turned=True)
            return None
        if node.kind == "view" and node.op in SAME_MEMORY and known:
            return self._view(gradient, "view", shape)
        if node.kind == "view" and node.op in ("expand", "alias") and known and shape == gradient.shape:
            return gradient
        if node.op in ("sum", "nansum") and known and shape is not None:
            return self._spread(gradient, shape, node.over)
        return None

    @staticmethod
    def _constant(gradient: Tensor) -> bool:
        """Whether the gradient is one number, seen at every position."""
        layout = geometry.layout_of(gradient)
        return layout is not None and not any(layout[1])

    def _spread(self, gradient: Tensor, shape: tuple[Any, ...], over: Any) -> Tensor | None:
        """The gradient of a sum: the same number along the dimensions that were summed ``over``."""
        layout, gone = geometry.layout_of(gradient), shapes.dims(over, len(shape))
        if gradient.shape == ():
            return self._everywhere(gradient, "expand", shape)
        if layout is None or gone is None or gradient.shape is None:
            return None
        kept = iter(layout[1]) if len(gradient.shape) < len(shape) else None
        strides = tuple(0 if i in gone else next(kept) if kept is not None else layout[1][i] for i in range(len(shape)))
        made = self._view(gradient, "expand", shape)
        if made is not None:
            made.layout = (layout[0], strides)
        return made

    def _everywhere(self, gradient: Tensor, op: str, shape: tuple[Any, ...]) -> Tensor | None:
        """One number seen at every position."""
        made = self._view(gradient, op, shape)
        if made is not None:
            made.layout = (0, (0,) * len(shape))
        return made

    def _view(self, gradient: Tensor, op: str, shape: Shape, turned: bool = False) -> Tensor | None:
        layout = geometry.layout_of(gradient)
        strides = None
        if layout is not None and gradient.shape is not None and shape is not None:
            strides = (
                tuple(reversed(layout[1]))
                if turned
                else geometry.view_strides(gradient.shape, layout[1], shape)
                if op == "view"
                else layout[1]
            )
            if strides is None:
                return None
        with self.m.grad_mode("on" if self.create else "off"):
            made = autograd.view(self.m, gradient, op, self.where, shape)
        if layout is not None and strides is not None:
            made.layout = (layout[0], strides)
        return made


def _chooses(saved: Saved) -> bool:
    """Whether a saved tensor only says where the gradient goes. The target of a regression is read by it."""
    return saved.role in INDICES and not (saved.role == "target" and saved.tensor.floating)


def _shape(target: Any) -> Shape:
    """The shape of the values that an edge leads to."""
    if isinstance(target, Tensor):
        return target.shape
    found = {out.shape for out in target.outputs}
    return found.pop() if len(found) == 1 else None
