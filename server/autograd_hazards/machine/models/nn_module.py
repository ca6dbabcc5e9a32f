"""``torch.nn.Module``: calling, registering, walking, modes and state dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .. import attributes, autograd, calls, geometry
from ..core import Machine
from ..tensor import Tensor
from ..values import Generator, Instance, Unknown, UserClass, Value
from . import nn_core
from .nn_core import MODULE, OPAQUE, state
from .registry import ALIASES, SET_HOOKS, Call, lib_class, method

NAME = MODULE.qualname
MAX_NESTING = 40  # modules that contain themselves end here
HANDLE = lib_class("torch.nn.modules.module.HookHandle")

for _part in (
    "activation",
    "adaptive",
    "batchnorm",
    "channelshuffle",
    "container",
    "conv",
    "distance",
    "dropout",
    "flatten",
    "fold",
    "instancenorm",
    "linear",
    "loss",
    "module",
    "normalization",
    "padding",
    "pixelshuffle",
    "pooling",
    "rnn",
    "sparse",
    "transformer",
    "upsampling",
):
    ALIASES[f"torch.nn.modules.{_part}"] = "torch.nn"
ALIASES["torch.nn.modules"] = "torch.nn"
ALIASES["torch.nn.parameter"] = "torch.nn"


def opaque_module(m: Machine, name: str, node: ast.AST) -> Instance:
    """A module of which only this is known: it has parameters, and its output depends on them and on its inputs."""
    from . import nn_opaque

    return nn_opaque.make(m, name, node)


# -- construction and calling -----------------------------------------------------------------------------------------
@method(NAME, "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    return None


@method(NAME, "__call__", "_call_impl", "_wrapped_call_impl")
def _call(m: Machine, self: Instance, call: Call) -> Value:
    data = state(self)
    args, kwargs, node = list(call.args), call.kwargs, call.node
    if not data:
        return calls.call(m, attributes.get_attribute(m, self, "forward", node), args, kwargs, node)
    for hook, with_kwargs in list(data.get("pre_hooks", {}).values()):
        given = [self, tuple(args), kwargs] if with_kwargs else [self, tuple(args)]
        changed = calls.call(m, hook, given, {}, node)
        if isinstance(changed, tuple):
            if with_kwargs and len(changed) == 2 and isinstance(changed[0], tuple) and isinstance(changed[1], dict):
                args, kwargs = list(changed[0]), changed[1]
            else:
                args = list(changed)
        elif changed is not None and not isinstance(changed, Unknown):
            args = [changed]
    backward_hooks = data.get("backward_hooks")
    if backward_hooks:
        args = [_hooked(m, self, a, node, inputs=True) for a in args]
    out = calls.call(m, attributes.get_attribute(m, self, "forward", node), args, kwargs, node)
    for hook, with_kwargs in list(data.get("hooks", {}).values()):
        given = [self, tuple(args), kwargs, out] if with_kwargs else [self, tuple(args), out]
        changed = calls.call(m, hook, given, {}, node)
        if changed is not None and not isinstance(changed, Unknown):
            out = changed
    if backward_hooks:
        if isinstance(out, tuple):
            return tuple(_hooked(m, self, o, node, inputs=False) for o in out)
        return _hooked(m, self, out, node, inputs=False)
    return out


class _BackwardHooks:
    """Runs a module's full backward hooks when the backward reaches its outputs."""

    def __init__(self, module: Instance) -> None:
        self.module = module

    def run_backward(self, m: Machine, node: Any, backward: Any) -> None:
        where = backward.trace.node
        for hook in list(state(self.module).get("backward_hooks", {}).values()):
            grad = Tensor(m.here(where), False, None, "float")
            calls.call(m, hook, [self.module, (Tensor(m.here(where), False, None, "float"),), (grad,)], {}, where)


def _hooked(m: Machine, module: Instance, value: Value, node: ast.AST, inputs: bool) -> Value:
    """Full backward hooks pass values through a function whose results are views that must not be changed."""
    if not isinstance(value, Tensor) or not value.requires_grad or m.grad_enabled is False:
        return value
    out = autograd.view(m, value, "BackwardHookFunction", node, value.shape, creation="custom")
    out.layout = geometry.layout_of(value)
    if out.grad_fn is not None and not inputs:
        out.grad_fn.mode = _BackwardHooks(module)
    return out


