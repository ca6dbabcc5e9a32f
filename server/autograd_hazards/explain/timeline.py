"""The story of a finding in lanes: what happened to the tensor, to the graph, to the parameters, by which optimizer."""

from __future__ import annotations

import re
from typing import Any

from autograd_hazards.explain.story import consequence
from autograd_hazards.findings import Finding, Place
from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.messages import say

_NAME = re.compile(r"`([^`]+)`")
# Hazards whose change is made by an optimizer's step.
_STEPS = frozenset({"AGH201", "AGH203", "AGH206", "AGH207"})
_LANE_OF_ROLE = {
    "built": "graph",
    "saved": "graph",
    "freed": "graph",
    "fails": "graph",
    "used": "tensor",
    "changed": "tensor",
}
_KINDS = {"tensor": say("tensor"), "graph": say("graph"), "parameter": say("parameter"), "optimizer": say("optimizer")}
ROLES = ("built", "saved", "changed", "freed", "called", "fails", "used")


def timeline(finding: Finding, locale: str = ENGLISH) -> dict[str, Any]:
    """Lanes and events of a finding, in the language ``locale``. Each event has its ``place``, for the caller to turn
    into a location."""
    lanes: dict[str, dict[str, str]] = {}
    events: list[dict[str, Any]] = []
    for step in finding.related:
        role = step.role if step.role in ROLES else "used"
        if role == "called":
            lane = events[-1]["lane"] if events else _lane(lanes, "graph", finding)
        elif role == "changed" and finding.code in _STEPS:
            lane = _lane(lanes, "optimizer" if "step" in step.message else "parameter", finding)
        else:
            lane = _lane(lanes, _LANE_OF_ROLE[role], finding)
        events.append(_event(len(events) + 1, lane, role, step.message, step.place))
    if not any(event["place"] == finding.place for event in events):
        events.append(_event(len(events) + 1, _lane(lanes, "tensor", finding), "used", finding.message, finding.place))
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


def _lane(lanes: dict[str, dict[str, str]], kind: str, finding: Finding) -> str:
    """The lane of that kind, made when it is first needed."""
    if kind not in lanes:
        named = _NAME.search(finding.message) if kind in ("tensor", "parameter") else None
        lanes[kind] = {
            "id": kind,
            "kind": kind,
            "label": say("{kind} {name}", kind=_KINDS[kind], name=named[1]) if named else _KINDS[kind],
        }
    return kind
