"""Binary, unary, comparison and augmented operators over abstract values."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable
from typing import Any

from . import attributes, calls, counts
from .core import Machine
from .tensor import Tensor
from .values import NUMBER, Instance, LibClass, LibValue, Unknown, UserClass, Value

NATIVE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul,
}
DUNDER = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "or", ast.BitAnd: "and", ast.BitXor: "xor",
    ast.MatMult: "matmul",
}  # fmt: skip
COMPARE = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
COMPARE_DUNDER = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
CONTAINERS = (list, tuple, dict, set, frozenset)
NUMBERS = (int, float, complex)
BIG = 100_000


def hashable(value: Value) -> bool:
    if isinstance(value, tuple):
        return all(hashable(v) for v in value)
    return not isinstance(value, list | dict | set | slice)


def as_key(value: Value) -> Value:
    """``value`` as a dictionary key: an unhashable one is replaced by a fresh Unknown."""
    if isinstance(value, tuple):
        return tuple(as_key(v) for v in value)
    return value if hashable(value) else Unknown("key")


def binary(m: Machine, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    kind = type(op)
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if not isinstance(left, Instance) and not isinstance(right, Instance):
            return m.session.ops.binary(m, kind, left, right, node)
    if isinstance(left, Instance):
        method = attributes.find(m, left, f"__{DUNDER[kind]}__")
        if method is not None:
            return calls.call(m, method, [right], {}, node)
    if isinstance(right, Instance):
        method = attributes.find(m, right, f"__r{DUNDER[kind]}__")
        if method is not None:
            return calls.call(m, method, [left], {}, node)
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return m.session.ops.binary(m, kind, left, right, node)
    return native(m, kind, left, right, node)


def native(m: Machine, kind: type, left: Value, right: Value, node: ast.AST) -> Value:
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return _unknown(kind, left, right)
    if isinstance(left, Instance | LibValue | UserClass | LibClass) or isinstance(
        right, Instance | LibValue | UserClass | LibClass
    ):
        return Unknown("operator")
    if kind is ast.Mult and not _small_product(left, right):
        return Unknown("big")
    if (
        kind is ast.Add
        and isinstance(left, str | bytes | list | tuple)
        and isinstance(right, str | bytes | list | tuple)
        and len(left) + len(right) > BIG
    ):
        return Unknown("big")
    if kind is ast.Pow and not (
        isinstance(left, NUMBERS) and isinstance(right, NUMBERS) and abs(right) < 1000 and abs(left) < 1e12
    ):
        return Unknown("big")
    if (
        kind is ast.LShift
        and isinstance(left, int)
        and isinstance(right, int)
        and (right > 1000 or left.bit_length() > 4096)
    ):
        return Unknown("big")
    if kind is ast.Mod and isinstance(left, str):
        return _format(left, right)
    try:
        result = NATIVE[kind](left, right)
        if m.abridged:
            if kind is ast.Add:
                return counts.added(m, left, right, result)
            if kind is ast.Mod:
                return counts.remainder(m, left, right, result)
        return result
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, MemoryError) as error:
        return m.session.native_error(m, error, node)


def _format(left: str, right: Value) -> Value:
    values = right if isinstance(right, tuple) else (right,)
    if all(isinstance(v, str | int | float) for v in values) and len(left) < 1000 and not wide(left):
        try:
            return left % right
        except (TypeError, ValueError, KeyError, OverflowError, MemoryError):
            return Unknown("text")
    return Unknown("text")


def wide(spec: str) -> bool:
    """Whether a format asks for a width or precision of more than 999."""
    digits = 0
    for c in spec:
        digits = digits + 1 if c.isdigit() else 0
        if digits > 3:
            return True
    return "*" in spec


def _small_product(left: Value, right: Value) -> bool:
    for seq, times in ((left, right), (right, left)):
        if isinstance(seq, str | bytes | list | tuple):
            return isinstance(times, int) and len(seq) * max(times, 1) <= BIG
    return not (isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > 4096)


def _unknown(kind: type, left: Value, right: Value) -> Value:
    """Derived unknowns are shared, so that the same question on one path has one answer."""
    first, other, side = (left, right, "l") if isinstance(left, Unknown) else (right, left, "r")
    key = other if isinstance(other, str | int | float | bool | None) else id(other)
    why = other.why if isinstance(other, Unknown) and first.why == "number" else first.why
    made = first.derive(("op", kind, side, key), why)
    if isinstance(other, Unknown) and other.facets and "cuts" in other.facets and isinstance(made, Unknown):
        made.facet("cuts", lambda: other.facets["cuts"])  # type: ignore[index]
    if first.is_number and (other.is_number if isinstance(other, Unknown) else isinstance(other, NUMBERS)):
        made.facet(NUMBER, lambda: True)
    return made


def unary(m: Machine, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
    if isinstance(op, ast.Not):
        known = m.known_truth(value, node)
        if known is not None:
            return not known
        if isinstance(value, Unknown):
            return not m.truth(value, node)
        return Unknown("not")
    if isinstance(value, Tensor):
        return m.session.ops.unary(m, type(op), value, node)
    if isinstance(value, Instance):
        name = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}[type(op)]
        method = attributes.find(m, value, name)
        return calls.call(m, method, [], {}, node) if method is not None else Unknown("operator")
    if isinstance(value, Unknown):
        return value.derive(("unary", type(op)))
    try:
        if isinstance(op, ast.USub):
            return -value
        return ~value if isinstance(op, ast.Invert) else +value
    except TypeError as error:
        return m.session.native_error(m, error, node)


def compare(m: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    kind = type(op)
    if kind in (ast.Is, ast.IsNot):
        answer = identical(m, left, right, node)
        return (not answer) if kind is ast.IsNot else answer
    if kind in (ast.In, ast.NotIn):
        inside = contains(m, right, left, node)
        if isinstance(inside, bool):
            return (not inside) if kind is ast.NotIn else inside
        if isinstance(inside, Unknown) and kind is ast.NotIn:
            return not m.truth(inside, node)
        return inside
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if left is None or right is None or isinstance(left, str) or isinstance(right, str):
            return kind is ast.NotEq
        return m.session.ops.compare(m, kind, left, right, node)
    for a, b, name in ((left, right, COMPARE_DUNDER[kind]), (right, left, _mirrored(COMPARE_DUNDER[kind]))):
        if isinstance(a, Instance):
            method = attributes.find(m, a, f"__{name}__")
            if method is not None:
                return calls.call(m, method, [b], {}, node)
    if kind in (ast.Eq, ast.NotEq) and isinstance(left, Instance):
        equal = _equal_instances(m, left, right, node)
        if equal is not None:
            known = m.known_truth(equal)
            return equal if kind is ast.Eq else Unknown("comparison") if known is None else not known
    if isinstance(left, LibValue) is not isinstance(right, LibValue) and left is not None and right is not None:
        return Unknown("setting of a library")
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        if left is right:
            return kind in (ast.Eq, ast.LtE, ast.GtE)
        if kind is ast.NotEq:  # asked as the opposite of ==, so that both get one answer
            return not m.truth(_unknown(ast.Eq, left, right), node)
        return _unknown(kind, left, right)
    try:
        answer = COMPARE[kind](left, right)
        if m.abridged:
            answer = counts.compared(m, kind, left, right, answer, node)
            if isinstance(answer, Unknown):
                return answer
        if kind in (ast.Eq, ast.NotEq) and answer is (kind is ast.NotEq) and (_doubtful(left) or _doubtful(right)):
            return Unknown("comparison")
        return answer
    except TypeError as error:
        return m.session.native_error(m, error, node)


def _equal_instances(m: Machine, left: Instance, right: Value, node: ast.AST) -> Value:
    """``==`` by the class's own ``__eq__`` (asked for ``!=``), or by the fields of a dataclass; None: by identity."""
    method = attributes.find(m, left, "__eq__")
    if method is not None:
        return calls.call(m, method, [right], {}, node)
    fields = left.cls.fields if isinstance(left.cls, UserClass) else None
    if fields is None or not isinstance(right, Instance) or right.cls is not left.cls:
        return None
    for name, _ in fields:
        same = compare(m, ast.Eq(), left.attrs.get(name), right.attrs.get(name), node)
        if not isinstance(same, bool):
            return Unknown("comparison")
        if not same:
            return False
    return True