@method(NAME, "forward")
def _forward(m: Machine, self: Instance, call: Call) -> Value:
    """A module whose ``forward`` is in no source that can be read depends on its parameters and inputs."""
    from . import nn_opaque

    if isinstance(self.cls, UserClass) and not self.cls.open:
        return Unknown("forward")
    return nn_opaque.opaque_call(m, self, call)


def _table(entries: Any, parameters: bool = False) -> Any:
    return lambda m, self, node: _Registered(self, entries(self), parameters)


def _set_table(name: str) -> Any:
    """``module._parameters = …``: what the table holds becomes what the module has."""

    def set_table(m: Machine, owner: Instance, value: Value, node: ast.AST) -> bool:
        if not nn_core.is_module(owner) or not isinstance(value, dict):
            return False
        table = MODULE.props[name](m, owner, node)
        for key in [k for k in table if k not in value]:
            del table[key]
        for key, item in value.items():
            if isinstance(key, str):
                table[key] = item
        return True

    return set_table


MODULE.props["_parameters"] = _table(nn_core.own_parameters, True)
MODULE.props["_modules"] = _table(nn_core.own_children)
MODULE.props["_buffers"] = _table(nn_core.own_buffers)
for _name in ("_parameters", "_modules", "_buffers"):
    SET_HOOKS[_name] = _set_table(_name)


class _Registered(dict[str, Any]):
    """``module._modules`` and its kin: assignments reach the module."""

    def __init__(self, module: Instance, entries: Any, parameters: bool) -> None:
        super().__init__(entries)
        self.module = module
        self.parameters = parameters

    def __setitem__(self, name: str, value: Value) -> None:
        super().__setitem__(name, value)
        self.module.attrs[name] = value
        if self.parameters and isinstance(value, Tensor) and not value.is_param:
            nn_core.state(self.module).setdefault("placed", set()).add(name)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self.module.attrs.pop(name, None)

    def pop(self, name: str, *default: Any) -> Any:
        self.module.attrs.pop(name, None)
        return super().pop(name, *default)


# -- registering ------------------------------------------------------------------------------------------------------
def _register(m: Machine, self: Instance, name: Value, value: Value, node: ast.AST) -> bool:
    if not isinstance(name, str):
        name = f"?{len(self.attrs)}"
    if isinstance(value, Tensor):
        value.bound = m.here(node)
        value.assigned = value.assigned or name
    m.ledger.attribute_set(self, name, value, node)
    self.attrs[name] = value
    return True


@method(NAME, "register_buffer")
def _register_buffer(m: Machine, self: Instance, call: Call) -> Value:
    name = call.get(0, "name")
    if isinstance(name, str):
        nn_core.buffers_of(self)[name] = call.get(2, "persistent", True) is not False
    _register(m, self, name, call.get(1, "tensor"), call.node)
    return None


@method(NAME, "register_parameter")
def _register_parameter(m: Machine, self: Instance, call: Call) -> Value:
    _register(m, self, call.get(0, "name"), call.get(1, "param"), call.node)
    return None


@method(NAME, "add_module", "register_module")
def _add_module(m: Machine, self: Instance, call: Call) -> Value:
    _register(m, self, call.get(0, "name"), call.get(1, "module"), call.node)
    return None


# -- walking ----------------------------------------------------------------------------------------------------------
def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


def _recursive(call: Call, index: int) -> bool:
    return call.get(index, "recurse", True) is not False


def _shown(name: str, tensor: Tensor) -> Value:
    """The name of a parameter; those of unknown modules are unknown."""
    return name if tensor.attrs is None or not tensor.attrs.get(OPAQUE) else Unknown("parameter name")


@method(NAME, "parameters")
def _parameters(m: Machine, self: Instance, call: Call) -> Value:
    values = (_meant(self, t, False) for _, t in nn_core.named_parameters(self, "", _recursive(call, 0)))
    return Generator(values, m.here(call.node), self)


