"""``collections``: ordered and default dictionaries, deques, counters, named tuples."""

from __future__ import annotations

import collections
from typing import Any

from .. import counts, iteration, operators
from ..values import Instance, Unknown, Value
from .builtins_lazy import lazy
from .builtins_subclass import KINDS, delegate_all, native_of
from .builtins_types import pairs_of
from .registry import ALIASES, CLASSES, CONSTANTS, Call, Machine, constructor, function, lib_class, native_method
from .stdlib_typing import named_tuple_class


class DefaultDict(dict[Any, Value]):
    """A ``defaultdict``; the factory is a value of the interpreted program."""

    own_attributes = ("default_factory",)

    def __init__(self, factory: Value = None) -> None:
        super().__init__()
        self.default_factory = factory

    def copy(self) -> DefaultDict:
        made = type(self)(self.default_factory)
        made.update(self)
        return made


class Counter(DefaultDict):
    """A ``Counter``: missing keys count zero."""

    absent = 0

    def __init__(self, factory: Value = None) -> None:
        super().__init__()


class Deque(list[Any]):
    """A ``deque``: a list that forgets the oldest beyond ``maxlen``."""

    own_attributes = ("maxlen",)
    maxlen: Value = None

    def trim(self, left: bool) -> None:
        if isinstance(self.maxlen, int):
            while len(self) > max(self.maxlen, 0):
                self.pop(0 if left else -1)


TYPES: dict[str, type] = {
    "OrderedDict": collections.OrderedDict,
    "defaultdict": DefaultDict,
    "Counter": Counter,
    "deque": Deque,
}
for _name, _kind in TYPES.items():
    CONSTANTS[f"collections.{_name}"] = _kind
CONSTANTS["typing.OrderedDict"] = collections.OrderedDict
CONSTANTS["typing.DefaultDict"] = DefaultDict
CONSTANTS["typing.Deque"] = Deque
CONSTANTS["typing.Counter"] = Counter


# -- making them ------------------------------------------------------------------------------------------------------
def _filled(m: Machine, made: dict[Any, Value], call: Call, skip: int) -> dict[Any, Value]:
    if len(call.args) > skip and not isinstance(call.args[skip], Unknown):
        made.update(pairs_of(m, call.args[skip], call.node))
    made.update(call.kwargs)
    return made


@constructor(collections.OrderedDict)
def ordered(m: Machine, call: Call) -> Value:
    return _filled(m, collections.OrderedDict(), call, 0)


@constructor(DefaultDict)
def default_dict(m: Machine, call: Call) -> Value:
    return _filled(m, DefaultDict(call.args[0] if call.args else None), call, 1)


@constructor(Counter)
def counter(m: Machine, call: Call) -> Value:
    made = Counter()
    if call.args:
        _count(m, made, call.args[0], 1, call)
    made.update(call.kwargs)
    return made


def _count(m: Machine, made: Counter, source: Value, sign: int, call: Call) -> None:
    if isinstance(source, Unknown):
        made[Unknown("key")] = Unknown("count")
        return
    if isinstance(source, dict):
        pairs = list(source.items())
    else:
        pairs = [(v, 1) for v in iteration.listed(m, source, call.node)]
    for key, count in pairs:
        key = operators.as_key(key)
        old = made.get(key, 0)
        made[key] = (
            old + sign * count if isinstance(old, int | float) and isinstance(count, int | float) else Unknown("count")
        )


@constructor(Deque)
def deque(m: Machine, call: Call) -> Value:
    made = Deque()
    made.maxlen = call.get(1, "maxlen")
    source = call.get(0, "iterable", ())
    if not isinstance(source, Unknown):
        made.extend(iteration.listed(m, source, call.node))
        made.trim(True)
    return made


# -- methods of their own ---------------------------------------------------------------------------------------------
@native_method(Counter, "update")
def _counter_update(m: Machine, self: Counter, call: Call) -> Value:
    if call.args:
        _count(m, self, call.args[0], 1, call)
    _count(m, self, dict(call.kwargs), 1, call)
    return None


@native_method(Counter, "subtract")
def _counter_subtract(m: Machine, self: Counter, call: Call) -> Value:
    if call.args:
        _count(m, self, call.args[0], -1, call)
    return None


@native_method(Counter, "most_common")
def _most_common(m: Machine, self: Counter, call: Call) -> Value:
    rows = list(self.items())
    if all(isinstance(v, int | float) for _, v in rows):
        rows.sort(key=lambda r: -r[1])
    count = call.get(0, "n")
    return rows[:count] if isinstance(count, int) else rows


