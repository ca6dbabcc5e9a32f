"""NumPy arrays: shape and dtype where known, never a graph. An array made from a tensor shares its memory."""

from __future__ import annotations

import ast
from typing import Any

from .. import autograd, iteration, shapes
from ..tensor import Shape, Tensor
from ..values import Instance, Unknown, Value
from . import torch_ops as ops
from .builtins_lazy import lazy
from .registry import Call, Machine, lib_class, method, prop

NDARRAY = lib_class("numpy.ndarray")


class Array:
    """What is known of an array. ``tensor`` is the one whose memory it shares; ``cuts`` are the graphs left behind."""

    __slots__ = ("cuts", "dtype", "shape", "tensor")

    def __init__(
        self, shape: Shape, dtype: str | None, tensor: Tensor | None = None, cuts: tuple[Any, ...] = ()
    ) -> None:
        self.shape = shape
        self.dtype = dtype
        self.tensor = tensor
        self.cuts = cuts


def is_array(value: Value) -> bool:
    """Whether ``value`` is an array (of a subclass too); from then on it has its Array."""
    if not isinstance(value, Instance):
        return False
    if value.data is None and value.is_a("numpy.ndarray"):
        value.data = Array(None, None)
    return isinstance(value.data, Array)


def _new(m: Machine, cls: Value, call: Call) -> Value:
    """``np.ndarray(shape)``, and objects of subclasses."""
    made = Instance(cls, m.here(call.node))
    shape = call.get(0, "shape")
    made.data = Array(shapes.sizes([shape]) if isinstance(shape, tuple | list | int) else None, "float")
    return made


NDARRAY.methods["__new__"] = _new
NDARRAY.methods["__init__"] = lambda m, self, call: None


def make(m: Machine, node: ast.AST, shape: Shape = None, dtype: str | None = "float", source: Any = None) -> Instance:
    """A new array; graphs cut at ``source`` (an array or tensor) are remembered."""
    made = Instance(NDARRAY, m.here(node))
    made.data = Array(shape, dtype, None, cuts_in(source))
    return made


def info(array: Instance) -> Array:
    """What is known of an array."""
    found: Array = array.data if is_array(array) else Array(None, None)
    return found


def cuts_in(value: Value) -> tuple[Any, ...]:
    if is_array(value):
        found: tuple[Any, ...] = value.data.cuts
        return found
    return value.cuts if isinstance(value, Tensor) else ()


def from_tensor(m: Machine, tensor: Tensor, node: ast.AST) -> Instance:
    """``tensor.numpy()``: the same memory, seen by NumPy."""
    made = make(m, node, tensor.shape, tensor.dtype, tensor)
    made.data.tensor = tensor
    made.data.cuts = m.ledger.into_numpy(tensor, node)
    return made


def converted(m: Machine, value: Value, node: ast.AST) -> Value:
    """What NumPy makes of an argument: a tensor is converted, which torch refuses when it requires grad."""
    if isinstance(value, Tensor):
        return ops.tensor_method(m, value, "numpy", [], {}, node)
    return value


def as_tensor(m: Machine, value: Value, node: ast.AST) -> Value:
    """An array as a tensor without history; other values as they are."""
    if not is_array(value):
        return value
    made = ops.new_tensor(m, node, value.data.shape, value.data.dtype)
    made.cuts = value.data.cuts
    return made


def shape_of(value: Value) -> Shape:
    if is_array(value):
        shape: Shape = value.data.shape
        return shape
    if isinstance(value, list | tuple):
        if not value:
            return (0,)
        inner = shape_of(value[0])
        return None if inner is None else (len(value), *inner)
    return shapes.of(value)


def number(owner: Value) -> Value:
    """An unknown number out of an array; it remembers the graphs cut before."""
    made = Unknown("number")
    cuts = cuts_in(owner)
    if cuts:
        made.facet("cuts", lambda: cuts)
    return made


def written(m: Machine, array: Instance, op: str, node: ast.AST) -> None:
    """The array's memory changes; a tensor that shares it does not notice."""
    tensor = info(array).tensor
    if tensor is not None:
        autograd.mutate(m, tensor, "numpy", op, node, bump=False)


# -- operators --------------------------------------------------------------------------------------------------------
OPERATORS: dict[str, type] = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "matmul": ast.MatMult,
    "and": ast.BitAnd,
    "or": ast.BitOr,
    "xor": ast.BitXor,
}


