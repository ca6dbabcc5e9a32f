"""An optimizer step changes parameters between a forward and the backward that needs them."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, lifted, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH201":
        return None
    mutation, node, saved = event.data["mutation"], event.data["node"], event.data["saved"]
    changed = event.data["changed"]
    weight = named(saved.tensor, "a parameter")
    story = [
        (node.trace, f"the forward saves {weight} for its backward here", "saved"),
        (changed, f"{weight} is changed here", "changed"),
        (event.where, f"this backward needs {weight} as it was", "fails"),
    ]
    verb = "steps" if mutation.cause == "step" else "changes parameters"
    message = f"This {verb} between a forward and the backward that still needs the old values of {weight}."
    return tell.finding(event, lifted(changed, event.where), message, story, event.fails)


RULE = Rule("AGH201", "step-before-backward", ERROR, ('version',), cast(str, __doc__), check)
