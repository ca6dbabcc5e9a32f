"""SARIF 2.1.0: results with related locations, the story as a code flow, the rules with their documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograd_hazards import __version__
from autograd_hazards.findings import Finding, Fix, Place
from autograd_hazards.locales import ENGLISH, told, translate
from autograd_hazards.report.paths import split_cell
from autograd_hazards.report.text import RAISES

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note"}


def render(findings: Iterable[Finding], docs: Mapping[str, str], locale: str = ENGLISH) -> str:
    """A SARIF log with one run. ``docs`` gives the documentation (Markdown) of each rule by code."""
    import json

    return json.dumps(to_dict(list(findings), docs, locale), indent=2, ensure_ascii=False) + "\n"


def to_dict(findings: Sequence[Finding], docs: Mapping[str, str], locale: str = ENGLISH) -> dict[str, Any]:
    """The SARIF log as plain data."""
    names = {finding.code: finding.name for finding in findings}
    codes = sorted(names)
    root = Path.cwd().as_uri() + "/"
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "autograd-hazards",
                        "version": __version__,
                        "rules": [_rule(code, names[code], docs.get(code, "")) for code in codes],
                    }
                },
                # Columns count characters, not UTF-16 units.
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"uri": root}},
                "results": [
                    _result(told(finding, locale), codes.index(finding.code), root, locale) for finding in findings
                ],
            }
        ],
    }


def _rule(code: str, name: str, doc: str) -> dict[str, Any]:
    summary = doc.strip().partition("\n")[0]
    rule: dict[str, Any] = {"id": code, "name": name}
    rule["shortDescription"] = {"text": summary or name}
    if doc:
        rule["help"] = {"text": doc, "markdown": doc}
    return rule


def _result(finding: Finding, index: int, root: str, locale: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.place, root)],
        "properties": {"certainty": finding.certainty},
    }
    steps = [(related.place, related.message, related.role) for related in finding.related]
    if finding.fails_at is not None and all(place != finding.fails_at for place, _, _ in steps):
        steps.append((finding.fails_at, translate(RAISES, locale), "fails"))
    if steps:
        result["relatedLocations"] = [
            {"id": i, **_location(place, root, message)} for i, (place, message, _) in enumerate(steps, 1)
        ]
        flow = [
            {
                "location": _location(place, root, message),
                "executionOrder": i,
                **({"kinds": [role]} if role else {}),
            }
            for i, (place, message, role) in enumerate(steps, 1)
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    if finding.fixes:
        result["fixes"] = [_fix(fix, root) for fix in finding.fixes]
    return result


def _location(place: Place, root: str, message: str | None = None) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(place.filename, root), "region": _region(place)}
    }
    cell = split_cell(place.filename)[1]
    if cell is not None:
        location["logicalLocations"] = [{"name": f"cell {cell}", "kind": "module"}]
    if message is not None:
        location["message"] = {"text": message}
    return location


def _artifact(filename: str, root: str) -> dict[str, str]:
    # SARIF knows no cells: a logical location names the cell, and rows count within it.
    path = Path(split_cell(filename)[0])
    if not path.is_absolute():
        path = Path.cwd() / path
    uri = path.as_uri()
    return {"uri": uri[len(root) :], "uriBaseId": "ROOT"} if uri.startswith(root) else {"uri": uri}


def _region(place: Place) -> dict[str, int]:
    return {
        "startLine": place.row,
        "startColumn": place.column,
        "endLine": place.end_row,
        "endColumn": place.end_column,
    }


def _fix(fix: Fix, root: str) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        changes.setdefault(edit.place.filename, []).append(
            {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.content}}
        )
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": _artifact(filename, root), "replacements": replacements}
            for filename, replacements in changes.items()
        ],
    }
