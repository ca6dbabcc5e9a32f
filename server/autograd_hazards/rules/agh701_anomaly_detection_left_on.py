"""Anomaly detection is left on: every backward is checked and training is slow."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    return tell.finding(event, event.fails, "Anomaly detection stays on here and slows every backward down; keep it for debugging.", [])


RULE = Rule("AGH701", "anomaly-detection-left-on", WARNING, ('anomaly_mode',), cast(str, __doc__), check)
