"""Views, aliases and indexing."""

from __future__ import annotations

import ast
from typing import Any

from ... import torchdb
from .. import autograd, geometry, shapes
from ..core import Call, Machine
from ..tensor import Shape, Tensor
from ..values import Unknown, Value
from . import torch_fresh
from .registry import function, tensor_method, tensor_prop

MULTI = {
    "chunk",
    "split",
    "unbind",
    "tensor_split",
    "hsplit",
    "vsplit",
    "dsplit",
    "split_with_sizes",
    "unsafe_chunk",
    "unsafe_split",
}
SLICED = {"tensor_split": None, "hsplit": 1, "vsplit": 0, "dsplit": 2}  # made of plain slices, along this dimension
NONCONTIGUOUS = {"t", "transpose", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "expand", "expand_as", "T", "mT", "adjoint", "unfold",
                 "diagonal", "flip", "broadcast_to", "as_strided"}  # fmt: skip

RESHAPES_IN_PLACE = frozenset({"squeeze_", "unsqueeze_", "t_", "transpose_", "swapaxes_", "swapdims_"})
ENLARGING = frozenset({"expand", "expand_as", "broadcast_to"})


def contiguous(tensor: Tensor) -> bool:
    """Whether the tensor's memory is known to be in order (False: known or likely not to be)."""
    known = geometry.is_contiguous(tensor)
    if known is not None:
        return known
    facets = tensor.facets
    return not (facets is not None and facets.get("strided"))


def viewable(source: Tensor, shape: Shape) -> bool:
    """Whether the same memory can have this shape; where that is not known, memory in order can."""
    layout = geometry.layout_of(source)
    if layout is None or shape is None or source.shape is None or None in shape or None in source.shape:
        return contiguous(source)
    return shape == source.shape or geometry.view_strides(source.shape, layout[1], shape) is not None


def mark_strided(tensor: Tensor, source: Tensor, op: str) -> None:
    if op in ENLARGING and (tensor.shape is None or tensor.shape != source.shape):
        tensor.facets = {"strided": True}
    elif op in NONCONTIGUOUS and not (source.shape is not None and sum(1 for d in source.shape if d != 1) < 2):
        tensor.facets = {"strided": True}
    elif not contiguous(source):
        tensor.facets = {"strided": True}


def apply(m: Machine, ov: Any, how: str, source: Tensor, bound: dict[str, Value], node: ast.AST) -> Value:
    """A row of the table that returns a view or an alias of ``source``."""
    op = ov.op
    if op in MULTI:
        return multi(m, source, op, bound, node)
    shape = _shape(op, source, bound)
    if how == "alias":
        return source
    if how == "maybe_view":
        if op in ("to", "type", "float", "double", "half", "bfloat16", "int", "long", "bool", "type_as"):
            return source
        if op in ("contiguous",):
            return source if contiguous(source) else copy(m, source, op, node, shape)
        if op in ("reshape", "flatten", "ravel", "reshape_as") and not viewable(source, shape):
            made = copy(m, source, op, node, shape)
            return torch_fresh.view_of(m, made, node) if op == "ravel" else made
        if op == "flatten" and shape is not None and shape == source.shape:
            return source
    out = autograd.view(m, source, op, node, shape)
    mark_strided(out, source, op)
    geometry.place(out, source, op, bound)
    if op in ("view", "reshape") and out.facets and contiguous(source):
        out.facets = None
    m.ledger.carry_cuts([source], [out])
    return out


def reshape_in_place(tensor: Tensor, op: str, bound: dict[str, Value]) -> None:
    """Give a tensor the shape and layout that ``squeeze_``, ``t_`` and their like leave."""
    shape = _shape(op, tensor, bound)
    layout = geometry.layout_after(tensor, op, shape, bound)
    if shape != tensor.shape and isinstance(tensor.elements, list):
        tensor.elements = None
    mark_strided(tensor, tensor, op)
    tensor.shape, tensor.layout = shape, layout


