"""``math`` and ``operator``, ``statistics``: native on numbers; on a tensor they take its number, as ``float`` does."""

from __future__ import annotations

import ast
import math
from typing import Any

from .. import calls, iteration, operators, subscripts
from ..values import LibFunction, Unknown, Value
from .builtins_types import number_in
from .registry import CONSTANTS, Call, Machine, function

for _name in ("pi", "e", "inf", "nan", "tau"):
    CONSTANTS[f"math.{_name}"] = getattr(math, _name)
SEQUENCES = ("fsum", "prod", "dist", "gcd", "lcm", "hypot")
SMALL = ("factorial", "comb", "perm")


def apply_native(m: Machine, name: str, func: Any, values: list[Value], node: ast.AST) -> Value:
    """``func`` of numbers; unknown where one is unknown."""
    numbers = [number_in(m, v, node) for v in values]
    for value in numbers:
        if isinstance(value, Unknown):
            return value.derive((name, *(v if isinstance(v, int | float) else id(v) for v in numbers)), value.why)
    if not all(isinstance(v, int | float) for v in numbers) or any(
        isinstance(v, int) and abs(v) > 1 << 64 for v in numbers
    ):
        return Unknown(name)
    if name in SMALL and any(v > 170 for v in numbers):
        return Unknown(name)
    try:
        return func(*numbers)
    except (TypeError, ValueError, ArithmeticError) as error:
        return m.session.native_error(m, error, node)


def _register(name: str) -> None:
    func = getattr(math, name)

    @function(f"math.{name}")
    def _(m: Machine, call: Call) -> Value:
        return apply_native(m, name, func, call.args, call.node)


for _name, _func in vars(math).items():
    if callable(_func) and not _name.startswith("_") and _name not in SEQUENCES:
        _register(_name)


@function("math.fsum", "math.prod", "statistics.mean", "statistics.fmean", "statistics.stdev", "statistics.median")
def _reduce(m: Machine, call: Call) -> Value:
    for value in iteration.listed(m, call.get(0, "iterable"), call.node):
        number_in(m, value, call.node)
    return Unknown("number")


@function("math.dist", "math.gcd", "math.lcm", "math.hypot")
def _many(m: Machine, call: Call) -> Value:
    return Unknown("number")


# -- operator ---------------------------------------------------------------------------------------------------------
BINARY: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "truediv": ast.Div(),
    "floordiv": ast.FloorDiv(),
    "mod": ast.Mod(),
    "pow": ast.Pow(),
    "matmul": ast.MatMult(),
    "and_": ast.BitAnd(),
    "or_": ast.BitOr(),
    "xor": ast.BitXor(),
    "concat": ast.Add(),
}
COMPARE: dict[str, ast.cmpop] = {
    "eq": ast.Eq(),
    "ne": ast.NotEq(),
    "lt": ast.Lt(),
    "le": ast.LtE(),
    "gt": ast.Gt(),
    "ge": ast.GtE(),
    "is_": ast.Is(),
    "is_not": ast.IsNot(),
}


def _binary(name: str, op: ast.operator) -> None:
    @function(f"operator.{name}")
    def _(m: Machine, call: Call) -> Value:
        return operators.binary(m, op, call.get(0, "a"), call.get(1, "b"), call.node)

    @function(f"operator.i{name.rstrip('_')}")
    def _(m: Machine, call: Call) -> Value:
        return operators.augmented(m, op, call.get(0, "a"), call.get(1, "b"), call.node)


def _comparison(name: str, op: ast.cmpop) -> None:
    @function(f"operator.{name}")
    def _(m: Machine, call: Call) -> Value:
        return operators.compare(m, op, call.get(0, "a"), call.get(1, "b"), call.node)


for _name, _op in BINARY.items():
    _binary(_name, _op)
for _name, _cmp in COMPARE.items():
    _comparison(_name, _cmp)


@function("operator.neg")
def _neg(m: Machine, call: Call) -> Value:
    return operators.unary(m, ast.USub(), call.get(0, "a"), call.node)


@function("operator.not_")
def _not(m: Machine, call: Call) -> Value:
    return operators.unary(m, ast.Not(), call.get(0, "a"), call.node)


@function("operator.getitem")
def _getitem(m: Machine, call: Call) -> Value:
    return subscripts.get_item(m, call.get(0, "a"), call.get(1, "b"), call.node)


@function("operator.setitem")
def _setitem(m: Machine, call: Call) -> Value:
    subscripts.set_item(m, call.get(0, "a"), call.get(1, "b"), call.get(2, "c"), call.node)
    return None


@function("operator.itemgetter")
def _itemgetter(m: Machine, call: Call) -> Value:
    keys = list(call.args)

    def run(m: Machine, inner: Call) -> Value:
        found = [subscripts.get_item(m, inner.get(0, "obj"), k, inner.node) for k in keys]
        return found[0] if len(found) == 1 else tuple(found)

    return LibFunction("itemgetter", run)


@function("operator.attrgetter")
def _attrgetter(m: Machine, call: Call) -> Value:
    names = list(call.args)

    def run(m: Machine, inner: Call) -> Value:
        found = [_path(m, inner.get(0, "obj"), n, inner.node) for n in names]
        return found[0] if len(found) == 1 else tuple(found)

    return LibFunction("attrgetter", run)


def _path(m: Machine, value: Value, name: Value, node: ast.AST) -> Value:
    from .. import attributes

    if not isinstance(name, str):
        return Unknown("attribute")
    for part in name.split("."):
        value = attributes.get_attribute(m, value, part, node)
    return value


@function("operator.methodcaller")
def _methodcaller(m: Machine, call: Call) -> Value:
    name, args, kwargs = call.get(0, "name"), list(call.args[1:]), dict(call.kwargs)
    return LibFunction(
        "methodcaller",
        lambda m, inner: calls.call(m, _path(m, inner.get(0, "obj"), name, inner.node), args, kwargs, inner.node),
    )
