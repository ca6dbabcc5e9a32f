"""Names that still stand for a tensor after an in-place activation has overwritten it: who reads them reads other values."""

from __future__ import annotations

import ast
from typing import Any

from .core import Machine
from .frames import Frame, Trace
from .tensor import Mutation, Tensor

ACTIVATIONS = frozenset(
    {"relu_", "relu6_", "leaky_relu_", "elu_", "selu_", "celu_", "silu_", "mish_", "hardtanh_", "hardswish_", "hardsigmoid_", "threshold_", "rrelu_",
     "dropout_", "feature_dropout_", "gelu_"}
)  # fmt: skip
NONNEGATIVE = frozenset(
    {"relu", "relu_", "relu6", "sigmoid", "softmax", "_softmax", "exp", "abs", "softplus", "clamp_min", "max_pool2d"}
)
JOINING = frozenset({"cat", "concat", "concatenate", "stack", "hstack", "vstack"})
"""Ops that make one tensor of several."""
ASKING = frozenset(
    {
        "shape",
        "size",
        "dim",
        "ndim",
        "numel",
        "device",
        "dtype",
        "requires_grad",
        "is_cuda",
        "new_zeros",
        "new_ones",
        "new_tensor",
        "type",
    }
)
LOOKING = frozenset(
    {"len", "isinstance", "print", "type", "id", "zeros_like", "ones_like", "empty_like", "randn_like", "rand_like"}
)
FRAMES = 8
HELD = 64  # items of a list that are looked at


class Overwritten:
    """One tensor's mutation, and the names that had it before, each with the call that led to the mutation."""

    __slots__ = ("held", "mutation", "stale")

    def __init__(self, mutation: Mutation) -> None:
        self.mutation = mutation
        self.stale: dict[tuple[Frame, str], Trace] = {}
        self.held: Trace | None = None  # the call that changed it, when a container held it already


def mutated(m: Machine, target: Tensor, mutation: Mutation) -> None:
    """An activation changes ``target``: the names bound to it are stale, unless it was called for its effect."""
    source = target.grad_fn
    if mutation.op == "relu_" and source is not None and source.op in NONNEGATIVE:
        return  # nothing changes
    entry = Overwritten(mutation)
    frame: Frame | None = m.frame
    node: ast.AST | None = mutation.trace.node
    for _ in range(FRAMES):
        if frame is None or node is None or (isinstance(frame.stmt, ast.Expr) and frame.stmt.value is node):
            break
        for name, value in frame.locals.items():
            if value is target:
                entry.stale[frame, name] = Trace(frame, node, m.loops)
            elif type(value) is list and entry.held is None and len(value) <= HELD and any(v is target for v in value):
                entry.held = Trace(frame, node, m.loops)
        node, frame = frame.call_node, frame.caller
    if entry.stale or entry.held is not None:
        m.clobbered[target] = entry


def rebound(m: Machine, frame: Frame, name: str) -> None:
    """``name`` gets a new value."""
    old = frame.locals.get(name)
    if isinstance(old, Tensor) and old in m.clobbered:
        m.clobbered[old].stale.pop((frame, name), None)


def taken(m: Machine, frame: Frame, name: str, tensor: Tensor) -> None:
    """A loop takes ``tensor`` out of a list that got it before the change."""
    entry: Overwritten = m.clobbered[tensor]
    if entry.held is not None and isinstance(frame.stmt, ast.For):
        entry.stale[frame, name] = entry.held


def read(m: Machine, tensor: Tensor, node: ast.Name) -> None:
    """``tensor`` is read through the name ``node``."""
    entry: Overwritten = m.clobbered[tensor]
    call = entry.stale.get((m.frame, node.id))
    if call is not None and not _harmless(m.frame.stmt, node):
        del entry.stale[m.frame, node.id]
        _emit(m, tensor, entry, call, node)


def used_late(m: Machine, tensor: Tensor, node: ast.expr) -> None:
    """``tensor`` was evaluated as an operand, and changed before the operator got to it."""
    entry: Overwritten = m.clobbered[tensor]
    call = next((trace for (frame, _), trace in entry.stale.items() if frame is m.frame), entry.mutation.trace)
    _emit(m, tensor, entry, call, node)


def _emit(m: Machine, tensor: Tensor, entry: Overwritten, call: Trace, node: ast.AST) -> None:
    mutation = entry.mutation
    m.emit("clobbered_input", m.here(node), tensor=tensor, changed=mutation.trace, call=call, op=mutation.op, module=mutation.module,
           joined=_joined(m.frame.stmt, node))  # fmt: skip


def _parents(stmt: ast.stmt | None) -> dict[ast.AST, ast.AST]:
    if stmt is None:
        return {}
    found: dict[ast.AST, ast.AST] | None = getattr(stmt, "_parents", None)
    if found is None:
        found = {child: node for node in ast.walk(stmt) for child in ast.iter_child_nodes(node)}
        stmt._parents = found  # type: ignore[attr-defined]
    return found


def _harmless(stmt: ast.stmt | None, node: ast.AST) -> bool:
    """A read that does not look at the values, or that overwrites the tensor again."""
    parent: Any = _parents(stmt).get(node)
    if isinstance(parent, ast.Attribute):
        return parent.attr in ASKING or parent.attr.startswith("is_")
    if isinstance(parent, ast.Call):
        func = parent.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        return name in LOOKING
    return isinstance(parent, ast.Compare | ast.FormattedValue)


def _joined(stmt: ast.stmt | None, node: ast.AST) -> bool:
    """Whether the value is one of several that are concatenated: what follows may rectify all of them anyway."""
    parents = _parents(stmt)
    parent: Any = parents.get(node)
    while isinstance(parent, ast.List | ast.Tuple | ast.Starred):
        parent = parents.get(parent)
    if not isinstance(parent, ast.Call):
        return False
    func = parent.func
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    return name in JOINING
