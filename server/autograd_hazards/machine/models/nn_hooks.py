"""Hooks on modules: putting them in, and the handles that take them out again."""

from __future__ import annotations

import ast
from typing import Any

from ..core import Machine
from ..values import Instance, Unknown, Value
from .nn_core import MODULE, state
from .registry import Call, lib_class, method, prop

NAME = MODULE.qualname
HANDLE = lib_class("torch.nn.modules.module.HookHandle")


def add_hook(m: Machine, self: Instance, table: str, entry: Any, node: ast.AST, prepend: bool = False) -> Instance:
    """Put a hook in one of the module's tables; the handle removes it again."""
    handle = Instance(HANDLE, m.here(node))
    hooks = state(self).setdefault(table, {})
    handle.data = (hooks, handle)
    if prepend:
        rest = list(hooks.items())
        hooks.clear()
        hooks[handle] = entry
        hooks.update(rest)
    else:
        hooks[handle] = entry
    return handle


@method(HANDLE.qualname, "remove")
def _remove(m: Machine, self: Instance, call: Call) -> Value:
    if isinstance(self.data, tuple):
        self.data[0].pop(self.data[1], None)
    return None


@method(HANDLE.qualname, "__enter__")
def _enter(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method(HANDLE.qualname, "__exit__")
def _exit(m: Machine, self: Instance, call: Call) -> Value:
    return _remove(m, self, call)


def _flag(call: Call, name: str) -> bool:
    return call.kwargs.get(name) is True


@method(NAME, "register_forward_hook")
def _forward_hook(m: Machine, self: Instance, call: Call) -> Value:
    return add_hook(
        m, self, "hooks", (call.get(0, "hook"), _flag(call, "with_kwargs")), call.node, _flag(call, "prepend")
    )


@method(NAME, "register_forward_pre_hook")
def _forward_pre_hook(m: Machine, self: Instance, call: Call) -> Value:
    return add_hook(
        m, self, "pre_hooks", (call.get(0, "hook"), _flag(call, "with_kwargs")), call.node, _flag(call, "prepend")
    )


@method(NAME, "register_full_backward_hook", "register_backward_hook")
def _backward_hook(m: Machine, self: Instance, call: Call) -> Value:
    return add_hook(m, self, "backward_hooks", call.get(0, "hook"), call.node, _flag(call, "prepend"))


@method(
    NAME,
    "register_full_backward_pre_hook",
    "register_state_dict_pre_hook",
    "register_load_state_dict_post_hook",
    "register_load_state_dict_pre_hook",
    "_register_state_dict_hook",
    "_register_load_state_dict_pre_hook",
)
def _other_hook(m: Machine, self: Instance, call: Call) -> Value:
    return add_hook(m, self, "other_hooks", call.get(0, "hook"), call.node)


@prop(NAME, "T_destination", "dump_patches", "call_super_init")
def _constant(m: Machine, self: Instance, node: ast.AST) -> Value:
    return Unknown("class constant")
