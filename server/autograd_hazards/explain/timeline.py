"""The story of a finding in lanes: what happened to the tensor, to the graph, to the parameters, by which optimizer."""

from __future__ import annotations

import re
from typing import Any

from autograd_hazards.explain.story import consequence
from autograd_hazards.findings import Finding, Place
from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.messages import say

_NAME = re.compile(r"`([^`]+)`")
# Hazards of what an optimizer holds: the values of its parameters, and their gradients.
_PARAMETERS = frozenset({"AGH201", "AGH206"})
_GRADIENTS = frozenset({"AGH202", "AGH203", "AGH204", "AGH205", "AGH207", "AGH607"})
# Its message names two ops and no value.
_NAMES_OPS = "AGH304"
# Where an event lies: on the value that the story is about, or on the graph that goes back through it.
_LANE_OF_ROLE = {
    "built": "graph",
    "freed": "graph",
    "fails": "graph",
    "cut": "graph",
    "saved": "value",
    "changed": "value",
    "used": "value",
    "kept": "value",
}
_LABELS = {
    "tensor": say("tensor"),
    "graph": say("graph"),
    "parameter": say("parameters"),
    "optimizer": say("optimizer"),
}
ROLES = ("built", "saved", "changed", "freed", "called", "fails", "used", "cut", "kept")


def timeline(finding: Finding, locale: str = ENGLISH) -> dict[str, Any]:
    """Lanes and events of a finding, in the language ``locale``. Each event has its ``place``, for the caller to turn
    into a location."""
    lanes: dict[str, dict[str, str]] = {}
    events: list[dict[str, Any]] = []
    for step in finding.related:
        role = step.role if step.role in ROLES else "used"
        if role == "called":
            lane = events[-1]["lane"] if events else _lane(lanes, "graph", finding)
        else:
            lane = _lane(lanes, _kind(finding, role, step.message), finding)
        events.append(_event(len(events) + 1, lane, role, step.message, step.place))
    if not any(event["place"] == finding.place for event in events):
        lane = _lane(lanes, _kind(finding, "used", finding.message), finding)
        events.append(_event(len(events) + 1, lane, "used", finding.message, finding.place))
    return {
        "title": translate(finding.message, locale),
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "consequence": translate(consequence(finding), locale),
        "lanes": [{**lane, "label": translate(lane["label"], locale)} for lane in lanes.values()],
        "events": [{**event, "text": translate(event["text"], locale)} for event in events],
    }


def _event(order: int, lane: str, role: str, text: str, place: Place) -> dict[str, Any]:
    return {"order": order, "lane": lane, "role": role, "text": text, "place": place}


def _kind(finding: Finding, role: str, message: str) -> str:
    """The kind of the lane that an event lies on."""
    if finding.code in _GRADIENTS:
        return "optimizer" if role == "used" or "step" in message else "parameter"
    if _LANE_OF_ROLE[role] == "graph":
        return "graph"
    return "parameter" if finding.code in _PARAMETERS or "parameters" in message else "tensor"


def _lane(lanes: dict[str, dict[str, str]], kind: str, finding: Finding) -> str:
    """The lane of that kind, made when it is first needed. Its label is the name of the value that the finding is about."""
    if kind not in lanes:
        about = "parameter" if finding.code in _PARAMETERS | _GRADIENTS else "tensor"
        named = _NAME.search(finding.message) if kind == about and finding.code != _NAMES_OPS else None
        lanes[kind] = {"id": kind, "kind": kind, "label": named[1] if named else _LABELS[kind]}
    return kind
