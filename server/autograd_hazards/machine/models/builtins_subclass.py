"""Builtin types as base classes: ``class Config(dict)``, ``class Batch(list)``, ``class Mode(str, Enum)``.

An instance keeps its native value in ``data``; the methods are those of the native value.
"""

from __future__ import annotations

import ast
from typing import Any

from .. import attributes, calls, iteration, operators, subscripts
from ..values import Instance, Unknown, Value
from . import builtins_errors, native_dict, native_list, native_set, native_text
from .builtins_lazy import iterator_of
from .builtins_types import keys_of, pairs_of
from .registry import CLASSES, NATIVE_METHODS, SET_HOOKS, Call, Machine, lib_class, method

KINDS: dict[type, str] = {
    k: f"builtins.{k.__name__}" for k in (dict, list, tuple, set, frozenset, str, bytes, int, float)
}
for _name in KINDS.values():
    lib_class(_name)
_ = builtins_errors, native_dict, native_list, native_set, native_text  # their models must be there first


def native_of(self: Instance, kind: type) -> Any:
    """The native value of an instance of a subclass of ``kind``; an empty one when its ``__init__`` never ran."""
    if self.is_a("enum.Enum"):
        return self.attrs.get("value")
    if self.data is None and kind in (dict, list, set):
        self.data = kind()
    return self.data


def _delegate(kind: type, name: str) -> None:
    model = NATIVE_METHODS[kind, name]

    def run(m: Machine, self: Instance, call: Call) -> Value:
        native = native_of(self, kind)
        return model(m, native, call) if isinstance(native, kind) else Unknown(name)

    CLASSES[KINDS[kind]].methods[name] = run


def delegate_all(kind: type, qualname: str) -> None:
    """Give the library class of ``kind`` the methods of native values of ``kind``."""
    KINDS[kind] = qualname
    for owner, name in list(NATIVE_METHODS):
        if owner is kind:
            _delegate(kind, name)


for _kind, _qualname in list(KINDS.items()):
    delegate_all(_kind, _qualname)


def _init(kind: type, make: Any) -> None:
    def run(m: Machine, self: Instance, call: Call) -> Value:
        if not self.is_a("enum.Enum"):
            self.data = make(m, call)
        return None

    CLASSES[KINDS[kind]].methods["__init__"] = run


def _made_dict(m: Machine, call: Call) -> dict[Any, Value]:
    made: dict[Any, Value] = {}
    if call.args and not isinstance(call.args[0], Unknown):
        made = pairs_of(m, call.args[0], call.node)
    made.update(call.kwargs)
    return made


_init(dict, _made_dict)
_init(list, lambda m, call: iteration.listed(m, call.args[0], call.node) if call.args else [])
_init(tuple, lambda m, call: tuple(iteration.listed(m, call.args[0], call.node)) if call.args else ())
_init(set, lambda m, call: set(keys_of(iteration.listed(m, call.args[0], call.node))) if call.args else set())
for _kind in (str, bytes, int, float):
    _init(_kind, lambda m, call: call.args[0] if call.args else None)


def _common(qualname: str, kind: type) -> None:
    """Length, iteration, membership and items of containers."""

    @method(qualname, "__len__")
    def _len(m: Machine, self: Instance, call: Call) -> Value:
        return attributes.length(m, native_of(self, kind), call.node)

    @method(qualname, "__iter__")
    def _iter(m: Machine, self: Instance, call: Call) -> Value:
        return iterator_of(m, native_of(self, kind), call.node)

    @method(qualname, "__contains__")
    def _contains(m: Machine, self: Instance, call: Call) -> Value:
        return operators.contains(m, native_of(self, kind), call.get(0, "key"), call.node)

    @method(qualname, "__getitem__")
    def _getitem(m: Machine, self: Instance, call: Call) -> Value:
        native, key = native_of(self, kind), call.get(0, "key")
        if isinstance(native, dict) and operators.hashable(key) and key not in native and not isinstance(key, Unknown):
            missing = attributes.find(m, self, "__missing__")
            if missing is not None:
                return calls.call(m, missing, [key], {}, call.node)
        return subscripts.get_item(m, native, key, call.node)

    @method(qualname, "__setitem__")
    def _setitem(m: Machine, self: Instance, call: Call) -> Value:
        subscripts.set_item(m, native_of(self, kind), call.get(0, "key"), call.get(1, "value"), call.node)
        return None

    @method(qualname, "__delitem__")
    def _delitem(m: Machine, self: Instance, call: Call) -> Value:
        subscripts.delete_item(m, native_of(self, kind), call.get(0, "key"), call.node)
        return None


