"""NumPy's functions. They know no graphs: a tensor that requires grad is refused, as torch refuses it."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

from .. import shapes
from ..tensor import Tensor
from ..values import Instance, Unknown, Value
from . import torch_ops as ops
from .builtins_types import number_in
from .numpy_arrays import converted, cuts_in, from_tensor, is_array, make, number, reduced, shape_of
from .registry import ALIASES, CONSTANTS, FOREIGN, Call, Machine, function
from .stdlib_math import apply_native

for _name in ("pi", "e", "inf", "nan"):
    CONSTANTS[f"numpy.{_name}"] = getattr(math, _name)
CONSTANTS["numpy.newaxis"] = None
CONSTANTS["numpy.Inf"] = math.inf
CONSTANTS["numpy.NaN"] = math.nan
CONSTANTS["numpy.NAN"] = math.nan
CONSTANTS["numpy.PINF"] = math.inf
CONSTANTS["numpy.NINF"] = -math.inf
ALIASES["autograd.numpy"] = "numpy"

REDUCTIONS = frozenset(
    "sum mean std var min max amin amax argmax argmin prod any all median nanmean nansum nanstd nanmax nanmin "
    "nanmedian percentile quantile average ptp count_nonzero linalg.norm trace linalg.det linalg.matrix_rank".split()
)
SAME_SHAPE = frozenset(
    "exp expm1 sqrt cbrt log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh abs absolute fabs sign "
    "floor ceil round around rint trunc square negative reciprocal clip isnan isinf isfinite nan_to_num cumsum "
    "cumprod sort argsort flip fliplr flipud deg2rad rad2deg degrees radians real imag conj logical_not roll copy "
    "ascontiguousarray asfortranarray zeros_like ones_like empty_like full_like array asarray asanyarray".split()
)
BROADCAST = frozenset(
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power maximum minimum fmax fmin arctan2 "
    "hypot logical_and logical_or logical_xor equal not_equal less less_equal greater greater_equal where "
    "isclose".split()
)
SCALARS = frozenset("float16 float32 float64 float_ double single half longdouble".split())
INTEGERS = frozenset("int8 int16 int32 int64 int_ intp uint8 uint16 uint32 uint64 long".split())
COMPARISONS = frozenset(
    "isnan isinf isfinite equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not "
    "isclose".split()
)
WITHOUT_DATA = frozenset(
    "shape ndim size iterable isscalar result_type issubdtype dtype finfo iinfo set_printoptions".split()
)
BOUND = 1_000


def tensors_in(value: Value, depth: int = 3) -> Iterator[Tensor]:
    """Tensors in a value and in lists of it."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple) and depth:
        for v in value[:BOUND]:
            yield from tensors_in(v, depth - 1)


def take(m: Machine, values: list[Value], node: ast.AST) -> None:
    """Convert the tensors among the arguments; one refusal is enough."""
    for value in values:
        for tensor in tensors_in(value):
            converted(m, tensor, node)
            if tensor.requires_grad:
                return


def plain_numbers(values: list[Value]) -> bool:
    return bool(values) and all(isinstance(v, int | float) for v in values)


@function("numpy.shape")
def _shape(m: Machine, call: Call) -> Value:
    shape = shape_of(call.get(0, "a"))
    return Unknown("shape") if shape is None else tuple(Unknown("size") if d is None else d for d in shape)


@function("numpy.squeeze")
def _squeeze(m: Machine, call: Call) -> Value:
    value = call.get(0, "a")
    if isinstance(value, Tensor):
        return ops.tensor_method(m, value, "squeeze", [], {}, call.node)
    return make(m, call.node, None, None, value)


@function("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full")
def _sized(m: Machine, call: Call) -> Value:
    shape = call.get(0, "shape")
    sizes = shapes.sizes([shape]) if not isinstance(shape, Unknown) else None
    kind = call.kwargs.get("dtype", call.args[1] if len(call.args) > 1 else None)
    return make(m, call.node, sizes, ops.dtype_kind(kind) or "float")


@function("numpy.eye", "numpy.identity")
def _eye(m: Machine, call: Call) -> Value:
    n = call.get(0, "N")
    return make(m, call.node, shapes.sizes([n, call.get(1, "M") or n]))


@function("numpy.arange")
def _arange(m: Machine, call: Call) -> Value:
    parts = [number_in(m, a, call.node) for a in call.args]
    known = bool(parts) and all(isinstance(p, int) for p in parts)
    known = known and len(parts) < 4 and all(abs(p) < 1 << 40 for p in parts) and 0 not in parts[2:]
    length = len(range(*parts)) if known else None
    return make(m, call.node, (length,), "float" if any(isinstance(p, float) for p in parts) else "int")


@function("numpy.linspace", "numpy.logspace", "numpy.geomspace")
def _linspace(m: Machine, call: Call) -> Value:
    count = call.get(2, "num", 50)
    return make(m, call.node, (count if isinstance(count, int) else None,))


@function("numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.fromfile", "numpy.frombuffer", "numpy.memmap")
def _load(m: Machine, call: Call) -> Value:
    return Unknown("file")


@function("numpy.allclose", "numpy.array_equal")
def _equal(m: Machine, call: Call) -> Value:
    take(m, call.args, call.node)
    return Unknown("comparison")


@function("numpy.save", "numpy.savez", "numpy.savez_compressed", "numpy.savetxt")
def _save(m: Machine, call: Call) -> Value:
    take(m, [*call.args, *call.kwargs.values()], call.node)
    return None


