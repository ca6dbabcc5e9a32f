"""Calls that torch refuses for the shapes of their operands, where a program expects that and goes on."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Value

SAME_SIZE = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
"""Losses whose target has exactly the size of their input."""
NOT_WIDER = frozenset({"soft_margin_loss"})
"""Losses that write into memory of their input's size."""


def refuse(m: Machine, ov: Any, bound: Mapping[str, Value], node: ast.AST) -> None:
    """Raise what torch would, where the program catches it by name."""
    if not m.handlers:
        return
    shapes = [v.shape for v in bound.values() if isinstance(v, Tensor) and v.shape is not None and None not in v.shape]
    if len(shapes) < 2:
        return
    wide = _broadcast(shapes)
    if ov.op in SAME_SIZE and shapes[0] != shapes[1]:
        m.session.native_error(m, ValueError("target and input of different sizes"), node)
    elif ov.op in NOT_WIDER and wide != shapes[0]:
        m.session.native_error(m, RuntimeError("output with another shape"), node)
    elif ov.shape == "pointwise" and (wide is None or (ov.writes and ov.writes[0] != "out" and wide != shapes[0])):
        m.session.native_error(m, RuntimeError("sizes of tensors do not match"), node)


def underived(m: Machine, op: str, source: Value, node: ast.AST) -> Value:
    """The result of an op that has no derivative and does not say so before its backward."""
    shape, kind = (source.shape, source.dtype) if isinstance(source, Tensor) else (None, "float")
    out = autograd.record(m, op, [source], node, shape=shape, dtype=kind)
    if out.grad_fn is not None:
        out.grad_fn.mode = Underived()
    return out


class Underived:
    """A backward that torch does not have."""

    def run_backward(self, m: Machine, node: Any, backward: Any) -> bool:
        m.session.native_error(m, RuntimeError("the derivative is not implemented"), backward.trace.node)
        return False


def _broadcast(shapes: list[Any]) -> tuple[int, ...] | None:
    """The common shape, None where there is none."""
    rank = max(len(s) for s in shapes)
    result = []
    for axis in range(rank):
        sizes = {s[axis - rank + len(s)] for s in shapes if axis - rank + len(s) >= 0} - {1}
        if len(sizes) > 1:
            return None
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)
