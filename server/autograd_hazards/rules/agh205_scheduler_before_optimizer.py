"""A learning rate scheduler steps before its optimizer has stepped."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    message = "The scheduler steps before the optimizer's first step, so the first value of the schedule is skipped."
    return tell.finding(event, event.fails, message, [(event.data["step"], "the optimizer's first step comes only here", "used")])


RULE = Rule("AGH205", "scheduler-before-optimizer", WARNING, ('scheduler_first',), cast(str, __doc__), check)
