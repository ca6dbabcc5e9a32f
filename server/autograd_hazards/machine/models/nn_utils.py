"""``torch.nn.utils``: clipping, vectors of parameters, weight and spectral norm, parametrizations; functional calls."""

from __future__ import annotations

import ast
from typing import Any

from .. import autograd, calls, iteration
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, LibFunction, Unknown, Value
from . import nn_containers, nn_core, nn_module
from . import torch_ops as ops
from .registry import ALIASES, CLASSES, Call, function, lib_class, method
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
    views = [ops.tensor_method(m, p, "view", [-1], {}, call.node) for p in _tensors(m, call.get(0, "parameters"), call.node)]
    if not views:
        return Unknown("parameters")
    return ops.torch_function(m, "cat", [views], {}, call.node)


@function(UTILS + "vector_to_parameters")
def _from_vector(m: Machine, call: Call) -> Value:
    """Each parameter's ``.data`` becomes a view of the vector: other memory, graphs keep the old."""
    vector = call.get(0, "vec")
    for tensor in _tensors(m, call.get(1, "parameters"), call.node):
        nn_core.rebind(tensor)
        if isinstance(vector, Tensor):
            tensor.storage = vector.storage
    return None


# -- weights that are computed ----------------------------------------------------------------------------------------
def _computed(module: Instance) -> dict[str, Any]:
    found: dict[str, Any] = nn_core.state(module).setdefault("computed", {})
    return found


def _take(m: Machine, module: Value, name: Value, node: ast.AST) -> Tensor | None:
    """The parameter called ``name``, no longer registered under that name."""
    if not (nn_core.is_module(module) and isinstance(name, str)):
        return None
    weight = module.attrs.get(name)
    if not isinstance(weight, Tensor):
        return None
    del module.attrs[name]
    return weight


def _normed(m: Machine, direction: Tensor, size: Tensor, node: ast.AST) -> Tensor:
    """``g * v / ||v||``, whose kernel keeps both and the norm."""
    saves = [(direction, "v"), (size, "g")]
    return autograd.record(m, "_weight_norm_interface", [direction, size], node, saves=saves, hidden=True, shape=direction.shape)


@function(UTILS + "weight_norm")
def _weight_norm(m: Machine, call: Call) -> Value:
    """A hook before each forward computes the weight anew."""
    module, name, node = call.get(0, "module"), call.get(1, "name", "weight"), call.node
    weight = _take(m, module, name, node)
    if weight is None:
        return module
    size = nn_core.new_parameter(m, f"{name}_g", None, node, weight._requires_grad)
    direction = nn_core.as_parameter(m, weight, weight._requires_grad, node)
    direction.assigned = f"{name}_v"
    module.attrs[f"{name}_g"], module.attrs[f"{name}_v"] = size, direction

    def compute(m: Machine, call: Call) -> Value:
        owner = call.get(0, "module")
        owner.attrs[name] = _normed(m, owner.attrs[f"{name}_v"], owner.attrs[f"{name}_g"], call.node)
        return None

    compute(m, Call(node, [module], {}))
    _hook(m, module, ("weight_norm", name), compute, node)
    return module


@function(UTILS + "spectral_norm")
def _spectral_norm(m: Machine, call: Call) -> Value:
    """A hook before each forward computes the weight from buffers that it updates in training."""
    module, name, node = call.get(0, "module"), call.get(1, "name", "weight"), call.node
    weight = _take(m, module, name, node)
    if weight is None:
        return module
    original = nn_core.as_parameter(m, weight, weight._requires_grad, node)
    original.assigned = f"{name}_orig"
    module.attrs[f"{name}_orig"] = original
    for side in "uv":
        nn_core.new_buffer(m, module, f"{name}_{side}", (None,), node)

    def compute(m: Machine, call: Call) -> Value:
        owner = call.get(0, "module")
        if owner.attrs.get("training") is not False:
            for side in "uv":
                buffer = owner.attrs.get(f"{name}_{side}")
                if isinstance(buffer, Tensor):
                    autograd.mutate(m, buffer, "buffer", "normalize", call.node)
        owner.attrs[name] = _scaled(m, owner.attrs[f"{name}_orig"], call.node)
        return None

    module.attrs[name] = nn_core.alias(m, original, node)
    _hook(m, module, ("spectral_norm", name), compute, node)
    return module