def combined(m: Machine, kind: type, left: Value, right: Value, node: ast.AST) -> Value:
    """An operator with an array on one side."""
    tensor = left if isinstance(left, Tensor) else right if isinstance(right, Tensor) else None
    if tensor is not None:
        if tensor.requires_grad:
            converted(m, tensor, node)
            return ops.new_tensor(m, node, None, "float")
        return ops.binary(m, kind, as_tensor(m, left, node), as_tensor(m, right, node), node)
    made = make(m, node, None, "float", left if is_array(left) else right)
    made.data.cuts = tuple(dict.fromkeys((*cuts_in(left), *cuts_in(right))))[:4]
    if kind is ast.MatMult:
        made.data.shape = shapes.matmul(shape_of(left), shape_of(right))
    else:
        made.data.shape = shapes.broadcast(shape_of(left), shape_of(right))
    return made


def _operator(name: str, kind: type) -> None:
    @method("numpy.ndarray", f"__{name}__")
    def _forward(m: Machine, self: Instance, call: Call) -> Value:
        return combined(m, kind, self, call.get(0, "other"), call.node)

    @method("numpy.ndarray", f"__r{name}__")
    def _backward(m: Machine, self: Instance, call: Call) -> Value:
        return combined(m, kind, call.get(0, "other"), self, call.node)

    @method("numpy.ndarray", f"__i{name}__")
    def _in_place(m: Machine, self: Instance, call: Call) -> Value:
        converted(m, call.get(0, "other"), call.node)
        written(m, self, name, call.node)
        return self


for _name, _kind in OPERATORS.items():
    _operator(_name, _kind)


