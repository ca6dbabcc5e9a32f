"""A backward is called on a tensor with more than one element."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    message = f"{named(tensor, 'This tensor')} has more than one element, so backward needs a gradient argument; reduce it with .mean() or .sum()."
    return tell.finding(event, event.fails, message, [(made, "computed here", "built"), (event.where, "this backward fails", "fails")], event.fails)


RULE = Rule("AGH409", "backward-of-non-scalar", ERROR, ('non_scalar',), cast(str, __doc__), check)