for _kind, _qualname in list(KINDS.items()):
    if _kind not in (int, float, bytes):
        _common(_qualname, _kind)


# -- operators of subclasses of numbers, strings and sequences ---------------------------------------------------------
def _unwrapped(value: Value) -> Value:
    return (
        native_of(value, type(value.data))
        if isinstance(value, Instance) and (value.data is not None or value.is_a("enum.Enum"))
        else value
    )


def _binary(qualname: str, name: str, op: ast.operator) -> None:
    def forward(m: Machine, self: Instance, call: Call) -> Value:
        return operators.binary(m, op, _plain(self), _unwrapped(call.get(0, "other")), call.node)

    def backward(m: Machine, self: Instance, call: Call) -> Value:
        return operators.binary(m, op, _unwrapped(call.get(0, "other")), _plain(self), call.node)

    CLASSES[qualname].methods[f"__{name}__"] = forward
    CLASSES[qualname].methods[f"__r{name}__"] = backward


def _plain(self: Instance) -> Value:
    value = _unwrapped(self)
    return Unknown("value") if value is self or value is None else value


def _compared(qualname: str, name: str, op: ast.cmpop) -> None:
    def run(m: Machine, self: Instance, call: Call) -> Value:
        return operators.compare(m, op, _plain(self), _unwrapped(call.get(0, "other")), call.node)

    CLASSES[qualname].methods[f"__{name}__"] = run


COMPARISONS: dict[str, ast.cmpop] = {
    "eq": ast.Eq(),
    "ne": ast.NotEq(),
    "lt": ast.Lt(),
    "le": ast.LtE(),
    "gt": ast.Gt(),
    "ge": ast.GtE(),
}
ARITHMETIC: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "truediv": ast.Div(),
    "floordiv": ast.FloorDiv(),
    "mod": ast.Mod(),
    "pow": ast.Pow(),
    "and": ast.BitAnd(),
    "or": ast.BitOr(),
}


def give_operators(qualname: str, arithmetic: bool) -> None:
    """Comparison and arithmetic of the native value to a library class."""
    for name, comparison in COMPARISONS.items():
        _compared(qualname, name, comparison)
    if arithmetic:
        for name, op in ARITHMETIC.items():
            _binary(qualname, name, op)


for _kind in (int, float, str, list, tuple):
    give_operators(KINDS[_kind], True)
give_operators(KINDS[dict], False)


def _convert(qualname: str, name: str, convert: Any) -> None:
    def run(m: Machine, self: Instance, call: Call) -> Value:
        value = _plain(self)
        return convert(value) if isinstance(value, int | float | str) and not isinstance(value, str) else value

    CLASSES[qualname].methods[name] = run


for _qualname in ("builtins.int", "builtins.float"):
    _convert(_qualname, "__int__", int)
    _convert(_qualname, "__float__", float)
    _convert(_qualname, "__index__", int)


@method("builtins.str", "__str__")
def _text(m: Machine, self: Instance, call: Call) -> Value:
    return _plain(self)


def _set_dict(m: Machine, owner: Instance, value: Value, node: ast.AST) -> bool:
    """``self.__dict__ = self`` in a dictionary with attributes: keys and attributes are one table from now on."""
    if isinstance(value, Instance) and isinstance(value.data, dict):
        owner.attrs.update({k: v for k, v in value.data.items() if isinstance(k, str)})
        value.data = owner.attrs
        return True
    if isinstance(value, dict):
        owner.attrs = value
        return True
    return False


SET_HOOKS["__dict__"] = _set_dict