def _meant(self: Instance, tensor: Tensor, named: bool) -> Tensor:
    """The parameter of an unknown network stands for all of them, unless it is picked by name or from a part."""
    if tensor.attrs is not None and OPAQUE in tensor.attrs:
        tensor.attrs[OPAQUE] = "some" if named or state(self).get("part") else "all"
    return tensor


@method(NAME, "named_parameters")
def _named_parameters(m: Machine, self: Instance, call: Call) -> Value:
    pairs = nn_core.named_parameters(self, _text(call.get(0, "prefix", "")), _recursive(call, 1))
    return Generator(((_shown(n, t), _meant(self, t, True)) for n, t in pairs), m.here(call.node), self)


@method(NAME, "buffers")
def _buffers(m: Machine, self: Instance, call: Call) -> Value:
    return Generator(t for _, t in nn_core.named_buffers(self, "", _recursive(call, 0)))


@method(NAME, "named_buffers")
def _named_buffers(m: Machine, self: Instance, call: Call) -> Value:
    return Generator(iter(nn_core.named_buffers(self, _text(call.get(0, "prefix", "")), _recursive(call, 1))))


def _children_once(self: Instance) -> Iterator[tuple[str, Instance]]:
    seen: set[int] = set()
    if state(self).get(OPAQUE):
        from . import nn_opaque

        nn_opaque.show_children(self)
    for name, child in nn_core.own_children(self):
        if id(child) not in seen:
            seen.add(id(child))
            yield name, child


@method(NAME, "children")
def _children(m: Machine, self: Instance, call: Call) -> Value:
    return Generator(c for _, c in _children_once(self))


@method(NAME, "named_children")
def _named_children(m: Machine, self: Instance, call: Call) -> Value:
    return Generator(iter(_children_once(self)))


@method(NAME, "modules")
def _modules(m: Machine, self: Instance, call: Call) -> Value:
    return Generator(c for _, c in nn_core.walk(self))


@method(NAME, "named_modules")
def _named_modules(m: Machine, self: Instance, call: Call) -> Value:
    return Generator(iter(nn_core.walk(self, _text(call.get(1, "prefix", "")))))


@method(NAME, "get_submodule")
def _get_submodule(m: Machine, self: Instance, call: Call) -> Value:
    path = call.get(0, "target")
    return (nn_core.submodule(self, path) if isinstance(path, str) else None) or Unknown("submodule", "module")


@method(NAME, "set_submodule")
def _set_submodule(m: Machine, self: Instance, call: Call) -> Value:
    path = _text(call.get(0, "target"))
    owner = nn_core.submodule(self, path.rpartition(".")[0])
    if owner is not None and path:
        _register(m, owner, path.rpartition(".")[2], call.get(1, "module"), call.node)
    return None


@method(NAME, "get_parameter", "get_buffer")
def _get_parameter(m: Machine, self: Instance, call: Call) -> Value:
    path = _text(call.get(0, "target"))
    owner = nn_core.submodule(self, path.rpartition(".")[0])
    found = owner.attrs.get(path.rpartition(".")[2]) if owner is not None else None
    return found if isinstance(found, Tensor) else Unknown("parameter")


@method(NAME, "apply")
def _apply(m: Machine, self: Instance, call: Call) -> Value:
    _apply_below(m, self, call.get(0, "fn"), call.node, 0)
    return self


def _apply_below(m: Machine, self: Instance, function: Value, node: ast.AST, depth: int) -> None:
    """Children first; a module that two parents hold is visited twice, as in torch."""
    if depth < MAX_NESTING:
        for _, child in list(_children_once(self)):
            _apply_below(m, child, function, node, depth + 1)
    calls.call(m, function, [self], {}, node)


# -- modes ------------------------------------------------------------------------------------------------------------
def set_training(m: Machine, self: Instance, mode: Value, node: ast.AST) -> None:
    self.attrs["training"] = mode
    for _, child in _children_once(self):
        if nn_core.has_own(child.cls, "train"):
            calls.call(m, attributes.get_attribute(m, child, "train", node), [mode], {}, node)
        else:
            set_training(m, child, mode, node)


