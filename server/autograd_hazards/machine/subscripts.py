"""Reading and writing items: containers, tensors, objects with ``__getitem__``, unknowns."""

from __future__ import annotations

import ast
from typing import Any

from . import attributes, calls, counts, operators
from .core import Machine
from .tensor import Tensor
from .values import Instance, LibClass, LibValue, Unknown, UserClass, Value


def get_item(m: Machine, owner: Value, index: Value, node: ast.AST) -> Value:
    if isinstance(owner, Tensor):
        if owner.facets is not None and "opaque" in owner.facets and isinstance(index, str):
            return owner.facets["opaque"](m, index)
        return m.session.ops.get_item(m, owner, index, node)
    if isinstance(owner, dict):
        return _dict_item(m, owner, index, node)
    if isinstance(owner, list | tuple | str | bytes | range):
        return _sequence_item(m, owner, index, node)
    if isinstance(owner, Instance):
        method = attributes.find(m, owner, "__getitem__")
        if method is not None:
            return calls.call(m, method, [index], {}, node)
        return Unknown("item")
    if isinstance(owner, Unknown):
        return owner.derive(("item", _key(index)), owner.why)
    if isinstance(owner, UserClass) and owner.is_a("enum.Enum") and isinstance(index, str):
        return owner.attrs.get(index, Unknown("member"))
    if isinstance(owner, LibValue) and owner.name.rpartition(".")[2].islower():  # os.environ["X"], sys.argv[1]
        return m.tracks.setdefault(("item of", owner.name, _key(index)), Unknown(owner.name))
    if isinstance(owner, type | LibClass | LibValue | UserClass):
        return owner  # Generic[T], list[int]
    return Unknown("item")


def _key(index: Value) -> Any:
    return index if isinstance(index, str | int | float | bool | None) else id(index)


def _dict_item(m: Machine, owner: dict[Any, Value], index: Value, node: ast.AST) -> Value:
    if operators.hashable(index) and index in owner:
        return owner[index]
    if isinstance(index, Unknown) and (chosen := index.likely()) is not index and chosen in owner:
        m.guessed = m.guessed or len(owner) > 1
        return owner[chosen]
    if isinstance(index, Unknown) or any(isinstance(k, Unknown) for k in owner):
        return _any_of(m, list(owner.values()), index)
    if hasattr(owner, "absent"):  # a Counter counts what it lacks without keeping it
        return owner.absent
    missing = getattr(owner, "default_factory", None)
    if missing is not None:
        value = calls.call(m, missing, [], {}, node)
        owner[operators.as_key(index)] = value
        return value
    return m.session.native_error(m, KeyError(index if isinstance(index, str | int) else "key"), node)


def _any_of(m: Machine, values: list[Value], index: Value) -> Value:
    """Some element, chosen by an unknown index: the first stands for all when they are of one kind."""
    if values and all(type(v) is type(values[0]) for v in values):
        m.guessed = m.guessed or len(values) > 1
        return values[0]
    return index.derive("chosen") if isinstance(index, Unknown) else Unknown("item")


def _sequence_item(m: Machine, owner: Any, index: Value, node: ast.AST) -> Value:
    if isinstance(index, slice):
        parts = [index.start, index.stop, index.step]
        if all(p is None or isinstance(p, int) for p in parts):
            try:
                return owner[index]
            except ValueError as error:
                return m.session.native_error(m, error, node)
        return owner if isinstance(owner, list | tuple) else Unknown("slice")
    if isinstance(index, bool | int):
        try:
            return owner[index]
        except IndexError as error:
            return m.session.native_error(m, error, node)
    if isinstance(index, Tensor) and isinstance(index.elements, int) and -len(owner) <= index.elements < len(owner):
        return owner[index.elements]
    if isinstance(index, Unknown | Tensor):
        return _any_of(m, list(owner), index) if isinstance(owner, list | tuple) else Unknown("item")
    return m.session.native_error(m, TypeError("index"), node)


def set_item(m: Machine, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
    if isinstance(owner, Tensor):
        m.session.ops.set_item(m, owner, index, value, node)
    elif isinstance(owner, dict):
        key = operators.as_key(index)
        if m.loops and isinstance(value, Tensor):
            m.ledger.renewed_in_place(owner.get(key), value, node)
        owner[key] = value
        if m.abridged:
            counts.filled(m, owner)
        m.ledger.stored(owner, value, node)
    elif isinstance(owner, list):
        m.ledger.stored(owner, value, node)
        if isinstance(index, int) and -len(owner) <= index < len(owner):
            owner[index] = value
        elif isinstance(index, slice):
            if all(p is None or isinstance(p, int) for p in (index.start, index.stop, index.step)) and isinstance(
                value, list | tuple
            ):
                try:
                    owner[index] = value
                except ValueError as error:
                    m.session.native_error(m, error, node)
        elif isinstance(index, int):
            m.session.native_error(m, IndexError("list assignment index out of range"), node)
    elif isinstance(owner, Instance):
        method = attributes.find(m, owner, "__setitem__")
        if method is not None:
            calls.call(m, method, [index, value], {}, node)
    elif isinstance(owner, Unknown):
        if owner.memo is None:
            owner.memo = {}
        owner.memo[("item", _key(index))] = value


def delete_item(m: Machine, owner: Value, index: Value, node: ast.AST) -> None:
    if isinstance(owner, dict):
        if operators.hashable(index):
            owner.pop(index, None)
    elif isinstance(owner, list):
        if isinstance(index, int) and -len(owner) <= index < len(owner):
            del owner[index]
        elif isinstance(index, slice) and all(
            p is None or isinstance(p, int) for p in (index.start, index.stop, index.step)
        ):
            del owner[index]
    elif isinstance(owner, Instance):
        method = attributes.find(m, owner, "__delitem__")
        if method is not None:
            calls.call(m, method, [index], {}, node)
