"""The interpreter as the core sees it: calling special methods and hooks."""

from __future__ import annotations

import ast
from typing import Any

from . import attributes, calls
from .core import Machine
from .tensor import Tensor
from .values import Instance, Value


def instance_truth(m: Machine, value: Instance, node: ast.AST | None) -> bool | None:
    where = node if node is not None else m.frame.stmt
    for name in ("__bool__", "__len__"):
        method = attributes.find(m, value, name)
        if method is not None and where is not None:
            return m.known_truth(calls.call(m, method, [], {}, where))
    return True


def run_hooks(m: Machine, tensor: Tensor, backward: Any) -> None:
    """Call the hooks of a tensor with its gradient, as the engine reaches it."""
    for kind, hook in list(tensor.hooks or ()):
        if kind == "post":
            calls.call(m, hook, [tensor], {}, backward.trace.node)
        else:
            node, grad = tensor.grad_fn, None
            place = tensor if node is None else node if len(node.outputs) == 1 else None
            if backward.flow is not None and place is not None:
                grad = backward.flow.at.get(place)
            if grad is None or grad.shape != tensor.shape:
                grad = Tensor(backward.trace, backward.create_graph, tensor.shape, tensor.dtype)
            with m.grad_mode("on" if backward.create_graph else "off"):
                given = calls.call(m, hook, [grad], {}, backward.trace.node)
            if node is None and isinstance(given, Tensor) and backward.flow is not None:
                backward.flow.replaced(tensor, given)


def call(m: Machine, func: Value, args: list[Value], node: ast.AST) -> Value:
    return calls.call(m, func, args, {}, node)
