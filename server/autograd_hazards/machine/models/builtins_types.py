"""The builtin types: their entries among the builtins and what calling them gives."""

from __future__ import annotations

import ast
import sys
from typing import Any

from .. import attributes, calls, iteration, operators
from ..tensor import Tensor
from ..values import ClassMethod, Instance, Property, StaticMethod, Unknown, UserClass, Value
from .builtins_functions import text_of
from .registry import BUILTINS, CLASSES, Call, Machine, constructor

for _kind in (
    int,
    float,
    complex,
    bool,
    str,
    bytes,
    bytearray,
    list,
    tuple,
    dict,
    set,
    frozenset,
    range,
    slice,
    object,
    type,
    property,
    staticmethod,
    classmethod,
):
    BUILTINS[_kind.__name__] = _kind


def number_in(m: Machine, value: Value, node: ast.AST) -> Value:
    """The Python number of a tensor (``item()``); other values as they are."""
    if isinstance(value, Tensor):
        found = m.session.ops.tensor_method(m, value, "item", [], {}, node)
        return value.elements if isinstance(value.elements, int | float) else found
    return value


def _number(m: Machine, call: Call, kind: Any, special: tuple[str, ...]) -> Value:
    if not call.args:
        return kind()
    value = number_in(m, call.args[0], call.node)
    if isinstance(value, Unknown):
        return value.derive(kind.__name__, value.why)
    if isinstance(value, Instance):
        for name in special:
            method = attributes.find(m, value, name)
            if method is not None:
                return calls.call(m, method, [], {}, call.node)
        if value.data is not None and isinstance(value.data, int | float | str):
            value = value.data
    if isinstance(value, str) and len(value) > 400:
        return Unknown(kind.__name__)
    if isinstance(value, int | float | complex | str | bytes):
        try:
            return kind(value, *[a for a in call.args[1:] if isinstance(a, int)])
        except (TypeError, ValueError, OverflowError) as error:
            return m.session.native_error(m, error, call.node)
    return Unknown(kind.__name__)


@constructor(int)
def _int(m: Machine, call: Call) -> Value:
    return _number(m, call, int, ("__int__", "__index__"))


@constructor(float)
def _float(m: Machine, call: Call) -> Value:
    return _number(m, call, float, ("__float__", "__index__"))


@constructor(complex)
def _complex(m: Machine, call: Call) -> Value:
    return _number(m, call, complex, ("__complex__", "__float__"))


@constructor(bool)
def _bool(m: Machine, call: Call) -> Value:
    if not call.args:
        return False
    value = call.args[0]
    known = m.known_truth(value, call.node)
    if known is not None:
        return known
    if isinstance(value, Tensor):
        return number_in(m, value, call.node)
    return value  # the same unknown: asked here or there, its truth is decided once


@constructor(str)
def _str(m: Machine, call: Call) -> Value:
    return text_of(m, call.args[0], call.node) if call.args else ""


@constructor(bytes)
@constructor(bytearray)
def _bytes(m: Machine, call: Call) -> Value:
    return call.args[0] if call.args and isinstance(call.args[0], bytes) else b"" if not call.args else Unknown("bytes")


@constructor(list)
def _list(m: Machine, call: Call) -> Value:
    if not call.args:
        return []
    if isinstance(call.args[0], Unknown):
        return call.args[0]
    return iteration.listed(m, call.args[0], call.node)


@constructor(tuple)
def _tuple(m: Machine, call: Call) -> Value:
    if not call.args:
        return ()
    if isinstance(call.args[0], Unknown):
        return call.args[0]
    return tuple(iteration.listed(m, call.args[0], call.node))


def keys_of(values: list[Value]) -> list[Value]:
    return [operators.as_key(v) for v in values]


@constructor(set)
def _set(m: Machine, call: Call) -> Value:
    if not call.args:
        return set()
    if isinstance(call.args[0], Unknown):
        return call.args[0]
    return set(keys_of(iteration.listed(m, call.args[0], call.node)))


@constructor(frozenset)
def _frozenset(m: Machine, call: Call) -> Value:
    made = _set(m, call)
    return frozenset(made) if isinstance(made, set) else made


