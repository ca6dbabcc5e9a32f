"""Methods of dictionaries, and their views."""

from __future__ import annotations

from typing import Any

from .. import operators
from ..values import Unknown, Value
from .builtins_types import pairs_of
from .registry import MISSING, Call, Machine, native_method


class Keys(list[Any]):
    """The keys of a dictionary as they were when asked: a list with the operators of a set."""

    def __and__(self, other: Any) -> Any:
        return set(self) & set(other)

    def __or__(self, other: Any) -> Any:
        return set(self) | set(other)

    def __sub__(self, other: Any) -> Any:
        return set(self) - set(other)

    def __rsub__(self, other: Any) -> Any:
        return set(other) - set(self)

    def __xor__(self, other: Any) -> Any:
        return set(self) ^ set(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list | set | frozenset) and len(self) == len(other) and all(k in other for k in self)

    def __le__(self, other: Any) -> bool:
        return all(k in other for k in self)

    def __ge__(self, other: Any) -> bool:
        return all(k in self for k in other)

    def __lt__(self, other: Any) -> bool:
        return self <= other and len(self) < len(other)

    def __gt__(self, other: Any) -> bool:
        return self >= other and len(self) > len(other)

    __hash__ = None


def uncertain_keys(mapping: dict[Any, Value]) -> bool:
    return any(isinstance(k, Unknown) for k in mapping)


@native_method(dict, "keys")
def _keys(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    return Keys(self)


@native_method(dict, "values")
def _values(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    return list(self.values())


@native_method(dict, "items")
def _items(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    return Keys(self.items())


def look_up(self: dict[Any, Value], key: Value, default: Value) -> Value:
    """``self[key]``; MISSING is handed through as a default that says the key is certainly not there."""
    if operators.hashable(key):
        try:
            if key in self:
                return self[key]
        except TypeError:
            return Unknown("item")
    if isinstance(key, Unknown):
        values = list(self.values())
        if not values:
            return default
        if all(type(v) is type(values[0]) for v in values):
            return values[0]
        return key.derive(("chosen", id(self)))
    if uncertain_keys(self):
        return Unknown("item")
    return default


@native_method(dict, "get")
def _get(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    return look_up(self, call.get(0, "key"), call.get(1, "default"))


@native_method(dict, "setdefault")
def _setdefault(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    key, value = operators.as_key(call.get(0, "key")), call.get(1, "default")
    if key not in self:
        self[key] = value
        m.ledger.stored(self, value, call.node)
    return self[key]


@native_method(dict, "pop")
def _pop(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    key = operators.as_key(call.get(0, "key"))
    if key in self:
        return self.pop(key)
    found = look_up(self, key, MISSING)
    if found is not MISSING:
        return found
    if call.has(1, "default"):
        return call.get(1, "default")
    return m.session.native_error(m, KeyError("key"), call.node)


@native_method(dict, "popitem")
def _popitem(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    if not self:
        return m.session.native_error(m, KeyError("empty"), call.node)
    last = call.kwargs.get("last", call.args[0] if call.args else True)
    key = next(iter(self)) if last is False else next(reversed(self))
    return key, self.pop(key)


@native_method(dict, "update")
def _update(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    pairs: dict[Any, Value] = {}
    if call.args:
        if isinstance(call.args[0], Unknown):
            pairs[Unknown("key")] = call.args[0].derive("values")
        else:
            pairs = pairs_of(m, call.args[0], call.node)
    pairs.update(call.kwargs)
    for key, value in pairs.items():
        self[key] = value
        m.ledger.stored(self, value, call.node)
    return None


@native_method(dict, "clear")
def _clear(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    self.clear()
    return None


@native_method(dict, "copy", "__copy__")
def _copy(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    return self.copy()


@native_method(dict, "fromkeys")
def _fromkeys(m: Machine, self: Any, call: Call) -> Value:
    from .. import iteration

    keys = iteration.listed(m, self, call.node)
    return {operators.as_key(k): call.get(0, "value") for k in keys}


@native_method(dict, "move_to_end")
def _move_to_end(m: Machine, self: dict[Any, Value], call: Call) -> Value:
    key = call.get(0, "key")
    if operators.hashable(key) and key in self:
        value = self.pop(key)
        rest = dict(self)
        if call.get(1, "last", True) is False:
            self.clear()
            self[key] = value
            self.update(rest)
        else:
            self[key] = value
    return None
