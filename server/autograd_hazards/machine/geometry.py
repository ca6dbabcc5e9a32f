"""Where the elements of a view lie in memory: torch refuses writes whose places overlap.

A layout is (offset, strides) in elements of the base; None where it is not known, which torch calls "too hard" and lets pass.
"""

from __future__ import annotations

from typing import Any

from . import shapes
from .tensor import Shape, Tensor

Layout = tuple[int, tuple[int, ...]]


def layout_of(tensor: Tensor) -> Layout | None:
    """The layout of a tensor with a fully known shape; a tensor that is no view is in order."""
    if tensor.layout is not None:
        found: Layout = tensor.layout
        return found
    if tensor.base is not None or tensor.detached_from is not None or tensor.shape is None or None in tensor.shape:
        return None
    return 0, in_order(tensor.shape)


def in_order(shape: tuple[Any, ...]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def is_contiguous(tensor: Tensor) -> bool | None:
    layout = layout_of(tensor)
    if layout is None or tensor.shape is None or None in tensor.shape:
        return None
    expected = in_order(tensor.shape)
    return all(size == 1 or s == e for size, s, e in zip(tensor.shape, layout[1], expected, strict=True))


def dense(tensor: Tensor, layout: Layout) -> bool:
    """Whether the elements fill one stretch of memory, each place once."""
    pairs = sorted((s, n) for n, s in zip(tensor.shape or (), layout[1], strict=True) if n != 1)
    step = 1
    for stride, size in pairs:
        if stride != step:
            return False
        step *= size or 0
    return True


def inside_overlap(tensor: Tensor) -> bool:
    """Whether one place of memory is seen at several positions (expand)."""
    layout = layout_of(tensor)
    if layout is None:
        return False
    return any(stride == 0 and size not in (0, 1) for size, stride in zip(tensor.shape or (), layout[1], strict=True))


def smeared(target: Tensor, chosen: Tensor) -> bool:
    """Whether a write to what a mask or an index tensor chooses also changes positions that it does not choose."""
    layout, own = layout_of(target), layout_of(chosen)
    if layout is None or own is None or target.shape is None or chosen.shape is None:
        return False
    enlarged = [s == 0 and n not in (0, 1) for n, s in zip(target.shape, layout[1], strict=True)]
    if chosen.dtype == "int":
        return bool(enlarged) and enlarged[0]
    if chosen.dtype != "bool" or len(chosen.shape) != len(target.shape):
        return False
    differs = [s != 0 and n != 1 for n, s in zip(chosen.shape, own[1], strict=True)]
    return any(a and b for a, b in zip(enlarged, differs, strict=True))


def same_place(target: Tensor, other: Tensor) -> bool:
    """Whether both are known to be the same elements in the same order."""
    if target.storage.memory is not other.storage.memory or target.shape != other.shape:
        return False
    layout = layout_of(target)
    return layout is not None and layout == layout_of(other)


def partial_overlap(target: Tensor, other: Tensor) -> bool:
    """Whether a written tensor and a read one share memory without being the same."""
    if target is other or target.storage.memory is not other.storage.memory:
        return False
    first, second = layout_of(target), layout_of(other)
    if first is None or second is None or not dense(target, first) or not dense(other, second):
        return False
    start, end = first[0], first[0] + _count(target)
    begin, stop = second[0], second[0] + _count(other)
    if (start, end) == (begin, stop):
        return _effective(target, first) != _effective(other, second) or target.shape != other.shape
    return start < stop and begin < end


def is_expanded(value: Any, target: Tensor) -> bool:
    """Whether a tensor has to be repeated to fill ``target``: then torch does not look whether the two overlap."""
    if not isinstance(value, Tensor) or value.shape is None or target.shape is None:
        return False
    sizes = (1,) * (len(target.shape) - len(value.shape)) + tuple(value.shape)
    return any(size == 1 and wanted not in (None, 1) for size, wanted in zip(sizes, target.shape, strict=False))


def _effective(tensor: Tensor, layout: Layout) -> tuple[int, ...]:
    return tuple(s for n, s in zip(tensor.shape or (), layout[1], strict=True) if n != 1)


def _count(tensor: Tensor) -> int:
    total = 1
    for size in tensor.shape or ():
        total *= size or 0
    return total


# -- layouts of views -------------------------------------------------------------------------------------------------
def place(view: Tensor, source: Tensor, op: str, bound: Any) -> None:
    """Give ``view`` its layout from its source's, where the op and its arguments are known."""
    view.layout = layout_after(source, op, view.shape, bound)


def layout_after(source: Tensor, op: str, new: Shape, bound: Any) -> Layout | None:
    """The layout of what a viewing op makes of ``source`` under the shape ``new``; None where it is not known."""
    layout = layout_of(source)
    shape = source.shape
    if layout is None or shape is None or new is None or None in new or None in shape:
        return None
    offset, strides = layout
    if op in ("view", "reshape", "flatten", "ravel", "view_as", "reshape_as", "unflatten"):
        found = view_strides(shape, strides, new)
        return None if found is None else (offset, found)
    if op in ("t", "T", "mT", "transpose", "swapaxes", "swapdims", "adjoint", "H", "mH"):
        if len(shape) < 2:
            return layout
        a, b = (
            (bound.get("dim0", bound.get("axis0", -2)), bound.get("dim1", bound.get("axis1", -1)))
            if op in ("transpose", "swapaxes", "swapdims")
            else (-2, -1)
        )
        if not isinstance(a, int) or not isinstance(b, int):
            return None
        result = list(strides)
        a, b = a % len(shape), b % len(shape)
        result[a], result[b] = result[b], result[a]
        return offset, tuple(result)
    if op in ("permute", "movedim", "moveaxis"):
        dims = (
            bound.get("dims") if op == "permute" else shapes.moved(shape, bound.get("source"), bound.get("destination"))
        )
        if isinstance(dims, list | tuple) and all(isinstance(d, int) for d in dims):
            return offset, tuple(strides[d] for d in dims)
        return None
    if op in ("expand", "expand_as", "broadcast_to"):
        pad = len(new) - len(shape)
        return offset, tuple(
            0 if i < pad or (shape[i - pad] == 1 and new[i] != 1) else strides[i - pad] for i in range(len(new))
        )
    if op == "unsqueeze":
        dim = bound.get("dim")
        if not isinstance(dim, int):
            return None
        axis = dim % len(new)
        return offset, (*strides[:axis], 1, *strides[axis:])
    if op == "squeeze":
        kept = [s for n, s in zip(shape, strides, strict=True) if n != 1]
        if len(kept) == len(new):
            return offset, tuple(kept)
        gone = shapes.dims(bound.get("dim"), len(shape))
        kept = [
            s
            for i, (n, s) in enumerate(zip(shape, strides, strict=True))
            if not (n == 1 and gone is not None and i in gone)
        ]
        return (offset, tuple(kept)) if len(kept) == len(new) else None
    if op in ("select", "narrow"):
        dim, start = bound.get("dim"), bound.get("index" if op == "select" else "start")
        if not isinstance(dim, int) or not isinstance(start, int):
            return None
        axis = dim % len(shape)
        size = shape[axis]
        moved = offset + (start % size if size else 0) * strides[axis]
        return moved, ((*strides[:axis], *strides[axis + 1 :]) if op == "select" else strides)
    if op == "diagonal":
        a, b = bound.get("dim1", 0), bound.get("dim2", 1)
        if isinstance(a, int) and isinstance(b, int) and bound.get("offset", 0) == 0:
            a, b = a % len(shape), b % len(shape)
            return offset, (*[s for i, s in enumerate(strides) if i not in (a, b)], strides[a] + strides[b])
        return None
    if op in ("alias", "detach", "data", "positive"):
        return layout
    return None


def view_strides(old: tuple[Any, ...], strides: tuple[int, ...], new: tuple[Any, ...]) -> tuple[int, ...] | None:
    """The strides with which the same memory has another shape; None where only a copy can have it."""
    if 0 in old:
        return in_order(new)
    if not old:
        return (1,) * len(new)
    result = [0] * len(new)
    at = len(new) - 1
    step = strides[-1]
    stretch = room = 1
    for d in range(len(old) - 1, -1, -1):
        stretch *= old[d]
        if d == 0 or (old[d - 1] != 1 and strides[d - 1] != stretch * step):
            while at >= 0 and (room < stretch or new[at] == 1):
                result[at] = room * step
                room *= new[at]
                at -= 1
            if room != stretch:
                return None
            if d > 0:
                step = strides[d - 1]
                stretch = room = 1
    return tuple(result) if at == -1 else None


def pointwise_strides(operands: list[Tensor], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides of a pointwise op's new result: torch keeps the order of dimensions of its operands, the first one's first."""
    rows = []
    for operand in operands:
        layout = layout_of(operand)
        if layout is None or operand.shape is None or None in operand.shape:
            return None
        pad = len(shape) - len(operand.shape)
        rows.append(
            [
                0 if i < pad or (operand.shape[i - pad] == 1 and shape[i] != 1) else layout[1][i - pad]
                for i in range(len(shape))
            ]
        )
    order = list(range(len(shape) - 1, -1, -1))
    for i in range(1, len(order)):
        at = i
        for before in range(i - 1, -1, -1):
            answer = _compare(rows, shape, order[before], order[at])
            if answer > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif answer < 0:
                break
    result = [0] * len(shape)
    step = 1
    for axis in order:
        result[axis] = step
        step *= max(shape[axis], 1)
    return tuple(result)


def _compare(rows: list[list[int]], shape: tuple[int, ...], first: int, second: int) -> int:
    for strides in rows:
        if strides[first] == 0 or strides[second] == 0:
            continue
        if strides[first] != strides[second]:
            return -1 if strides[first] < strides[second] else 1
        if shape[first] > shape[second]:
            return 1
    return 0


def place_rows(view: Tensor, source: Tensor, axis: int, start: int | None, drop: bool) -> None:
    """The layout of one part of chunk, split (``drop`` False) or unbind."""
    layout = layout_of(source)
    if layout is None or start is None:
        return
    offset, strides = layout
    moved = offset + start * strides[axis]
    view.layout = (moved, (*strides[:axis], *strides[axis + 1 :])) if drop else (moved, strides)


def place_index(view: Tensor, source: Tensor, index: Any) -> None:
    """The layout of ``source[index]`` for integers, slices, None and Ellipsis."""
    layout = layout_of(source)
    if layout is None or source.shape is None or view.shape is None or None in view.shape:
        return
    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(1 for i in items if i is not None and i is not Ellipsis)
    if any(i is Ellipsis for i in items):
        at = next(k for k, i in enumerate(items) if i is Ellipsis)
        items[at : at + 1] = [slice(None)] * (len(source.shape) - used)
    offset, strides = layout
    result: list[int] = []
    axis = 0
    for item in items:
        if item is None:
            result.append(1)
            continue
        if axis >= len(source.shape):
            return
        size, stride = source.shape[axis], strides[axis]
        axis += 1
        if isinstance(item, int) and isinstance(size, int):
            offset += (item % size if size else 0) * stride
        elif isinstance(item, slice) and isinstance(size, int):
            try:
                start, _, step = item.indices(size)
            except (TypeError, ValueError):
                return
            offset += start * stride
            result.append(stride * step)
        else:
            return
    view.layout = (offset, (*result, *strides[axis:]))
