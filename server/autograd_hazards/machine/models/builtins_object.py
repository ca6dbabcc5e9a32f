"""Methods of ``object``, called by name: ``object.__setattr__(self, name, value)``, ``object.__new__(cls)``."""

from __future__ import annotations

from typing import Any

from ..values import Instance, LibClass, Unknown, UserClass, Value
from .registry import Call, Machine, native_method


@native_method(object, "__setattr__")
def _setattr(m: Machine, self: Any, call: Call) -> Value:
    name, value = call.get(0, "name"), call.get(1, "value")
    if isinstance(self, Instance) and isinstance(name, str):
        m.ledger.attribute_set(self, name, value, call.node)
        self.attrs[name] = value
    return None


@native_method(object, "__delattr__")
def _delattr(m: Machine, self: Any, call: Call) -> Value:
    if isinstance(self, Instance):
        self.attrs.pop(call.get(0, "name"), None)
    return None


@native_method(object, "__getattribute__")
def _getattribute(m: Machine, self: Any, call: Call) -> Value:
    from .. import attributes

    name = call.get(0, "name")
    return attributes.get_attribute(m, self, name, call.node) if isinstance(name, str) else Unknown("attribute")


@native_method(object, "__new__")
def _new(m: Machine, self: Any, call: Call) -> Value:
    return Instance(self, m.here(call.node)) if isinstance(self, UserClass | LibClass) else Unknown("object")


@native_method(object, "__init__", "__init_subclass__")
def _init(m: Machine, self: Any, call: Call) -> Value:
    return None


@native_method(object, "__hash__")
def _hash(m: Machine, self: Any, call: Call) -> Value:
    return id(self)


@native_method(object, "__eq__")
def _eq(m: Machine, self: Any, call: Call) -> Value:
    return self is call.get(0, "other")


@native_method(object, "__repr__", "__str__")
def _repr(m: Machine, self: Any, call: Call) -> Value:
    return Unknown("text")
