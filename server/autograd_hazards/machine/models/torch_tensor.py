"""Tensor attributes and the methods that are more than a row of the table."""

from __future__ import annotations

import ast
from typing import Any

from .. import autograd, geometry, shapes
from ..core import Call, Machine
from ..syntax import walk
from ..tensor import Storage, Tensor
from ..values import NUMBER, Instance, LibValue, Unknown, Value
from . import torch_ops as ops
from . import torch_refusals
from .registry import TENSOR_METHODS, function, lib_class, relies_on, tensor_method, tensor_prop

TENSOR = lib_class("torch.Tensor")


# -- properties -------------------------------------------------------------------------------------------------------
@tensor_prop("requires_grad")
def _requires_grad(m: Machine, self: Tensor, node: ast.AST) -> Value:
    rg = self.requires_grad
    return Unknown("requires_grad") if rg is None else rg


@tensor_prop("grad")
def _grad(m: Machine, self: Tensor, node: ast.AST) -> Value:
    if (
        self.requires_grad
        and not self.is_leaf
        and not self.retains_grad
        and self.grad is None
        and not _asked_for(m, node)
    ):
        m.emit("grad_of_non_leaf", m.here(node), tensor=self, made=self.created)
    return m.ledger.read_grad(self, node)


def _asked_for(m: Machine, node: ast.AST) -> bool:
    """Whether code that goes over tensors of all kinds asks one whether it has a gradient: ``p.grad is None``."""
    if m.frame.stmt is None or not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    asked = any(
        isinstance(part, ast.Compare)
        and part.left is node
        and isinstance(part.comparators[0], ast.Constant)
        and part.comparators[0].value is None
        for part in walk(m.frame.stmt)
    )
    return asked and node.value.id in _picked(
        m.frame.function.node if m.frame.function else m.frame.module.source.parsed.tree
    )


def _picked(body: Any) -> frozenset[str]:
    """The names that a function gives to what it takes out of a collection."""
    known: frozenset[str] | None = getattr(body, "_picked", None)
    if known is None:
        targets: list[ast.AST] = []
        for part in walk(body):
            if isinstance(part, ast.For | ast.comprehension):
                targets.append(part.target)
            elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Subscript | ast.Attribute):
                targets.extend(part.targets)
        known = body._picked = frozenset(n.id for t in targets for n in walk(t) if isinstance(n, ast.Name))
    return known


