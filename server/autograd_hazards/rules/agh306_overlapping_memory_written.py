"""An in-place write reads and writes the same memory in several places."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = f"{named(event.data['tensor'], 'This tensor')} shows one memory place at several positions, so torch refuses to write here; clone first."
    return tell.finding(event, event.fails, message, [(event.data["made"], "made here", "built"), (event.where, "written here", "fails")], event.fails)


RULE = Rule("AGH306", "overlapping-memory-written", ERROR, ('overlap',), cast(str, __doc__), check)
