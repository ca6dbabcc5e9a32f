"""Picks, of all that the abstract machine finds in a program, what fits a traceback."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..findings import Finding
from ..machine.events import Event
from ..witness.replay import op_name
from .traceback import Place, Traceback

# The rules that may explain each kind of error, besides those that name the same event.
CODES: Mapping[str, tuple[str, ...]] = {
    "version": ("AGH301", "AGH304", "AGH201", "AGH103", "AGH106", "AGH401", "AGH101", "AGH102"),
    "freed": ("AGH101", "AGH103", "AGH106", "AGH401", "AGH402", "AGH104", "AGH102"),
    "leaf": ("AGH302", "AGH501"),
    "view": ("AGH303", "AGH302"),
    "multiview": ("AGH303", "AGH502"),
    "custom_view": ("AGH303", "AGH502"),
    "module_hook": ("AGH303", "AGH502"),
    "no_grad_view": ("AGH303",),
    "inference_view": ("AGH303",),
    "inference": ("AGH407",),
    "no_grad_graph": ("AGH407", "AGH405", "AGH105", "AGH403", "AGH406", "AGH502"),
    "wrt": ("AGH407", "AGH408"),
    "unused": ("AGH405", "AGH410", "AGH408"),
    "non_scalar": ("AGH409",),
    "numpy": ("AGH404",),
    "non_leaf_optimized": ("AGH408",),
    "gradient_count": ("AGH501",),
    "gradient_shape": ("AGH501",),
    "overlap": ("AGH306",),
    "negative_slope": ("AGH304",),
    "unscaled_twice": ("AGH204",),
    "scaler_stepped_twice": ("AGH204",),
    "unscale_after_step": ("AGH204",),
    "no_inf_checks": ("AGH204", "AGH407"),
    "non_leaf_grad": ("AGH408",),
    "checkpoint_inputs": ("AGH502",),
    "scheduler_first": ("AGH205",),
    "ddp_unused": ("AGH603", "AGH405", "AGH403"),
}
CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"


class Match:
    """The best finding, and how sure it is."""

    def __init__(self, finding: Finding, event: Event, sure: str, score: int) -> None:
        self.finding = finding
        self.event = event
        self.sure = sure
        self.score = score


def choose(
    traceback: Traceback, frames: Sequence[Place], forward: Sequence[Place], pairs: Sequence[tuple[Finding, Event]]
) -> Match | None:
    """The finding that fits best; None when none of the right kind is there. ``frames`` are located, outermost first."""
    best: Match | None = None
    rows = [(frame.file, frame.row) for frame in frames]
    for finding, event in pairs:
        score = _score(traceback, rows, forward, finding, event)
        if score is None:
            continue
        at_end = _fails_at(finding, event, rows[-1:])
        contradicted = traceback.kind == "version" and _tensor(traceback.details, event) < 0
        sure = CERTAIN if at_end and score >= 10 and not contradicted else LIKELY if score >= 8 else POSSIBLE
        if best is None or score > best.score:
            best = Match(finding, event, sure, score)
    return best


def _score(
    traceback: Traceback, rows: list[tuple[str, int]], forward: Sequence[Place], finding: Finding, event: Event
) -> int | None:
    kind = traceback.kind or ""
    codes = CODES.get(kind, ())
    if event.kind == kind or (kind == "module_hook" and event.kind == "custom_view"):
        score = 4
    elif finding.code in codes:
        score = 3 - min(codes.index(finding.code), 2)
    else:
        return None
    if event.loud:
        score += 1
    if _fails_at(finding, event, rows[-1:]):
        score += 6
    elif _fails_at(finding, event, rows):
        score += 3
    elif any((_file(p.filename), p.row) in {(_file(f), r) for f, r in rows} for p in _places(finding)):
        score += 2
    if kind == "version":
        score += _tensor(traceback.details, event)
    op = traceback.op or ""
    node = event.data.get("node")
    if node is not None and op and op_name(op) == getattr(node, "op", "").rstrip("_"):
        score += 2
    if forward:
        spots = {(_file(frame.file), frame.row) for frame in forward}
        score += 4 if any((_file(p.filename), p.row) in spots for p in _places(finding)) else -2
    return score


def _tensor(details: Mapping[str, Any], event: Event) -> int:
    """How well the saved tensor fits the one of the message: shape, op, versions."""
    saved = event.data.get("saved")
    if saved is None:
        return 0
    score = 0
    shape = getattr(saved.tensor, "shape", None)
    told = details.get("shape")
    if told is not None and shape is not None:
        # A linear layer saves its weight turned around.
        fits = any(
            len(shape) == len(one) and all(a is None or a == b for a, b in zip(shape, one, strict=True))
            for one in (told, told[::-1])
        )
        score += 3 if fits else -3
    op = details.get("op")
    fn = getattr(saved.tensor, "grad_fn", None)
    if op and fn is not None:
        made_by = str(getattr(fn, "op", "")).rstrip("_")
        score += 3 if op_name(str(op)) == made_by else 0
    if "version" in details:
        moved = int(details["version"]) - int(details["expected"])
        storage = getattr(saved, "storage", None)
        if storage is not None and storage.version - saved.version == moved:
            score += 1
        if saved.version == details["expected"]:
            score += 1
    return score


def _fails_at(finding: Finding, event: Event, rows: Sequence[tuple[str, int]]) -> bool:
    spots = {(_file(file), row) for file, row in rows}
    place = finding.fails_at
    if place is not None:
        span = range(place.row, max(place.end_row, place.row) + 1)
        return any((_file(place.filename), row) in spots for row in span)
    return (_file(event.fails.path), event.fails.row) in spots


def _places(finding: Finding) -> list[Any]:
    return [finding.place, *(related.place for related in finding.related)]


def _file(name: str) -> str:
    return os.path.realpath(name)


def entries(frames: Sequence[Place]) -> list[Path]:
    """The files to run as programs: the one that was started, then the one where it fails."""
    paths = [Path(frame.file) for frame in frames]
    return list(dict.fromkeys([*paths[:1], *paths[-1:], *paths]))
