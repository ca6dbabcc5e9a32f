"""Findings of a record: replayed events, read by the rules, with certainty ``observed``."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from .. import rules
from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from ..rules.base import Teller
from .replay import Replay
from .syntax import Sources

OBSERVED = "observed"


def find(record: dict[str, Any], sources: Sources | None = None) -> list[Finding]:
    """What the run of ``record`` (see ``trace.record``) has shown, sorted by place."""
    sources = sources or Sources()
    replay = Replay(sources)
    events = []
    unexplained = []
    for entry in record["events"]:
        if entry["expected"] == entry["count"]:
            continue
        if entry["kind"] in _UNEXPLAINED and "node" not in entry and entry["where"]:
            unexplained.append(_unexplained(entry, replay, sources))
            continue
        event = replay.event(entry)
        if event is not None:
            events.append(event)
    found = [*rules.find(SimpleNamespace(events=events), sources.lines), *unexplained]
    return [replace(finding, certainty=OBSERVED) for finding in sorted(found, key=lambda f: (f.place, f.code))]


_UNEXPLAINED = {
    "version": (
        "AGH301",
        say("A tensor that this backward needs was changed in place, out of sight of torch's calls."),
    ),
    "freed": ("AGH101", say("This backward goes through a graph that was freed, out of sight of torch's calls.")),
}


def _unexplained(entry: dict[str, Any], replay: Replay, sources: Sources) -> Finding:
    """What torch has said, where nothing was seen of its cause: a change made by an extension, say."""
    code, message = _UNEXPLAINED[entry["kind"]]
    where = replay.trace(entry["where"])
    event = Event(entry["kind"], where, entry["loud"], (), {})
    event.caught = entry["caught"]
    return Teller(rules.ALL[code], sources.lines).finding(event, where.site, message, [])
