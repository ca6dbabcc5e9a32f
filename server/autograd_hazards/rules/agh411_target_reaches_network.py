"""A weight of a policy loss (advantage, TD target, baseline) still carries its graph, so the loss trains the network that made it."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    message = f"{named(tensor, 'This weight')} still carries its graph, so the loss also trains the network it comes from; detach it."
    return tell.finding(event, event.data["made"].site, message, [(made, "computed with its graph here", "built"), (event.where, "multiplied into the loss here", "used"), (event.data["backward"], "this backward goes on into that network", "fails")])


RULE = Rule("AGH411", "target-reaches-network", WARNING, ('product_reaches',), cast(str, __doc__), check)
