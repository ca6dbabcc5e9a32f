"""Parameters are edited between the backward and the optimizer step, which then overrides the edit."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = f"{named(event.data['tensor'], 'A parameter')} is edited here, but the step that follows moves it away again."
    return tell.finding(event, event.data["changed"].site, message, [(event.data["changed"], "edited here", "changed"), (event.where, "the step comes after", "used")])


RULE = Rule("AGH207", "parameter-edited-before-step", WARNING, ('edited_before_step',), cast(str, __doc__), check)
