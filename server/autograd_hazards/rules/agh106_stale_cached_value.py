"""A value computed once from parameters is reused after its graph was freed or its parameters changed."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named
from .causes import carrier, code_of, kept_at


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH106":
        return None
    tensor, node, user = carrier(event)
    where = kept_at(tensor, node)
    what = named(tensor, f"the result of `{node.op}`")
    story = [(node.trace, f"{what} is computed once, before the loop", "built")]
    if user is not None:
        story.append((user.trace, "every iteration uses it again", "used"))
    if event.kind == "freed":
        story.append((event.data["first"], "the first backward frees its graph", "freed"))
    else:
        story.append((event.data["changed"], "the parameters it was computed from are changed here", "changed"))
    story.append((event.where, "a later backward needs it again", "fails"))
    message = f"{what[:1].upper() + what[1:]} is computed once and used in every iteration, but its graph serves only one backward."
    return tell.finding(event, node.trace.site, message, story, event.fails)


RULE = Rule("AGH106", "stale-cached-value", ERROR, ('freed', 'version'), cast(str, __doc__), check)
