"""The result of a tensor method without effect is thrown away."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    if event.data["op"] == "=":
        message = f"This gives the loop variable `{event.data['name']}` a new value that nothing reads; the tensors it came from do not change."
        return tell.finding(event, event.fails, message, [])
    message = f"`{event.data['op']}` does not change its tensor; its result is thrown away here."
    return tell.finding(event, event.fails, message, [])


RULE = Rule("AGH410", "discarded-result", WARNING, ('discarded_result',), cast(str, __doc__), check)
