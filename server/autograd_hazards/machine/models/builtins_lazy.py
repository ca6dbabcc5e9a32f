"""Lazy iterators: ``iter``, ``next``, ``zip``, ``enumerate``, ``map``, ``filter``, ``reversed``.

They stay lazy, because a loop that feeds on one may change what it iterates, and because their bodies run user code.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator

from .. import attributes, calls, iteration
from ..core import Raised
from ..frames import Frame, Trace
from ..tensor import Tensor
from ..values import Generator, Instance, Unknown, Value
from .registry import MISSING, Call, Machine, function, native_method

MANY = 10_000
MODULE = "torch.nn.Module"


class Lazy(Generator):
    """A lazy iterator made by a builtin. ``exact`` says that its end is real."""

    __slots__ = ("endless", "exact", "length", "stand_ins")

    def __init__(self, iterator: Iterator[Value], length: int | None, exact: bool, made: Trace | None = None) -> None:
        super().__init__(iterator, made)
        self.length = length
        self.exact = exact
        self.endless = False
        self.stand_ins: Callable[[], Iterator[Value]] | None = None  # a few values that stand for many

    def few(self, m: Machine, limit: int) -> Iterator[Value] | None:
        if self.endless:
            return itertools.islice(iteration.resume(m, self), iteration.SHORT)
        if self.length is None or self.length <= limit or self.iterator is None:
            return None
        if self.stand_ins is None:
            return itertools.islice(iteration.resume(m, self), iteration.SHORT)
        self.iterator = None
        return self.stand_ins()


def known_length(source: Value) -> int | None:
    """How many values ``source`` gives, where that is certain."""
    if isinstance(source, list | tuple | dict | set | frozenset | str | bytes | range):
        return len(source)
    if isinstance(source, Tensor):
        rows = source.shape[0] if source.shape else None
        return rows if isinstance(rows, int) and rows <= iteration.FULL * 4 else None
    if isinstance(source, Instance):
        if source.is_a("tqdm.tqdm"):
            return known_length(source.data)
        if source.is_a("torch.utils.data.DataLoader") and isinstance(source.data, dict):
            length = source.data.get("batches")
            return length if isinstance(length, int) else None
    return source.length if isinstance(source, Lazy) else None


def is_exact(source: Value) -> bool:
    """Whether the end of ``source`` is its real end, not a bound of ours."""
    return known_length(source) is not None or (isinstance(source, Lazy) and source.exact)


def lazy(
    values: Iterator[Value],
    length: int | None = None,
    exact: bool = False,
    *,
    endless: bool = False,
    stand_ins: Callable[[], Iterator[Value]] | None = None,
    made: Trace | None = None,
) -> Lazy:
    """Wrap a native iterator; see Lazy and Generator."""
    iterator = Lazy(values, length, exact or length is not None, made)
    iterator.endless = endless
    iterator.stand_ins = stand_ins
    return iterator


def snapshot(m: Machine, source: Value, node: ast.AST) -> Iterator[Value]:
    """Iterate ``source``; sets and dictionaries as they are now, so that a change in the body does no harm here."""
    if isinstance(source, dict | set | frozenset):
        return iter(list(source))
    return iteration.iterate(m, source, node)


# -- iter and next ----------------------------------------------------------------------------------------------------
@function("builtins.iter", "builtins.aiter")
def _iter(m: Machine, call: Call) -> Value:
    source = call.get(0, "object")
    if len(call.args) == 2:
        return lazy(_until(m, source, call.args[1], call.node))
    return iterator_of(m, source, call.node)


def iterator_of(m: Machine, source: Value, node: ast.AST) -> Value:
    """What ``iter(source)`` gives."""
    if isinstance(source, Generator):
        return source
    if isinstance(source, Unknown):
        return Unknown(source.why, source.role)
    if isinstance(source, Instance):
        method = attributes.find(m, source, "__iter__")
        if method is not None:
            target = calls.call(m, method, [], {}, node)
            if isinstance(target, Instance) and target is not source and attributes.find(m, target, "__next__") is None:
                return iterator_of(m, target, node)
            if isinstance(target, Generator | Instance | Unknown):
                return target
            return lazy(snapshot(m, target, node), known_length(target))
    return lazy(snapshot(m, source, node), known_length(source), made=m.here(node))


def _until(m: Machine, func: Value, sentinel: Value, node: ast.AST) -> Iterator[Value]:
    for _ in range(iteration.FULL):
        value = calls.call(m, func, [], {}, node)
        if not isinstance(value, Tensor | Instance | Unknown) and value == sentinel:
            return
        yield value
        if isinstance(value, Unknown):
            return


@function("builtins.next", "builtins.anext")
def _next(m: Machine, call: Call) -> Value:
    source = call.get(0, "iterator")
    default = call.args[1] if len(call.args) > 1 else MISSING
    value = advance(m, source, default, call.node)
    if isinstance(call.node, ast.Call) and call.node.args and isinstance(call.node.args[0], ast.Call):
        iteration.close(m, source)
    return value


def advance(m: Machine, source: Value, default: Value, node: ast.AST) -> Value:
    """The next value of an iterator; ``default`` (or StopIteration) at its end."""
    if isinstance(source, Generator):
        for value in iteration.resume(m, source):
            return value
        if default is not MISSING:
            return default
        return exhausted(m, source, node)
    if isinstance(source, Instance):
        method = attributes.find(m, source, "__next__")
        if method is None:
            return Unknown("element")
        try:
            return calls.call(m, method, [], {}, node)
        except Raised as error:
            value = error.value
            if default is not MISSING and isinstance(value, Instance) and value.is_a("builtins.StopIteration"):
                return default
            raise
    if isinstance(source, Unknown):
        return Unknown(source.why or "element", source.role)
    if isinstance(source, Iterator):
        for value in source:
            return value
        return default if default is not MISSING else exhausted(m, source, node)
    return m.session.native_error(m, TypeError("not an iterator"), node)


def exhausted(m: Machine, source: Value, node: ast.AST) -> Value:
    """The end of an iterator under ``next``. Where the end is only our bound, it is real only for who expects it."""
    exact = isinstance(source, Lazy) and source.exact
    if exact or _inside_next(m):
        raise Raised(m.session.make_exception("StopIteration", ""), m.here(node))
    return m.session.native_error(m, StopIteration(), node)


def _inside_next(m: Machine) -> bool:
    frame: Frame | None = m.frame
    while frame is not None:
        if frame.function is not None and frame.function.name == "__next__":
            return True
        frame = frame.caller
    return False


def _layers(m: Machine, source: Value, node: ast.AST) -> Value:
    """A container of layers is as long as what it holds."""
    return iteration.opened(m, source, node) if isinstance(source, Instance) and source.is_a(MODULE) else source


# -- adaptors ---------------------------------------------------------------------------------------------------------
@function("builtins.enumerate")
def _enumerate(m: Machine, call: Call) -> Value:
    source, start = _layers(m, call.get(0, "iterable"), call.node), call.get(1, "start", 0)
    values = _numbered(m, source, start, call.node)
    return lazy(
        values, known_length(source), is_exact(source), stand_ins=lambda: _few_numbered(m, source, start, call.node)
    )


def _few_numbered(m: Machine, source: Value, start: Value, node: ast.AST) -> Iterator[Value]:
    """The first two values with their numbers, then others with unknown ones."""
    for i, value in enumerate(iteration.bounded(m, source, node)):
        yield (start + i if i < 2 and isinstance(start, int) else Unknown("index")), value


def _numbered(m: Machine, source: Value, start: Value, node: ast.AST) -> Iterator[Value]:
    exact = is_exact(source) or isinstance(source, Generator)
    for i, value in enumerate(snapshot(m, source, node)):
        known = isinstance(start, int) and (exact or i < 2)
        yield (start + i if known else Unknown("index")), value


@function("builtins.zip")
def _zip(m: Machine, call: Call) -> Value:
    return zipped(m, call.args, call.node)


def zipped(m: Machine, sources: list[Value], node: ast.AST) -> Value:
    """``zip(*sources)``."""
    sources = [_layers(m, source, node) for source in sources]
    lengths = [known_length(s) for s in sources]
    known = [n for n in lengths if n is not None]
    length = min(known, default=0) if len(known) == len(lengths) else None
    exact = all(is_exact(s) for s in sources)
    return lazy(_together(m, sources, node), length, exact, stand_ins=lambda: _few_together(m, sources, node))


def _few_together(m: Machine, sources: list[Value], node: ast.AST) -> Iterator[Value]:
    return zip(*(iteration.bounded(m, s, node) for s in sources), strict=False)


def _together(m: Machine, sources: list[Value], node: ast.AST) -> Iterator[Value]:
    if not sources:
        return
    iterators = [snapshot(m, s, node) for s in sources]
    while True:
        row = []
        for source, iterator in zip(sources, iterators, strict=True):
            value = next(iterator, MISSING)
            if value is MISSING:
                if is_exact(source) or not any(is_exact(s) for s in sources) or isinstance(source, Generator):
                    return
                value = Unknown("element")  # an unknown iterable is as long as the known one beside it
            row.append(value)
        yield tuple(row)


@function("builtins.map")
def _map(m: Machine, call: Call) -> Value:
    if not call.args:
        return Unknown("map")
    return mapped(m, call.args[0], call.args[1:], call.node)


def mapped(m: Machine, func: Value, sources: list[Value], node: ast.AST) -> Value:
    """``map(func, *sources)``."""
    length = known_length(sources[0]) if len(sources) == 1 else None
    exact = all(is_exact(s) for s in sources)
    return lazy(
        _applied(m, func, sources, node),
        length,
        exact,
        stand_ins=lambda: _few_applied(m, func, sources, node),
        made=m.here(node),
    )


def _few_applied(m: Machine, func: Value, sources: list[Value], node: ast.AST) -> Iterator[Value]:
    for value in iteration.bounded(m, sources[0], node):
        yield calls.call(m, func, [value], {}, node)


def _applied(m: Machine, func: Value, sources: list[Value], node: ast.AST) -> Iterator[Value]:
    rows = ((v,) for v in snapshot(m, sources[0], node)) if len(sources) == 1 else _together(m, sources, node)
    for row in rows:
        yield calls.call(m, func, list(row), {}, node)


@function("builtins.filter")
def _filter(m: Machine, call: Call) -> Value:
    func, source = call.get(0, "function"), call.get(1, "iterable")
    return lazy(_filtered(m, func, source, call.node), None, is_exact(source), made=m.here(call.node))


def _filtered(m: Machine, func: Value, source: Value, node: ast.AST) -> Iterator[Value]:
    for value in snapshot(m, source, node):
        m.tick()
        verdict = value if func is None else calls.call(m, func, [value], {}, node)
        if m.truth(verdict, node):
            yield value


@function("builtins.reversed")
def _reversed(m: Machine, call: Call) -> Value:
    source = call.get(0, "sequence")
    if isinstance(source, range):
        return source[::-1]
    if isinstance(source, Unknown):
        return source.derive("reversed")
    if isinstance(source, Instance):
        method = attributes.find(m, source, "__reversed__")
        if method is not None:
            return calls.call(m, method, [], {}, call.node)
    values = iteration.listed(m, source, call.node, MANY)[::-1]
    return lazy(iter(values), len(values) if is_exact(source) else None)


# -- methods of generators --------------------------------------------------------------------------------------------
@native_method(Generator, "__next__")
def _dunder_next(m: Machine, self: Generator, call: Call) -> Value:
    return advance(m, self, MISSING, call.node)


@native_method(Generator, "__iter__")
def _dunder_iter(m: Machine, self: Generator, call: Call) -> Value:
    return self


@native_method(Generator, "send")
def _send(m: Machine, self: Generator, call: Call) -> Value:
    self.sent = call.get(0, "value")
    return advance(m, self, MISSING, call.node)


@native_method(Generator, "close")
def _close(m: Machine, self: Generator, call: Call) -> Value:
    self.iterator = iter(())
    return None


@native_method(Generator, "throw")
def _throw(m: Machine, self: Generator, call: Call) -> Value:
    self.iterator = iter(())
    raise Raised(call.get(0, "type", Unknown("exception")), m.here(call.node))
