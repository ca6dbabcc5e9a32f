"""Counts that a loop has not brought to their end, since only a few of its iterations are followed.

``if len(memory) < batch_size: return`` and ``if step % 100 == 0`` decide by numbers that such a loop would reach and the
machine does not. What they would say of iterations to come is undecided, so that both answers are tried.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from .values import Unknown, Value

if TYPE_CHECKING:
    from .core import Machine
    from .frames import Loops


class Count(int):
    """A number made by adding in an abridged loop. ``reach`` is what the loop brings it to, None if it does not grow.

    ``cyclic`` says that it is the remainder of one that grows: any smaller number may come.
    """

    loops: Loops
    reach: int | None
    cyclic: bool


def abridged(m: Machine, loop: int, iterations: int) -> None:
    """A loop is followed for so many iterations only."""
    m.abridged.setdefault(loop, iterations)


def _passed(m: Machine, before: Loops, now: Loops) -> int | None:
    """How many iterations are followed of the abridged loop that has gone on between two places; None: there is none."""
    for (one, i), (other, j) in zip(before, now, strict=False):
        if one != other:
            return None
        if i != j:
            return m.abridged.get(one)
    return None


def added(m: Machine, left: Value, right: Value, result: Value) -> Value:
    """The sum of two numbers within an abridged loop."""
    if type(result) is not int or isinstance(left, bool) or isinstance(right, bool):
        return result
    old = left if isinstance(left, Count) else right if isinstance(right, Count) else None
    reach = None
    if old is not None:
        reach = old.reach if old.reach is not None else _passed(m, old.loops, m.loops)
    return _make(m, result, reach)


def _make(m: Machine, value: int, reach: int | None, cyclic: bool = False) -> Count:
    made = Count(value)
    made.loops, made.reach, made.cyclic = m.loops, reach, cyclic
    return made


def remainder(m: Machine, left: Value, right: Value, result: Value) -> Value:
    """``step % every``: within the first period, every remainder may come."""
    if isinstance(left, Count) and left.reach is not None and type(right) is int and right > left.reach:
        return _make(m, result, left.reach, True)
    return result


def compared(m: Machine, kind: type, left: Value, right: Value, answer: bool, node: ast.AST) -> Value:
    """What a comparison says, which may be undecided; the same question in one iteration has one answer."""
    if isinstance(left, Count) is isinstance(right, Count):
        return answer
    if isinstance(right, Count):
        return compared(m, MIRRORED.get(kind, kind), right, left, answer, node)
    if left.reach is None or not isinstance(right, int | float):
        return answer
    equality = kind in (ast.Eq, ast.NotEq)
    if left.cyclic:
        if right <= 0 or (equality and answer is (kind is ast.Eq)):
            return answer
    elif right <= max(left.reach, left):
        return answer
    known = m.tracks.setdefault("counts", {})
    key = int(left), left.cyclic, right, equality, m.loops
    if key not in known:
        known[key] = Unknown("count")
    return known[key] if kind in (ast.Eq, ast.Gt, ast.GtE) else not m.truth(known[key], node)


MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def filled(m: Machine, container: Any) -> None:
    """Something is put into a container within an abridged loop."""
    known = m.containers.get(id(container))
    if known is None:
        m.containers[id(container)] = [container, m.loops, None]
    elif known[2] is None:
        known[2] = _passed(m, known[1], m.loops)


def length(m: Machine, container: Any, result: int) -> int:
    """The length of a container that an abridged loop fills."""
    known = m.containers.get(id(container))
    return _make(m, result, known[2]) if known is not None and known[2] is not None else result
