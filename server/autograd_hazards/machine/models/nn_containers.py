"""Containers of modules and parameters: their items are attributes named by position or key, so walks find them."""

from __future__ import annotations

import ast

from .. import calls, iteration
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, LibClass, Unknown, Value
from . import nn_core
from .registry import Call, method

LISTS = ("Sequential", "ModuleList", "ParameterList")
DICTS = ("ModuleDict", "ParameterDict")
LIST = nn_core.declare("_List")
DICT = nn_core.declare("_Dict")
for _name in LISTS:
    nn_core.declare(_name, LIST.qualname)
for _name in DICTS:
    nn_core.declare(_name, DICT.qualname)


def keys(self: Instance) -> list[str]:
    """The names of the items, in order."""
    own = nn_core.state(self)
    found: list[str] = own.setdefault("keys", [])
    if own.get("synced") != len(self.attrs):  # layers also come in as attributes and by add_module
        own["synced"] = len(self.attrs)
        known = set(found)
        for name, value in self.attrs.items():
            if name not in known and isinstance(value, Instance) and value.is_a("torch.nn.Module"):
                found.append(name)
    return found


def items(self: Instance) -> list[Value]:
    return [self.attrs[k] for k in keys(self) if k in self.attrs]


def _put(m: Machine, self: Instance, key: str, value: Value, node: ast.AST) -> None:
    if self.is_a("torch.nn.ParameterList") or self.is_a("torch.nn.ParameterDict"):
        if isinstance(value, Tensor) and not value.is_param:
            value = nn_core.as_parameter(m, value, True, node)
        if isinstance(value, Tensor):
            value.assigned = value.assigned or key
    if key not in keys(self):
        keys(self).append(key)
    m.ledger.attribute_set(self, key, value, node)
    self.attrs[key] = value


def replace(m: Machine, self: Instance, values: list[Value], node: ast.AST) -> None:
    """Give a list container new contents."""
    for key in keys(self):
        self.attrs.pop(key, None)
    keys(self).clear()
    for i, value in enumerate(values):
        _put(m, self, str(i), value, node)


def build(m: Machine, name: str, values: list[Value], node: ast.AST) -> Instance:
    """A container made by a model: ``build(m, "ModuleList", layers, node)``."""
    from .registry import CLASSES

    made = Instance(CLASSES[f"torch.nn.{name}"], m.here(node))
    nn_core.start(made)
    replace(m, made, values, node)
    return made


# -- lists ------------------------------------------------------------------------------------------------------------
@method(LIST.qualname, "__init__")
def _list_init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    keys(self)
    given = call.get(0, "modules", call.kwargs.get("values"))
    if given is not None:
        for value in iteration.listed(m, given, call.node, 2000):
            _put(m, self, str(len(keys(self))), value, call.node)
    return None


@method("torch.nn.Sequential", "__init__")
def _sequential_init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    keys(self)
    if len(call.args) == 1 and isinstance(call.args[0], dict):
        for key, value in call.args[0].items():
            _put(m, self, key if isinstance(key, str) else f"?{len(keys(self))}", value, call.node)
    else:
        for i, value in enumerate(call.args):
            _put(m, self, str(i), value, call.node)
    return None


@method("torch.nn.Sequential", "forward")
def _sequential(m: Machine, self: Instance, call: Call) -> Value:
    value = call.get(0, "input")
    for module in items(self):
        value = calls.call(m, module, [value], {}, call.node)
    return value


def _position(self: Instance, index: Value) -> int | None:
    if isinstance(index, int) and not isinstance(index, bool) and -len(keys(self)) <= index < len(keys(self)):
        return index % len(keys(self))
    return None


@method(LIST.qualname, "__getitem__")
def _list_getitem(m: Machine, self: Instance, call: Call) -> Value:
    index = call.get(0, "idx")
    if isinstance(index, slice):
        if not all(p is None or isinstance(p, int) for p in (index.start, index.stop, index.step)):
            return self
        part = Instance(self.cls if isinstance(self.cls, LibClass) else _library_class(self), m.here(call.node))
        nn_core.start(part)["keys"] = keys(self)[index]
        for key in keys(part):
            part.attrs[key] = self.attrs[key]
        return part
    position = _position(self, index)
    if position is not None:
        return self.attrs[keys(self)[position]]
    if isinstance(index, int):
        return m.session.native_error(m, IndexError("index out of range"), call.node)
    return _any(self, index)


def _library_class(self: Instance) -> LibClass:
    found: LibClass = next(c for c in self.cls.mro() if isinstance(c, LibClass))
    return found


def _any(self: Instance, index: Value) -> Value:
    """An item chosen by an unknown index: the first stands for all of its kind."""
    values = items(self)
    if values:
        return values[0]
    return index.derive("chosen") if isinstance(index, Unknown) else Unknown("item")


@method(LIST.qualname, "__setitem__")
def _list_setitem(m: Machine, self: Instance, call: Call) -> Value:
    position = _position(self, call.get(0, "idx"))
    if position is not None:
        _put(m, self, keys(self)[position], call.get(1, "module"), call.node)
    return None


@method(LIST.qualname, "__delitem__")
def _list_delitem(m: Machine, self: Instance, call: Call) -> Value:
    index = call.get(0, "idx")
    values = items(self)
    if isinstance(index, slice) or _position(self, index) is not None:
        try:
            del values[index]
        except (TypeError, ValueError):
            return None
        replace(m, self, values, call.node)
    return None


