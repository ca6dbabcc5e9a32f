"""Shapes of results, as far as they can be known. Unknown dimensions are None; an unknown rank is None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import shapes_ops
from .tensor import Shape, Tensor
from .values import Unknown


def broadcast(*shapes: Shape) -> Shape:
    known = [s for s in shapes if s is not None]
    if len(known) != len(shapes):
        return None
    rank = max((len(s) for s in known), default=0)
    result: list[int | None] = []
    for axis in range(rank):
        dims = [s[axis - (rank - len(s))] for s in known if axis - (rank - len(s)) >= 0]
        sizes = {d for d in dims if d != 1}
        if not sizes:
            result.append(1)
        elif len(sizes) == 1:
            result.append(sizes.pop())
        else:
            given = [d for d in sizes if d is not None]
            result.append(given[0] if len(given) == 1 else None)
    return tuple(result)


def of(value: Any) -> Shape:
    """The shape of an operand: numbers are scalars, unknowns have no known rank."""
    if isinstance(value, Tensor):
        return value.shape
    if isinstance(value, Unknown) and value.why in NUMBERS:
        return ()
    return () if isinstance(value, bool | int | float | complex) else None


NUMBERS = frozenset(
    {"length", "size", "number", "numel", "loop index", "lr", "count"}
)  # unknowns that are plain numbers


def numel(shape: Shape) -> int | None:
    if shape is None or any(d is None for d in shape):
        return None
    total = 1
    for d in shape:
        total *= d or 0
    return total


def sizes(args: Sequence[Any]) -> Shape:
    """Sizes given as separate arguments or as one sequence."""
    if len(args) == 1 and isinstance(args[0], list | tuple):
        args = list(args[0])
    elif len(args) == 1 and isinstance(args[0], Unknown):
        return None
    return tuple(a if isinstance(a, int) and not isinstance(a, bool) else None for a in args)


def dims(dim: Any, rank: int) -> set[int] | None:
    if isinstance(dim, int):
        return {dim % rank} if rank else set()
    if isinstance(dim, list | tuple) and all(isinstance(d, int) for d in dim):
        return {d % rank for d in dim} if rank else set()
    return None


def reduced(shape: Shape, dim: Any, keepdim: Any) -> Shape:
    if dim is None or (isinstance(dim, list | tuple) and not dim):
        if keepdim is True and shape is not None:
            return (1,) * len(shape)
        return ()
    if shape is None:
        return None
    gone = dims(dim, len(shape))
    if gone is None:
        return None
    if keepdim is True:
        return tuple(1 if i in gone else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in gone)


def matmul(left: Shape, right: Shape) -> Shape:
    if left is None or right is None or not left or not right:
        return None
    if len(left) == 1 and len(right) == 1:
        return ()
    if len(left) == 1:
        return (*right[:-2], right[-1])
    if len(right) == 1:
        return left[:-1]
    batch = broadcast(left[:-2], right[:-2])
    return None if batch is None else (*batch, left[-2], right[-1])


def viewed(shape: Shape, new: Shape) -> Shape:
    """``view``/``reshape`` to ``new``: -1 (stored as -1) is resolved where the total is known."""
    if new is None:
        return None
    if -1 not in new:
        return new
    total = numel(shape)
    rest = numel(tuple(d for d in new if d != -1))
    inferred = total // rest if total is not None and rest else None
    return tuple(inferred if d == -1 else d for d in new)


def joined(tensors: Any, dim: Any) -> Shape:
    if not isinstance(tensors, list | tuple) or not tensors or not isinstance(dim, int):
        return None
    shapes = [of(t) for t in tensors]
    first = shapes[0]
    if first is None or any(s is None or len(s) != len(first) for s in shapes) or not first:
        return None
    axis = dim % len(first)
    parts = [s[axis] for s in shapes if s is not None]
    total = sum(p for p in parts if p is not None) if None not in parts else None
    return tuple(total if i == axis else d for i, d in enumerate(first))


def stacked(tensors: Any, dim: Any) -> Shape:
    if not isinstance(tensors, list | tuple) or not tensors or not isinstance(dim, int):
        return None
    first = of(tensors[0])
    if first is None:
        return None
    axis = dim % (len(first) + 1)
    return (*first[:axis], len(tensors), *first[axis:])


def swapped(shape: Shape, a: Any, b: Any) -> Shape:
    if shape is None or not isinstance(a, int) or not isinstance(b, int) or not shape:
        return shape if shape == () else None
    result = list(shape)
    a, b = a % len(result), b % len(result)
    result[a], result[b] = result[b], result[a]
    return tuple(result)


def indexed(shape: Shape, index: Any) -> tuple[Shape, bool]:
    """The shape of ``t[index]`` and whether the indexing is basic (a view)."""
    items = list(index) if isinstance(index, tuple) else [index]
    basic = all(i is None or i is Ellipsis or isinstance(i, slice | bool) or (isinstance(i, int)) for i in items)
    basic = basic and not any(isinstance(i, bool) for i in items)
    if shape is None:
        return None, basic
    used = sum(1 for i in items if i is not None and i is not Ellipsis)
    if Ellipsis in [i for i in items if i is Ellipsis]:
        at = next(k for k, i in enumerate(items) if i is Ellipsis)
        items[at : at + 1] = [slice(None)] * max(0, len(shape) - used)
    result: list[int | None] = []
    axis = 0
    advanced: list[Shape] = []
    position = 0
    for item in items:
        if item is None:
            result.append(1)
            continue
        size = shape[axis] if axis < len(shape) else None
        axis += 1
        if isinstance(item, slice):
            result.append(_sliced(size, item))
        elif isinstance(item, int) and not isinstance(item, bool):
            continue
        elif isinstance(item, Tensor) and item.dtype != "bool" and item.shape is not None:
            if not advanced:
                position = len(result)
            advanced.append(item.shape)
        elif isinstance(item, list) and all(isinstance(i, int) for i in item):
            if not advanced:
                position = len(result)
            advanced.append((len(item),))
        elif isinstance(item, Tensor) and item.dtype == "bool" and item.shape is not None:
            axis += len(item.shape) - 1
            if not advanced:
                position = len(result)
            advanced.append((None,))
        else:
            return None, basic
    if advanced:
        shared = broadcast(*advanced)
        if shared is None:
            return None, basic
        result[position:position] = list(shared)
    return tuple(result) + tuple(shape[axis:]), basic


def _sliced(size: int | None, item: slice) -> int | None:
    parts = (item.start, item.stop, item.step)
    if size is None or not all(p is None or isinstance(p, int) for p in parts):
        return size if parts == (None, None, None) else None
    try:
        return len(range(*item.indices(size)))
    except ValueError:
        return None


def infer(op: str, kind: str, bound: Mapping[str, Any]) -> Shape:
    """The shape of an op's (first) result from its arguments by name."""
    op = op.replace(".", "_")
    self_ = bound.get("self", bound.get("input", bound.get("A")))
    shape = of(self_)
    if op in ("matmul", "mm", "bmm", "mv", "dot", "linear"):
        other = bound.get("other", bound.get("mat2", bound.get("vec", bound.get("tensor", bound.get("weight")))))
        if op == "linear":
            out = of(other)
            return (*shape[:-1], out[0]) if shape and out else None
        return matmul(shape, of(other))
    if op in ("addmm", "baddbmm"):
        return matmul(of(bound.get("mat1", bound.get("batch1"))), of(bound.get("mat2", bound.get("batch2"))))
    if op == "linalg_solve":
        right = of(bound.get("B", bound.get("other")))
        return right if right is not None and len(right) >= 2 else None
    if op in ("linalg_inv", "inverse", "linalg_cholesky", "cholesky", "linalg_matrix_exp"):
        return shape
    if op == "outer":
        other = of(bound.get("vec2"))
        return (*shape, *other) if shape is not None and other is not None else None
    if op in ("cat", "concat", "concatenate"):
        return joined(bound.get("tensors"), bound.get("dim", 0))
    if op == "stack":
        return stacked(bound.get("tensors"), bound.get("dim", 0))
    if op == "einsum":
        return _einsum(bound)
    if op == "where":
        return (
            broadcast(*(of(bound.get(name)) for name in ("condition", "self", "input", "other") if name in bound))
            if "other" in bound
            else None
        )
    if op in ("log_sigmoid", "special_expit", "bernoulli"):
        return shape
    if op in ("softmax", "log_softmax", "cumsum", "cumprod", "flip", "roll", "clone", "dropout", "local_response_norm", "relu", "gelu", "sort", "tril", "triu",
              "masked_fill", "contiguous", "detach", "batch_norm", "layer_norm", "normalize", "scatter", "scatter_add"):  # fmt: skip
        return shape
    if op == "gather":
        return of(bound.get("index"))
    if op == "index_select":
        index, dim = of(bound.get("index")), bound.get("dim")
        if shape and index is not None and isinstance(dim, int):
            axis = dim % len(shape)
            return tuple(index[0] if i == axis and index else d for i, d in enumerate(shape))
        return None
    if op == "embedding":
        index, weight = of(bound.get("input", bound.get("indices"))), of(bound.get("weight"))
        return (*index, weight[-1]) if index is not None and weight else None
    if op in ("cross_entropy", "mse_loss", "l1_loss", "smooth_l1_loss", "nll_loss", "binary_cross_entropy", "huber_loss", "kl_div",
              "binary_cross_entropy_with_logits", "hinge_embedding_loss", "cosine_embedding_loss", "margin_ranking_loss", "soft_margin_loss",
              "triplet_margin_loss", "gaussian_nll_loss", "poisson_nll_loss", "ctc_loss", "multi_margin_loss", "multilabel_margin_loss"):  # fmt: skip
        if bound.get("reduction", "mean") in ("mean", "sum", "batchmean", 1, 2, None):
            return ()
        if op in ("cross_entropy", "nll_loss"):
            return (shape[0], *shape[2:]) if shape and len(shape) >= 2 else None
        return broadcast(shape, of(bound.get("target")))
    if op.startswith("conv") or op.endswith(("_pool1d", "_pool2d", "_pool3d")):
        return _windowed(op, shape, bound)
    own = shapes_ops.RULES.get(op)
    if own is not None:
        return own(shape, bound)
    if op in ("max", "min") and isinstance(bound.get("other"), Tensor | Unknown):
        return broadcast(shape, of(bound.get("other")))
    if kind == "pointwise":
        operands = [
            v
            for k, v in bound.items()
            if isinstance(v, Tensor | Unknown) or (k == "other" and isinstance(v, int | float))
        ]
        return broadcast(*[of(v) for v in operands]) if operands else shape
    if kind == "same":
        return shape
    if kind == "reduce":
        return reduced(shape, bound.get("dim", bound.get("axis")), bound.get("keepdim", False))
    return None


