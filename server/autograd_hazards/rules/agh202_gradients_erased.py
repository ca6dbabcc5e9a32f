"""Gradients are cleared before any step has used them."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    message = "This clears gradients that no optimizer step has used, so that backward trains nothing."
    story = [(event.data["backward"], "the gradients are computed here", "built"), (event.where, "they are cleared here, unused", "changed")]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH202", "gradients-erased", WARNING, ('gradients_erased',), cast(str, __doc__), check)
