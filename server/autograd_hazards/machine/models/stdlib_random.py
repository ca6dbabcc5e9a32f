"""``random``: numbers are unknown, choices among known values take the first."""

from __future__ import annotations

from .. import iteration
from ..values import Unknown, Value
from .registry import Call, Machine, function


@function(
    "random.random",
    "random.uniform",
    "random.gauss",
    "random.normalvariate",
    "random.betavariate",
    "random.randint",
    "random.randrange",
    "random.getrandbits",
    "random.expovariate",
    "random.triangular",
    "random.lognormvariate",
    "secrets.randbelow",
)
def _number(m: Machine, call: Call) -> Value:
    return Unknown("random")


@function("random.seed", "random.setstate")
def _seed(m: Machine, call: Call) -> Value:
    return None


@function("random.choice", "secrets.choice")
def _choice(m: Machine, call: Call) -> Value:
    source = call.get(0, "seq")
    if isinstance(source, Unknown):
        return Unknown("choice")
    if isinstance(source, range):
        return Unknown("choice")
    values = iteration.listed(m, source, call.node)
    if not values:
        return m.session.native_error(m, IndexError("empty"), call.node)
    if all(isinstance(v, str | int | float | bool | None) for v in values) and len(set(values)) > 1:
        return Unknown("choice")
    return values[0]


@function("random.sample", "random.choices")
def _sample(m: Machine, call: Call) -> Value:
    source, count = call.get(0, "population"), call.kwargs.get("k", call.args[1] if len(call.args) > 1 else 1)
    if isinstance(source, Unknown):
        return source.derive("sample")
    if isinstance(source, range):
        return (
            [Unknown("sample") for _ in range(count)] if isinstance(count, int) and count <= 1000 else Unknown("sample")
        )
    values = iteration.listed(m, source, call.node)
    return values[:count] if isinstance(count, int) else values


@function("random.shuffle")
def _shuffle(m: Machine, call: Call) -> Value:
    return None