def copy(m: Machine, source: Tensor, op: str, node: ast.AST, shape: Shape) -> Tensor:
    out = autograd.record(m, op, [source], node, shape=shape, dtype=source.dtype)
    m.ledger.carry_cuts([source], [out])
    return out


def _shape(op: str, source: Tensor, bound: dict[str, Value]) -> Shape:
    shape = source.shape
    dim = bound.get("dim")
    if op in ("view", "reshape"):
        size = bound.get("size", bound.get("shape"))
        if isinstance(size, list | tuple):
            new = tuple(s if isinstance(s, int) else None for s in size)
            return shapes.viewed(shape, new)
        if isinstance(size, int):
            return shapes.viewed(shape, (size,))
        return shape if bound.get("dtype") is not None else None
    if op in ("view_as", "reshape_as", "expand_as"):
        return shapes.of(bound.get("other"))
    if op in ("expand", "broadcast_to"):
        size = bound.get("size")
        if isinstance(size, int):
            size = (size,)
        if isinstance(size, list | tuple) and shape is not None:
            pad = len(size) - len(shape)
            return tuple(
                (shape[i - pad] if i >= pad else None) if s == -1 else s if isinstance(s, int) else None
                for i, s in enumerate(size)
            )
        return None
    if op == "unsqueeze":
        if shape is None or not isinstance(dim, int):
            return None
        axis = dim % (len(shape) + 1)
        return (*shape[:axis], 1, *shape[axis:])
    if op == "squeeze":
        if shape is None:
            return None
        if dim is None:
            return tuple(d for d in shape if d != 1) if None not in shape else None
        gone = shapes.dims(dim, len(shape))
        return None if gone is None else tuple(d for i, d in enumerate(shape) if not (i in gone and d == 1))
    if op in ("transpose", "swapaxes", "swapdims"):
        return shapes.swapped(shape, bound.get("dim0", bound.get("axis0")), bound.get("dim1", bound.get("axis1")))
    if op == "t":
        return shapes.swapped(shape, 0, 1) if shape is not None and len(shape) == 2 else shape
    if op in ("movedim", "moveaxis"):
        order = shapes.moved(shape, bound.get("source"), bound.get("destination"))
        return tuple(shape[d] for d in order) if order is not None and shape is not None else None
    if op == "unflatten":
        sizes = bound.get("sizes")
        if shape is None or not shape or not isinstance(dim, int) or not isinstance(sizes, list | tuple):
            return None
        axis = dim % len(shape)
        parts = shapes.viewed((shape[axis],), tuple(s if isinstance(s, int) else None for s in sizes))
        return None if parts is None else (*shape[:axis], *parts, *shape[axis + 1 :])
    if op == "permute":
        dims = bound.get("dims")
        if (
            shape is not None
            and isinstance(dims, list | tuple)
            and len(dims) == len(shape)
            and all(isinstance(d, int) for d in dims)
        ):
            return tuple(shape[d] for d in dims)
        return None
    if op in ("flatten",):
        if shape is None:
            return None
        start, end = bound.get("start_dim", 0), bound.get("end_dim", -1)
        if not shape or not isinstance(start, int) or not isinstance(end, int):
            return (1,) if shape == () else None
        start, end = start % len(shape), end % len(shape)
        return (*shape[:start], shapes.numel(shape[start : end + 1]), *shape[end + 1 :])
    if op == "ravel":
        return (shapes.numel(shape),) if shape is not None else None
    if op == "narrow":
        if shape is None or not isinstance(dim, int):
            return None
        length = bound.get("length")
        return tuple(
            (length if isinstance(length, int) else None) if i == dim % len(shape) else d for i, d in enumerate(shape)
        )
    if op == "select":
        if not shape or not isinstance(dim, int):
            return None
        return tuple(d for i, d in enumerate(shape) if i != dim % len(shape))
    if op == "diagonal":
        a, b = bound.get("dim1", 0), bound.get("dim2", 1)
        if (
            shape is None
            or None in shape
            or not isinstance(a, int)
            or not isinstance(b, int)
            or bound.get("offset", 0) != 0
        ):
            return None
        a, b = a % len(shape), b % len(shape)
        return (*[d for i, d in enumerate(shape) if i not in (a, b)], min(shape[a] or 0, shape[b] or 0))
    if op in ("detach", "contiguous", "real", "positive", "to", "alias", "view_as_real"):
        return shape
    return None


