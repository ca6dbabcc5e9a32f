"""The JSON report. Its fields are fixed: other tools build on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_hazards.findings import Edit, Finding, Place
from autograd_hazards.report.links import rule_url


def render(findings: Iterable[Finding]) -> str:
    """A JSON list, one object per finding; rows and columns from 1, columns in characters."""
    import json

    return json.dumps([to_dict(finding) for finding in findings], indent=2, ensure_ascii=False) + "\n"


def to_dict(finding: Finding) -> dict[str, Any]:
    """The object of one finding."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "filename": finding.place.filename,
        "location": _start(finding.place),
        "end_location": _end(finding.place),
        "message": finding.message,
        "url": rule_url(finding.code),
        "certainty": finding.certainty,
        "fails_at": {"filename": finding.fails_at.filename, "row": finding.fails_at.row} if finding.fails_at else None,
        "related": [
            {"filename": related.place.filename, "location": _start(related.place), "message": related.message}
            for related in finding.related
        ],
        "fixes": [
            {"title": fix.title, "applicability": fix.applicability, "edits": [_edit(edit) for edit in fix.edits]}
            for fix in finding.fixes
        ],
    }


def _start(place: Place) -> dict[str, int]:
    return {"row": place.row, "column": place.column}


def _end(place: Place) -> dict[str, int]:
    return {"row": place.end_row, "column": place.end_column}


def _edit(edit: Edit) -> dict[str, Any]:
    return {
        "filename": edit.place.filename,
        "location": _start(edit.place),
        "end_location": _end(edit.place),
        "content": edit.content,
    }
