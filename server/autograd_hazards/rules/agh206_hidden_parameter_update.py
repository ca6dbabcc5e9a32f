"""Parameters change between a forward and its backward in a way that torch does not notice."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, lifted, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH206":
        return None
    mutation, node, saved = event.data["mutation"], event.data["node"], event.data["saved"]
    changed = event.data["changed"]
    weight = named(saved.tensor, "a parameter")
    how = "A fused step" if mutation.cause == "step" else "A write through .data"
    story = [(node.trace, f"the forward saves {weight} here", "saved"), (changed, f"{weight} is changed here, unseen by torch", "changed"),
             (event.where, "this backward computes with the new values", "fails")]
    message = f"{how} changes {weight} between a forward and its backward: torch does not notice, and the gradients are wrong."
    return tell.finding(event, lifted(changed, event.where), message, story)


RULE = Rule("AGH206", "hidden-parameter-update", WARNING, ('stale',), cast(str, __doc__), check)
