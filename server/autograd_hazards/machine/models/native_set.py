"""Methods of sets."""

from __future__ import annotations

from typing import Any

from .. import iteration, operators
from ..values import Unknown, Value
from .builtins_types import keys_of
from .registry import Call, Machine, native_method


@native_method(set, "add")
def _add(m: Machine, self: set[Value], call: Call) -> Value:
    value = call.get(0, "elem")
    self.add(operators.as_key(value))
    m.ledger.stored(self, value, call.node)
    return None


@native_method(set, "discard", "remove")
def _discard(m: Machine, self: set[Value], call: Call) -> Value:
    self.discard(operators.as_key(call.get(0, "elem")))
    return None


@native_method(set, "pop")
def _pop(m: Machine, self: set[Value], call: Call) -> Value:
    if not self:
        return m.session.native_error(m, KeyError("pop from an empty set"), call.node)
    return self.pop()


@native_method(set, "clear")
def _clear(m: Machine, self: set[Value], call: Call) -> Value:
    self.clear()
    return None


@native_method(set, "copy")
@native_method(frozenset, "copy")
def _copy(m: Machine, self: Any, call: Call) -> Value:
    return self.copy()


@native_method(set, "update")
def _update(m: Machine, self: set[Value], call: Call) -> Value:
    for source in call.args:
        for value in keys_of(iteration.listed(m, source, call.node)):
            self.add(value)
            m.ledger.stored(self, value, call.node)
    return None


def _combine(name: str) -> None:
    def model(m: Machine, self: Any, call: Call) -> Value:
        if any(isinstance(a, Unknown) for a in call.args):
            return Unknown("set")
        others = [set(keys_of(iteration.listed(m, a, call.node))) for a in call.args]
        try:
            return getattr(self, name)(*others)
        except TypeError as error:
            return m.session.native_error(m, error, call.node)

    native_method(set, name)(model)
    if not name.endswith("_update"):
        native_method(frozenset, name)(model)


for _name in (
    "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint",
    "intersection_update", "difference_update", "symmetric_difference_update",
):  # fmt: skip
    _combine(_name)
