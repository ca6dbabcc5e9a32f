"""What the machine reports: events with their traces. Rules turn events into findings; the machine knows no rules."""

from __future__ import annotations

from typing import Any

from .frames import Site, Trace


class Event:
    """Something that torch refuses (``loud``) or silently gets wrong.

    ``kind`` names it; ``fails`` is where torch raises or where the harm is done; ``data`` holds what the kind promises
    (nodes, tensors, mutations, backwards); ``assumed`` lists assumptions it rests on; ``caught`` says that the
    program itself handles the exception.
    """

    __slots__ = (
        "assumed",
        "caught",
        "certain",
        "data",
        "idle",
        "kind",
        "known",
        "loud",
        "runs",
        "stmt",
        "uses",
        "where",
    )

    def __init__(self, kind: str, where: Trace, loud: bool, assumed: tuple[str, ...], data: dict[str, Any]) -> None:
        self.kind = kind
        self.where = where
        self.loud = loud
        self.assumed = assumed
        self.data = data
        self.caught = False
        self.certain = True  # seen on every run that reached the place
        self.runs = 0
        self.stmt: Any = None  # the statement being executed when it was met
        self.uses = 0  # how often gradients had been applied or read by then
        self.known = False  # the run was complete and met no code that could not be followed
        self.idle = False  # steps came before, and no gradient was applied or read after it

    @property
    def fails(self) -> Site:
        return self.where.site

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.kind, self.where.site.key, *(t.site.key for t in self.data.values() if isinstance(t, Trace)))

    def __repr__(self) -> str:
        return f"<{self.kind} at {self.where}>"