@native_method(Counter, "elements")
def _elements(m: Machine, self: Counter, call: Call) -> Value:
    return lazy(k for k, n in list(self.items()) if isinstance(n, int) for _ in range(min(n, 1000)))


@native_method(Counter, "total")
def _total(m: Machine, self: Counter, call: Call) -> Value:
    return sum(self.values()) if all(isinstance(v, int | float) for v in self.values()) else Unknown("total")


def _deque_add(name: str, left: bool) -> None:
    def run(m: Machine, self: Deque, call: Call) -> Value:
        value = call.get(0, "x")
        self.insert(0 if left else len(self), value)
        self.trim(not left)
        if m.abridged:
            counts.filled(m, self)
        if not isinstance(self.maxlen, int):  # a bounded one holds no growing history
            m.ledger.stored(self, value, call.node)
        else:
            m.ledger.put(value, call.node)
        return None

    native_method(Deque, name)(run)


_deque_add("append", False)
_deque_add("appendleft", True)


@native_method(Deque, "extend")
def _deque_extend(m: Machine, self: Deque, call: Call) -> Value:
    for value in iteration.listed(m, call.get(0, "iterable"), call.node):
        self.append(value)
    self.trim(True)
    return None


@native_method(Deque, "extendleft")
def _deque_extendleft(m: Machine, self: Deque, call: Call) -> Value:
    for value in iteration.listed(m, call.get(0, "iterable"), call.node):
        self.insert(0, value)
    self.trim(False)
    return None


@native_method(Deque, "popleft")
def _popleft(m: Machine, self: Deque, call: Call) -> Value:
    return self.pop(0) if self else m.session.native_error(m, IndexError("pop from an empty deque"), call.node)


@native_method(Deque, "rotate")
def _rotate(m: Machine, self: Deque, call: Call) -> Value:
    n = call.get(0, "n", 1)
    if isinstance(n, int) and self:
        n %= len(self)
        self[:] = self[-n:] + self[:-n] if n else list(self)
    return None


@native_method(Deque, "copy", "__copy__")
def _deque_copy(m: Machine, self: Deque, call: Call) -> Value:
    made = Deque(self)
    made.maxlen = self.maxlen
    return made


# -- as base classes --------------------------------------------------------------------------------------------------
for _kind, _base in (
    (collections.OrderedDict, "builtins.dict"),
    (DefaultDict, "builtins.dict"),
    (Counter, "builtins.dict"),
    (Deque, "builtins.list"),
):
    lib_class(f"builtins.{_kind.__name__}", _base)
    delegate_all(_kind, f"builtins.{_kind.__name__}")
for _kind, _make in (
    (collections.OrderedDict, ordered),
    (DefaultDict, default_dict),
    (Counter, counter),
    (Deque, deque),
):

    def _init(m: Machine, self: Instance, call: Call, make: Any = _make) -> Value:
        self.data = make(m, call)
        return None

    CLASSES[KINDS[_kind]].methods["__init__"] = _init
lib_class("collections.UserDict", "builtins.dict").props["data"] = lambda m, self, node: native_of(self, dict)
lib_class("collections.UserList", "builtins.list").props["data"] = lambda m, self, node: native_of(self, list)
ALIASES["collections.abc.MutableMapping"] = "collections.abc.Mapping"
ALIASES["collections.abc.MutableSequence"] = "collections.abc.Sequence"


@function("collections.namedtuple")
def _namedtuple(m: Machine, call: Call) -> Value:
    name, names, defaults = call.get(0, "typename"), call.get(1, "field_names"), call.kwargs.get("defaults", ())
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if not isinstance(names, list | tuple) or not all(isinstance(n, str) for n in names):
        return Unknown("class")
    given = list(defaults) if isinstance(defaults, list | tuple) else []
    return named_tuple_class(name if isinstance(name, str) else "tuple", list(names), given, m)


@function("collections.ChainMap")
def _chain_map(m: Machine, call: Call) -> Value:
    made: dict[Any, Value] = {}
    for mapping in reversed(call.args):
        if isinstance(mapping, Unknown):
            return Unknown("mapping")
        made.update(pairs_of(m, mapping, call.node))
    return made


@function("heapq.heappush", "bisect.insort")
def _heappush(m: Machine, call: Call) -> Value:
    heap, value = call.get(0, "heap"), call.get(1, "item")
    if isinstance(heap, list):
        heap.append(value)
        m.ledger.stored(heap, value, call.node)
    return None


@function("heapq.heappop")
def _heappop(m: Machine, call: Call) -> Value:
    heap = call.get(0, "heap")
    return heap.pop(0) if isinstance(heap, list) and heap else Unknown("item")
