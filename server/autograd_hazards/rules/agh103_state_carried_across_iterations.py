"""A tensor carried from one iteration to the next still hangs on the previous iteration's graph."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named
from .causes import carrier, code_of, kept_at


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH103":
        return None
    tensor, node, user = carrier(event)
    where = kept_at(tensor, node)
    what = named(tensor, f"the result of `{node.op}`")
    story = [(node.trace, f"{what} is computed here", "built"), (where, "kept for the next iteration", "kept")]
    if user is not None:
        story.append((user.trace, "the next iteration computes with it", "used"))
    if event.kind == "freed":
        story.append((event.data["first"], "this backward frees the graph of its iteration", "freed"))
        outcome = "goes through it a second time"
    else:
        story.append((event.data["changed"], "the parameters it was computed with are changed here", "changed"))
        outcome = "needs parameters that have been changed since"
    story.append((event.where, f"the backward of a later iteration {outcome}", "fails"))
    message = f"{what[:1].upper() + what[1:]} carries the graph of one iteration into the next, so the next backward {outcome}."
    return tell.finding(event, where.site, message, story, event.fails)


RULE = Rule("AGH103", "state-carried-across-iterations", ERROR, ('freed', 'version'), cast(str, __doc__), check)
