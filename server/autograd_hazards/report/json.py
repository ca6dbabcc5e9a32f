"""The JSON report. Its fields are fixed: other tools build on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_hazards.findings import Edit, Finding, Place
from autograd_hazards.report.links import rule_page
from autograd_hazards.report.paths import split_cell


def render(findings: Iterable[Finding]) -> str:
    """A JSON list, one object per finding; rows and columns from 1, columns in characters."""
    import json

    return json.dumps([to_dict(finding) for finding in findings], indent=2, ensure_ascii=False) + "\n"


def to_dict(finding: Finding) -> dict[str, Any]:
    """The object of one finding."""
    filename, cell = split_cell(finding.place.filename)
    fails_at = finding.fails_at
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "filename": filename,
        # Only places in notebooks have a cell; their rows count within it.
        **_cell(cell),
        "location": _start(finding.place),
        "end_location": _end(finding.place),
        "message": finding.message,
        "url": rule_page(finding.code),
        "certainty": finding.certainty,
        "fails_at": {**_file(fails_at), "row": fails_at.row} if fails_at else None,
        "related": [
            {**_file(related.place), "location": _start(related.place), "message": related.message}
            for related in finding.related
        ],
        "fixes": [
            {"title": fix.title, "applicability": fix.applicability, "edits": [_edit(edit) for edit in fix.edits]}
            for fix in finding.fixes
        ],
    }


def _file(place: Place) -> dict[str, Any]:
    filename, cell = split_cell(place.filename)
    return {"filename": filename, **_cell(cell)}


def _cell(cell: int | None) -> dict[str, int]:
    return {} if cell is None else {"cell": cell}


def _start(place: Place) -> dict[str, int]:
    return {"row": place.row, "column": place.column}


def _end(place: Place) -> dict[str, int]:
    return {"row": place.end_row, "column": place.end_column}


def _edit(edit: Edit) -> dict[str, Any]:
    return {
        **_file(edit.place),
        "location": _start(edit.place),
        "end_location": _end(edit.place),
        "content": edit.content,
    }
