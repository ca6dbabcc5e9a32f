"""``itertools``: lazy, as in Python, because loops that feed on them run user code in between."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from .. import calls, iteration, operators
from ..values import LibFunction, Unknown, Value
from .builtins_lazy import is_exact, known_length, lazy, snapshot, zipped
from .registry import MISSING, Call, Machine, function, lib_class

CHAIN = lib_class("itertools.chain")
LIMIT = 1_000  # combinations are cut here


def chained(m: Machine, sources: list[Value], node: ast.AST) -> Value:
    """``chain(*sources)``."""
    lengths = [known_length(s) for s in sources]
    total = sum(n for n in lengths if n is not None) if None not in lengths else None
    return lazy(_flat(m, iter(sources), node), total, all(is_exact(s) for s in sources), made=m.here(node))


def _flat(m: Machine, sources: Iterator[Value], node: ast.AST) -> Iterator[Value]:
    for source in sources:
        yield from snapshot(m, source, node)


CHAIN.methods["__new__"] = lambda m, cls, call: chained(m, call.args, call.node)
CHAIN.attrs["from_iterable"] = LibFunction(
    "from_iterable",
    lambda m, call: lazy(_flat(m, snapshot(m, call.get(0, "iterable"), call.node), call.node), made=m.here(call.node)),
)


@function("itertools.count")
def _count(m: Machine, call: Call) -> Value:
    start, step = call.get(0, "start", 0), call.get(1, "step", 1)

    def run() -> Iterator[Value]:
        value = start
        while True:
            yield value
            value = operators.binary(m, ast.Add(), value, step, call.node)

    return lazy(run(), endless=True)


@function("itertools.cycle")
def _cycle(m: Machine, call: Call) -> Value:
    source = call.get(0, "iterable")

    def run() -> Iterator[Value]:
        kept = []
        for value in snapshot(m, source, call.node):
            kept.append(value)
            yield value
        while kept:
            yield from kept

    return lazy(run(), endless=True)


@function("itertools.repeat")
def _repeat(m: Machine, call: Call) -> Value:
    value, times = call.get(0, "object"), call.get(1, "times", MISSING)
    if times is MISSING:
        return lazy(itertools.repeat(value), endless=True)
    count = min(max(times, 0), iteration.LONG) if isinstance(times, int) else iteration.SHORT
    return lazy(itertools.repeat(value, count), count if isinstance(times, int) else None)


@function("itertools.islice")
def _islice(m: Machine, call: Call) -> Value:
    source, bounds = call.get(0, "iterable"), call.args[1:]
    values = snapshot(m, source, call.node)
    if (
        0 < len(bounds) < 4
        and all(b is None or (isinstance(b, int) and 0 <= b <= iteration.LONG) for b in bounds)
        and bounds[2:] != [0]
    ):
        return lazy(itertools.islice(values, *bounds), None, is_exact(source))
    return lazy(itertools.islice(values, iteration.SHORT))


@function("itertools.product")
def _product(m: Machine, call: Call) -> Value:
    pools = [iteration.listed(m, a, call.node, LIMIT) for a in call.args]
    times = call.kwargs.get("repeat", 1)
    if not isinstance(times, int) or times * len(pools) > 12:
        return Unknown("product")
    rows = itertools.product(*pools * times)
    return lazy(itertools.islice(rows, LIMIT), None, all(is_exact(a) for a in call.args))


@function("itertools.combinations")
def _combinations(m: Machine, call: Call) -> Value:
    return chosen(m, call, itertools.combinations)


@function("itertools.combinations_with_replacement")
def _with_replacement(m: Machine, call: Call) -> Value:
    return chosen(m, call, itertools.combinations_with_replacement)


@function("itertools.permutations")
def _permutations(m: Machine, call: Call) -> Value:
    return chosen(m, call, itertools.permutations)


def chosen(m: Machine, call: Call, choose: Any) -> Value:
    """Selections from a pool, the first of them."""
    pool, count = iteration.listed(m, call.get(0, "iterable"), call.node, LIMIT), call.get(1, "r")
    if not isinstance(count, int) or not 0 <= count <= LIMIT:
        count = 2
    return lazy(itertools.islice(choose(pool, count), LIMIT), None, is_exact(call.get(0, "iterable")))


@function("itertools.zip_longest")
def _zip_longest(m: Machine, call: Call) -> Value:
    rows = [snapshot(m, a, call.node) for a in call.args]
    lengths = [known_length(a) for a in call.args]
    known = max((n for n in lengths if n is not None), default=0) if None not in lengths else None
    return lazy(itertools.zip_longest(*rows, fillvalue=call.kwargs.get("fillvalue")), known)


@function("itertools.tee")
def _tee(m: Machine, call: Call) -> Value:
    source, count = call.get(0, "iterable"), call.get(1, "n", 2)
    copies = itertools.tee(snapshot(m, source, call.node), count if isinstance(count, int) and 0 <= count < 100 else 2)
    return tuple(lazy(c, known_length(source), is_exact(source)) for c in copies)


@function("itertools.accumulate")
def _accumulate(m: Machine, call: Call) -> Value:
    source, func = call.get(0, "iterable"), call.get(1, "func")
    initial = call.kwargs.get("initial")

    def run() -> Iterator[Value]:
        total: Any = initial if initial is not None else MISSING
        if total is not MISSING:
            yield total
        for value in snapshot(m, source, call.node):
            if total is MISSING:
                total = value
            elif func is None:
                total = operators.binary(m, ast.Add(), total, value, call.node)
            else:
                total = calls.call(m, func, [total, value], {}, call.node)
            yield total

    return lazy(run(), None, is_exact(source))


@function("itertools.starmap")
def _starmap(m: Machine, call: Call) -> Value:
    func, source = call.get(0, "function"), call.get(1, "iterable")

    def run() -> Iterator[Value]:
        for row in snapshot(m, source, call.node):
            yield calls.call(m, func, iteration.listed(m, row, call.node), {}, call.node)

    return lazy(run(), known_length(source), is_exact(source))


def _choose(m: Machine, call: Call, keep: Any) -> Value:
    func, source = call.get(0, "predicate"), call.get(1, "iterable")

    def verdict(value: Value) -> bool:
        return m.truth(value if func is None else calls.call(m, func, [value], {}, call.node), call.node)

    return lazy(keep(verdict, snapshot(m, source, call.node)), None, is_exact(source))


@function("itertools.takewhile")
def _takewhile(m: Machine, call: Call) -> Value:
    return _choose(m, call, itertools.takewhile)


@function("itertools.dropwhile")
def _dropwhile(m: Machine, call: Call) -> Value:
    return _choose(m, call, itertools.dropwhile)


@function("itertools.filterfalse")
def _filterfalse(m: Machine, call: Call) -> Value:
    return _choose(m, call, itertools.filterfalse)


@function("itertools.compress")
def _compress(m: Machine, call: Call) -> Value:
    rows = zipped(m, [call.get(0, "data"), call.get(1, "selectors")], call.node)
    return lazy(row[0] for row in iteration.iterate(m, rows, call.node) if m.truth(row[1], call.node))


@function("itertools.pairwise")
def _pairwise(m: Machine, call: Call) -> Value:
    source = call.get(0, "iterable")
    length = known_length(source)
    return lazy(itertools.pairwise(snapshot(m, source, call.node)), None if length is None else max(length - 1, 0))


@function("itertools.batched")
def _batched(m: Machine, call: Call) -> Value:
    source, size = call.get(0, "iterable"), call.get(1, "n")

    def run() -> Iterator[Value]:
        values = snapshot(m, source, call.node)
        while row := tuple(itertools.islice(values, size if isinstance(size, int) and 0 < size <= LIMIT else 1)):
            yield row

    return lazy(run(), None, is_exact(source))


@function("itertools.groupby")
def _groupby(m: Machine, call: Call) -> Value:
    source, key = call.get(0, "iterable"), call.get(1, "key")
    groups: list[tuple[Value, list[Value]]] = []
    for value in iteration.listed(m, source, call.node):
        k = value if key is None else calls.call(m, key, [value], {}, call.node)
        if groups and (groups[-1][0] is k or (not isinstance(k, Unknown) and groups[-1][0] == k)):
            groups[-1][1].append(value)
        else:
            groups.append((k, [value]))
    return lazy(iter([(k, lazy(iter(g), len(g))) for k, g in groups]), len(groups))
