"""`numpy()` is called on a tensor that requires grad."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = f"{named(event.data['tensor'], 'This tensor')} requires grad, so it cannot be turned into a numpy array; use .detach().cpu().numpy()."
    return tell.finding(event, event.fails, message, [(event.data["made"], "computed here", "built"), (event.where, "converted here", "fails")], event.fails)


RULE = Rule("AGH404", "numpy-on-grad", ERROR, ('numpy',), cast(str, __doc__), check)
