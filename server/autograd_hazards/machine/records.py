"""What a run writes down: the state behind the ledger, and the small questions its parts share."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .frames import Trace
from .tensor import Mutation, Node, Storage, Tensor
from .values import Instance, Unknown, Value

if TYPE_CHECKING:
    from .autograd import Backward
    from .core import Machine


class Cut:
    """A place where the graph of ``sources`` was left behind: detach, ``.data``, ``.item()``, ``torch.tensor`` of tensors …"""

    __slots__ = ("kind", "sources", "tensor", "trace", "trained")

    def __init__(self, kind: str, sources: Sequence[Tensor], tensor: Any, trace: Trace) -> None:
        self.kind = kind
        self.sources = list(sources)
        self.tensor = tensor
        self.trace = trace
        self.trained = False  # something with a graph is computed from what is left


class Contribution:
    """What one backward added to the gradient of one leaf, and what became of it."""

    __slots__ = ("backward", "consumed", "erased", "leaf")

    def __init__(self, leaf: Tensor, backward: Backward) -> None:
        self.leaf = leaf
        self.backward = backward
        self.consumed: list[tuple[Any, Trace]] = []  # (optimizer, step)
        self.erased: Trace | None = None


class Records:
    """One run's records. The parts of the ledger read and write them."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.ever: set[Tensor] = set()  # leaves that ever got a gradient
        self.grad_storages: dict[Storage, Tensor] = {}
        self.cuts: list[Cut] = []
        self.optimizers: list[Instance] = []
        self.modules: list[Instance] = []  # of the program's own classes
        self.later: list[Backward] = []  # what a backward of a forward's result would do, where nobody calls it
        self.idle_steps: list[tuple[Instance, Instance, Backward, Trace]] = []
        self.idle_since: dict[Instance, list[Backward]] = {}  # the backwards that a step found without new gradients
        self.frozen: dict[Tensor, tuple[Trace, object]] = {}  # frozen since nothing else was said: where, from what
        self.dead_terms: list[tuple[Node, tuple[Cut, ...], Trace]] = []
        self.confirmed_dead: list[tuple[Backward, tuple[Cut, ...], Trace]] = []
        self.kept: list[tuple[Node, Trace, str, str, Any]] = []
        self.holders: dict[Node, Any] = {}  # the list that what is kept went into
        self.both_backwards: list[tuple[Backward, Backward, Tensor, Trace, Instance, bool]] = []
        self.losses: list[tuple[str, Tensor, Node, Trace]] = []  # names that say "loss", in loops
        self.passed: dict[tuple[str, Tensor, Node, Trace], list[tuple[Instance, Trace]]] = {}  # steps without them
        self.escaped_nodes: set[Node] = set()
        self.early_schedules: list[tuple[Any, Any, Trace]] = []
        self.last_backward: Trace | None = None  # of something that cannot be read
        self.handed_on: dict[int, tuple[Unknown, int]] = {}  # what code that cannot be followed got last
        self.unread_steps: dict[Any, tuple[Trace, Any, Trace | None]] = {}
        self.clears = 0  # how often gradients were cleared, by whatever
        self.idle_clips: list[tuple[list[Tensor], Trace, str, int]] = []
        self.edits: list[tuple[Tensor, Mutation]] = []
        self.steps = 0
        self.uses = 0  # how often gradients were applied or read
        self.unread = False  # code that cannot be followed was called
        self.scope_cut: Cut | None = None
        self.scopes: list[Cut] = []
        self.conversions: dict[Tensor, Trace] = {}  # leaves that a conversion may have replaced
        self.constrained: dict[Tensor, tuple[Mutation, Trace | None]] = {}  # clamped parameters, and the step since
        self.masks: list[tuple[Tensor, Trace]] = []
        self.bootstraps: dict[Node, bool] = {}  # and whether a reward is named in it
        self.products: list[tuple[Node, Tensor, Trace, bool]] = []
        self.uncertain = False  # something unknown may have touched gradients

    def used_as_leaf(self, tensor: Tensor) -> None:
        """A converted leaf is kept as a module's parameter, given to an optimizer or asked for its gradient."""
        trace = self.conversions.pop(tensor, None)
        if trace is not None:
            self.m.emit("leaf_converted", trace, tensor=tensor)


def contributions_of(grad: Tensor) -> list[Contribution]:
    if grad.facets is None:
        grad.facets = {}
    found: list[Contribution] = grad.facets.setdefault("contributions", [])
    return found


def cuts_of(value: Value) -> tuple[Cut, ...]:
    if isinstance(value, Tensor):
        return value.cuts
    if isinstance(value, Unknown):
        return value.facets.get("cuts", ()) if value.facets else ()
    if isinstance(value, Instance):
        found: tuple[Cut, ...] = (
            value.data.get("cuts", ()) if isinstance(value.data, dict) else getattr(value.data, "cuts", ())
        )
        return found
    return ()


def origin_of(tensor: Tensor) -> Tensor:
    """The tensor that a chain of detach, ``.data`` and views started from."""
    while True:
        if tensor.is_param:
            return tensor
        if tensor.detached_from is not None:
            tensor = tensor.detached_from
        elif tensor.base is not None:
            tensor = tensor.base
        else:
            return tensor


def groups_of(optimizer: Instance) -> Iterable[list[Tensor]]:
    groups = optimizer.attrs.get("param_groups")
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict) and isinstance(group.get("params"), list):
            yield [p for p in group["params"] if isinstance(p, Tensor)]


def reaches(start: Any, target: Any, limit: int) -> bool:
    queue = deque([start])  # nearest first
    seen: set[Any] = set()
    while queue and len(seen) < limit:
        node = queue.popleft()
        if node is target:
            return True
        if node in seen or not isinstance(node, Node):
            continue
        seen.add(node)
        queue.extend(node.edges)
    return False


def nodes_below(starts: Iterable[Any], limit: int = 20_000) -> set[Node]:
    """Every node that the graphs of ``starts`` hold, themselves included."""
    found: set[Node] = set()
    stack: list[Any] = list(starts)
    while stack and len(found) < limit:
        current = stack.pop()
        if current in found or not isinstance(current, Node):
            continue
        found.add(current)
        stack.extend(current.edges)
    return found


def leaves_below(node: Any) -> set[Tensor]:
    """The leaves that a graph reaches, from a node or leaf downwards (bounded)."""
    found: set[Tensor] = set()
    stack: list[Any] = [node]
    seen: set[Any] = set()
    while stack and len(seen) < 4000:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, Tensor):
            found.add(current)
        else:
            stack.extend(current.edges)
    return found
