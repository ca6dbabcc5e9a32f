"""What autograd knows at the places of a file, as plain data, and how what was seen there at several times goes together.

See ``looking_on`` for how it is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

Requires = Literal["yes", "no", "unknown", "sometimes"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file."""

    filename: str
    row: int


@dataclass(frozen=True, slots=True)
class Change:
    """A write: by which op, or by an optimizer's ``step``."""

    op: str
    spot: Spot
    step: bool = False


@dataclass(frozen=True, slots=True)
class TensorFact:
    """A tensor as it is at a place.

    ``requires_grad`` is unknown where it depends on what is not known, and sometimes where it differs between iterations or
    branches. ``op`` is the op that made it, at ``made``; ``saves`` are the names of what that op saved for its backward,
    empty for its own result. ``changed`` is the last write before, ``later`` the first one after it was here; ``freed`` is
    the backward that frees its graph. ``detached`` says that the graph of what it was made from was left behind.
    """

    requires_grad: Requires
    leaf: bool
    parameter: bool
    op: str
    made: Spot | None
    saves: tuple[str, ...]
    changed: Change | None
    later: Change | None
    freed: Spot | None
    detached: bool


@dataclass(frozen=True, slots=True)
class OptimizerFact:
    """An optimizer and the parameters that it holds.

    ``count`` is None where it is not known, and ``whole`` says that the names stand for all of them, here and below.
    """

    kind: str
    count: int | None
    names: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class ModuleFact:
    """A network: how many parameters it has, and how many of them require grad; None where that differs."""

    kind: str
    count: int
    trained: int | None


@dataclass(frozen=True, slots=True)
class BackwardFact:
    """A call of ``backward`` or ``grad``: which leaves it reaches, whether and from where the graph is freed."""

    count: int | None
    names: tuple[str, ...]
    whole: bool
    frees: bool | None
    built: tuple[Spot, ...]
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeFact:
    """A call that writes to tensors: an optimizer's ``step``, or an op in place.

    ``once`` says that the version of each rises by just one.
    """

    step: bool
    count: int | None
    names: tuple[str, ...]
    whole: bool
    op: str
    once: bool


Fact = TensorFact | OptimizerFact | ModuleFact | BackwardFact | ChangeFact
F = TypeVar("F", OptimizerFact, BackwardFact, ChangeFact)


@dataclass(frozen=True, slots=True)
class Known:
    """A place in the file (rows from 1, columns in UTF-8 bytes from 0) and the facts about what stands there.

    ``name_end`` is where one stops pointing at it: for a call the end of what is called, before the arguments. ``guessed``
    names the function that no call was found of, where the facts rest on what its arguments are taken for.
    """

    start: tuple[int, int]
    name_end: tuple[int, int]
    end: tuple[int, int]
    facts: tuple[Fact, ...]
    guessed: str = ""

    def holds(self, row: int, column: int) -> bool:
        """Whether a position points at it."""
        return self.start <= (row, column) <= self.name_end


def at(known: Iterable[Known], row: int, column: int) -> Known | None:
    """The innermost place that a position points at."""
    best: Known | None = None
    for place in known:
        if place.holds(row, column) and (
            best is None or (place.start >= best.start and place.name_end <= best.name_end)
        ):
            best = place
    return best


def together(told: Sequence[Fact | None]) -> Fact | None:
    """What holds of all these facts, of one place at several times; None when nothing does."""
    first = told[0]
    facts = [fact for fact in told if type(fact) is type(first) and fact is not None]
    if first is None or len(facts) < len(told):
        return None
    if isinstance(first, TensorFact):
        return _tensors([fact for fact in facts if isinstance(fact, TensorFact)])
    if isinstance(first, ModuleFact):
        return _modules([fact for fact in facts if isinstance(fact, ModuleFact)])
    if isinstance(first, OptimizerFact):
        kinds = {fact.kind for fact in facts if isinstance(fact, OptimizerFact)}
        return _named(first, facts) if len(kinds) == 1 else None
    if isinstance(first, BackwardFact):
        frees = {fact.frees for fact in facts if isinstance(fact, BackwardFact)}
        built = {fact.built for fact in facts if isinstance(fact, BackwardFact)}
        return replace(
            _named(first, facts),
            frees=first.frees if len(frees) == 1 else None,
            built=first.built if len(built) == 1 else (),
        )
    changes = [fact for fact in facts if isinstance(fact, ChangeFact)]
    if len({(fact.op, fact.step) for fact in changes}) > 1:
        return None
    return replace(_named(first, facts), once=all(fact.once for fact in changes))


def _tensors(facts: Sequence[TensorFact]) -> TensorFact:
    first = facts[0]
    answers = {fact.requires_grad for fact in facts}
    requires: Requires = (
        first.requires_grad if len(answers) == 1 else "unknown" if "unknown" in answers else "sometimes"
    )
    same_op = len({(fact.op, fact.made) for fact in facts}) == 1
    return TensorFact(
        requires_grad=requires,
        leaf=all(fact.leaf for fact in facts),
        parameter=all(fact.parameter for fact in facts),
        op=first.op if same_op else "",
        made=first.made if same_op else None,
        saves=first.saves if same_op and len({fact.saves for fact in facts}) == 1 else (),
        changed=first.changed if len({fact.changed for fact in facts}) == 1 else None,
        later=first.later if len({fact.later for fact in facts}) == 1 else None,
        freed=first.freed if len({fact.freed for fact in facts}) == 1 else None,
        detached=all(fact.detached for fact in facts),
    )


def _modules(facts: Sequence[ModuleFact]) -> ModuleFact | None:
    first = facts[0]
    if len({(fact.kind, fact.count) for fact in facts}) > 1:
        return None
    return replace(first, trained=first.trained if len({fact.trained for fact in facts}) == 1 else None)


def _named(first: F, facts: Sequence[Fact]) -> F:
    """The first with the names of all; how many they are is known where they are the same each time."""
    mine = [fact for fact in facts if isinstance(fact, OptimizerFact | BackwardFact | ChangeFact)]
    names = dict.fromkeys(name for fact in mine for name in fact.names)
    same = len({(fact.count, fact.names) for fact in mine}) == 1
    return replace(
        first,
        count=first.count if same else None,
        names=tuple(names),
        whole=all(fact.whole for fact in mine),
    )
