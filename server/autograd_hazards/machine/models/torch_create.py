"""Functions that make tensors."""

from __future__ import annotations

from typing import Any

from .. import autograd, shapes
from ..core import Call, Machine
from ..tensor import Tensor
from ..values import Instance, Unknown, Value
from . import torch_ops as ops
from .registry import function, lib_class
from .torch_tensor import TENSOR

INTEGERS = {"randint", "arange", "randperm", "randint_like"}


def _requires_grad(call: Call) -> bool | None:
    flag = call.kwargs.get("requires_grad", False)
    return flag if isinstance(flag, bool) else None


def _sized(name: str) -> Any:
    def model(m: Machine, call: Call) -> Value:
        args = [a for a in call.args if not (isinstance(a, Instance) and a.cls.name == "Generator")]
        around = [a for a in (*args, *call.kwargs.values()) if isinstance(a, Tensor)] if name == "normal" else []
        if around and "out" not in call.kwargs:  # a mean or spread that is a tensor: a graph that gives zeros
            return autograd.record(m, "normal", around, call.node, shape=shapes.broadcast(*[t.shape for t in around]))
        given: Any = args if args else [call.kwargs.get("size", Unknown("size"))]
        if name == "full":
            given = [call.get(0, "size")]
        elif name == "randint":
            given = [
                call.kwargs["size"]
                if "size" in call.kwargs
                else args[2]
                if len(args) > 2
                else args[1]
                if len(args) > 1
                else Unknown("size")
            ]
        elif name in ("normal", "empty_strided"):
            given = [call.kwargs.get("size", Unknown("size"))]
        dtype = ops.dtype_given(call, "int" if name in INTEGERS else "float")
        if name == "full" and not call.kwargs.get("dtype"):
            fill = call.get(1, "fill_value")
            dtype = "bool" if isinstance(fill, bool) else "int" if isinstance(fill, int) else "float"
        out = ops.new_tensor(m, call.node, shapes.sizes(given), dtype, _requires_grad(call))
        out.precision = ops.precision(call.kwargs.get("dtype")) or ""
        target = call.kwargs.get("out")
        if isinstance(target, Tensor):
            autograd.mutate(m, target, "inplace", name, call.node)
            return target
        return out

    return model


for _name in ("zeros", "ones", "empty", "rand", "randn", "full", "randint", "normal", "empty_strided"):
    function(f"torch.{_name}")(_sized(_name))


@function(
    "torch.zeros_like",
    "torch.ones_like",
    "torch.empty_like",
    "torch.rand_like",
    "torch.randn_like",
    "torch.full_like",
    "torch.randint_like",
)
def _like(m: Machine, call: Call) -> Value:
    source = call.get(0, "input")
    dtype = ops.dtype_given(call, source.dtype if isinstance(source, Tensor) else None)
    out = ops.new_tensor(m, call.node, shapes.of(source), dtype, _requires_grad(call))
    ops.keep_order(out, [source])
    return out


@function("torch.eye")
def _eye(m: Machine, call: Call) -> Value:
    n = call.get(0, "n")
    c = call.get(1, "m", n)
    return ops.new_tensor(m, call.node, shapes.sizes([n, c]), "float", _requires_grad(call))


@function("torch.arange", "torch.range")
def _arange(m: Machine, call: Call) -> Value:
    given = [a for a in (call.get(0, "start"), call.get(1, "end"), call.get(2, "step")) if a is not None]
    length = None
    if given and all(isinstance(g, int) for g in given):
        try:
            length = len(range(*given))
        except (ValueError, OverflowError):
            length = None
    dtype = ops.dtype_given(call, "float" if any(isinstance(g, float) for g in given) else "int")
    return ops.new_tensor(m, call.node, (length,), dtype, _requires_grad(call))


@function("torch.linspace", "torch.logspace")
def _linspace(m: Machine, call: Call) -> Value:
    steps = call.get(2, "steps")
    return ops.new_tensor(
        m, call.node, (steps if isinstance(steps, int) else None,), ops.dtype_given(call, "float"), _requires_grad(call)
    )


@function("torch.randperm")
def _randperm(m: Machine, call: Call) -> Value:
    n = call.get(0, "n")
    return ops.new_tensor(m, call.node, (n if isinstance(n, int) else None,), "int")


def nested_shape(data: Value) -> Any:
    """The shape of nested lists of numbers."""
    if isinstance(data, list | tuple):
        if not data:
            return (0,)
        inner = nested_shape(data[0])
        return None if inner is None else (len(data), *inner)
    if isinstance(data, bool | int | float | complex):
        return ()
    if isinstance(data, Tensor):
        return data.shape
    if isinstance(data, Instance) and data.is_a("numpy.ndarray"):
        return data.data.shape
    if isinstance(data, Unknown) and data.why == "number":
        return ()
    if isinstance(data, Unknown) and data.why == "list" and data.facets:
        return data.facets.get("shape")  # of a tensor's tolist()
    return None


