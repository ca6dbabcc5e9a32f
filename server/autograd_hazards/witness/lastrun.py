"""``.autograd-hazards/last-run.json``: what the last run under the recorder has shown, for editors.

A finding counts as long as the lines that it names read as they did, wherever they stand by then: ``lines`` holds, for
every file that is named, what each of its lines is known by. ``lsp/observed.py`` reads it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..findings import Finding, Place
from ..report.json import to_dict
from .record import FILE, FOLDER, VERSION, digest
from .syntax import Sources


def prepare(root: Path) -> Path:
    """Make the folder below ``root``, which keeps itself out of version control.

    Before the run: an editor that watches the project may miss a file that comes together with its folder.
    """
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    return folder


def write(
    root: Path, record: dict[str, Any], findings: Sequence[Finding], sources: Sources, command: Sequence[str]
) -> Path:
    """Write the file below ``root``, in one step."""
    folder = prepare(root)
    names = dict.fromkeys(place.filename for finding in findings for place in places(finding))
    lines = {name: [digest(line) for line in text] for name in names if (text := sources.lines(name)) != [""]}
    content = {
        "version": VERSION,
        "torch": record["torch"],
        "command": list(command),
        "findings": [_entry(finding) for finding in findings],
        "lines": lines,
    }
    path = folder / FILE
    beside = folder / f"{FILE}.{os.getpid()}.part"
    beside.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(beside, path)
    return path


def _entry(finding: Finding) -> dict[str, Any]:
    """A finding as in the JSON report, its story with the roles of its steps."""
    entry = to_dict(finding)
    for step, related in zip(entry["related"], finding.related, strict=True):
        step["role"] = related.role
        step["end_location"] = {"row": related.place.end_row, "column": related.place.end_column}
    return entry


def places(finding: Finding) -> Iterator[Place]:
    """Every place that a finding names."""
    yield finding.place
    for related in finding.related:
        yield related.place
    if finding.fails_at is not None:
        yield finding.fails_at
