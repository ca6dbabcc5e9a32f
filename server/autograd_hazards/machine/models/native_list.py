"""Methods of lists and tuples."""

from __future__ import annotations

from typing import Any

from .. import counts, iteration
from ..operators import BIG
from ..values import Unknown, Value
from .builtins_reduce import in_order
from .registry import Call, Machine, native_method


@native_method(list, "append")
def _append(m: Machine, self: list[Value], call: Call) -> Value:
    value = call.get(0, "object")
    self.append(value)
    if m.abridged:
        counts.filled(m, self)
    m.ledger.stored(self, value, call.node)
    return None


@native_method(list, "extend")
def _extend(m: Machine, self: list[Value], call: Call) -> Value:
    source = call.get(0, "iterable")
    for value in iteration.listed(m, source, call.node, min(10_000, max(BIG - len(self), 0))):
        self.append(value)
        m.ledger.stored(self, value, call.node)
    if m.abridged:
        counts.filled(m, self)
    return None


@native_method(list, "insert")
def _insert(m: Machine, self: list[Value], call: Call) -> Value:
    index, value = call.get(0, "index"), call.get(1, "object")
    known = isinstance(index, int) and abs(index) <= len(self)
    self.insert(index if known else len(self), value)
    m.ledger.stored(self, value, call.node)
    return None


@native_method(list, "pop")
def _pop(m: Machine, self: list[Value], call: Call) -> Value:
    index = call.get(0, "index", -1)
    if not isinstance(index, int):
        index = -1
    try:
        return self.pop(index)
    except (IndexError, OverflowError) as error:
        return m.session.native_error(m, error, call.node)


@native_method(list, "remove")
def _remove(m: Machine, self: list[Value], call: Call) -> Value:
    value = call.get(0, "value")
    if value in self:
        self.remove(value)
        return None
    if not any(isinstance(v, Unknown) for v in self) and not isinstance(value, Unknown):
        return m.session.native_error(m, ValueError("not in list"), call.node)
    return None


@native_method(list, "clear")
def _clear(m: Machine, self: list[Value], call: Call) -> Value:
    self.clear()
    return None


@native_method(list, "copy")
def _copy(m: Machine, self: list[Value], call: Call) -> Value:
    return list(self)


@native_method(list, "reverse")
def _reverse(m: Machine, self: list[Value], call: Call) -> Value:
    self.reverse()
    return None


@native_method(list, "sort")
def _sort(m: Machine, self: list[Value], call: Call) -> Value:
    self[:] = in_order(m, list(self), call.kwargs.get("key"), call.kwargs.get("reverse", False), call.node)
    return None


@native_method(list, "index")
@native_method(tuple, "index")
@native_method(range, "index")
def _index(m: Machine, self: Any, call: Call) -> Value:
    value = call.get(0, "value")
    for i, item in enumerate(self):
        if item is value or (not isinstance(item, Unknown) and item == value):
            return i
        if isinstance(item, Unknown) or i > 10_000:
            return Unknown("index")
    if isinstance(value, Unknown):
        return Unknown("index")
    return m.session.native_error(m, ValueError("not in list"), call.node)


@native_method(list, "count")
@native_method(tuple, "count")
@native_method(range, "count")
def _count(m: Machine, self: Any, call: Call) -> Value:
    value = call.get(0, "value")
    if isinstance(value, Unknown) or (not isinstance(self, range) and any(isinstance(v, Unknown) for v in self)):
        return Unknown("count")
    if isinstance(self, range) and not isinstance(value, int):
        return Unknown("count")
    return self.count(value)


@native_method(list, "__len__")
@native_method(tuple, "__len__")
@native_method(dict, "__len__")
@native_method(set, "__len__")
@native_method(frozenset, "__len__")
@native_method(str, "__len__")
@native_method(range, "__len__")
def _len(m: Machine, self: Any, call: Call) -> Value:
    return len(self)


@native_method(list, "__getitem__")
@native_method(tuple, "__getitem__")
@native_method(dict, "__getitem__")
def _getitem(m: Machine, self: Any, call: Call) -> Value:
    from .. import subscripts

    return subscripts.get_item(m, self, call.get(0, "key"), call.node)


@native_method(list, "__setitem__")
@native_method(dict, "__setitem__")
def _setitem(m: Machine, self: Any, call: Call) -> Value:
    from .. import subscripts

    subscripts.set_item(m, self, call.get(0, "key"), call.get(1, "value"), call.node)
    return None


@native_method(list, "__contains__")
@native_method(tuple, "__contains__")
@native_method(dict, "__contains__")
@native_method(set, "__contains__")
@native_method(str, "__contains__")
def _contains(m: Machine, self: Any, call: Call) -> Value:
    from .. import operators

    return operators.contains(m, self, call.get(0, "key"), call.node)


@native_method(list, "__iter__")
@native_method(tuple, "__iter__")
@native_method(dict, "__iter__")
@native_method(set, "__iter__")
@native_method(str, "__iter__")
@native_method(range, "__iter__")
def _iter(m: Machine, self: Any, call: Call) -> Value:
    from .builtins_lazy import iterator_of

    return iterator_of(m, self, call.node)
