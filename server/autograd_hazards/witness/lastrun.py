"""``.autograd-hazards/last-run.json``: what the last run under the recorder has shown, for editors.

A finding counts as long as the lines that it names read as they did: ``lines`` holds, per file and row, the SHA-1 of the
line without the white space around it. ``current`` applies that.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..findings import Finding, Place, Related
from ..report.json import to_dict
from .syntax import Sources

FOLDER, FILE = ".autograd-hazards", "last-run.json"
VERSION = 1


def write(
    root: Path, record: dict[str, Any], findings: Sequence[Finding], sources: Sources, command: Sequence[str]
) -> Path:
    """Write the file below ``root``, in one step. The folder keeps itself out of version control."""
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    lines: dict[str, dict[str, str]] = {}
    for finding in findings:
        for place in places(finding):
            text = sources.lines(place.filename)
            if 0 < place.row <= len(text):
                lines.setdefault(place.filename, {})[str(place.row)] = digest(text[place.row - 1])
    content = {
        "version": VERSION,
        "torch": record["torch"],
        "command": list(command),
        "findings": [to_dict(finding) for finding in findings],
        "lines": lines,
    }
    path = folder / FILE
    beside = folder / f"{FILE}.{os.getpid()}.part"
    beside.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(beside, path)
    return path


def places(finding: Finding) -> Iterator[Place]:
    """Every place that a finding names."""
    yield finding.place
    for related in finding.related:
        yield related.place
    if finding.fails_at is not None:
        yield finding.fails_at


def digest(line: str) -> str:
    """What a line is recognised by."""
    return hashlib.sha1(line.strip().encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def current(root: Path, lines: Callable[[str], Sequence[str]]) -> list[Finding]:
    """The findings of the last run that still stand: none of the lines that they name has changed.

    ``lines`` gives a file's lines as they are now. Empty when there is no such file, or none that can be read.
    """
    try:
        content = json.loads((root / FOLDER / FILE).read_text(encoding="utf-8"))
        if content["version"] != VERSION:
            return []
        found = [_finding(entry) for entry in content["findings"]]
        known: dict[str, dict[str, str]] = content["lines"]
    except (OSError, ValueError, KeyError, TypeError):
        return []

    def stands(finding: Finding) -> bool:
        for place in places(finding):
            was = known.get(place.filename, {}).get(str(place.row))
            now = lines(place.filename)
            if was is None or not 0 < place.row <= len(now) or digest(now[place.row - 1]) != was:
                return False
        return True

    return [finding for finding in found if stands(finding)]


def _finding(entry: dict[str, Any]) -> Finding:
    """A finding from the JSON of the reports."""
    own = _place(entry)
    fails = entry["fails_at"]
    return Finding(
        entry["code"], entry["name"], entry["severity"], own, entry["message"], entry["certainty"],
        Place(fails["filename"], fails["row"], 1, fails["row"], 2) if fails else None,
        tuple(Related(_place(part), part["message"], part.get("role", "")) for part in entry["related"]),
    )  # fmt: skip


def _place(entry: dict[str, Any]) -> Place:
    start = entry["location"]
    end = entry.get("end_location") or {"row": start["row"], "column": start["column"] + 1}
    return Place(entry["filename"], start["row"], start["column"], end["row"], end["column"])
