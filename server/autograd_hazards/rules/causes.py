"""Why a backward failed: which rule's hazard lies behind a version error or a freed graph."""

from __future__ import annotations

import ast
import re
from typing import Any

from ..machine.events import Event
from ..machine.frames import Trace, before_loop, carried
from ..machine.tensor import Node, Tensor

ACTIVATIONS = frozenset(
    {"relu_", "relu6_", "leaky_relu_", "elu_", "selu_", "celu_", "silu_", "mish_", "hardtanh_", "hardswish_", "hardsigmoid_", "threshold_", "rrelu_",
     "dropout_", "alpha_dropout_", "feature_dropout_", "feature_alpha_dropout_", "gelu_"}
)  # fmt: skip
TARGET = re.compile(r"target|label|truth|^gt|_gt$|^y$|_y$|^y_|teacher|style|content|ref", re.IGNORECASE)
FAKE = re.compile(r"fake|gen(erated)?(_|$)|synth|recon", re.IGNORECASE)


def path_to(event: Event) -> list[Node]:
    """The nodes from the failing backward's root down to the node that fails."""
    target = event.data["node"]
    backward = event.data["backward"]
    parents: dict[Any, Any] = {}
    stack: list[Any] = []
    for root in backward.roots:
        start = root.grad_fn
        if start is not None and start not in parents:
            parents[start] = None
            stack.append(start)
    while stack:
        node = stack.pop()
        if node is target:
            path = [node]
            while parents[path[-1]] is not None:
                path.append(parents[path[-1]])
            return path[::-1]
        for edge in node.edges:
            if isinstance(edge, Node) and edge not in parents:
                parents[edge] = node
                stack.append(edge)
    return [target]


def crossing(event: Event) -> tuple[Node, Node | None]:
    """Where the graph of this iteration takes up an older one: (the old node, the new node that uses it)."""
    path = path_to(event)
    now = event.where.loops
    user: Node | None = None
    # a backward over several iterations: those since the earlier backward or the change belong to it
    since = event.data["earlier"].seq if event.kind == "freed" else getattr(event.data.get("mutation"), "seq", None)
    if since is not None:
        old = next((n for n in path if n.seq <= since), path[-1])
        if carried(old.trace.loops, now):
            return old, path[path.index(old) - 1] if old is not path[0] else None
    for node in path:
        if carried(node.trace.loops, now) or before_loop(node.trace.loops, now):
            return node, user
        user = node
    return path[-1], user


def kept_at(tensor: Tensor | None, node: Node) -> Trace:
    """Where the carried tensor was kept: stored in an object or container, else last named, else computed."""
    if tensor is not None and tensor.stored is not None:
        return tensor.stored
    return tensor.bound if tensor is not None and tensor.bound is not None else node.trace


def carrier(event: Event) -> tuple[Tensor | None, Node, Node | None]:
    """The tensor that carries an old graph into this iteration, its node, and the node that uses it."""
    node, user = crossing(event)
    while (
        node.kind == "view"
        and len(node.edges) == 1
        and (any(_loop_target(t) for t in node.outputs) or not any(t.bound is not None for t in node.outputs))
    ):
        inner = node.edges[0]  # parts of a value that a loop takes in turn: the value itself was computed
        if not isinstance(inner, Node) or not any(t.bound is not None for t in inner.outputs):
            break
        node = inner
    bound = [t for t in node.outputs if t.stored is not None] or [t for t in node.outputs if t.bound is not None]
    return (bound[-1] if bound else node.outputs[-1] if node.outputs else None), node, user


def _loop_target(tensor: Tensor) -> bool:
    return tensor.bound is not None and isinstance(tensor.bound.stmt, ast.For | ast.AsyncFor)


def code_of(event: Event) -> str:
    """The code of the rule that a ``version``, ``freed`` or ``stale`` event belongs to."""
    found: str | None = event.data.get("code")
    if found is None:
        found = event.data["code"] = (
            _version(event) if event.kind == "version" else _freed(event) if event.kind == "freed" else _stale(event)
        )
    return found


def _version(event: Event) -> str:
    mutation, node = event.data["mutation"], event.data["node"]
    now = event.where.loops
    if mutation.cause == "step":
        tensor, old, _ = carrier(event)
        if carried(old.trace.loops, now):
            return "AGH401" if is_target(tensor, _) else "AGH103"
        if before_loop(old.trace.loops, now) and not _own_roots(event, _, old.walked):
            return "AGH401" if is_target(tensor, _) else "AGH106"
        return "AGH201"  # also where each iteration goes back through another one of losses computed together
    if mutation.op in ACTIVATIONS:
        return "AGH304"
    if mutation.cause == "load" or mutation.cause == "init":
        return "AGH201"
    del node
    return "AGH301"


def _own_roots(event: Event, user: Node | None, earlier: Any) -> bool:
    """Whether each iteration goes back from another one of the losses that were computed together before the loop."""
    backward = event.data["backward"]
    if user is not None:
        return False
    return earlier is None or earlier is backward or not any(root in earlier.roots for root in backward.roots)


def _stale(event: Event) -> str:
    mutation = event.data["mutation"]
    saved = event.data["saved"].tensor
    return "AGH206" if mutation.cause == "step" or saved.is_param else "AGH305"


def _freed(event: Event) -> str:
    now = event.where.loops
    tensor, old, user = carrier(event)
    first: Trace = event.data["first"]
    if carried(old.trace.loops, now):
        return "AGH401" if is_target(tensor, user) else "AGH103"
    earlier = event.data["earlier"]
    if before_loop(old.trace.loops, now) and old in earlier.executed and not _own_roots(event, user, earlier):
        return "AGH401" if is_target(tensor, user) else "AGH106"
    if first.site != event.where.site and _is_fake(event):
        return "AGH402"
    return "AGH101"


def is_target(tensor: Tensor | None, user: Node | None) -> bool:
    """Whether the carried tensor is what a loss compares with."""
    return tensor is not None and bool(TARGET.search(tensor.name or ""))


def _is_fake(event: Event) -> bool:
    """The first backward went into a network whose gradient it did not need: a fake that was not detached."""
    earlier = event.data["earlier"]
    names = [t.name for node in path_to(event) for t in node.outputs if t.name]
    return any(FAKE.search(n) for n in names) and bool(earlier.consumed)
