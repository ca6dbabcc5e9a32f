"""Annotations in the words of GitHub Actions' workflow commands."""

from __future__ import annotations

from collections.abc import Iterable

from autograd_hazards.findings import Finding
from autograd_hazards.locales import ENGLISH, told, translate
from autograd_hazards.messages import say
from autograd_hazards.report import paths

_LEVELS = {"error": "error", "warning": "warning", "information": "notice"}


def render(findings: Iterable[Finding], locale: str = ENGLISH) -> str:
    """One command per finding; the story follows the message, a step a line."""
    return "".join(_command(told(finding, locale), locale) + "\n" for finding in findings)


def _command(finding: Finding, locale: str) -> str:
    place = finding.place
    steps = [
        f"{i}. {paths.display(r.place.filename)}:{r.place.row}: {r.message}" for i, r in enumerate(finding.related, 1)
    ]
    if finding.fails_at is not None:
        failing = f"{paths.display(finding.fails_at.filename)}:{finding.fails_at.row}"
        steps.append(translate(say("torch raises at {place}", place=failing), locale))
    filename, cell = paths.split_cell(place.filename)
    properties = {"title": f"{finding.code} {finding.name}", "file": paths.display(filename)}
    message = finding.message
    if cell is not None:
        # GitHub knows no cells: a row of a cell is no line of the file.
        message = translate(say("cell {cell}, line {line}: {text}", cell=cell, line=place.row, text=message), locale)
    else:
        properties |= {"line": str(place.row), "endLine": str(place.end_row)}
        if place.end_row == place.row:
            # Columns are only understood together with a single line.
            properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_LEVELS[finding.severity]} {listed}::{_data(chr(10).join([message, *steps]))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