def _scaled(m: Machine, weight: Tensor, node: ast.AST) -> Tensor:
    """``W / sigma(W)`` with sigma from cloned vectors: the division keeps the weight and sigma."""
    sigma = autograd.record(m, "dot", [weight], node, hidden=True, shape=())
    return autograd.record(m, "div", [weight, sigma], node, saves=[(weight, "self")], hidden=True, shape=weight.shape)


def _hook(m: Machine, module: Instance, key: Any, model: Any, node: ast.AST) -> None:
    handle = nn_module.add_hook(m, module, "pre_hooks", (LibFunction(key[0], model), False), node)
    nn_core.state(module).setdefault("norm_hooks", {})[key] = handle


@function(UTILS + "remove_weight_norm", UTILS + "remove_spectral_norm")
def _remove_norm(m: Machine, call: Call) -> Value:
    module, name = call.get(0, "module"), call.get(1, "name", "weight")
    if not (nn_core.is_module(module) and isinstance(name, str)):
        return module
    hooks = nn_core.state(module).get("norm_hooks", {})
    for kind, parts in (("weight_norm", (f"{name}_g", f"{name}_v")), ("spectral_norm", (f"{name}_orig", f"{name}_u", f"{name}_v"))):
        handle = hooks.pop((kind, name), None)
        if handle is not None:
            handle.data[0].pop(handle.data[1], None)
            shape = next((t.shape for p in parts[::-1] if isinstance(t := module.attrs.get(p), Tensor)), None)
            for p in parts:
                module.attrs.pop(p, None)
                nn_core.buffers_of(module).pop(p, None)
            module.attrs[name] = nn_core.new_parameter(m, name, shape, call.node)
    return module


# -- parametrizations -------------------------------------------------------------------------------------------------
PARAMETRIZE = "torch.nn.utils.parametrize."
PARAMETRIZATIONS = "torch.nn.utils.parametrizations."
PARAMETRIZATION_LIST = lib_class("torch.nn.utils.parametrize.ParametrizationList", "torch.nn.ModuleList")


def parametrize(m: Machine, module: Instance, name: str, parts: list[tuple[str, Tensor]], functions: list[Value], compute: Any, node: ast.AST) -> None:
    """Make ``module.<name>`` a computed attribute over parameters kept under ``module.parametrizations``."""
    table = module.attrs.get("parametrizations")
    if not isinstance(table, Instance):
        table = Instance(CLASSES["torch.nn.ModuleDict"], m.here(node))
        nn_core.start(table)
        module.attrs["parametrizations"] = table
    entry = Instance(PARAMETRIZATION_LIST, m.here(node))
    nn_core.start(entry)
    nn_containers.replace(m, entry, functions, node)
    for key, tensor in parts:
        tensor.assigned = f"parametrizations.{name}.{key}"
        entry.attrs[key] = tensor
    nn_containers._put(m, table, name, entry, node)
    _computed(module)[name] = lambda m, owner, where: compute(m, owner.attrs["parametrizations"].attrs[name], where)


