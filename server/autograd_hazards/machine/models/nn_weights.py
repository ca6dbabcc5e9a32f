"""Weights that are computed: weight norm, spectral norm and parametrizations."""

from __future__ import annotations

import ast
from typing import Any

from .. import autograd, calls
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, LibClass, LibFunction, Property, Unknown, UserClass, Value
from . import nn_containers, nn_core, nn_hooks
from .registry import CLASSES, Call, function, lib_class, method

UTILS = "torch.nn.utils."


def compute_attribute(module: Instance, name: str, getter: Any) -> None:
    """Make ``module.<name>`` computed at each access, as torch does: by a class of the module's own."""
    computed = nn_core.state(module).setdefault("computed", set())
    computed.add(name)
    own = module.cls
    if isinstance(own, UserClass):
        made = UserClass(own.name, own.node, own.module, [own])
        made.attrs[name] = Property(LibFunction(name, lambda m, call: getter(m, call.args[0], call.node)))
        module.cls = made
    else:
        derived = LibClass(own.qualname, (own,))
        derived.exact = own.exact
        derived.props[name] = getter
        module.cls = derived


def _computed(module: Instance) -> set[str]:
    found: set[str] = nn_core.state(module).get("computed", set())
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
    return autograd.record(
        m, "_weight_norm_interface", [direction, size], node, saves=saves, hidden=True, shape=direction.shape
    )


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
    handle = nn_hooks.add_hook(m, module, "pre_hooks", (LibFunction(key[0], model), False), node)
    nn_core.state(module).setdefault("norm_hooks", {})[key] = handle


@function(UTILS + "remove_weight_norm", UTILS + "remove_spectral_norm")
def _remove_norm(m: Machine, call: Call) -> Value:
    module, name = call.get(0, "module"), call.get(1, "name", "weight")
    if not (nn_core.is_module(module) and isinstance(name, str)):
        return module
    hooks = nn_core.state(module).get("norm_hooks", {})
    for kind, parts in (
        ("weight_norm", (f"{name}_g", f"{name}_v")),
        ("spectral_norm", (f"{name}_orig", f"{name}_u", f"{name}_v")),
    ):
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


def parametrize(
    m: Machine,
    module: Instance,
    name: str,
    parts: list[tuple[str, Tensor]],
    functions: list[Value],
    compute: Any,
    node: ast.AST,
) -> None:
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
    compute_attribute(
        module, name, lambda m, owner, where: compute(m, owner.attrs["parametrizations"].attrs[name], where)
    )


@function(PARAMETRIZE + "register_parametrization")
def _register_parametrization(m: Machine, call: Call) -> Value:
    module, name, transform, node = (
        call.get(0, "module"),
        call.get(1, "tensor_name"),
        call.get(2, "parametrization"),
        call.node,
    )
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
    if nn_core.is_module(module) and isinstance(name, str) and name in _computed(module):
        _computed(module).discard(name)
        entry = nn_containers.table(module.attrs["parametrizations"]).get(name)
        parts = nn_core.own_parameters(entry) if isinstance(entry, Instance) else []
        module.attrs[name] = nn_core.new_parameter(m, name, parts[-1][1].shape if parts else None, node)
        nn_containers.keys(module.attrs["parametrizations"]).remove(name)
        module.attrs["parametrizations"].attrs.pop(name, None)
    return module


@method(PARAMETRIZATION_LIST.qualname, "forward")
def _list_forward(m: Machine, self: Instance, call: Call) -> Value:
    value = self.attrs.get("original", Unknown("original"))
    for step in nn_containers.items(self):
        value = calls.call(m, step, [value], {}, call.node)
    return value