def _doubtful(value: Value) -> bool:
    """Whether a container holds something unknown, so that being different is not certain."""
    if isinstance(value, list | tuple):
        return any(isinstance(v, Unknown) for v in value[:100])
    return isinstance(value, dict) and any(isinstance(v, Unknown) for v in list(value.values())[:100])


def _mirrored(name: str) -> str:
    return {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}.get(name, name)


def identical(m: Machine, left: Value, right: Value, node: ast.AST) -> Value:
    if left is right:
        return True
    unknown = left if isinstance(left, Unknown) else right if isinstance(right, Unknown) else None
    if unknown is not None:
        other = right if unknown is left else left
        if unknown.role in ("module", "optimizer", "loss", "tensor") and not isinstance(other, Unknown):
            return False
        if other is None:
            # a value that is only passed along is more often given than missing
            return unknown.derive(("is None", id(m)), make=lambda: not m.decide(m.frame.site(node).key))
        return unknown.derive(("is", id(other), id(m)), make=lambda: m.decide(m.frame.site(node).key, False))
    if isinstance(left, str | int | float | bool | tuple) and isinstance(right, str | int | float | bool | tuple):
        return type(left) is type(right) and left == right
    if isinstance(left, LibValue) and isinstance(right, LibValue):
        return left == right
    return False