def multi(m: Machine, source: Tensor, op: str, bound: dict[str, Value], node: ast.AST) -> Value:
    """chunk, split, unbind: several views that share a node and must not be changed in place."""
    if op in SLICED:
        return _sliced(m, source, op, bound, node)
    dim = bound.get("dim", 0)
    axis = dim % len(source.shape) if isinstance(dim, int) and source.shape else None
    size = source.shape[axis] if axis is not None and source.shape else None
    if op == "unbind":
        count = size if isinstance(size, int) and size <= 64 else 3
        return tuple(rows(m, source, op, node, count, axis, [None]))
    if op in ("chunk", "unsafe_chunk"):
        chunks = bound.get("chunks")
        if not isinstance(chunks, int) or chunks <= 0 or chunks > 64:
            return Unknown(op)
        each = -(-size // chunks) if isinstance(size, int) else None
        parts: list[int | None] = [each] * chunks
        if isinstance(size, int) and each:
            parts = [min(each, size - each * i) for i in range(chunks) if size - each * i > 0]
    else:
        given = bound.get(
            "split_size",
            bound.get(
                "split_size_or_sections",
                bound.get("split_sizes", bound.get("indices_or_sections", bound.get("sections"))),
            ),
        )
        if isinstance(given, list | tuple):
            parts = [g if isinstance(g, int) else None for g in given]
        elif isinstance(given, int) and given > 0:
            if isinstance(size, int):
                parts = [min(given, size - given * i) for i in range(min(64, -(-size // given)))]
            else:
                return _uncounted(m, source, op, node, axis, given)
        else:
            return _uncounted(m, source, op, node, axis, None)
    return tuple(rows(m, source, op, node, len(parts), axis, parts, keep=True))


def _uncounted(m: Machine, source: Tensor, op: str, node: ast.AST, axis: int | None, size: int | None) -> Unknown:
    """Parts of which nobody knows how many there are: as many as are asked for by position, up to a few."""
    made = Unknown(op)
    for i, part in enumerate(rows(m, source, op, node, UNCOUNTED, axis, [size] * UNCOUNTED, keep=True)):
        made.derive(("item", i), make=lambda part=part: part)  # type: ignore[misc]
    return made


UNCOUNTED = 6


def _sliced(m: Machine, source: Tensor, op: str, bound: dict[str, Value], node: ast.AST) -> Value:
    """tensor_split and its kin: plain slices one after another, which may be changed in place."""
    dim = bound.get("dim", 0) if SLICED[op] is None else SLICED[op]
    rank = len(source.shape) if source.shape else 0
    if op == "hsplit" and rank == 1:
        dim = 0
    names = ("indices", "sections", "indices_or_sections", "tensor_indices_or_sections")
    given = next((bound[n] for n in names if bound.get(n) is not None), None)
    if not rank or not isinstance(dim, int) or source.shape is None:
        count = (
            given
            if isinstance(given, int) and not isinstance(given, bool)
            else len(given) + 1
            if isinstance(given, list | tuple)
            else 0
        )
        cut = (Ellipsis, slice(None, Unknown("end")))
        return tuple(get_item(m, source, cut, node) for _ in range(min(count, 64))) if count > 0 else Unknown(op)
    axis = dim % rank
    size = source.shape[axis]
    if isinstance(given, int) and given > 0 and not isinstance(given, bool):
        each, more = divmod(size, given) if isinstance(size, int) else (0, 0)
        ends = [(i + 1) * each + min(i + 1, more) for i in range(min(given, 64))]
    elif isinstance(given, list | tuple) and all(isinstance(g, int) for g in given):
        ends = [*given, size if isinstance(size, int) else 0]
    else:
        return Unknown(op)
    parts = []
    start = 0
    for end in ends:
        part: Any = slice(start, end) if isinstance(size, int) else slice(None, Unknown("end"))
        parts.append(get_item(m, source, (*[slice(None)] * axis, part), node))
        start = end
    return tuple(parts)


def rows(
    m: Machine,
    source: Tensor,
    op: str,
    node: ast.AST,
    count: int,
    axis: int | None,
    parts: list[int | None],
    keep: bool = False,
) -> list[Value]:
    shared = None
    result: list[Value] = []
    for i in range(count):
        shape: Shape = None
        if source.shape is not None and axis is not None:
            part = parts[i % len(parts)]
            shape = (
                (*source.shape[:axis], part, *source.shape[axis + 1 :])
                if keep
                else (*source.shape[:axis], *source.shape[axis + 1 :])
            )
        out = autograd.view(m, source, op, node, shape, creation="multi")
        if out.grad_fn is not None:
            if shared is None:
                shared = out.grad_fn
            else:
                out.grad_fn = shared
                shared.outputs.append(out)
        mark_strided(out, source, "select" if axis in (0, None) else "transpose")
        if axis is not None:
            before = i if not keep else sum(p or 0 for p in parts[:i]) if None not in parts[:i] else None
            geometry.place_rows(out, source, axis, before, not keep)
        result.append(out)
    m.ledger.carry_cuts([source], result)
    return result


def unbind(m: Machine, source: Tensor, node: ast.AST, count: int) -> list[Value]:
    return rows(m, source, "unbind", node, count, 0 if source.shape else None, [None])


# -- indexing ---------------------------------------------------------------------------------------------------------
def _plain(index: Value) -> bool:
    if isinstance(index, tuple):
        return all(_plain(i) for i in index)
    return (
        index is None
        or index is Ellipsis
        or isinstance(index, slice)
        or (isinstance(index, int) and not isinstance(index, bool))
    )


def _unknown_int(index: Value) -> bool:
    """An unknown index that is most likely an integer, as loop counters are."""
    if isinstance(index, tuple):
        return any(isinstance(i, Unknown) for i in index) and all(isinstance(i, Unknown) or _plain(i) for i in index)
    return isinstance(index, Unknown)


def full_slice(index: Value) -> bool:
    return index is Ellipsis or (
        isinstance(index, slice) and index.start is None and index.stop is None and index.step is None
    )


class _Position(Unknown):
    """An integer that a tensor without dimensions holds."""


def _numbers(index: Value) -> Value:
    """The index as torch takes it: a tensor of integers without dimensions is the number that it holds."""
    if isinstance(index, tuple):
        return tuple(map(_numbers, index))
    if isinstance(index, Tensor) and index.shape == () and index.dtype == "int":
        return index.elements if isinstance(index.elements, int) else _Position("index")
    return index


def get_item(m: Machine, owner: Tensor, index: Value, node: ast.AST) -> Value:
    shape, _ = shapes.indexed(owner.shape, index)
    index = _numbers(index)
    if _plain(index) or _unknown_int(index):
        if not all(isinstance(i, _Position) or _plain(i) for i in (index if isinstance(index, tuple) else (index,))):
            shape = None
        op = "select" if isinstance(index, int | _Position) else "alias" if index is Ellipsis else "slice"
        out = autograd.view(m, owner, op, node, shape)
        leading = isinstance(index, int | slice | _Position) or (isinstance(index, tuple) and len(index) == 1)
        mark_strided(out, owner, "select" if leading else "transpose")
        if _plain(index):
            geometry.place_index(out, owner, index)
        m.ledger.carry_cuts([owner], [out])
        if (
            isinstance(owner.elements, list | tuple)
            and isinstance(index, int)
            and -len(owner.elements) <= index < len(owner.elements)
        ):
            out.elements = owner.elements[index]
        return out
    items = index if isinstance(index, tuple) else (index,)
    saves = [(i, "index") for i in items if isinstance(i, Tensor)]
    out = autograd.record(m, "index", [owner], node, saves=saves, hidden=True, shape=shape, dtype=owner.dtype)
    m.ledger.carry_cuts([owner, *[i for i in items if isinstance(i, Tensor)]], [out])
    for i in items:
        if isinstance(i, Tensor) and not owner.requires_grad:
            m.ledger.carry_cuts([i], [out])
    return out


def set_item(m: Machine, owner: Tensor, index: Value, value: Value, node: ast.AST) -> None:
    index = _numbers(index)
    others = [value] if isinstance(value, Tensor) and value.floating else []
    operands = [value] if isinstance(value, Tensor) else []
    plain = _plain(index) or (_unknown_int(index) and not _plain(index))
    if plain and not full_slice(index):
        shape, _ = shapes.indexed(owner.shape, index)
        with_grad = m.grad_enabled is True and (owner.requires_grad or any(o.requires_grad for o in others))
        target = autograd.view(m, owner, "select" if isinstance(index, int | _Position) else "slice", node, shape)
        if _plain(index):
            geometry.place_index(target, owner, index)
        if not with_grad:
            if autograd.overlap_check(m, target, operands, node, "copy_", "setitem"):
                autograd.check_written(m, target, node)
                autograd.mutate(m, owner, "setitem", "copy_", node)
            return
        autograd.inplace(m, "copy_", target, others, node, cause="setitem", operands=operands)
    elif full_slice(index):
        autograd.inplace(m, "copy_", owner, others, node, cause="setitem", operands=operands)
    else:
        items = index if isinstance(index, tuple) else (index,)
        saves = [(i, "index") for i in items if isinstance(i, Tensor)]
        masked = any(isinstance(i, Tensor) and i.dtype == "bool" for i in items) and not isinstance(value, Tensor)
        op = "masked_fill_" if masked else "index_put_"
        chosen = [index] if isinstance(index, Tensor) else []
        autograd.inplace(m, op, owner, others, node, cause="setitem", saves=saves, hidden=True, operands=chosen)


# -- views that are properties ----------------------------------------------------------------------------------------
def _transposed(m: Machine, self: Tensor, node: ast.AST) -> Value:
    shape = tuple(reversed(self.shape)) if self.shape is not None else None
    if self.shape is not None and len(self.shape) > 2:
        shape = None
    out = autograd.view(m, self, "t", node, shape)
    mark_strided(out, self, "t")
    geometry.place(out, self, "t", {})
    m.ledger.carry_cuts([self], [out])
    return out


tensor_prop("T")(_transposed)


@tensor_prop("mT", "H", "mH")
def _matrix_transposed(m: Machine, self: Tensor, node: ast.AST) -> Value:
    out = autograd.view(m, self, "mT", node, shapes.swapped(self.shape, -2, -1))
    mark_strided(out, self, "t")
    geometry.place(out, self, "t", {})
    return out


@tensor_prop("real", "imag")
def _part(m: Machine, self: Tensor, node: ast.AST) -> Value:
    name = node.attr if isinstance(node, ast.Attribute) else "real"
    if self.dtype != "complex":
        return self if name == "real" and self.dtype is not None else Unknown(name)
    out = autograd.view(m, self, name, node, self.shape)
    out.dtype = "float"
    m.ledger.carry_cuts([self], [out])
    return out


@tensor_method("expand", "expand_as", "broadcast_to")
def _expand(m: Machine, self: Tensor, call: Call) -> Value:
    if call.args and isinstance(call.args[0], Tensor):
        shape = call.args[0].shape
    else:
        size = call.args if call.args else [call.kwargs.get("size", call.kwargs.get("sizes"))]
        given = shapes.sizes(size)
        shape = _shape("expand", self, {"size": given}) if given is not None else None
    out = autograd.view(m, self, "expand" if shape is None or shape != self.shape else "alias", call.node, shape)
    mark_strided(out, self, "expand")
    geometry.place(out, self, "expand", {})
    m.ledger.carry_cuts([self], [out])
    return out


def sized(name: str) -> Any:
    """``view``, ``reshape``, ``permute`` take their sizes as separate arguments too."""

    def model(m: Machine, self: Tensor, call: Call) -> Value:
        args = call.args
        if name in ("view",) and len(args) == 1 and not isinstance(args[0], int | tuple | list | Unknown):
            bound: dict[str, Value] = {"self": self, "dtype": args[0]}
        else:
            key = "dims" if name == "permute" else "size"
            size: Any = list(args[0]) if len(args) == 1 and isinstance(args[0], tuple | list) else list(args)
            if not args:
                size = call.kwargs.get("shape", call.kwargs.get("size", call.kwargs.get("dims", Unknown(name))))
            bound = {"self": self, key: size}
        overloads = torchdb.method(name)
        how = "maybe_view" if name == "reshape" else "view"
        return apply(m, _Named(name, overloads), how, self, bound, call.node)

    return model


class _Named:
    """Just enough of an overload for ``apply``."""

    def __init__(self, op: str, overloads: Any) -> None:
        self.op = op
        self.overloads = overloads


for _name in ("view", "reshape", "permute"):
    tensor_method(_name)(sized(_name))


@function("torch.broadcast_tensors")
def _broadcast_tensors(m: Machine, call: Call) -> Value:
    given = _several(call)
    if not all(isinstance(t, Tensor) for t in given):
        return tuple(Unknown("broadcast") for _ in given)
    shape: Shape = ()
    for tensor in given:
        shape = shapes.broadcast(shape, tensor.shape)
    return tuple(_spread(m, t, t, shape, call.node) for t in given)


@function("torch.meshgrid")
def _meshgrid(m: Machine, call: Call) -> Value:
    given = _several(call)
    if not all(isinstance(t, Tensor) for t in given):
        return tuple(Unknown("grid") for _ in given)
    sizes = [shapes.numel(t.shape) for t in given]
    turned = call.kwargs.get("indexing") == "xy" and len(given) > 1
    found: list[Value] = []
    for i, tensor in enumerate(given):
        line = autograd.view(m, tensor, "view", call.node, tuple(n if i == k else 1 for k, n in enumerate(sizes)))
        geometry.place(line, tensor, "view", {})
        grid = _spread(m, tensor, line, tuple(sizes), call.node)
        dims: dict[str, Value] = {"dim0": 0, "dim1": 1}
        found.append(apply(m, _Named("transpose", None), "view", grid, dims, call.node) if turned else grid)
    return tuple(found)


def _several(call: Call) -> list[Value]:
    """Tensors given one by one or in a list."""
    return list(call.args[0]) if len(call.args) == 1 and isinstance(call.args[0], list | tuple) else list(call.args)


def _spread(m: Machine, source: Tensor, line: Tensor, shape: Shape, node: ast.AST) -> Tensor:
    out = autograd.view(m, line, "expand", node, shape)
    mark_strided(out, line, "expand")
    geometry.place(out, line, "expand", {})
    m.ledger.carry_cuts([source], [out])
    return out


@tensor_method("view_as", "reshape_as")
def _view_as(m: Machine, self: Tensor, call: Call) -> Value:
    always = (
        isinstance(call.node, ast.Call)
        and isinstance(call.node.func, ast.Attribute)
        and call.node.func.attr == "view_as"
    )
    return apply(
        m,
        _Named("view" if always else "reshape", None),
        "view" if always else "maybe_view",
        self,
        {"size": shapes.of(call.get(0, "other"))},
        call.node,
    )
