"""A step applies gradients that belong to an earlier step or to another loss."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    first, second, earlier = event.data["first"], event.data["second"], event.data["earlier"]
    name = named(event.data["tensor"], "the parameters")
    if event.kind == "gradients_not_cleared":
        message = f"The gradients of {name} are never cleared between steps, so this step applies those of earlier batches again."
    else:
        message = f"This step also applies gradients that another loss left in {name}."
    story = [(first, "these gradients are computed first", "built"), (earlier, "a step uses them", "used"),
             (second, "this backward adds to them", "changed"), (event.where, "this step applies the sum", "fails")]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH203", "gradients-leak", WARNING, ('gradients_not_cleared', 'foreign_gradients'), cast(str, __doc__), check)
