"""A term of the loss cannot train the network that is stepped, since the way there is detached."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = f"{named(event.data['source'], 'This')} is detached here, so a term of the loss cannot train the network that is stepped with it."
    return tell.finding(event, event.fails, message, [(event.where, "detached here", "cut"), (event.data["term"], "the term of the loss", "used"), (event.data["backward"], "this backward does not reach it", "fails")])


RULE = Rule("AGH403", "generator-cut-off", WARNING, ('term_cut_off',), cast(str, __doc__), check)