@constructor(dict)
def _dict(m: Machine, call: Call) -> Value:
    if not call.args:
        return dict(call.kwargs)
    if isinstance(call.args[0], Unknown):
        return call.args[0]
    made = pairs_of(m, call.args[0], call.node)
    made.update(call.kwargs)
    return made


def pairs_of(m: Machine, source: Value, node: ast.AST) -> dict[Value, Value]:
    """A dictionary from a mapping or from pairs."""
    if isinstance(source, dict):
        return dict(source)
    if isinstance(source, Instance):
        if isinstance(source.data, dict) and source.is_a("builtins.dict"):
            return dict(source.data)
        names = attributes.find(m, source, "keys")
        getter = attributes.find(m, source, "__getitem__")
        if names is not None and getter is not None:
            keys = iteration.listed(m, calls.call(m, names, [], {}, node), node)
            return {operators.as_key(k): calls.call(m, getter, [k], {}, node) for k in keys}
    made: dict[Value, Value] = {}
    for pair in iteration.listed(m, source, node):
        if isinstance(pair, Unknown):
            key, value = pair.derive(("item", 0)), pair.derive(("item", 1))
        else:
            both = iteration.listed(m, pair, node, 3)
            if len(both) != 2:
                continue
            key, value = both
        made[operators.as_key(key)] = value
    return made


@constructor(range)
def _range(m: Machine, call: Call) -> Value:
    parts = [number_in(m, a, call.node) for a in call.args]
    if parts and all(isinstance(p, int) for p in parts):
        try:
            made = range(*parts)
            return made if abs(made.stop - made.start) < sys.maxsize else Unknown("range")  # len() cannot tell more
        except (ValueError, TypeError) as error:
            return m.session.native_error(m, error, call.node)
    doubt = next((p for p in parts if isinstance(p, Unknown)), None)
    if doubt is None:
        return Unknown("range")
    key = ("range", *(p if isinstance(p, int) else id(p) for p in parts))
    return doubt.derive(key, make=lambda: _unknown_range(parts, doubt))


def _unknown_range(parts: list[Value], doubt: Unknown) -> Unknown:
    """A range of unknown length: the first two indices are known, later ones are not."""
    made = Unknown("range")
    start = 0 if len(parts) == 1 else parts[0]
    step = parts[2] if len(parts) > 2 else 1
    made.memo = {}
    if isinstance(start, int) and isinstance(step, int):
        made.memo = {("item", 0): start, ("item", 1): start + step, ("item", 2): Unknown("loop index")}
    if len(parts) == 1:
        made.memo["length"] = doubt
    return made


@constructor(slice)
def _slice(m: Machine, call: Call) -> Value:
    return slice(*call.args) if 1 <= len(call.args) <= 3 else Unknown("slice")


@constructor(object)
def _object(m: Machine, call: Call) -> Value:
    return Instance(CLASSES["builtins.object"], m.here(call.node))


@constructor(type)
def _type(m: Machine, call: Call) -> Value:
    if len(call.args) == 1:
        return attributes.type_of(m, call.args[0])
    name, bases, namespace = call.get(0, "name"), call.get(1, "bases"), call.get(2, "dict")
    if isinstance(name, str) and isinstance(bases, tuple) and isinstance(namespace, dict):
        registry = m.session.registry
        chosen = [
            registry.native_class(b) if isinstance(b, type) else registry.base_class(b)
            for b in bases
            if b is not object
        ]
        cls = UserClass(name, None, m.frame.module, chosen)
        cls.attrs.update({k: v for k, v in namespace.items() if isinstance(k, str)})
        return cls
    return Unknown("class")


@constructor(type(None))
def _none(m: Machine, call: Call) -> Value:
    return None


@constructor(property)
def _property(m: Machine, call: Call) -> Value:
    return Property(call.get(0, "fget"), call.get(1, "fset"))


@constructor(staticmethod)
def _staticmethod(m: Machine, call: Call) -> Value:
    return StaticMethod(call.get(0, "function"))


@constructor(classmethod)
def _classmethod(m: Machine, call: Call) -> Value:
    return ClassMethod(call.get(0, "function"))