@function(PARAMETRIZE + "register_parametrization")
def _register_parametrization(m: Machine, call: Call) -> Value:
    module, name, transform, node = call.get(0, "module"), call.get(1, "tensor_name"), call.get(2, "parametrization"), call.node
    if nn_core.is_module(module) and isinstance(name, str) and name in _computed(module):
        entry = module.attrs["parametrizations"].attrs[name]
        nn_containers._put(m, entry, str(len(nn_containers.keys(entry))), transform, node)
        return module
    weight = _take(m, module, name, node)
    if weight is None:
        return module
    original = weight if weight.is_param else nn_core.as_parameter(m, weight, weight._requires_grad, node)

    def compute(m: Machine, entry: Instance, where: ast.AST) -> Value:
        value = entry.attrs["original"]
        for step in nn_containers.items(entry):
            value = calls.call(m, step, [value], {}, where)
        return value

    parametrize(m, module, name, [("original", original)], [transform], compute, node)
    return module


@function(PARAMETRIZATIONS + "weight_norm")
def _weight_norm_parametrization(m: Machine, call: Call) -> Value:
    module, name, node = call.get(0, "module"), call.get(1, "name", "weight"), call.node
    weight = _take(m, module, name, node)
    if weight is None:
        return module
    size = nn_core.new_parameter(m, "original0", None, node, weight._requires_grad)
    direction = nn_core.as_parameter(m, weight, weight._requires_grad, node)

    def compute(m: Machine, entry: Instance, where: ast.AST) -> Value:
        return _normed(m, entry.attrs["original1"], entry.attrs["original0"], where)

    parametrize(m, module, name, [("original0", size), ("original1", direction)], [], compute, node)
    return module


@function(PARAMETRIZATIONS + "spectral_norm", PARAMETRIZATIONS + "orthogonal")
def _computed_parametrization(m: Machine, call: Call) -> Value:
    module, name, node = call.get(0, "module"), call.get(1, "name", "weight"), call.node
    weight = _take(m, module, name, node)
    if weight is None:
        return module

    def compute(m: Machine, entry: Instance, where: ast.AST) -> Value:
        return _scaled(m, entry.attrs["original"], where)

    parametrize(m, module, name, [("original", weight)], [], compute, node)
    return module


@function(PARAMETRIZE + "is_parametrized")
def _is_parametrized(m: Machine, call: Call) -> Value:
    module, name = call.get(0, "module"), call.get(1, "tensor_name")
    if not nn_core.is_module(module):
        return Unknown("parametrized")
    return name in _computed(module) if isinstance(name, str) else bool(_computed(module))


@function(PARAMETRIZE + "remove_parametrizations")
def _remove_parametrizations(m: Machine, call: Call) -> Value:
    module, name, node = call.get(0, "module"), call.get(1, "tensor_name"), call.node
    if nn_core.is_module(module) and isinstance(name, str) and _computed(module).pop(name, None) is not None:
        entry = nn_containers.table(module.attrs["parametrizations"]).get(name)
        parts = nn_core.own_parameters(entry) if isinstance(entry, Instance) else []
        module.attrs[name] = nn_core.new_parameter(m, name, parts[-1][1].shape if parts else None, node)
        nn_containers.keys(module.attrs["parametrizations"]).remove(name)
        module.attrs["parametrizations"].attrs.pop(name, None)
    return module


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
    module, given, node = call.get(0, "module"), call.get(1, "parameter_and_buffer_dicts", call.kwargs.get("parameters_and_buffers")), call.node
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


@function("torch.func.grad", "torch.func.grad_and_value", "torch.func.vmap", "torch.vmap", "torch.func.jacrev", "torch.func.jacfwd",
          "torch.func.hessian", "torch.func.vjp", "torch.func.jvp", "torch.func.linearize", "torch.func.functionalize",
          "torch.func.stack_module_state")  # fmt: skip
def _transform(m: Machine, call: Call) -> Value:
    """Function transforms work on graphs of their own: nothing is claimed about them."""
    return Unknown("function transform")


@method(PARAMETRIZATION_LIST.qualname, "forward")
def _list_forward(m: Machine, self: Instance, call: Call) -> Value:
    value = self.attrs.get("original", Unknown("original"))
    for step in nn_containers.items(self):
        value = calls.call(m, step, [value], {}, call.node)
    return value