@function(
    "numpy.concatenate",
    "numpy.hstack",
    "numpy.vstack",
    "numpy.dstack",
    "numpy.column_stack",
    "numpy.append",
    "numpy.stack",
)
def _join(m: Machine, call: Call) -> Value:
    take(m, call.args, call.node)
    parts = call.get(0, "arrays")
    first = next((p for p in parts if is_array(p)), None) if isinstance(parts, list | tuple) else None
    return make(m, call.node, None, first.data.dtype if isinstance(first, Instance) else "float", first)


@function("numpy.unique", "numpy.meshgrid", "numpy.split", "numpy.array_split", "numpy.histogram", "numpy.nonzero")
def _several(m: Machine, call: Call) -> Value:
    take(m, call.args, call.node)
    return Unknown("arrays")


def other(m: Machine, name: str, call: Call) -> Value:
    """Any other function of NumPy, by its kind."""
    short = name.partition(".")[2]
    if short in WITHOUT_DATA or short.startswith("testing."):
        return Unknown(short)
    values = list(call.args)
    if short in SCALARS or short in INTEGERS:
        return _scalar(m, short, values, call)
    take(m, [*values, *call.kwargs.values()], call.node)
    if short in REDUCTIONS:
        return _reduction(m, short, values, call)
    numbers = values[:2] if short in BROADCAST else values[:1]
    if plain_numbers(numbers) and short not in ("array", "asarray", "zeros_like", "ones_like"):
        return _number(m, short, values, call)
    first = values[0] if values else None
    if short in SAME_SHAPE:
        if isinstance(first, Unknown) and short not in ("array", "asarray", "ascontiguousarray"):
            return Unknown(short)
        if short in ("asarray", "asanyarray") and "dtype" not in call.kwargs and isinstance(first, Tensor):
            return from_tensor(m, first, call.node)
        kind = ops.dtype_kind(call.kwargs.get("dtype")) or dtype_of(first)
        made = make(m, call.node, shape_of(first), "bool" if short in COMPARISONS else kind, first)
        if short == "asarray" and is_array(first) and "dtype" not in call.kwargs:
            return first
        return made
    if short in BROADCAST:
        if all(isinstance(v, Unknown | int | float) for v in values):
            return Unknown(short)
        made = make(m, call.node, shapes.broadcast(*(shape_of(v) for v in values)), None, first)
        made.data.cuts = _cuts(values)
        made.data.dtype = "bool" if short in COMPARISONS else "float"
        return made
    if any(is_array(v) or isinstance(v, Tensor) for v in values):
        made = make(m, call.node, None, None)
        made.data.cuts = _cuts(values)
        return made
    return Unknown(short)


def _cuts(values: list[Value]) -> tuple[Any, ...]:
    """Where the graphs end that led to what an array is made of."""
    return tuple(dict.fromkeys(cut for value in values for cut in cuts_in(value)))[-4:]


def dtype_of(value: Value) -> str | None:
    """The kind of numbers in an array, a tensor, a number or a list of them."""
    if isinstance(value, Instance) and is_array(value):
        kind: str | None = value.data.dtype
        return kind
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, bool | int | float):
        return "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
    if isinstance(value, list | tuple):
        kinds = {dtype_of(v) for v in value[:64]}
        return next((k for k in (None, "float", "int", "bool") if k in kinds), "float")
    return None


def _scalar(m: Machine, short: str, values: list[Value], call: Call) -> Value:
    if not values:
        return 0.0 if short in SCALARS else 0
    value = values[0]
    take(m, [value], call.node)
    if is_array(value) or isinstance(value, list | tuple):
        return make(m, call.node, shape_of(value), "float" if short in SCALARS else "int", value)
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value) if short in SCALARS else int(value)
    return value.derive(short) if isinstance(value, Unknown) else Unknown(short)


def _reduction(m: Machine, short: str, values: list[Value], call: Call) -> Value:
    source = values[0] if values else call.kwargs.get("a")
    axis_at = 2 if short in ("percentile", "quantile", "linalg.norm") else 1
    axis = call.get(axis_at, "axis")
    if isinstance(source, tuple | list) and axis is None:
        flat = list(source)
        if plain_numbers(flat) and all(isinstance(v, int) for v in flat) and len(flat) <= 64:
            if short == "prod":
                return math.prod(flat)
            if short == "sum":
                return sum(flat)
            if short in ("max", "min", "amax", "amin"):
                return max(flat) if short.endswith("max") else min(flat)
        return number(next((v for v in flat if is_array(v)), None))
    if isinstance(source, int | float) or axis is None:
        return number(source)
    return reduced(m, source, axis, call.kwargs.get("keepdims"), call.node)


MATH = {
    "absolute": "fabs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "power": "pow",
    "deg2rad": "radians",
    "rad2deg": "degrees",
}


def _number(m: Machine, short: str, values: list[Value], call: Call) -> Value:
    """A function of plain numbers."""
    if short in ("abs", "round", "around"):
        return apply_native(m, short, abs if short == "abs" else round, values[:1], call.node)
    if short in ("maximum", "minimum"):
        return apply_native(m, short, max if short == "maximum" else min, values, call.node)
    func = getattr(math, MATH.get(short, short), None)
    if func is None:
        return Unknown(short)
    result = apply_native(m, short, func, values, call.node)
    return float(result) if isinstance(result, int) and not isinstance(result, bool) else result


FOREIGN["numpy"] = other
