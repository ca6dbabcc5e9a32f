"""Products of batches: which factors torch has to copy first. The copy is what backward needs, not the factor itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import geometry, shapes
from ..tensor import Tensor
from ..values import Value


def copied(op: str, bound: Mapping[str, Value]) -> frozenset[str]:
    """Names of the arguments of ``matmul`` or ``linear`` that are copied, as far as shapes and strides are known."""
    if op == "linear":
        source = bound.get("input")
        if isinstance(source, Tensor) and source.shape is not None and len(source.shape) > 2 and not _folds(source):
            return frozenset({"input"})
        return frozenset()
    left, right = bound.get("self", bound.get("input")), bound.get("other")
    if op != "matmul" or not isinstance(left, Tensor) or not isinstance(right, Tensor):
        return frozenset()
    if not left.shape or not right.shape or max(len(left.shape), len(right.shape)) < 3:
        return frozenset()
    first = "self" if "self" in bound else "input"
    ranks = [len(left.shape), len(right.shape)]
    if ranks == [3, 3] and (left.shape[0] == 1) != (right.shape[0] == 1):
        ranks[0 if left.shape[0] == 1 else 1] = 2  # a batch of one is taken for a matrix
    turned = ranks[0] < ranks[1]
    larger, smaller = (right, left) if turned else (left, right)
    if min(ranks) <= 2 and (smaller.requires_grad or (ranks[0] != 2 and _stacked(larger, turned))):
        return frozenset() if _folds(larger, turned) else frozenset({"other" if turned else first})
    batch = shapes.broadcast(left.shape[:-2], right.shape[:-2])
    if batch is None or None in batch:
        return frozenset()
    return frozenset(name for name, factor in ((first, left), ("other", right)) if not _spreads(factor, batch))


def _known(tensor: Tensor, turned: bool = False) -> tuple[list[int], list[int]] | None:
    layout = geometry.layout_of(tensor)
    if layout is None or tensor.shape is None or None in tensor.shape:
        return None
    sizes, strides = [d or 0 for d in tensor.shape], list(layout[1])
    if turned:
        sizes[-2:], strides[-2:] = sizes[:-3:-1], strides[:-3:-1]
    return sizes, strides


def _folds(tensor: Tensor, turned: bool = False) -> bool:
    """Whether the batch can be seen as one tall matrix in the memory that it has; yes where that is not known."""
    known = _known(tensor, turned)
    if known is None:
        return True
    sizes, strides = known
    rows: int = 1
    for size in sizes[:-1]:
        rows *= size
    return geometry.view_strides(tuple(sizes), tuple(strides), (rows, sizes[-1])) is not None


def _stacked(tensor: Tensor, turned: bool) -> bool:
    """Whether all but the last dimension follow one another in memory, as torch asks before it folds a batch."""
    known = _known(tensor, turned)
    if known is None:
        return True
    sizes, strides = known
    return all(strides[i] == strides[i + 1] * sizes[i + 1] for i in range(len(sizes) - 2))


def _spreads(tensor: Tensor, batch: tuple[Any, ...]) -> bool:
    """Whether the factor, repeated over the whole batch, can be seen as a list of matrices in the memory that it has."""
    known = _known(tensor)
    if known is None:
        return True
    sizes, strides = known
    if len(sizes) == 1:
        sizes, strides = [1, *sizes], [sizes[0] * strides[0], *strides]
    pad = len(batch) - (len(sizes) - 2)
    spread = [0 if i < pad or (sizes[i - pad] == 1 and batch[i] != 1) else strides[i - pad] for i in range(len(batch))]
    count = 1
    for size in batch:
        count *= size
    return geometry.view_strides((*batch, *sizes[-2:]), (*spread, *strides[-2:]), (count, *sizes[-2:])) is not None
