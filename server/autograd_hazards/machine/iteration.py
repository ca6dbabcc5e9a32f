"""Iterating values, with bounds: how often loops run, and what unknown iterables give."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import GeneratorType
from typing import Any

from . import attributes, calls
from .core import Machine, Raised
from .frames import Trace
from .tensor import Tensor
from .values import Generator, Instance, Unknown, UserClass, Value

FULL = 12  # a loop of known count up to this runs in full
RANGE = 64  # longer ranges are sampled
LISTED = 512  # elements of a list that a loop sees at most
COMPREHENSION = 512  # elements that a comprehension makes
LONG = 100_000  # numbers of a range that anything sees at most
GIVEN = 10_000  # values that an iterator gives to one who asks for all
SHORT = 3  # otherwise, and for unknown counts, this many iterations


def budget_factor(m: Machine) -> int:
    used = m.steps / m.limit
    return 0 if used < 0.25 else 1 if used < 0.5 else 2


def while_limit(m: Machine) -> int:
    return 24 if budget_factor(m) == 0 else 4


def bounded(m: Machine, source: Value, node: ast.AST) -> Iterator[Value]:
    """The values a ``for`` loop sees: all of a short known iterable, a few of a long or unknown one."""
    source = opened(m, source, node)
    if isinstance(source, Generator):
        few = source.few(m, RANGE)
        if few is not None:
            m.cut_short = True
            yield from few
            return
    if isinstance(source, range | list | tuple | dict | set | frozenset | str):
        yield from _sized(m, source, node)
        return
    began, room = m.steps, (m.limit - m.steps) // (12 * (1 + len(m.loops)))
    for i, value in enumerate(iterate(m, source, node)):
        yield value
        if i + 1 >= LISTED or (i >= 2 and m.steps - began > room):
            skipped(m)
            return


def _sized(m: Machine, source: Any, node: ast.AST) -> Iterator[Value]:
    """All elements while that is cheap; of a long training loop a few, an unknown one, and the last."""
    count = len(source)
    ranged = isinstance(source, range)
    share = 4 if count <= FULL else 12
    if ranged and count > RANGE:
        m.cut_short = True
        skipped(m)
        yield from (source[0], Unknown("loop index"), source[-1])
        return
    began, room = m.steps, (m.limit - m.steps) // (share * (1 + len(m.loops)))
    for i, value in enumerate(iterate(m, source, node)):
        yield value
        if i >= 1 and count > 4 and (m.steps - began) // (i + 1) * count > room:
            if ranged or i >= 2:
                skipped(m)
            if ranged:
                yield from (Unknown("loop index"), source[-1])
            if ranged or i >= 2:
                return
        if i >= LISTED:
            skipped(m)
            return


def skipped(m: Machine) -> None:
    """Elements of a loop are left out: if it goes over the layers of a network, not all of it has been seen."""
    frame: Any = m.frame
    while frame is not None:
        if frame.function is not None and frame.function.name == "forward":
            m.partial = True
            return
        frame = frame.caller


def opened(m: Machine, source: Value, node: ast.AST) -> Value:
    """What an object's ``__iter__`` gives in the end: progress bars, loaders and wrappers hand on their source's bounds."""
    for _ in range(4):
        method = attributes.find(m, source, "__iter__") if isinstance(source, Instance) else None
        if method is None:
            break
        target = calls.call(m, method, [], {}, node)
        if target is source:
            return Generator(_next_values(m, source, node))
        if target is None:
            return Unknown("iterable")
        source = target
    return source


def iterate(m: Machine, source: Value, node: ast.AST) -> Iterator[Value]:
    """The elements of any value; unknown iterables give a few unknown elements."""
    if isinstance(source, range):
        return iter(source[:LONG])
    if isinstance(source, list | tuple | str | bytes):
        return iter(source)
    if isinstance(source, set | frozenset | dict):
        return iter(list(source))  # the body may change it
    if isinstance(source, Tensor):
        return iter(tensor_rows(m, source, node))
    if isinstance(source, Unknown):
        m.cut_short = True
        return iter([source.derive(("item", i), "element") for i in range(SHORT)])
    if isinstance(source, Generator):
        return resume(m, source)
    if isinstance(source, Instance):
        return _instance(m, source, node)
    if isinstance(source, UserClass):
        return _class(m, source, node)
    if isinstance(source, Iterable):
        return iter(source)
    return iter(())


def resume(m: Machine, generator: Generator) -> Iterator[Value]:
    frame, loops = m.frame, m.loops
    iterator = generator.iterator
    if iterator is None or generator.busy:  # one that asks itself for values gets none
        return
    walk = m.here() if generator.made is not None else None
    if generator.finished is not None:
        _walked_again(m, generator, generator.finished)
    given = False
    for _ in range(GIVEN):  # some have no end
        m.tick()  # those who ask may do nothing else
        frame, loops = m.frame, m.loops
        generator.busy = True
        try:
            value = next(iterator)
        except StopIteration as stop:
            generator.result = stop.value
            if not given and generator.walked is not None and generator.finished is None:
                _walked_again(
                    m, generator, generator.walked
                )  # the walk before took the last one, but did not ask further
            break
        finally:
            generator.busy = False
            m.frame, m.loops = frame, loops
        given = True
        if _is_parameter(value) or (generator.copies and isinstance(value, Tensor | tuple)):
            generator.gave, generator.walked = True, walk
        yield value
    else:
        return
    if generator.gave and generator.finished is None:
        generator.finished = walk


def _is_parameter(value: Value) -> bool:
    if isinstance(value, tuple):
        return any(_is_parameter(item) for item in value)
    return isinstance(value, Tensor) and value.is_param


def _walked_again(m: Machine, generator: Generator, first: Trace) -> None:
    """Parameters from an iterator that has nothing left: what is done with them is done to none."""
    here = m.here()
    if generator.made is not None and (here.site != first.site or here.loops != first.loops):
        m.emit("parameters_exhausted", here, made=generator.made, first=first)


def close(m: Machine, generator: Value) -> None:
    """A generator that nobody holds any more ends where it waits: what its ``with`` blocks switched is switched back."""
    if not isinstance(generator, Generator) or generator.iterator is None or generator.busy:
        return
    iterator, generator.iterator = generator.iterator, None
    frame, loops = m.frame, m.loops
    if isinstance(iterator, GeneratorType):
        with suppress(Raised, RuntimeError):  # Python too goes on after an exception in a generator that it ends
            iterator.close()
    m.frame, m.loops = frame, loops


def tensor_rows(m: Machine, tensor: Tensor, node: ast.AST) -> list[Value]:
    """Iterating a tensor is ``unbind``: views that must not be changed in place."""
    from .models import torch_views

    if tensor.facets is not None and tensor.facets.get("opaque"):
        return [tensor.facets["opaque"](m, i) for i in range(SHORT)]
    count = tensor.shape[0] if tensor.shape else None
    rows = count if isinstance(count, int) and count <= FULL * 4 else SHORT
    return torch_views.unbind(m, tensor, node, rows)


def _instance(m: Machine, source: Instance, node: ast.AST) -> Iterator[Value]:
    method = attributes.find(m, source, "__iter__")
    if method is not None:
        target = calls.call(m, method, [], {}, node)
        if target is source:
            return _next_values(m, source, node)
        if target is not None:
            return iterate(m, target, node)
    if attributes.find(m, source, "__next__") is not None:
        return _next_values(m, source, node)
    getter = attributes.find(m, source, "__getitem__")
    if getter is not None:
        return _indexed(m, source, getter, node)
    return iter([Unknown("element") for _ in range(SHORT)])


def _next_values(m: Machine, source: Instance, node: ast.AST) -> Iterator[Value]:
    for _ in range(4 * FULL):
        method = attributes.find(m, source, "__next__")
        if method is None:
            return
        try:
            yield calls.call(m, method, [], {}, node)
        except Raised as error:
            if isinstance(error.value, Instance) and error.value.is_a("builtins.StopIteration"):
                return
            raise


def _indexed(m: Machine, source: Instance, getter: Value, node: ast.AST) -> Iterator[Value]:
    length = attributes.length(m, source, node)
    for i in range(length if isinstance(length, int) else SHORT):
        try:
            yield calls.call(m, getter, [i], {}, node)
        except Raised as error:
            if isinstance(error.value, Instance) and error.value.is_a("builtins.IndexError"):
                return
            raise


def _class(m: Machine, cls: UserClass, node: ast.AST) -> Iterator[Value]:
    if cls.is_a("enum.Enum"):
        return iter([v for v in cls.attrs.values() if isinstance(v, Instance) and v.cls is cls])
    return iter(())


def unpack_values(m: Machine, value: Value, count: int, star: int | None, node: ast.AST) -> list[Value]:
    """The values of an unpacking into ``count`` targets."""
    if isinstance(value, Unknown):
        return [value.derive(("item", i), "unpacked") for i in range(count)]
    if isinstance(value, Tensor):
        if value.facets is not None and value.facets.get("opaque"):
            return [value.facets["opaque"](m, i) for i in range(count)]
        rows = (
            tensor_rows(m, value, node)
            if not (value.shape and isinstance(value.shape[0], int) and star is not None)
            else None
        )
        if rows is None:
            rows = tensor_rows(m, value, node)
        if star is None and len(rows) != count:
            from .models import torch_views

            return torch_views.unbind(m, value, node, count)
        return rows
    values = []
    for item in iterate(m, value, node):
        values.append(item)
        if len(values) > 10_000:
            break
    return values


def listed(m: Machine, value: Value, node: ast.AST, limit: int = 10_000) -> list[Any]:
    """All elements as a native list, bounded."""
    result: list[Any] = []
    if limit <= 0:
        return result
    began, room = m.steps, (m.limit - m.steps) // 8
    for item in iterate(m, value, node):
        result.append(item)
        if len(result) >= limit or (len(result) > LISTED and m.steps - began > room):
            break
    return result