def _number_kind(data: Value) -> str | None:
    if isinstance(data, list | tuple):
        kinds = {_number_kind(d) for d in list(data)[:64]}
        return (
            "float"
            if "float" in kinds
            else None
            if None in kinds
            else "int"
            if "int" in kinds
            else "bool"
            if "bool" in kinds
            else "float"
        )
    if isinstance(data, bool):
        return "bool"
    if isinstance(data, int):
        return "int"
    if isinstance(data, float):
        return "float"
    if isinstance(data, Tensor):
        return data.dtype
    if isinstance(data, Instance) and data.is_a("numpy.ndarray"):
        kind: str | None = data.data.dtype
        return kind
    if isinstance(data, Unknown) and data.facets:
        of_tensor: str | None = data.facets.get("kind")  # its item() or tolist()
        return of_tensor
    return None


def _constructor(name: str) -> Any:
    return lambda m, call: _tensor(m, call, name)


for _name in ("tensor", "as_tensor", "asarray", "from_numpy", "FloatTensor", "DoubleTensor", "LongTensor", "IntTensor", "HalfTensor", "ByteTensor",
              "BoolTensor", "scalar_tensor"):  # fmt: skip
    function(f"torch.{_name}", f"torch.cuda.{_name}")(_constructor(_name))


def _tensor(m: Machine, call: Call, name: str) -> Value:
    data = call.get(0, "data")
    if name in ("as_tensor", "asarray") and isinstance(data, Tensor):
        return data
    if (
        name in ("Tensor", "FloatTensor", "DoubleTensor", "LongTensor", "ByteTensor", "IntTensor")
        and call.args
        and isinstance(data, int)
    ):
        return ops.new_tensor(
            m,
            call.node,
            shapes.sizes(call.args),
            "int" if name in ("LongTensor", "IntTensor", "ByteTensor") else "float",
        )
    if name == "Tensor" and isinstance(data, Tensor):
        return autograd.detach(m, data, call.node) if data.requires_grad else data
    dtype = ops.dtype_given(
        call,
        "int"
        if name in ("LongTensor", "IntTensor", "ByteTensor")
        else "float"
        if name.endswith("Tensor")
        else _number_kind(data),
    )
    out = ops.new_tensor(m, call.node, nested_shape(data), dtype, _requires_grad(call))
    out.precision = (
        "64"
        if name == "DoubleTensor"
        else "16"
        if name == "HalfTensor"
        else ops.precision(call.kwargs.get("dtype")) or ""
    )
    inside = [t for t in ops.flatten(data) if isinstance(t, Tensor)]
    attached = [t for t in inside if t.requires_grad]
    cuts: list[Any] = [c for t in inside for c in t.cuts]
    for value in ops.flatten(data):
        if isinstance(value, Unknown) and value.facets and "cuts" in value.facets:
            cuts.extend(value.facets["cuts"])
    if isinstance(data, Instance) and data.is_a("numpy.ndarray"):
        cuts.extend(data.data.cuts)
    out.cuts = tuple(dict.fromkeys(cuts))[:4]
    if attached:
        m.ledger.cut("tensor()", attached, out, call.node)
    if isinstance(data, bool | int | float):
        out.elements = data
    elif isinstance(data, list | tuple) and len(data) <= 64 and all(isinstance(d, int | float) for d in data):
        out.elements = list(data)
    if out.requires_grad and out.cuts:
        m.ledger.masked(out, call.node)
    return out


TENSOR.methods["__new__"] = lambda m, cls, call: _tensor(m, call, "Tensor")
TENSOR.methods["__init__"] = lambda m, self, call: None


def _variable(m: Machine, call: Call) -> Value:
    data = call.get(0, "data")
    flag = call.get(1, "requires_grad", False)
    if isinstance(data, Tensor):
        if data.requires_grad or data.grad_fn is not None:
            out = autograd.detach(m, data, call.node)
        else:
            out = Tensor(m.here(call.node), False, data.shape, data.dtype, data.storage)
            out.cuts = data.cuts
        out._requires_grad = flag if isinstance(flag, bool) else None
        if flag is True and out.cuts:
            m.ledger.masked(out, call.node)
        return out
    return data


VARIABLE = lib_class("torch.autograd.Variable", "torch.Tensor", aliases=("torch.autograd.variable.Variable",))
VARIABLE.methods["__new__"] = lambda m, cls, call: _variable(m, call)
