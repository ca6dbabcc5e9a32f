"""Normalisation layers: which statistics they keep and what their functional gets."""

from __future__ import annotations

from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, Value
from . import nn_core
from .nn_core import Signature, known, part
from .nn_functional import functional
from .nn_layers import add_parameters, settle
from .registry import Call, method


# -- statistics over a batch ------------------------------------------------------------------------------------------
def _statistics(name: str, signature: str, instance: bool, bases: tuple[str, ...] = ()) -> None:
    cls = nn_core.declare(name, *bases)
    spec = Signature(signature)

    def init(m: Machine, self: Instance, call: Call) -> Value:
        values = spec.bind(call)
        settle(self, values)
        width = known(values.get("num_features"))
        affine = values["affine"]
        add_parameters(
            m,
            self,
            [("weight", (width,), affine), ("bias", (width,), False if affine is False else values["bias"])],
            call.node,
        )
        for key, shape, kind in (
            ("running_mean", (width,), "float"),
            ("running_var", (width,), "float"),
            ("num_batches_tracked", (), "int"),
        ):
            if values["track_running_stats"] is False:
                nn_core.set_buffer(self, key, None)
            else:
                nn_core.new_buffer(m, self, key, shape, call.node, kind)
        return None

    cls.methods["__init__"] = init
    cls.methods["forward"] = _instance_norm if instance else _batch_norm


def _batch_norm(m: Machine, self: Instance, call: Call) -> Value:
    """Running statistics are written without moving the version counter; the count of batches moves its own."""
    node, attrs = call.node, self.attrs
    mean, var = attrs.get("running_mean"), attrs.get("running_var")
    training: Any = attrs.get("training", True)
    if training is True and attrs.get("track_running_stats") is not False:
        count = attrs.get("num_batches_tracked")
        if isinstance(count, Tensor):
            autograd.mutate(m, count, "buffer", "add_", node)
    if mean is None and var is None:
        training = True
    elif training is True and attrs.get("track_running_stats") is False:
        mean = var = None
    args = [call.get(0, "input"), mean, var, part(m, self, "weight", node), part(m, self, "bias", node)]
    return functional(m, "batch_norm", args, {"training": training}, node)


def _instance_norm(m: Machine, self: Instance, call: Call) -> Value:
    node, attrs = call.node, self.attrs
    mean, var = attrs.get("running_mean"), attrs.get("running_var")
    use_input: Any = True if attrs.get("training", True) is True or mean is None else attrs.get("training")
    args = [call.get(0, "input"), mean, var, part(m, self, "weight", node), part(m, self, "bias", node)]
    return functional(m, "instance_norm", args, {"use_input_stats": use_input}, node)


_BATCH = "eps=1e-5, momentum=0.1, affine=True, track_running_stats=True"
_INSTANCE = "eps=1e-5, momentum=0.1, affine=False, track_running_stats=False"
_END = "device=None, dtype=None, *, bias=True"
for _n in (1, 2, 3):
    _statistics(f"BatchNorm{_n}d", f"num_features, {_BATCH}, {_END}", False)
    _statistics(f"InstanceNorm{_n}d", f"num_features, {_INSTANCE}, {_END}", True)
    _statistics(f"LazyBatchNorm{_n}d", f"{_BATCH}, {_END}", False, (f"torch.nn.BatchNorm{_n}d",))
    _statistics(f"LazyInstanceNorm{_n}d", f"{_BATCH}, {_END}", True, (f"torch.nn.InstanceNorm{_n}d",))
_statistics("SyncBatchNorm", f"num_features, {_BATCH}, process_group=None, {_END}", False)


def _convert(m: Machine, call: Call) -> Value:
    """``SyncBatchNorm.convert_sync_batchnorm(model)`` behaves as the model does."""
    return call.get(0, "module")


_convert.static = True  # type: ignore[attr-defined]
from ..values import LibFunction, StaticMethod  # noqa: E402

nn_core.declare("SyncBatchNorm").attrs["convert_sync_batchnorm"] = StaticMethod(
    LibFunction("convert_sync_batchnorm", _convert)
)

# -- statistics over one example --------------------------------------------------------------------------------------
LAYER = Signature("normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None")
RMS = Signature("normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None")
GROUP = Signature("num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True")
for _name in ("LayerNorm", "RMSNorm", "GroupNorm"):
    nn_core.declare(_name)


@method("torch.nn.LayerNorm", "__init__")
def _layer_init(m: Machine, self: Instance, call: Call) -> Value:
    values = LAYER.bind(call)
    settle(self, values)
    shape = nn_core.dims(values["normalized_shape"])
    if isinstance(values["normalized_shape"], int | list):
        self.attrs["normalized_shape"] = shape
    affine = values["elementwise_affine"]
    add_parameters(
        m, self, [("weight", shape, affine), ("bias", shape, False if affine is False else values["bias"])], call.node
    )
    return None


@method("torch.nn.LayerNorm", "forward")
def _layer(m: Machine, self: Instance, call: Call) -> Value:
    node = call.node
    args = [
        call.get(0, "input"),
        self.attrs.get("normalized_shape"),
        part(m, self, "weight", node),
        part(m, self, "bias", node),
    ]
    return functional(m, "layer_norm", args, {}, node)


@method("torch.nn.RMSNorm", "__init__")
def _rms_init(m: Machine, self: Instance, call: Call) -> Value:
    values = RMS.bind(call)
    settle(self, values)
    shape = nn_core.dims(values["normalized_shape"])
    if isinstance(values["normalized_shape"], int | list):
        self.attrs["normalized_shape"] = shape
    add_parameters(m, self, [("weight", shape, values["elementwise_affine"])], call.node)
    return None


@method("torch.nn.RMSNorm", "forward")
def _rms(m: Machine, self: Instance, call: Call) -> Value:
    args = [call.get(0, "input"), self.attrs.get("normalized_shape"), part(m, self, "weight", call.node)]
    return functional(m, "rms_norm", args, {}, call.node)


@method("torch.nn.GroupNorm", "__init__")
def _group_init(m: Machine, self: Instance, call: Call) -> Value:
    values = GROUP.bind(call)
    settle(self, values)
    width = known(values["num_channels"])
    affine = values["affine"]
    add_parameters(
        m,
        self,
        [("weight", (width,), affine), ("bias", (width,), False if affine is False else values["bias"])],
        call.node,
    )
    return None


@method("torch.nn.GroupNorm", "forward")
def _group(m: Machine, self: Instance, call: Call) -> Value:
    node = call.node
    args = [
        call.get(0, "input"),
        self.attrs.get("num_groups"),
        part(m, self, "weight", node),
        part(m, self, "bias", node),
    ]
    return functional(m, "group_norm", args, {}, node)
