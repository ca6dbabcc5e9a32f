"""A target that a loss compares with still carries the graph it was computed with."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, lifted, named
from .causes import carrier, code_of, kept_at


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH401":
        return None
    tensor, node, user = carrier(event)
    what = named(tensor, "the target")
    where = kept_at(tensor, node)
    story = [(node.trace, f"{what} is computed with its graph here", "built"), (where, "and kept", "kept")]
    if user is not None:
        story.append((user.trace, "it is used again here", "used"))
    story.append((event.data["first"], "the first backward frees its graph", "freed") if event.kind == "freed" else (event.data["changed"], "parameters it needs are changed here", "changed"))
    story.append((event.where, "a later backward goes through it again", "fails"))
    message = f"{what[:1].upper() + what[1:]} is used as a target but still carries its graph; detach it."
    return tell.finding(event, lifted(where, event.where) if where.site.path != event.fails.path else where.site, message, story, event.fails)


RULE = Rule("AGH401", "target-not-detached", ERROR, ('freed', 'version'), cast(str, __doc__), check)
