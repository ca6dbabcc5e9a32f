"""``nn.Parameter`` and its kin: calling the class gives a leaf tensor that shares the memory of its data."""

from __future__ import annotations

from ..core import Machine
from ..tensor import Tensor
from ..values import Unknown, Value
from . import nn_core
from .registry import Call, lib_class, method

lib_class("torch.nn.Parameter", aliases=("torch.nn.parameter.Parameter",))
lib_class(
    "torch.nn.UninitializedParameter", "torch.nn.Parameter", aliases=("torch.nn.parameter.UninitializedParameter",)
)
lib_class("torch.nn.Buffer", aliases=("torch.nn.parameter.Buffer",))
lib_class("torch.nn.UninitializedBuffer", aliases=("torch.nn.parameter.UninitializedBuffer",))


@method("torch.nn.Parameter", "__new__")
def _parameter(m: Machine, cls: Value, call: Call) -> Value:
    data = call.get(0, "data")
    requires_grad = call.get(1, "requires_grad", True)
    flag = requires_grad if isinstance(requires_grad, bool) else None
    if isinstance(data, Tensor):
        return nn_core.as_parameter(m, data, flag, call.node)
    # a value that cannot be followed still becomes a leaf: its own memory is as good as any
    return nn_core.new_parameter(m, "", (0,) if data is None else None, call.node, flag)


@method("torch.nn.UninitializedParameter", "__new__")
def _uninitialized(m: Machine, cls: Value, call: Call) -> Value:
    requires_grad = call.get(0, "requires_grad", True)
    return nn_core.new_parameter(m, "", None, call.node, requires_grad if isinstance(requires_grad, bool) else None)


@method("torch.nn.Buffer", "__new__")
def _buffer(m: Machine, cls: Value, call: Call) -> Value:
    data = call.get(0, "data")
    if not isinstance(data, Tensor):
        return Unknown("buffer")
    made = nn_core.alias(m, data, call.node)
    made.origin = "Buffer"
    made.attrs = {"persistent": call.get(1, "persistent", True)}
    return made


@method("torch.nn.UninitializedBuffer", "__new__")
def _uninitialized_buffer(m: Machine, cls: Value, call: Call) -> Value:
    made = Tensor(m.here(call.node), False, None, "float")
    made.origin = "Buffer"
    return made