@method(LIST.qualname, "pop")
def _list_pop(m: Machine, self: Instance, call: Call) -> Value:
    position = _position(self, call.get(0, "key", -1))
    if position is None:
        return Unknown("item")
    values = items(self)
    value = values.pop(position)
    replace(m, self, values, call.node)
    return value


@method(LIST.qualname, "append")
def _append(m: Machine, self: Instance, call: Call) -> Value:
    _put(m, self, str(len(keys(self))), call.get(0, "module"), call.node)
    return self


@method(LIST.qualname, "extend", "__iadd__")
def _extend(m: Machine, self: Instance, call: Call) -> Value:
    for value in iteration.listed(m, call.get(0, "modules"), call.node, 2000):
        _put(m, self, str(len(keys(self))), value, call.node)
    return self


@method(LIST.qualname, "__add__")
def _add(m: Machine, self: Instance, call: Call) -> Value:
    made = Instance(_library_class(self), m.here(call.node))
    nn_core.start(made)
    replace(m, made, [*items(self), *iteration.listed(m, call.get(0, "other"), call.node, 2000)], call.node)
    return made


@method(LIST.qualname, "insert")
def _insert(m: Machine, self: Instance, call: Call) -> Value:
    index = call.get(0, "index")
    values = items(self)
    values.insert(index if isinstance(index, int) else len(values), call.get(1, "module"))
    replace(m, self, values, call.node)
    return None


@method(LIST.qualname, "__iter__")
def _list_iter(m: Machine, self: Instance, call: Call) -> Value:
    return items(self)


@method(LIST.qualname, "__reversed__")
def _list_reversed(m: Machine, self: Instance, call: Call) -> Value:
    return items(self)[::-1]


@method(LIST.qualname, "__len__")
def _list_len(m: Machine, self: Instance, call: Call) -> Value:
    return len(keys(self))


@method(LIST.qualname, "__contains__")
def _list_contains(m: Machine, self: Instance, call: Call) -> Value:
    return any(v is call.get(0, "item") for v in items(self))


# -- dictionaries -----------------------------------------------------------------------------------------------------
def _pairs(m: Machine, given: Value, node: ast.AST) -> list[tuple[Value, Value]]:
    if isinstance(given, dict):
        return list(given.items())
    if isinstance(given, Instance) and given.is_a(DICT.qualname):
        return list(table(given).items())
    pairs = []
    for entry in iteration.listed(m, given, node, 2000):
        if isinstance(entry, tuple | list) and len(entry) == 2:
            pairs.append((entry[0], entry[1]))
        elif isinstance(entry, str):
            pairs.append((entry, Unknown(entry)))
    return pairs


def table(self: Instance) -> dict[str, Value]:
    return {k: self.attrs[k] for k in keys(self) if k in self.attrs}


def _key(self: Instance, key: Value) -> str:
    return key if isinstance(key, str) else str(key) if isinstance(key, int) else f"?{id(key)}"


@method(DICT.qualname, "__init__")
def _dict_init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    keys(self)
    given = call.get(0, "modules", call.kwargs.get("parameters"))
    if given is not None:
        for key, value in _pairs(m, given, call.node):
            _put(m, self, _key(self, key), value, call.node)
    return None


@method(DICT.qualname, "__getitem__")
def _dict_getitem(m: Machine, self: Instance, call: Call) -> Value:
    key = call.get(0, "key")
    name = _key(self, key)
    if name in keys(self):
        return self.attrs[name]
    if isinstance(key, Unknown) or any(k.startswith("?") for k in keys(self)):
        return _any(self, key)
    return m.session.native_error(m, KeyError(name), call.node)


@method(DICT.qualname, "__setitem__")
def _dict_setitem(m: Machine, self: Instance, call: Call) -> Value:
    _put(m, self, _key(self, call.get(0, "key")), call.get(1, "module"), call.node)
    return None


@method(DICT.qualname, "__delitem__", "pop", "popitem")
def _dict_delitem(m: Machine, self: Instance, call: Call) -> Value:
    name = _key(self, call.get(0, "key"))
    if name not in keys(self):
        return call.get(1, "default", Unknown("item"))
    keys(self).remove(name)
    return self.attrs.pop(name, None)


@method(DICT.qualname, "get")
def _dict_get(m: Machine, self: Instance, call: Call) -> Value:
    return self.attrs.get(_key(self, call.get(0, "key")), call.get(1, "default"))


@method(DICT.qualname, "update")
def _dict_update(m: Machine, self: Instance, call: Call) -> Value:
    for key, value in _pairs(m, call.get(0, "modules"), call.node):
        _put(m, self, _key(self, key), value, call.node)
    return None


@method(DICT.qualname, "__iter__", "keys")
def _dict_keys(m: Machine, self: Instance, call: Call) -> Value:
    return list(keys(self))


@method(DICT.qualname, "values")
def _dict_values(m: Machine, self: Instance, call: Call) -> Value:
    return items(self)


@method(DICT.qualname, "items")
def _dict_items(m: Machine, self: Instance, call: Call) -> Value:
    return list(table(self).items())


@method(DICT.qualname, "__len__")
def _dict_len(m: Machine, self: Instance, call: Call) -> Value:
    return len(keys(self))


@method(DICT.qualname, "__contains__")
def _dict_contains(m: Machine, self: Instance, call: Call) -> Value:
    key = call.get(0, "key")
    if isinstance(key, Unknown):
        return key.derive(("in", id(self)))
    return _key(self, key) in keys(self)


@method(DICT.qualname, "clear")
def _dict_clear(m: Machine, self: Instance, call: Call) -> Value:
    for key in keys(self):
        self.attrs.pop(key, None)
    keys(self).clear()
    return None