@method(NAME, "train")
def _train(m: Machine, self: Instance, call: Call) -> Value:
    set_training(m, self, call.get(0, "mode", True), call.node)
    return self


@method(NAME, "eval")
def _eval(m: Machine, self: Instance, call: Call) -> Value:
    calls.call(m, attributes.get_attribute(m, self, "train", call.node), [False], {}, call.node)
    return self


@method(NAME, "requires_grad_")
def _requires_grad(m: Machine, self: Instance, call: Call) -> Value:
    flag = call.get(0, "requires_grad", True)
    for tensor in nn_core.parameters(self):
        if flag is True and tensor.inference and not m.inference:
            m.emit("inference", m.here(call.node), loud=True, tensor=tensor, made=tensor.created, node=None,
                   switch=autograd.inference_scope(tensor))  # fmt: skip
            return self
        marks = _meant(self, tensor, False).attrs
        some = marks is not None and marks.get(OPAQUE) == "some"
        tensor._requires_grad = flag if isinstance(flag, bool) and not (some and not flag) else None
    return self


@method(NAME, "zero_grad")
def _zero_grad(m: Machine, self: Instance, call: Call) -> Value:
    m.ledger.zeroed(nn_core.parameters(self), call.node, self)
    return None


@method(
    NAME,
    "to",
    "cuda",
    "cpu",
    "float",
    "type",
    "share_memory",
    "to_empty",
    "xpu",
    "mtia",
    "ipu",
    "npu",
    "mps",
)
def _moved(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method(NAME, "half", "double", "bfloat16")
def _converted(m: Machine, self: Instance, call: Call) -> Value:
    if m.inference:
        for tensor in (*nn_core.parameters(self), *(tensor for _, tensor in nn_core.named_buffers(self))):
            autograd.take_inference(tensor, m.mode_trace)
    return self


@method(NAME, "compile", "extra_repr", "__repr__", "__str__", "__setstate__", "__dir__", "_get_name")
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("module text")


# -- state dicts ------------------------------------------------------------------------------------------------------
def entries(self: Instance, prefix: str = "", depth: int = 0) -> Iterator[tuple[Instance, str, str, Tensor]]:
    """What a state dict holds: owner, attribute, dotted key and tensor of parameters and persistent buffers.

    A module that two parents hold is there under both names.
    """
    dot = f"{prefix}." if prefix else ""
    persistent = [(n, t) for n, t in nn_core.own_buffers(self) if nn_core.buffers_of(self)[n]]
    for name, tensor in nn_core.own_parameters(self) + persistent:
        yield self, name, dot + name, tensor
    if depth < MAX_NESTING:
        for name, child in nn_core.own_children(self):
            yield from entries(child, dot + name, depth + 1)


@method(NAME, "state_dict")
def _state_dict(m: Machine, self: Instance, call: Call) -> Value:
    keep = call.get(2, "keep_vars", False) is True
    prefix = _text(call.get(1, "prefix", "")).rstrip(".")
    table: dict[Any, Value] = call.get(0, "destination") if isinstance(call.get(0, "destination"), dict) else {}
    for _, _, key, tensor in entries(self, prefix):
        table[_shown(key, tensor)] = tensor if keep else nn_core.alias(m, tensor, call.node)
    return table


@method(NAME, "load_state_dict")
def _load_state_dict(m: Machine, self: Instance, call: Call) -> Value:
    given = call.get(0, "state_dict")
    assign = call.get(2, "assign", False) is True
    exact = isinstance(given, dict) and all(isinstance(k, str) for k in given)
    for owner, name, key, tensor in list(entries(self)):
        if exact and key not in given:
            continue
        source = given.get(key) if isinstance(given, dict) else None
        if not assign:
            autograd.mutate(m, tensor, "load", "load_state_dict", call.node)
        elif tensor.is_param:
            data = (
                source if isinstance(source, Tensor) else Tensor(m.here(call.node), False, tensor.shape, tensor.dtype)
            )
            owner.attrs[name] = nn_core.as_parameter(m, data, tensor._requires_grad, call.node)
        elif isinstance(source, Tensor):
            owner.attrs[name] = source
    return Unknown("incompatible keys")
