"""Shapes of the results of ops that have a rule of their own, by op name: see ``shapes.infer``.

Each rule gets the shape of the op's input and the arguments by name, and answers None for what it cannot know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .tensor import Shape, Tensor

Bound = Mapping[str, Any]
Rule = Callable[[Shape, Bound], Shape]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    def add(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return add


def _of(value: Any) -> Shape:
    return value.shape if isinstance(value, Tensor) else None


def _axis(bound: Bound, rank: int, name: str = "dim", default: Any = -1) -> int | None:
    dim = bound.get(name, default)
    return dim % rank if isinstance(dim, int) and rank else None


def _times(a: Any, b: Any) -> int | None:
    return a * b if isinstance(a, int) and isinstance(b, int) else None


def _each(value: Any, rank: int) -> list[Any]:
    """A size or factor for every spatial dimension, given as one number or one by one."""
    if isinstance(value, int | float):
        return [value] * rank
    return list(value) if isinstance(value, list | tuple) else [None] * rank


def _with(shape: tuple[int | None, ...], axis: int, size: int | None) -> Shape:
    return (*shape[:axis], size, *shape[axis + 1 :])


@rule("fft_fft", "fft_ifft", "fft_fft2", "fft_ifft2", "fft_fftn", "fft_ifftn")
def _transform(shape: Shape, bound: Bound) -> Shape:
    return shape if bound.get("n") is None and bound.get("s") is None else None


@rule("multinomial")
def _multinomial(shape: Shape, bound: Bound) -> Shape:
    count = bound.get("num_samples")
    return (*shape[:-1], count) if shape and isinstance(count, int) else None


@rule(
    "linalg_inv", "linalg_inv_ex", "bernoulli", "isclose", "special_expit", "dropout2d", "dropout3d", "dropout1d",
    "feature_dropout", "alpha_dropout", "feature_alpha_dropout", "channel_shuffle", "gumbel_softmax", "addmv", "addr",
    "cross", "linalg_cross", "renorm", "cholesky_solve",
    "matrix_exp", "linalg_matrix_exp", "matrix_power", "linalg_matrix_power",
)  # fmt: skip
def _same(shape: Shape, bound: Bound) -> Shape:
    return shape


@rule("linalg_det", "det", "logdet", "linalg_slogdet", "slogdet")
def _determinant(shape: Shape, bound: Bound) -> Shape:
    return shape[:-2] if shape is not None and len(shape) >= 2 else None


@rule("vdot", "dist")
def _scalar(shape: Shape, bound: Bound) -> Shape:
    return ()


@rule("cdist")
def _cdist(shape: Shape, bound: Bound) -> Shape:
    first, second = _of(bound.get("x1")), _of(bound.get("x2"))
    if not first or not second or len(first) != len(second) or first[:-2] != second[:-2]:
        return None
    return (*first[:-1], second[-2])


@rule("topk")
def _topk(shape: Shape, bound: Bound) -> Shape:
    axis, k = _axis(bound, len(shape or ())), bound.get("k")
    return _with(shape, axis, k if isinstance(k, int) else None) if shape and axis is not None else None


@rule("kthvalue", "trapezoid", "trapz")
def _drop(shape: Shape, bound: Bound) -> Shape:
    axis = _axis(bound, len(shape or ()))
    if not shape or axis is None:
        return None
    return _with(shape, axis, 1) if bound.get("keepdim") is True else (*shape[:axis], *shape[axis + 1 :])


@rule("diff")
def _diff(shape: Shape, bound: Bound) -> Shape:
    axis, n = _axis(bound, len(shape or ())), bound.get("n", 1)
    longer = bound.get("prepend") is not None or bound.get("append") is not None
    if not shape or axis is None or not isinstance(n, int) or longer:
        return None
    size = shape[axis]
    return _with(shape, axis, max(size - n, 0) if size is not None else None)


@rule("repeat", "tile")
def _repeat(shape: Shape, bound: Bound) -> Shape:
    given = bound.get("repeats", bound.get("dims"))
    counts = [given] if isinstance(given, int) else list(given) if isinstance(given, list | tuple) else None
    if shape is None or counts is None:
        return None
    rank = max(len(shape), len(counts))
    sizes = [1] * (rank - len(shape)) + list(shape)
    return tuple(_times(s, c) for s, c in zip(sizes, [1] * (rank - len(counts)) + counts, strict=True))


@rule("repeat_interleave")
def _repeat_interleave(shape: Shape, bound: Bound) -> Shape:
    dim, count = bound.get("dim"), bound.get("repeats")
    if shape is None or not isinstance(dim, int) or not shape:
        return None
    return _with(shape, dim % len(shape), _times(shape[dim % len(shape)], count))


@rule("diag")
def _diag(shape: Shape, bound: Bound) -> Shape:
    if bound.get("diagonal", 0) != 0 or shape is None or None in shape:
        return None
    if len(shape) == 1:
        return shape[0], shape[0]
    return (min(shape[0] or 0, shape[1] or 0),) if len(shape) == 2 else None


@rule("diag_embed")
def _diag_embed(shape: Shape, bound: Bound) -> Shape:
    if not shape or bound.get("offset", 0) != 0 or (bound.get("dim1", -2), bound.get("dim2", -1)) != (-2, -1):
        return None
    return (*shape, shape[-1])


@rule("kron")
def _kron(shape: Shape, bound: Bound) -> Shape:
    other = _of(bound.get("other"))
    if shape is None or other is None or len(shape) != len(other):
        return None
    return tuple(_times(a, b) for a, b in zip(shape, other, strict=True))


@rule("pad")
def _pad(shape: Shape, bound: Bound) -> Shape:
    given = bound.get("pad")
    if shape is None or not isinstance(given, list | tuple) or len(given) % 2 or len(given) // 2 > len(shape):
        return None
    result = list(shape)
    for i in range(len(given) // 2):
        size, before, after = result[-1 - i], given[2 * i], given[2 * i + 1]
        known = isinstance(size, int) and isinstance(before, int) and isinstance(after, int)
        result[-1 - i] = size + before + after if known else None
    return tuple(result)


@rule("interpolate", "upsample")
def _interpolate(shape: Shape, bound: Bound) -> Shape:
    if shape is None or len(shape) < 3:
        return None
    rank = len(shape) - 2
    size, factor = bound.get("size"), bound.get("scale_factor")
    if size is not None:
        return (*shape[:2], *[s if isinstance(s, int) else None for s in _each(size, rank)])
    pairs = zip(shape[2:], _each(factor, rank), strict=False)
    spatial = [int(n * f) if isinstance(n, int) and isinstance(f, int | float) else None for n, f in pairs]
    return (*shape[:2], *spatial)


@rule("pixel_shuffle")
def _pixel_shuffle(shape: Shape, bound: Bound) -> Shape:
    r = bound.get("upscale_factor")
    if shape is None or len(shape) < 3 or not isinstance(r, int) or r < 1:
        return None
    channels = shape[-3] // (r * r) if shape[-3] is not None else None
    return (*shape[:-3], channels, _times(shape[-2], r), _times(shape[-1], r))


@rule("pixel_unshuffle")
def _pixel_unshuffle(shape: Shape, bound: Bound) -> Shape:
    r = bound.get("downscale_factor")
    if shape is None or len(shape) < 3 or not isinstance(r, int) or r < 1:
        return None
    height, width = (n // r if n is not None else None for n in shape[-2:])
    return (*shape[:-3], _times(shape[-3], r * r), height, width)


@rule("glu")
def _glu(shape: Shape, bound: Bound) -> Shape:
    axis = _axis(bound, len(shape or ()))
    if not shape or axis is None:
        return None
    size = shape[axis]
    return _with(shape, axis, size // 2 if size is not None else None)


@rule("take_along_dim", "take")
def _taken(shape: Shape, bound: Bound) -> Shape:
    index = _of(bound.get("indices", bound.get("index")))
    return index if bound.get("dim", 0) is not None else None


@rule("scaled_dot_product_attention")
def _attention(shape: Shape, bound: Bound) -> Shape:
    query, value = _of(bound.get("query")), _of(bound.get("value"))
    return (*query[:-1], value[-1]) if query and value else None


@rule("bilinear")
def _bilinear(shape: Shape, bound: Bound) -> Shape:
    first, weight = _of(bound.get("input1", bound.get("input"))), _of(bound.get("weight"))
    return (*first[:-1], weight[0]) if first and weight else None


@rule("cosine_similarity")
def _cosine_similarity(shape: Shape, bound: Bound) -> Shape:
    from .shapes import broadcast

    both = broadcast(_of(bound.get("x1")), _of(bound.get("x2")))
    axis = _axis(bound, len(both or ()), default=1)
    return (*both[:axis], *both[axis + 1 :]) if both and axis is not None else None


@rule("pairwise_distance")
def _pairwise_distance(shape: Shape, bound: Bound) -> Shape:
    from .shapes import broadcast

    both = broadcast(_of(bound.get("x1")), _of(bound.get("x2")))
    if not both:
        return None
    return (*both[:-1], 1) if bound.get("keepdim") is True else both[:-1]


@rule("grid_sample")
def _grid_sample(shape: Shape, bound: Bound) -> Shape:
    grid = _of(bound.get("grid"))
    return (*shape[:2], *grid[1:-1]) if shape is not None and len(shape) >= 4 and grid else None


@rule("tensordot")
def _tensordot(shape: Shape, bound: Bound) -> Shape:
    other, dims = _of(bound.get("other", bound.get("b"))), bound.get("dims", 2)
    left = shape if shape is not None else _of(bound.get("a"))
    if left is None or other is None or not isinstance(dims, int):
        return None
    return (*left[: len(left) - dims], *other[dims:])


@rule("inner")
def _inner(shape: Shape, bound: Bound) -> Shape:
    other = _of(bound.get("other"))
    return (*shape[:-1], *other[:-1]) if shape and other else None


@rule("one_hot")
def _one_hot(shape: Shape, bound: Bound) -> Shape:
    classes = bound.get("num_classes", -1)
    return (*shape, classes if isinstance(classes, int) and classes >= 0 else None) if shape is not None else None


@rule("fft_rfft")
def _half_transform(shape: Shape, bound: Bound) -> Shape:
    axis = _axis(bound, len(shape or ()))
    if not shape or axis is None or bound.get("n") is not None:
        return None
    size = shape[axis]
    return _with(shape, axis, size // 2 + 1 if size is not None else None)


@rule("linalg_eigvalsh", "linalg_svdvals", "linalg_eigvals")
def _spectrum(shape: Shape, bound: Bound) -> Shape:
    if shape is None or len(shape) < 2 or None in shape[-2:]:
        return None
    return (*shape[:-2], min(shape[-2] or 0, shape[-1] or 0))


@rule("linalg_eigh", "linalg_eig")
def _eigenvalues(shape: Shape, bound: Bound) -> Shape:
    return shape[:-1] if shape is not None and len(shape) >= 2 else None


@rule("unfold")
def _windows(shape: Shape, bound: Bound) -> Shape:
    dim, size, step = bound.get("dimension"), bound.get("size"), bound.get("step")
    if not shape or not isinstance(dim, int) or not isinstance(size, int) or not isinstance(step, int) or step < 1:
        return None
    length = shape[dim % len(shape)]
    return (*_with(shape, dim % len(shape), (length - size) // step + 1 if length is not None else None), size)  # type: ignore[misc]


@rule("ger")
def _outer(shape: Shape, bound: Bound) -> Shape:
    other = _of(bound.get("vec2"))
    return (*shape, *other) if shape is not None and other is not None else None
