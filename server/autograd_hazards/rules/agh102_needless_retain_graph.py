"""`retain_graph=True` keeps a graph that no later backward uses."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import INFORMATION, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    message = "retain_graph=True keeps the whole graph in memory, and no later backward goes through it."
    return tell.finding(event, event.fails, message, [])


RULE = Rule("AGH102", "needless-retain-graph", INFORMATION, ('needless_retain',), cast(str, __doc__), check)
