"""Findings of a record: replayed events, read by the rules, with certainty ``observed``."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from .. import rules
from ..findings import Finding
from .replay import Replay
from .syntax import Sources

OBSERVED = "observed"


def find(record: dict[str, Any], sources: Sources | None = None) -> list[Finding]:
    """What the run of ``record`` (see ``trace.record``) has shown, sorted by place."""
    sources = sources or Sources()
    replay = Replay(sources)
    events = []
    for entry in record["events"]:
        if entry["expected"] == entry["count"]:
            continue
        event = replay.event(entry)
        if event is not None:
            events.append(event)
    found = rules.find(SimpleNamespace(events=events), sources.lines)
    return [replace(finding, certainty=OBSERVED) for finding in found]