def _contains_iterated(m: Machine, container: Instance, item: Value, node: ast.AST) -> Value:
    """``item in container`` by iterating it, as Python does without ``__contains__``."""
    if attributes.find(m, container, "__iter__") is None:
        return Unknown("in")
    from . import iteration

    for value in iteration.iterate(m, container, node):
        same = value is item or compare(m, ast.Eq(), value, item, node)
        if not isinstance(same, bool):
            return Unknown("in")
        if same:
            return True
    return False


def contains(m: Machine, container: Value, item: Value, node: ast.AST) -> Value:
    if isinstance(container, Unknown):
        key = item if isinstance(item, str | int | float | None) else id(item)
        return container.derive(("in", key))
    if isinstance(container, Instance):
        method = attributes.find(m, container, "__contains__")
        if method is not None:
            return calls.call(m, method, [item], {}, node)
        return _contains_iterated(m, container, item, node)
    if isinstance(container, str):
        return item in container if isinstance(item, str) else Unknown("in")
    if isinstance(container, Tensor):
        return Unknown("in")
    if isinstance(container, range):
        if isinstance(item, int):
            return item in container
        return Unknown("in") if isinstance(item, Unknown | float) else False
    if isinstance(container, CONTAINERS):
        try:
            if item in container:
                return True
        except TypeError:
            return False
        if isinstance(item, Unknown) or any(isinstance(v, Unknown) for v in itertools.islice(container, 200)):
            return Unknown("in")
        return False
    return Unknown("in")


def augmented(m: Machine, op: ast.operator, old: Value, value: Value, node: ast.AST) -> Value:
    """``old op= value``: in place for tensors, lists, sets, dicts and objects that say so."""
    kind = type(op)
    if isinstance(old, Tensor):
        return m.session.ops.augmented(m, kind, old, value, node)
    if isinstance(old, list) and kind is ast.Add and not isinstance(value, Unknown):
        from . import iteration

        old.extend(iteration.listed(m, value, node, max(BIG - len(old), 0)))
        return old
    if isinstance(old, set | dict) and kind is ast.BitOr and isinstance(value, set | dict):
        old |= value  # type: ignore[operator]
        return old
    if isinstance(old, Instance):
        method = attributes.find(m, old, f"__i{DUNDER[kind]}__")
        if method is not None:
            return calls.call(m, method, [value], {}, node)
    return binary(m, op, old, value, node)
