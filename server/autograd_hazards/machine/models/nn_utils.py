"""``torch.nn.utils``: clipping, vectors of parameters, weight and spectral norm, parametrizations; functional calls."""

from __future__ import annotations

import ast

from .. import autograd, calls, iteration
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, Unknown, Value
from . import nn_core
from . import torch_ops as ops
from .registry import ALIASES, Call, function
from .stdlib_copy import Copier

UTILS = "torch.nn.utils."
ALIASES["torch.nn.utils.clip_grad"] = "torch.nn.utils"
ALIASES["torch.nn.utils.convert_parameters"] = "torch.nn.utils"


# -- clipping ---------------------------------------------------------------------------------------------------------
def _tensors(m: Machine, given: Value, node: ast.AST) -> list[Tensor]:
    if isinstance(given, Tensor):
        return [given]
    return [t for t in iteration.listed(m, given, node) if isinstance(t, Tensor)]


@function(UTILS + "clip_grad_norm_", UTILS + "clip_grad_norm")
def _clip_norm(m: Machine, call: Call) -> Value:
    m.ledger.clipped(_tensors(m, call.get(0, "parameters"), call.node), call.node)
    return ops.new_tensor(m, call.node, ())


@function(UTILS + "clip_grad_value_", UTILS + "clip_grads_with_norm_")
def _clip_value(m: Machine, call: Call) -> Value:
    m.ledger.clipped(_tensors(m, call.get(0, "parameters"), call.node), call.node)
    return None


@function(UTILS + "get_total_norm")
def _total_norm(m: Machine, call: Call) -> Value:
    return ops.new_tensor(m, call.node, ())


# -- vectors of parameters --------------------------------------------------------------------------------------------
@function(UTILS + "parameters_to_vector")
def _to_vector(m: Machine, call: Call) -> Value:
    views = [
        ops.tensor_method(m, p, "view", [-1], {}, call.node) for p in _tensors(m, call.get(0, "parameters"), call.node)
    ]
    if not views:
        return Unknown("parameters")
    return ops.torch_function(m, "cat", [views], {}, call.node)


@function(UTILS + "vector_to_parameters")
def _from_vector(m: Machine, call: Call) -> Value:
    """Each parameter's ``.data`` becomes a view of the vector: other memory, graphs keep the old."""
    vector = call.get(0, "vec")
    for tensor in _tensors(m, call.get(1, "parameters"), call.node):
        nn_core.rebind(tensor, vector.storage if isinstance(vector, Tensor) else None)
        if m.inference:
            autograd.take_inference(tensor, m.mode_trace)
    return None


# -- pruning, fusing, conversions -------------------------------------------------------------------------------------
@function(UTILS + "fusion.fuse_conv_bn_eval", UTILS + "fuse_conv_bn_eval")
def _fuse(m: Machine, call: Call) -> Value:
    return Copier(m, call.node).copy(call.get(0, "conv"))


@function(UTILS + "skip_init")
def _skip_init(m: Machine, call: Call) -> Value:
    kwargs = {k: v for k, v in call.kwargs.items() if k != "module_cls"}
    return calls.call(m, call.get(0, "module_cls"), call.args[1:], kwargs, call.node)


# -- calling a module with other parameters ---------------------------------------------------------------------------
@function("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def _functional_call(m: Machine, call: Call) -> Value:
    """Call a module with other tensors in place of its parameters and buffers."""
    module, given, node = (
        call.get(0, "module"),
        call.get(1, "parameter_and_buffer_dicts", call.kwargs.get("parameters_and_buffers")),
        call.node,
    )
    args = call.get(2, "args", ())
    kwargs = call.get(3, "kwargs")
    if not nn_core.is_module(module):
        return Unknown("functional_call")
    tables = list(given) if isinstance(given, tuple | list) else [given]
    if not all(isinstance(t, dict) and all(isinstance(k, str) for k in t) for t in tables):
        return _unknown_parameters(m, module, tables, args, node)
    saved: list[tuple[Instance, str, Value]] = []
    try:
        for name, tensor in [pair for table in tables for pair in table.items()]:
            owner = nn_core.submodule(module, name.rpartition(".")[0])
            short = name.rpartition(".")[2]
            if owner is not None and short in owner.attrs:
                saved.append((owner, short, owner.attrs[short]))
                owner.attrs[short] = tensor
        positional = list(args) if isinstance(args, tuple | list) else [args]
        return calls.call(m, module, positional, kwargs if isinstance(kwargs, dict) else {}, node)
    finally:
        for owner, short, tensor in reversed(saved):
            owner.attrs[short] = tensor


def _unknown_parameters(m: Machine, module: Instance, tables: list[Value], args: Value, node: ast.AST) -> Value:
    """The parameters given cannot be matched by name: the result depends on all of them."""
    from . import nn_opaque

    tensors = nn_core.parameters_in([tables, args])
    return nn_opaque.output(m, tensors, node, "functional_call") if tensors else Unknown("functional_call")


@function(
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.vmap",
    "torch.vmap",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.hessian",
    "torch.func.vjp",
    "torch.func.jvp",
    "torch.func.linearize",
    "torch.func.functionalize",
    "torch.func.stack_module_state",
)
def _transform(m: Machine, call: Call) -> Value:
    """Function transforms work on graphs of their own: nothing is claimed about them."""
    return Unknown("function transform")
