"""Results that torch computes in another shape and hands out as a view: they have a base, though nobody holds it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .. import autograd, geometry
from ..core import Machine
from ..tensor import Tensor
from ..values import Value

WINDOWED = frozenset({"conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"})
ALWAYS = frozenset({"avg_pool1d", "adaptive_max_pool1d", "cov"})


def is_view(op: str, bound: Mapping[str, Value], out: Tensor) -> bool:
    """Whether the result of ``op`` is a view of fresh memory."""
    if op in ALWAYS:
        return True
    if op == "max_pool1d":
        return bool(out.requires_grad)  # without a gradient another kernel runs
    if op == "einsum":
        operands = bound.get("operands")
        return isinstance(operands, list | tuple) and len(operands) > 1
    source = bound.get("input", bound.get("self"))
    if not isinstance(source, Tensor) or source.shape is None:
        return False
    rank = len(source.shape)
    if op in WINDOWED:
        return rank == int(op[-2]) + 1
    if op == "linear":
        return rank != 2 and bound.get("bias") is not None and geometry.is_contiguous(source) is True
    if op == "repeat_interleave":
        return isinstance(bound.get("repeats"), int) and bound.get("dim") is not None
    if op in ("dropout1d", "dropout2d", "dropout3d", "feature_dropout"):
        return op[-2:] in ("1d", "2d", "3d") and rank == int(op[-2]) + 1
    return False


def view_of(m: Machine, out: Tensor, node: ast.AST) -> Tensor:
    """The view that is handed out instead of ``out``."""
    made = autograd.view(m, out, "view", node, out.shape)
    made.layout = geometry.layout_of(out)
    m.ledger.carry_cuts([out], [made])
    return made
