"""Wrappers of modules: DataParallel, DistributedDataParallel, FSDP, compiled and scripted modules."""

from __future__ import annotations

from typing import Any

from .. import autograd, calls
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, LibFunction, Unknown, Value
from . import nn_core, nn_opaque
from .registry import ALIASES, Call, function, lib_class, method

DDP = lib_class(
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.Module",
    aliases=("torch.nn.parallel.distributed.DistributedDataParallel",),
)
DP = lib_class(
    "torch.nn.DataParallel",
    "torch.nn.Module",
    aliases=("torch.nn.parallel.DataParallel", "torch.nn.parallel.data_parallel.DataParallel"),
)
FSDP = lib_class("torch.distributed.fsdp.FullyShardedDataParallel", "torch.nn.Module")
ALIASES["apex.parallel"] = "torch.nn.parallel"


def _wrap(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    self.attrs["module"] = call.get(0, "module")
    nn_core.state(self)["broadcast"] = call.kwargs.get("broadcast_buffers", True)
    return None


def _inner(m: Machine, self: Instance, call: Call) -> Value:
    return calls.call(m, self.attrs.get("module"), call.args, call.kwargs, call.node)


for _cls in (DDP, DP, FSDP):
    _cls.methods["__init__"] = _wrap
    _cls.methods["forward"] = _inner


@method(DDP.qualname, "forward")
def _ddp(m: Machine, self: Instance, call: Call) -> Value:
    """Before each forward the buffers are overwritten with those of the first process, if there are several."""
    if nn_core.state(self).get("broadcast") is not False:
        for _, buffer in nn_core.named_buffers(self):
            autograd.mutate(m, buffer, "buffer", "broadcast_buffers", call.node).assumed = "several processes"
    return _inner(m, self, call)


@method(DDP.qualname, "no_sync", "join", "register_comm_hook", "_set_static_graph")
def _context(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("context")


@method(FSDP.qualname, "no_sync", "summon_full_params")
def _fsdp_context(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("context")


@method(FSDP.qualname, "clip_grad_norm_")
def _fsdp_clip(m: Machine, self: Instance, call: Call) -> Value:
    m.ledger.clipped(nn_core.parameters(self), call.node)
    return Tensor(m.here(call.node), False, (), "float")


@function("torch.nn.parallel.data_parallel")
def _data_parallel(m: Machine, call: Call) -> Value:
    inputs = call.get(1, "inputs")
    return calls.call(m, call.get(0, "module"), list(inputs) if isinstance(inputs, tuple) else [inputs], {}, call.node)


# -- compilers that keep the meaning ----------------------------------------------------------------------------------
def _same(argument: str) -> Any:
    """A function that gives its first argument back, and a decorator when it is called with settings only."""

    def model(m: Machine, call: Call) -> Value:
        if call.has(0, argument) and call.get(0, argument) is not None:
            return call.get(0, argument)
        return LibFunction(argument, lambda m, inner: inner.get(0, argument))

    return model


for _name, _argument in (
    ("torch.compile", "model"),
    ("torch.jit.script", "obj"),
    ("torch.jit.trace", "func"),
    ("torch.jit.trace_module", "mod"),
    ("torch.jit.optimize_for_inference", "mod"),
    ("torch.jit.freeze", "mod"),
    ("torch.jit.script_method", "fn"),
    ("torch.jit.ignore", "fn"),
    ("torch.jit.unused", "fn"),
    ("torch.jit.export", "fn"),
    ("torch.compiler.disable", "fn"),
    ("torch._dynamo.disable", "fn"),
    ("torch.compiler.allow_in_graph", "fn"),
    ("torch._dynamo.optimize", "backend"),
    ("torch.fx.symbolic_trace", "root"),
):
    function(_name)(_same(_argument))


@function("torch.jit.load")
def _load(m: Machine, call: Call) -> Value:
    return nn_opaque.make(m, "jit.load", call.node)
