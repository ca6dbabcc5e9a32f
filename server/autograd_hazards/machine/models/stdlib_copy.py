"""``copy``: shallow and deep copies of abstract values."""

from __future__ import annotations

import ast
from typing import Any

from .. import attributes, calls
from ..tensor import Storage, Tensor
from ..values import BoundMethod, Instance, LibClass, Partial, Unknown, Value
from .registry import Call, Machine, function


@function("copy.copy")
def _copy(m: Machine, call: Call) -> Value:
    value = call.get(0, "x")
    if isinstance(value, Instance):
        special = attributes.find(m, value, "__copy__")
        if special is not None:
            return calls.call(m, special, [], {}, call.node)
        made = Instance(value.cls, m.here(call.node))
        made.attrs = dict(value.attrs)
        made.data = same_kind(value.data)
        return made
    if isinstance(value, Tensor):
        return value
    return Unknown(value.why, value.role) if isinstance(value, Unknown) else same_kind(value)


def same_kind(value: Value) -> Value:
    """A shallow copy of a native container, with what its kind keeps beside the elements."""
    if isinstance(value, list | dict | set):
        made: Any = (
            value.copy() if hasattr(type(value), "default_factory") or isinstance(value, dict) else type(value)(value)
        )
        if hasattr(value, "maxlen"):
            made.maxlen = value.maxlen
        return made
    return value


class Copier:
    """One ``deepcopy``: values shared before are shared after, and so are storages."""

    def __init__(self, m: Machine, node: ast.AST) -> None:
        self.m = m
        self.node = node
        self.made: dict[int, Value] = {}
        self.kept: list[Value] = []  # keeps ids from being used twice
        self.storages: dict[int, Storage] = {}

    def copy(self, value: Value) -> Value:
        if value is None or isinstance(value, str | bytes | int | float | complex | range | type):
            return value
        found = self.made.get(id(value), self)
        if found is not self:
            return found
        self.kept.append(value)
        if isinstance(value, Tensor):
            return self.remember(value, self.tensor(value))
        if isinstance(value, Instance):
            return self.instance(value)
        if isinstance(value, list | dict | set):
            return self.container(value)
        if isinstance(value, tuple):
            return tuple(self.copy(v) for v in value) if type(value) is tuple else value
        if isinstance(value, frozenset):
            return frozenset(self.copy(v) for v in value)
        if isinstance(value, BoundMethod):
            return self.remember(value, BoundMethod(value.func, self.copy(value.self)))
        if isinstance(value, Partial):
            kwargs = {k: self.copy(v) for k, v in value.kwargs.items()}
            return self.remember(value, Partial(self.copy(value.func), [self.copy(v) for v in value.args], kwargs))
        if isinstance(value, Unknown):
            return self.remember(value, Unknown(value.why, value.role))
        return value

    def remember(self, value: Value, made: Value) -> Value:
        self.made[id(value)] = made
        return made

    def container(self, value: Any) -> Value:
        made = same_kind(value)
        made.clear()
        self.remember(value, made)
        if isinstance(value, dict):
            made.update({self.copy(k): self.copy(v) for k, v in value.items()})
        elif isinstance(value, list):
            made.extend(self.copy(v) for v in value)
        else:
            made.update(self.copy(v) for v in value)
        return made

    def instance(self, value: Instance) -> Value:
        special = attributes.find(self.m, value, "__deepcopy__")
        if special is not None:
            return self.remember(value, calls.call(self.m, special, [{}], {}, self.node))
        # a layer of a copied network is written where the network's own is
        made = Instance(value.cls, value.site if isinstance(value.cls, LibClass) else self.m.here(self.node))
        self.remember(value, made)
        made.attrs.update({k: self.copy(v) for k, v in value.attrs.items()})
        made.data = (
            self.copy(value.data)
            if isinstance(value.data, list | dict | set | tuple | Instance | Tensor)
            else value.data
        )
        return made

    def tensor(self, value: Tensor) -> Tensor:
        m = self.m
        if value.grad_fn is not None:
            message = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol"
            m.emit("other", m.here(self.node), loud=True, tensor=value, message=message)
        storage = self.storages.get(id(value.storage))
        if storage is None:
            storage = self.storages[id(value.storage)] = Storage()
            self.kept.append(value.storage)
            storage.overlaps = value.storage.overlaps
        made = Tensor(m.here(self.node), value.requires_grad, value.shape, value.dtype, storage)
        made.is_param, made.inference = value.is_param, value.inference
        made.assigned, made.label, made.bound = value.assigned, value.label, value.bound
        made.elements = value.elements
        made.attrs = dict(value.attrs) if value.attrs is not None else None
        if isinstance(value.grad, Tensor) and not value.is_param:
            made.grad = self.copy(value.grad)
        return made


@function("copy.deepcopy")
def _deepcopy(m: Machine, call: Call) -> Value:
    if isinstance(call.get(1, "memo"), Instance):
        return Unknown("deepcopy")  # a memory of the program's own changes what is copied
    return Copier(m, call.node).copy(call.get(0, "x"))
