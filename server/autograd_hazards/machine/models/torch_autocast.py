"""What autocast does to operands: some ops get copies in half precision, losses get copies in full precision.

A copy is what the op then saves, so that a later change of the operand goes unnoticed, and does no harm.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Value

LOWERED = frozenset({
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "conv_tbc", "linear", "matmul", "mm", "bmm", "addmm",
    "addbmm", "baddbmm", "prelu", "linalg_vecdot", "chain_matmul", "linalg_multi_dot", "scaled_dot_product_attention", "bilinear", "einsum",
})  # fmt: skip
"""Ops that run in half precision on the CPU as on GPUs."""
RAISED = frozenset({
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "nll_loss", "cross_entropy", "kl_div", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "soft_margin_loss", "margin_ranking_loss", "triplet_margin_loss", "hinge_embedding_loss", "cosine_embedding_loss", "poisson_nll_loss", "ctc_loss",
    "multi_margin_loss", "multilabel_margin_loss", "prod", "cdist", "trace",
})  # fmt: skip
"""Ops that run in full precision on the CPU as on GPUs."""

LIKE_FIRST = frozenset({"layer_norm", "group_norm", "batch_norm", "instance_norm", "rms_norm"})
"""Ops whose result has the precision of what they normalise, whatever that of their weights is."""


def operands(m: Machine, op: str, bound: Mapping[str, Value], node: ast.AST) -> dict[str, Value]:
    """The arguments that an op gets where autocast is on."""
    if op in LOWERED:
        return {name: _cast(m, value, "", "16", node) for name, value in bound.items()}
    if op in RAISED:
        return {name: _cast(m, value, "16", "", node) for name, value in bound.items()}
    return dict(bound)


def lowered(m: Machine, values: Iterable[Value], node: ast.AST) -> list[Value]:
    """Operands of a layer that runs in half precision as a whole."""
    return [_cast(m, value, "", "16", node) for value in values] if m.autocast else list(values)


def _cast(m: Machine, value: Value, wrong: str, right: str, node: ast.AST) -> Value:
    if isinstance(value, list | tuple) and any(isinstance(v, Tensor) for v in value):
        return [_cast(m, v, wrong, right, node) for v in value]
    if not isinstance(value, Tensor) or not value.floating or value.precision != wrong:
        return value
    made = autograd.record(m, "_to_copy", [value], node, shape=value.shape, dtype=value.dtype)
    made.precision = right
    return made
