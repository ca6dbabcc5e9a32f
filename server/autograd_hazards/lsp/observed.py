"""Findings of the run-time witness, from the file that its last run left in the project."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from autograd_hazards.findings import Finding, Place, Related
from autograd_hazards.lsp.uris import under
from autograd_hazards.lsp.view import OBSERVED
from autograd_hazards.witness import record
from autograd_hazards.witness.record import digest

FILE = Path(record.FOLDER) / record.FILE


@dataclass(frozen=True, slots=True)
class Run:
    """The findings of one run by file, and what each line of the files that they name was known by."""

    findings: Mapping[str, Sequence[Finding]]
    lines: Mapping[str, Sequence[str]]


EMPTY = Run({}, {})


def last(folder: Path) -> Run:
    """The last run whose record lies in a folder or above it: a run leaves it in its project or where it was started."""
    times: list[tuple[float, Path]] = []
    for above in (folder, *folder.parents):
        try:
            times.append(((above / FILE).stat().st_mtime, above))
        except OSError:  # none here
            continue
    return read(max(times)[1]) if times else EMPTY


def read(root: Path) -> Run:
    """The last run below a root. Nothing when there is none, or when it is not as this version writes it."""
    try:
        data = json.loads((root / FILE).read_text(encoding="utf-8"))
        if data["version"] != record.VERSION:
            return EMPTY
        name = _Names(root)
        found: dict[str, list[Finding]] = {}
        for item in data["findings"]:
            finding = _finding(item, name)
            found.setdefault(finding.place.filename, []).append(finding)
        return Run(found, {name(file): [str(line) for line in lines] for file, lines in data["lines"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return EMPTY  # half written, or by another version: the next run brings a new one


def current(run: Run, path: Path, lines: Callable[[str], Sequence[str]]) -> list[Finding]:
    """The findings in a file whose lines still read as they did when the program ran, where these lines are now."""
    rows: dict[str, Callable[[int], int | None]] = {}

    def follow(place: Place) -> Place | None:
        known = run.lines.get(place.filename)
        if known is None:  # it could not be read
            return place
        if place.filename not in rows:
            rows[place.filename] = moves(known, [digest(line) for line in lines(place.filename)])
        row = rows[place.filename]
        now = [row(each) for each in range(place.row, place.end_row + 1)]
        first = now[0]
        if first is None or now != [*range(first, first + len(now))]:
            return None
        return replace(place, row=first, end_row=first + len(now) - 1)

    found = (_followed(finding, follow) for finding in run.findings.get(str(path), ()))
    return [finding for finding in found if finding is not None]


def _followed(finding: Finding, follow: Callable[[Place], Place | None]) -> Finding | None:
    """A finding with every place where it is now; None when one of them reads otherwise."""
    place = follow(finding.place)
    fails = follow(finding.fails_at) if finding.fails_at is not None else None
    steps = [replace(step, place=to) for step in finding.related if (to := follow(step.place)) is not None]
    if place is None or (fails is None) != (finding.fails_at is None) or len(steps) != len(finding.related):
        return None
    return replace(finding, place=place, fails_at=fails, related=tuple(steps))


def moves(before: Sequence[str], after: Sequence[str]) -> Callable[[int], int | None]:
    """Where a row (from 1) of ``before`` is in ``after``; None for one that is gone or could be one of several.

    Lines are given by what they are known by. One that occurs once is known by itself. One that occurs more often
    (``loss.backward()``) is known by the lines around it: those above or below that did not change at all, or an
    unchanged stretch with a line in it that occurs once.
    """
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    moved: dict[int, int] = {}
    if old and new:
        once = {line for line, count in Counter(before).items() if count == 1}
        once &= {line for line, count in Counter(after).items() if count == 1}
        for a, b, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            if once.intersection(old[a : a + size]):
                moved.update(zip(range(a, a + size), range(b, b + size)))
        places = {line: index for index, line in enumerate(new) if line in once}
        moved.update({index: places[line] for index, line in enumerate(old) if line in places})

    def row(number: int) -> int | None:
        index = number - 1
        if index < head:
            return number
        if index >= len(before) - tail:
            return number + len(after) - len(before) if index < len(before) else None
        found = moved.get(index - head)
        return None if found is None else found + head + 1

    return row


class _Names:
    """The files that a record names, as an editor names them that has the project open under ``root``.

    A program knows its files by the folder that it was started in, which may be the same folder by another name: one
    without symbolic links, or with the drive's letter in another case.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self._known:
            path = Path(os.path.abspath(self.root / name))
            self._known[name] = str(under(path, [self.root]) or path)
        return self._known[name]


def _finding(item: Mapping[str, Any], name: Callable[[str], str]) -> Finding:
    start, end = item["location"], item.get("end_location") or item["location"]
    fails = item.get("fails_at")
    file, row = name(str(item["filename"])), int(start["row"])
    return Finding(
        str(item["code"]),
        str(item["name"]),
        str(item["severity"]),
        Place(file, row, int(start["column"]), int(end["row"]), int(end["column"])),
        str(item["message"]),
        OBSERVED,
        _at(name(str(fails["filename"])), int(fails["row"])) if fails else None,
        tuple(
            Related(
                _at(name(str(step["filename"])), int(step["location"]["row"]), int(step["location"]["column"])),
                str(step["message"]),
                str(step.get("role", "")),
            )
            for step in item.get("related", ())
        ),
    )


def _at(name: str, row: int, column: int = 1) -> Place:
    return Place(name, row, column, row, column)
