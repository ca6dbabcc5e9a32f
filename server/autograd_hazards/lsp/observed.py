"""Findings of the run-time witness, from the file that its last run left in the project."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograd_hazards.findings import Finding, Place, Related
from autograd_hazards.lsp.view import OBSERVED

FILE = Path(".autograd-hazards") / "last-run.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """The findings of one run by file, and the hashes of the lines that they name (by file and row)."""

    findings: Mapping[str, Sequence[Finding]]
    lines: Mapping[str, Mapping[str, str]]


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
        if data["version"] != VERSION:
            return EMPTY
        found: dict[str, list[Finding]] = {}
        for item in data["findings"]:
            finding = _finding(item, root)
            found.setdefault(finding.place.filename, []).append(finding)
        lines = {_absolute(name, root): rows for name, rows in data["lines"].items()}
        return Run(found, lines)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return EMPTY  # half written, or by another version: the next run brings a new one


def current(run: Run, path: Path, lines: Callable[[str], Sequence[str]]) -> list[Finding]:
    """The findings in a file whose lines still read as they did when the program ran."""
    return [f for f in run.findings.get(str(path), ()) if _stands(f, run, lines)]


def _stands(finding: Finding, run: Run, lines: Callable[[str], Sequence[str]]) -> bool:
    for place in (finding.place, *(step.place for step in finding.related)):
        known = run.lines.get(place.filename, {}).get(str(place.row))
        if known is None:
            continue
        text = lines(place.filename)
        line = text[place.row - 1] if place.row <= len(text) else ""
        if hashlib.sha1(line.strip().encode("utf-8", "replace")).hexdigest() != known:
            return False
    return True


def _absolute(name: str, root: Path) -> str:
    return name if Path(name).is_absolute() else str(root / name)


def _finding(item: Mapping[str, Any], root: Path) -> Finding:
    name = _absolute(str(item["filename"]), root)
    start, end = item["location"], item.get("end_location") or item["location"]
    fails = item.get("fails_at")
    row = int(start["row"])
    return Finding(
        str(item["code"]),
        str(item["name"]),
        str(item["severity"]),
        Place(name, row, int(start["column"]), int(end["row"]), int(end["column"])),
        str(item["message"]),
        OBSERVED,
        _at(str(fails["filename"]), int(fails["row"]), root) if fails else None,
        tuple(
            Related(
                _at(str(step["filename"]), int(step["location"]["row"]), root, int(step["location"]["column"])),
                str(step["message"]),
                str(step.get("role", "")),
            )
            for step in item.get("related", ())
        ),
    )


def _at(name: str, row: int, root: Path, column: int = 1) -> Place:
    return Place(_absolute(name, root), row, column, row, column)