@tensor_prop("grad_fn")
def _grad_fn(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return Unknown("grad_fn") if autograd.grad_fn(m, self) is not None else None


@tensor_prop("is_leaf")
def _is_leaf(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return self.is_leaf


@tensor_prop("data")
def _data(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return autograd.detach(m, self, node, via_data=True)


@tensor_prop("shape")
def _shape(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return _sizes(self)


def _sizes(tensor: Tensor) -> Value:
    if tensor.shape is None:
        tensor.facets = tensor.facets or {}
        return tensor.facets.setdefault("shape", Unknown("shape"))
    return tuple(unknown_size(tensor, i) if d is None else d for i, d in enumerate(tensor.shape))


def unknown_size(tensor: Tensor, axis: int) -> Value:
    """The same unknown for the same dimension, however often it is asked for."""
    if tensor.facets is None:
        tensor.facets = {}
    return tensor.facets.setdefault(("size", axis), Unknown("size"))


@tensor_prop("ndim")
def _ndim(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return Unknown("ndim") if self.shape is None else len(self.shape)


@tensor_prop("dtype")
def _dtype(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return {"float": LibValue("torch.float32"), "int": LibValue("torch.int64"), "bool": LibValue("torch.bool")}.get(
        self.dtype or "", Unknown("dtype")
    )


@tensor_prop("device", "layout", "names", "itemsize", "nbytes")
def _opaque_prop(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return Unknown("device")


@tensor_prop("is_cuda", "is_sparse", "is_quantized", "is_meta")
def _false(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return Unknown("is_cuda")


@tensor_prop("__class__")
def _class(m: Machine, self: Tensor, node: ast.AST) -> Value:
    from .. import attributes

    return attributes.type_of(m, self)


@tensor_prop("_version")
def _version(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return self.storage.version


@tensor_prop("_base")
def _base(m: Machine, self: Tensor, node: ast.AST) -> Value:
    return self.base


def set_attribute(m: Machine, owner: Tensor, name: str, value: Value, node: ast.AST) -> None:
    if (
        name == "_grad"
        and isinstance(value, Tensor)
        and value.facets is not None
        and value.facets.get("of") not in (None, owner)
    ):
        m.emit("gradient_aliased", m.here(node), source=value.facets["of"])
    if name in ("grad", "_grad"):
        m.ledger.set_grad(owner, value, node)
    elif name == "data":
        if isinstance(value, Tensor):
            m.ledger.replaced(owner, value, node)
        rebind(owner, value if isinstance(value, Tensor) else None)
    elif name == "requires_grad":
        _set_requires_grad(m, owner, value, node)
    else:
        if owner.attrs is None:
            owner.attrs = {}
        owner.attrs[name] = value


def rebind(owner: Tensor, value: Tensor | None) -> None:
    """``owner.data = value``: other memory under the same version counter. What was saved keeps the old memory."""
    if value is not None:
        if value.storage is not owner.storage:
            owner.storage = Storage(owner.storage, value.storage)
        owner.shape, owner.layout = value.shape, geometry.layout_of(value)
        if value.inference:
            autograd.take_inference(owner, autograd.inference_scope(value))
        else:
            owner.inference = False
    else:
        owner.storage = Storage(owner.storage)
        owner.layout = None


def _set_requires_grad(m: Machine, self: Tensor, value: Value, node: ast.AST) -> None:
    flag = value if isinstance(value, bool) else None
    if flag is False and not self.is_leaf:
        m.emit(
            "other",
            m.here(node),
            loud=True,
            message="you can only change requires_grad flags of leaf variables",
            tensor=self,
        )
        return
    if flag and self.cuts and not self.requires_grad:
        m.ledger.masked(self, node)
    if flag and self.inference and not m.inference:
        m.emit(
            "inference",
            m.here(node),
            loud=True,
            tensor=self,
            made=self.created,
            node=None,
            switch=autograd.inference_scope(self),
        )
        return
    if flag and self.dtype in ("int", "bool"):
        m.emit(
            "other",
            m.here(node),
            loud=True,
            message="only Tensors of floating point dtype can require gradients",
            tensor=self,
        )
        return
    if flag is False and self.attrs is not None and self.attrs.get("opaque") == "some":
        flag = None  # one parameter stands for many, of which only some are meant
    if self.grad_fn is None:
        self._requires_grad = flag


# -- cuts -------------------------------------------------------------------------------------------------------------
@tensor_method("detach")
def _detach(m: Machine, self: Tensor, call: Call) -> Value:
    return autograd.detach(m, self, call.node)


@tensor_method("detach_")
def _detach_(m: Machine, self: Tensor, call: Call) -> Value:
    if m.inference:
        return self  # inference mode leaves what autograd knows of a tensor alone
    if self.base is not None:
        m.emit("other", m.here(call.node), loud=True, message="Can't detach views in-place", tensor=self)
        return self
    self.grad_fn = None
    self._requires_grad = False
    return self


@tensor_method("item", "tolist", "__float__", "__int__", "__index__")
def _item(m: Machine, self: Tensor, call: Call) -> Value:
    if isinstance(self.elements, bool | int | float | list):
        return self.elements
    number = Unknown("list" if getattr(getattr(call.node, "func", None), "attr", "") == "tolist" else "number")
    if number.why == "number":
        number.facet(NUMBER, lambda: True)
    else:
        number.facet("shape", lambda: self.shape)
    number.facet("kind", lambda: self.dtype)
    if self.requires_grad:
        m.ledger.cut_number("item", self, number, call.node)
    elif self.cuts:
        number.facet("cuts", lambda: self.cuts)
    return number


@tensor_method("numpy", "__array__")
def _numpy(m: Machine, self: Tensor, call: Call) -> Value:
    if self.requires_grad and m.grad_enabled is not False and call.get(-1, "force") is not True:
        m.emit("numpy", m.here(call.node), loud=True, tensor=self, made=self.created)
    from .numpy_arrays import from_tensor

    return from_tensor(m, self, call.node)


@tensor_method("requires_grad_")
def _requires_grad_(m: Machine, self: Tensor, call: Call) -> Value:
    _set_requires_grad(m, self, call.get(0, "requires_grad", True), call.node)
    return self


@tensor_method("retain_grad")
def _retain_grad(m: Machine, self: Tensor, call: Call) -> Value:
    if self.requires_grad is False:
        m.emit(
            "no_grad_graph",
            m.here(call.node),
            loud=True,
            tensor=self,
            made=self.created,
            cuts=self.cuts,
            wrt="retain_grad",
        )
    self.retains_grad = True
    return None


@tensor_method("register_hook")
def _register_hook(m: Machine, self: Tensor, call: Call) -> Value:
    return _hook(m, self, "pre", call)


@tensor_method("register_post_accumulate_grad_hook")
def _register_post(m: Machine, self: Tensor, call: Call) -> Value:
    return _hook(m, self, "post", call)


def _hook(m: Machine, self: Tensor, kind: str, call: Call) -> Value:
    if self.requires_grad is False:
        m.emit("hook_without_gradient", m.here(call.node), loud=True, tensor=self, made=self.created)
    entry = (kind, call.get(0, "hook"))
    self.hooks = [*(self.hooks or []), entry]
    handle = Instance(HANDLE, m.here(call.node))
    handle.data = (self, entry)
    return handle


HANDLE = lib_class("torch.utils.hooks.RemovableHandle")
relies_on(HANDLE.qualname, tuple)


def _remove(m: Machine, self: Instance, call: Call) -> Value:
    tensor, entry = self.data
    if entry in (tensor.hooks or []):
        tensor.hooks.remove(entry)
    return None


HANDLE.methods["remove"] = _remove


# -- conversions ------------------------------------------------------------------------------------------------------
CASTS = {"float": "float", "double": "float", "half": "float", "bfloat16": "float", "int": "int", "long": "int", "short": "int", "byte": "int",
         "bool": "bool", "cfloat": "complex", "char": "int"}  # fmt: skip


def cast(
    m: Machine, self: Tensor, kind: str | None, node: ast.AST, name: str, same: bool, precision: str = ""
) -> Tensor:
    """A dtype or device change: ``self`` when nothing changes, otherwise a copy with history (floats) or a cut (ints)."""
    if same or kind is None:
        return self
    if kind not in ("float", "complex") and self.requires_grad and m.grad_enabled is not False:
        out = ops.new_tensor(m, node, self.shape, kind)
        m.ledger.cut(name, [self], out, node)
        return out
    out = autograd.record(m, "to", [self], node, shape=self.shape, dtype=kind)
    ops.keep_order(out, [self])
    out.precision = precision
    out.elements = self.elements if kind == self.dtype else None
    return out


def _cast_model(name: str, kind: str) -> Any:
    def model(m: Machine, self: Tensor, call: Call) -> Value:
        precision = {"double": "64", "half": "16", "bfloat16": "16"}.get(name, "")
        same = self.dtype == kind and self.precision == precision and name not in ("short", "byte", "int")
        return cast(m, self, kind, call.node, name, same, precision)

    return model


for _name, _kind in CASTS.items():
    tensor_method(_name)(_cast_model(_name, _kind))


@tensor_method("to", "type", "type_as")
def _to(m: Machine, self: Tensor, call: Call) -> Value:
    m.ledger.converted(self, call.node)
    kind, precision = self.dtype, self.precision
    for value in [*call.args, *call.kwargs.values()]:
        if isinstance(value, Tensor):
            kind, precision = value.dtype, value.precision
        elif ops.dtype_kind(value) is not None:
            kind, precision = ops.dtype_kind(value), ops.precision(value) or ""
    if kind in ("int", "bool") and _unknown_dtype(call):
        kind = None
    same = kind == self.dtype and precision == self.precision and call.kwargs.get("copy") is not True
    return cast(m, self, kind, call.node, "to", same, precision)


def _unknown_dtype(call: Call) -> bool:
    """Whether a conversion is to a dtype that is not known (an unknown device is called otherwise)."""
    named = {k: v for k, v in call.kwargs.items() if k in ("dtype", "other")}
    if isinstance(call.node, ast.Call):
        named |= {
            text: value
            for arg, value in zip(call.node.args, call.args, strict=False)
            if "type" in (text := ast.unparse(arg))
        }
    return any(isinstance(value, Unknown) for value in named.values())


@tensor_method(
    "cuda",
    "cpu",
    "xpu",
    "mps",
    "pin_memory",
    "contiguous",
    "share_memory_",
    "refine_names",
    "rename",
    "resolve_conj",
    "resolve_neg",
)
def _same(m: Machine, self: Tensor, call: Call) -> Value:
    name = call.node.func.attr if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute) else ""
    if name in ("cuda", "xpu", "mps"):
        m.ledger.converted(self, call.node)
    if name == "contiguous":
        from . import torch_views

        if not torch_views.contiguous(self):
            return torch_views.copy(m, self, "contiguous", call.node, self.shape)
    return self


# -- questions --------------------------------------------------------------------------------------------------------
@tensor_method("size")
def _size(m: Machine, self: Tensor, call: Call) -> Value:
    if not call.args and not call.kwargs:
        return _sizes(self)
    dim = call.get(0, "dim")
    if self.shape is not None and isinstance(dim, int) and -len(self.shape) <= dim < len(self.shape):
        size = self.shape[dim]
        return unknown_size(self, dim % len(self.shape)) if size is None else size
    if self.shape is None and isinstance(dim, int):
        shape = _sizes(self)
        return shape.derive(("item", dim)) if isinstance(shape, Unknown) else Unknown("size")
    return Unknown("size")


@tensor_method("dim", "ndimension")
def _dim(m: Machine, self: Tensor, call: Call) -> Value:
    return Unknown("ndim") if self.shape is None else len(self.shape)


@tensor_method("numel", "nelement")
def _numel(m: Machine, self: Tensor, call: Call) -> Value:
    total = shapes.numel(self.shape)
    return Unknown("numel") if total is None else total


@tensor_method("is_floating_point")
def _is_floating(m: Machine, self: Tensor, call: Call) -> Value:
    return Unknown("floating") if self.dtype is None else self.dtype == "float"


@tensor_method("is_complex")
def _is_complex(m: Machine, self: Tensor, call: Call) -> Value:
    return Unknown("complex") if self.dtype is None else self.dtype == "complex"


@tensor_method("is_inference")
def _is_inference(m: Machine, self: Tensor, call: Call) -> Value:
    return self.inference


@function("torch.is_tensor")
def _is_tensor(m: Machine, call: Call) -> Value:
    value = call.get(0, "obj")
    return value.derive("is tensor", "is_tensor") if isinstance(value, Unknown) else isinstance(value, Tensor)


def _asked(name: str) -> Any:
    """A question about a tensor that is asked as a function of torch too; it has no graph."""

    def model(m: Machine, call: Call) -> Value:
        tensor = call.get(0, "input")
        if isinstance(tensor, Unknown):
            return tensor.derive(("asked", name), name)
        return TENSOR_METHODS[name](m, tensor, call.rest(1)) if isinstance(tensor, Tensor) else Unknown(name)

    return model


for _name in (
    "is_floating_point",
    "is_complex",
    "is_inference",
    "is_nonzero",
    "numel",
    "equal",
    "allclose",
    "is_same_size",
):
    function(f"torch.{_name}")(_asked(_name))


@function("torch.result_type", "torch.promote_types", "torch.can_cast")
def _types(m: Machine, call: Call) -> Value:
    return Unknown("dtype")


@tensor_method("is_contiguous", "is_pinned", "is_shared", "get_device", "data_ptr", "storage", "untyped_storage", "stride", "storage_offset",
               "element_size", "is_set_to", "is_same_size", "allclose", "equal", "is_nonzero")  # fmt: skip
def _unknown(m: Machine, self: Tensor, call: Call) -> Value:
    return Unknown("property")


@tensor_method("__len__")
def _len(m: Machine, self: Tensor, call: Call) -> Value:
    return self.shape[0] if self.shape and self.shape[0] is not None else Unknown("length")


@tensor_method("__iter__")
def _iter(m: Machine, self: Tensor, call: Call) -> Value:
    from .. import iteration

    return iteration.tensor_rows(m, self, call.node)


@tensor_method("__getitem__")
def _getitem(m: Machine, self: Tensor, call: Call) -> Value:
    return ops.get_item(m, self, call.get(0, "index"), call.node)


@tensor_method("__setitem__")
def _setitem(m: Machine, self: Tensor, call: Call) -> Value:
    ops.set_item(m, self, call.get(0, "index"), call.get(1, "value"), call.node)
    return None


@tensor_method("clone")
def _clone(m: Machine, self: Tensor, call: Call) -> Value:
    out = autograd.record(m, "clone", [self], call.node, shape=self.shape, dtype=self.dtype)
    ops.keep_order(out, [self])
    m.ledger.carry_cuts([self], [out])
    out.elements = self.elements
    return out


@tensor_method("bernoulli")
def _bernoulli(m: Machine, self: Tensor, call: Call) -> Value:
    """New numbers, whose history leads to the tensor they are shaped like: its gradient is zero."""
    if isinstance(call.get(0, "p"), int | float):
        return torch_refusals.underived(m, "bernoulli", self, call.node)
    return autograd.record(m, "bernoulli", [self], call.node, shape=self.shape, dtype=self.dtype)


@tensor_method("new_zeros", "new_ones", "new_empty", "new_full", "new_tensor", "new")
def _new(m: Machine, self: Tensor, call: Call) -> Value:
    size = call.args if call.args else [call.kwargs.get("size", Unknown("size"))]
    dtype = ops.dtype_given(call, self.dtype)
    return ops.new_tensor(m, call.node, shapes.sizes(size), dtype, call.kwargs.get("requires_grad") is True)


# -- writes without a row ---------------------------------------------------------------------------------------------
@tensor_method("set_")
def _set_(m: Machine, self: Tensor, call: Call) -> Value:
    autograd.mutate(m, self, "inplace", "set_", call.node)
    self.shape = self.layout = None
    return self


@tensor_method("resize_", "resize_as_")
def _resize_(m: Machine, self: Tensor, call: Call) -> Value:
    self.shape = self.layout = None
    return self


@tensor_method("fill_diagonal_")
def _fill_diagonal_(m: Machine, self: Tensor, call: Call) -> Value:
    """Torch writes through a view of the diagonal."""
    autograd.inplace(m, "fill_", autograd.view(m, self, "as_strided", call.node, None), [], call.node)
    return self


@tensor_method("apply_", "map_")
def _apply_(m: Machine, self: Tensor, call: Call) -> Value:
    return autograd.inplace(m, "apply_", self, [], call.node)
