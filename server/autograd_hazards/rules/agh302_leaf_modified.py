"""A leaf tensor that requires grad is changed in place."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor = event.data["tensor"]
    message = f"{named(tensor, 'This tensor')} is a leaf that requires grad, and torch refuses to change it in place outside torch.no_grad()."
    return tell.finding(event, event.fails, message, [(event.data["built"], "the leaf is made here", "built"), (event.where, "changed in place here", "fails")], event.fails)


RULE = Rule("AGH302", "leaf-modified", ERROR, ('leaf',), cast(str, __doc__), check)