def moved(shape: Shape, source: Any, destination: Any) -> tuple[int, ...] | None:
    """The order of dimensions that ``movedim`` asks for."""
    if shape is None:
        return None
    froms, tos = (
        [v] if isinstance(v, int) else list(v) if isinstance(v, list | tuple) else [] for v in (source, destination)
    )
    if (
        not froms
        or len(froms) != len(tos)
        or not all(isinstance(d, int) and -len(shape) <= d < len(shape) for d in (*froms, *tos))
    ):
        return None
    froms, tos = [d % len(shape) for d in froms], [d % len(shape) for d in tos]
    rest = iter([d for d in range(len(shape)) if d not in froms])
    placed = dict(zip(tos, froms, strict=True))
    return tuple(placed[i] if i in placed else next(rest) for i in range(len(shape)))


def _windowed(op: str, shape: Shape, bound: Mapping[str, Any]) -> Shape:
    """Convolutions and poolings: the rank and channels are certain, the rest where the arguments are known."""
    if shape is None:
        return None
    rank = int(op[-2]) if op[-1] == "d" else None
    if rank is None or len(shape) < rank + 1:
        return None
    weight = of(bound.get("weight"))
    transposed = "transpose" in op
    channels = shape[-rank - 1]
    if op.startswith("conv"):
        groups = bound.get("groups", 1)
        channels = (
            None
            if not weight
            else weight[0]
            if not transposed
            else weight[1] * groups
            if isinstance(groups, int) and weight[1]
            else None
        )
    if op.startswith("adaptive"):
        size = bound.get("output_size")
        sizes_ = (
            (size,) * rank
            if isinstance(size, int)
            else tuple(size)
            if isinstance(size, list | tuple)
            else (None,) * rank
        )
        return (*shape[: -rank - 1], channels, *[s if isinstance(s, int) else None for s in sizes_])
    kernel = weight[2:] if op.startswith("conv") and weight else _each(bound.get("kernel_size"), rank)
    stride = _each(
        bound.get("stride")
        if bound.get("stride") not in (None, (), [])
        else (1 if op.startswith("conv") else bound.get("kernel_size")),
        rank,
    )
    padding, dilation = _each(bound.get("padding", 0), rank), _each(bound.get("dilation", 1), rank)
    spatial: list[int | None] = []
    for i in range(rank):
        n, k, s, p, d = shape[len(shape) - rank + i], kernel[i], stride[i], padding[i], dilation[i]
        if bound.get("padding") == "same":
            spatial.append(n)
        elif n is None or k is None or s is None or p is None or d is None or s == 0 or bound.get("ceil_mode") is True:
            spatial.append(None)
        elif transposed:
            extra = _each(bound.get("output_padding", 0), rank)[i]
            spatial.append((n - 1) * s - 2 * p + d * (k - 1) + extra + 1 if extra is not None else None)
        else:
            spatial.append((n + 2 * p - d * (k - 1) - 1) // s + 1)
    return (*shape[: -rank - 1], channels, *spatial)


def _each(value: Any, rank: int) -> tuple[int | None, ...]:
    if isinstance(value, int):
        return (value,) * rank
    if isinstance(value, list | tuple) and len(value) == rank:
        return tuple(v if isinstance(v, int) else None for v in value)
    return (None,) * rank


def _einsum(bound: Mapping[str, Any]) -> Shape:
    equation = bound.get("equation")
    operands = bound.get("operands", bound.get("tensors"))
    if (
        not isinstance(equation, str)
        or not isinstance(operands, list | tuple)
        or "->" not in equation
        or "." in equation
    ):
        return None
    left, right = equation.replace(" ", "").split("->")
    known: dict[str, int | None] = {}
    for letters, operand in zip(left.split(","), operands, strict=False):
        shape = of(operand)
        if shape is not None:
            known.update(zip(letters, shape, strict=False))
    return tuple(known.get(letter) for letter in right)
