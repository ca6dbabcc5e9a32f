"""Builtins that consume an iterable: ``sum``, ``min``, ``max``, ``any``, ``all``, ``sorted``."""

from __future__ import annotations

import ast
from typing import Any

from .. import attributes, calls, iteration, operators
from ..tensor import Tensor
from ..values import Instance, Unknown, Value
from .registry import MISSING, Call, Machine, function

NUMBER = (int, float)
ADD = ast.Add()
MANY_OBJECTS = 64


@function("builtins.sum")
def _sum(m: Machine, call: Call) -> Value:
    return total(m, call.get(0, "iterable"), call.get(1, "start", 0), call.node)


def total(m: Machine, source: Value, start: Value, node: ast.AST) -> Value:
    """``sum(source, start)``: the additions that Python makes, one by one, since each may build a graph."""
    if isinstance(source, range) and isinstance(start, NUMBER):
        return start + (len(source) * (source[0] + source[-1]) // 2 if source else 0)
    if isinstance(source, Unknown) and source.role == "" and isinstance(start, NUMBER):
        return source.derive("sum", source.why)
    result = start
    for value in iteration.iterate(m, source, node):
        m.tick()
        result = operators.binary(m, ADD, result, value, node)
    return result


@function("builtins.min")
def _min(m: Machine, call: Call) -> Value:
    return extreme(m, call, False)


@function("builtins.max")
def _max(m: Machine, call: Call) -> Value:
    return extreme(m, call, True)


def extreme(m: Machine, call: Call, largest: bool) -> Value:
    """The least or greatest value; where that cannot be told, one that stands for it (a tensor before a number)."""
    source = call.args[0] if len(call.args) == 1 else list(call.args)
    if isinstance(source, Unknown):
        return source.derive("max" if largest else "min")
    if isinstance(source, range) and source:
        source = [source[0], source[-1]] if call.kwargs.get("key") is None else source
    values = iteration.listed(m, source, call.node)
    if not values:
        default = call.kwargs.get("default", MISSING)
        return default if default is not MISSING else m.session.native_error(m, ValueError("empty"), call.node)
    key = call.kwargs.get("key")
    keys = [calls.call(m, key, [v], {}, call.node) for v in values] if key is not None else [plain(v) for v in values]
    order = order_of(m, keys, call.node)
    if order is not None:
        best = order[-1 if largest else 0]
        if all(_orderable(k) for k in keys):
            best = keys.index(keys[best])
        return values[best]
    return _stands_for(values, "max" if largest else "min")


def _stands_for(values: list[Value], name: str) -> Value:
    tensors = [v for v in values if isinstance(v, Tensor)]
    for tensor in tensors:
        if tensor.requires_grad:
            return tensor
    if tensors:
        return tensors[0]
    if any(isinstance(v, Unknown) for v in values):
        first = next(v for v in values if isinstance(v, Unknown))
        if all(isinstance(v, (Unknown, *NUMBER)) for v in values):
            return first.derive((name, *(v if isinstance(v, NUMBER) else id(v) for v in values)), first.why)
        return first
    return values[0]


def plain(value: Value) -> Value:
    """The number in a tensor of one known element, otherwise the value."""
    return value.elements if isinstance(value, Tensor) and isinstance(value.elements, NUMBER) else value


def order_of(m: Machine, keys: list[Any], node: ast.AST) -> list[int] | None:
    """Positions in ascending order of ``keys``; None when they cannot be compared here."""
    if all(isinstance(k, tuple) and k and _orderable(k[0]) for k in keys) and len({k[0] for k in keys}) == len(keys):
        keys = [k[0] for k in keys]  # the first items decide
    if not all(_orderable(k) for k in keys):
        return _order_by_lt(m, keys, node)
    try:
        return sorted(range(len(keys)), key=keys.__getitem__)
    except TypeError:
        return None


def _order_by_lt(m: Machine, keys: list[Any], node: ast.AST) -> list[int] | None:
    """The order of objects that define ``<``; None when a comparison is undecided."""
    if len(keys) > MANY_OBJECTS or not all(isinstance(k, Instance) for k in keys):
        return None
    if not all(attributes.find(m, k, "__lt__") is not None for k in keys):
        return None
    order: list[int] = []
    for i, key in enumerate(keys):
        place = len(order)
        while place:
            less = operators.compare(m, ast.Lt(), key, keys[order[place - 1]], node)
            if not isinstance(less, bool):
                return None
            if not less:
                break
            place -= 1
        order.insert(place, i)
    return order


def _orderable(key: Value) -> bool:
    if isinstance(key, tuple | list):
        return all(_orderable(k) for k in key)
    return isinstance(key, str | bytes | int | float)


@function("builtins.any")
def _any(m: Machine, call: Call) -> Value:
    return quantified(m, call.get(0, "iterable"), True, call.node)


@function("builtins.all")
def _all(m: Machine, call: Call) -> Value:
    return quantified(m, call.get(0, "iterable"), False, call.node)


def quantified(m: Machine, source: Value, stop_at: bool, node: ast.AST) -> Value:
    """``any`` (stop_at True) or ``all``: decided where the elements decide it."""
    name = "any" if stop_at else "all"
    if isinstance(source, Unknown):
        return source.derive(name)
    doubt: Value = None
    for value in iteration.iterate(m, source, node):
        m.tick()
        known = m.known_truth(value, node)
        if known is stop_at:
            return stop_at
        if known is None and doubt is None:
            doubt = value
    if doubt is None:
        return not stop_at
    return doubt.derive(name) if isinstance(doubt, Unknown) else Unknown(name)


@function("builtins.sorted")
def _sorted(m: Machine, call: Call) -> Value:
    source = call.get(0, "iterable")
    if isinstance(source, Unknown):
        return source.derive("sorted")
    values = iteration.listed(m, source, call.node)
    return in_order(m, values, call.kwargs.get("key"), call.kwargs.get("reverse", False), call.node)


def in_order(m: Machine, values: list[Value], key: Value, reverse: Value, node: ast.AST) -> list[Value]:
    """``values`` sorted; in the order given when the keys cannot be compared."""
    keys = [calls.call(m, key, [v], {}, node) for v in values] if key is not None else [plain(v) for v in values]
    order = order_of(m, keys, node)
    if order is None:
        return list(values)
    if m.known_truth(reverse):
        if all(_orderable(k) for k in keys):  # equal ones keep their order
            order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
        else:
            order.reverse()
    return [values[i] for i in order]
