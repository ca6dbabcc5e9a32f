"""Calls that torch refuses for the shapes of their operands, where a program expects that and goes on."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Value

OUT = "out= does not support automatic differentiation"
SAME_SIZE = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
"""Losses whose target has exactly the size of their input."""
BY_OUT = frozenset(
    "abs absolute cholesky_inverse complex cummax cummin deg2rad frexp geqrf inverse kthvalue ldexp linalg_cholesky linalg_cond"
    " linalg_eig linalg_eigvals linalg_householder_product linalg_inv linalg_lstsq linalg_lu linalg_qr linalg_solve logsumexp mean"
    " median nan_to_num nanmedian orgqr polar qr rad2deg relu6 hardtanh soft_margin_loss softsign special_logsumexp std var".split()
)
"""Ops that compute by way of another's ``out=``, which autograd refuses once it does not see the op itself (measured on
torch 2.13: every function of ``torch``, ``torch.linalg`` and ``torch.nn.functional`` called on an inference tensor)."""
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


def refuse_unseen(m: Machine, ov: Any, operands: Sequence[Value], node: ast.AST) -> None:
    """Report an op on inference tensors alone that requires grad and is computed by way of ``out=``."""
    if ov.op in BY_OUT and m.grad_enabled is not False:
        m.emit("other", m.here(node), loud=True, message=OUT, tensor=operands[0])


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