@method("numpy.ndarray", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
def _compare(m: Machine, self: Instance, call: Call) -> Value:
    other = call.get(0, "other")
    if other is None or isinstance(other, str):
        return Unknown("comparison")
    return make(m, call.node, shapes.broadcast(info(self).shape, shape_of(other)), "bool", self)


@method("numpy.ndarray", "__neg__", "__pos__", "__invert__", "__abs__")
def _unary(m: Machine, self: Instance, call: Call) -> Value:
    return make(m, call.node, info(self).shape, info(self).dtype, self)


@method("numpy.ndarray", "__bool__", "__contains__")
def _undecided(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("array")


@method("numpy.ndarray", "__float__", "__int__", "__index__", "item")
def _number(m: Machine, self: Instance, call: Call) -> Value:
    return number(self)


# -- items ------------------------------------------------------------------------------------------------------------
@method("numpy.ndarray", "__len__")
def _len(m: Machine, self: Instance, call: Call) -> Value:
    shape = info(self).shape
    return shape[0] if shape and isinstance(shape[0], int) else Unknown("length")


@method("numpy.ndarray", "__iter__")
def _iter(m: Machine, self: Instance, call: Call) -> Value:
    shape = info(self).shape
    count = shape[0] if shape and isinstance(shape[0], int) else None
    given = count if count is not None and count <= 3 * iteration.FULL else iteration.SHORT
    return lazy((item(m, self, i, call.node) for i in range(given)), count if count == given else None)


@method("numpy.ndarray", "__getitem__")
def _getitem(m: Machine, self: Instance, call: Call) -> Value:
    return item(m, self, call.get(0, "key"), call.node)


def item(m: Machine, self: Instance, index: Value, node: ast.AST) -> Value:
    """``array[index]``."""
    shape = info(self).shape
    if isinstance(index, int) or (isinstance(index, Unknown) and shape is not None):
        if shape is not None and len(shape) == 1:
            return number(self)
        made = make(m, node, None if shape is None else shape[1:], info(self).dtype, self)
    elif isinstance(index, slice):
        made = make(m, node, None if not shape else (sliced(shape[0], index), *shape[1:]), info(self).dtype, self)
    elif (
        isinstance(index, tuple)
        and shape is not None
        and len(index) == len(shape)
        and all(isinstance(i, int) for i in index)
    ):
        return number(self)
    else:
        made = make(m, node, None, info(self).dtype, self)
        if not isinstance(index, tuple):
            return made  # a mask or an index array copies
    made.data.tensor = info(self).tensor
    return made


def sliced(size: int | None, index: slice) -> int | None:
    """Length of ``range(size)[index]`` where it is known."""
    if size is None or not all(p is None or isinstance(p, int) for p in (index.start, index.stop, index.step)):
        return None
    return None if index.step == 0 else len(range(size)[index])


@method("numpy.ndarray", "__setitem__")
def _setitem(m: Machine, self: Instance, call: Call) -> Value:
    index, value = call.get(0, "key"), call.get(1, "value")
    if isinstance(value, Tensor):
        whole = value.shape not in ((), (1,)) and value.shape is not None
        if whole or isinstance(index, slice):
            converted(m, value, call.node)
        else:
            ops.tensor_method(m, value, "item", [], {}, call.node)
    written(m, self, "setitem", call.node)
    return None


# -- properties -------------------------------------------------------------------------------------------------------
@prop("numpy.ndarray", "shape")
def _shape(m: Machine, self: Instance, node: ast.AST) -> Value:
    shape = info(self).shape
    if shape is None:
        made = self.attrs.get(" shape")
        if made is None:
            made = self.attrs[" shape"] = Unknown("shape")
        return made
    return tuple(d if d is not None else Unknown("size") for d in shape)


@prop("numpy.ndarray", "ndim")
def _ndim(m: Machine, self: Instance, node: ast.AST) -> Value:
    shape = info(self).shape
    return len(shape) if shape is not None else Unknown("ndim")


@prop("numpy.ndarray", "size", "nbytes", "itemsize")
def _size(m: Machine, self: Instance, node: ast.AST) -> Value:
    count = shapes.numel(info(self).shape)
    return count if count is not None and getattr(node, "attr", "size") == "size" else Unknown("size")


@prop("numpy.ndarray", "dtype")
def _dtype(m: Machine, self: Instance, node: ast.AST) -> Value:
    return Unknown("dtype")


@prop("numpy.ndarray", "T")
def _transposed(m: Machine, self: Instance, node: ast.AST) -> Value:
    shape = info(self).shape
    made = make(m, node, None if shape is None else shape[::-1], info(self).dtype, self)
    made.data.tensor = info(self).tensor
    return made


@prop("numpy.ndarray", "real", "imag", "flat")
def _same(m: Machine, self: Instance, node: ast.AST) -> Value:
    return self


# -- methods ----------------------------------------------------------------------------------------------------------
@method(
    "numpy.ndarray", "sum", "mean", "std", "var", "min", "max", "argmin", "argmax", "prod", "any", "all", "ptp", "trace"
)
def _reduce(m: Machine, self: Instance, call: Call) -> Value:
    return reduced(m, self, call.get(0, "axis"), call.kwargs.get("keepdims"), call.node)


def reduced(m: Machine, array: Value, axis: Value, keepdims: Value, node: ast.AST) -> Value:
    """A reduction: a number over all axes, otherwise an array."""
    if axis is None and keepdims is not True:
        return number(array)
    shape = shapes.reduced(shape_of(array), axis, keepdims) if not isinstance(axis, Unknown) else None
    return number(array) if shape == () else make(m, node, shape, "float", array)


@method("numpy.ndarray", "copy", "__copy__", "clip", "round", "cumsum", "cumprod", "argsort", "conj")
def _alike(m: Machine, self: Instance, call: Call) -> Value:
    return make(m, call.node, info(self).shape, info(self).dtype, self)


@method("numpy.ndarray", "__deepcopy__")
def _deepcopy(m: Machine, self: Instance, call: Call) -> Value:
    return make(m, call.node, info(self).shape, info(self).dtype, self)


@method("numpy.ndarray", "astype")
def _astype(m: Machine, self: Instance, call: Call) -> Value:
    return make(m, call.node, info(self).shape, ops.dtype_kind(call.get(0, "dtype")), self)


@method("numpy.ndarray", "reshape")
def _reshape(m: Machine, self: Instance, call: Call) -> Value:
    sizes = shapes.sizes(call.args)
    made = make(m, call.node, tuple(d if d != -1 else None for d in sizes) if sizes is not None else None, None, self)
    made.data.dtype, made.data.tensor = info(self).dtype, info(self).tensor
    return made


@method("numpy.ndarray", "flatten", "ravel")
def _flatten(m: Machine, self: Instance, call: Call) -> Value:
    return make(m, call.node, (shapes.numel(info(self).shape),), info(self).dtype, self)


@method("numpy.ndarray", "squeeze", "transpose", "swapaxes", "view", "diagonal")
def _view(m: Machine, self: Instance, call: Call) -> Value:
    made = make(m, call.node, None, info(self).dtype, self)
    made.data.tensor = info(self).tensor
    return made


@method("numpy.ndarray", "repeat", "dot", "take", "nonzero", "compress", "choose")
def _other(m: Machine, self: Instance, call: Call) -> Value:
    for value in call.args:
        converted(m, value, call.node)
    return make(m, call.node, None, info(self).dtype, self)


@method("numpy.ndarray", "tolist", "tobytes", "tostring")
def _tolist(m: Machine, self: Instance, call: Call) -> Value:
    made = Unknown("list")
    cuts = cuts_in(self)
    if cuts:
        made.facet("cuts", lambda: cuts)
    return made


@method("numpy.ndarray", "fill", "sort", "resize", "put", "partition")
def _change(m: Machine, self: Instance, call: Call) -> Value:
    written(m, self, "fill", call.node)
    return None


@method("numpy.ndarray", "tofile", "dump", "setflags")
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return None
