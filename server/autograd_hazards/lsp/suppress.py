"""Suppressing a finding: a comment on its line, or one for the file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from autograd_hazards.findings import Edit, Finding, Fix, Place
from autograd_hazards.lsp.analyst import Analyst, Report
from autograd_hazards.messages import Text, say
from autograd_hazards.source.files import SourceFile
from autograd_hazards.source.notebook import is_cell_magic
from autograd_hazards.source.parse import parse
from autograd_hazards.source.suppress import Suppressions
from autograd_hazards.workspace import statement_rows

_NOQA = re.compile(r"#\s*noqa\s*:\s*[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*", re.IGNORECASE)
_LEADING = re.compile(r"#!|#.*coding[:=]")


def title(code: str, scope: str) -> Text:
    """What the action is called."""
    if scope == "line":
        return say("Suppress {code} on this line", code=code)
    return say("Suppress {code} in this file", code=code)


def edits(analyst: Analyst, report: Report, finding: Finding, scope: str) -> tuple[Edit, ...]:
    """The comment as an edit with places by cell; none where no comment can stand."""
    from autograd_hazards.fixes.apply import apply_text

    workspace = analyst.workspace(report.path)
    plain = report.plain[report.findings.index(finding)]
    source = workspace.project.module_at(report.path).source
    if not isinstance(source, SourceFile):
        return ()
    text, filename = source.text, plain.place.filename
    drafts = _on_line(text, plain) if scope == "line" else _for_file(source, plain)
    for edit in drafts:
        if _suppresses(text, apply_text(text, [edit]), plain, edit.content.count("\n")):
            told = workspace.by_cell([_carrier(plain, edit)])[0].fixes[0].edits
            return told if filename else ()
    return ()


def _carrier(finding: Finding, edit: Edit) -> Finding:
    return replace(finding, fixes=(Fix("", "safe", (edit,)),))


def _on_line(text: str, finding: Finding) -> Iterator[Edit]:
    """A comment behind the statement's last line, or another of its lines where that one cannot take it."""
    place = finding.place
    rows = statement_rows(parse(text, place.filename).tree)
    first, last = rows.get(place.row, (place.row, place.end_row))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for row in dict.fromkeys((last, place.end_row, place.row, first)):
        if not 0 < row <= len(lines):
            continue
        line = lines[row - 1]
        noqa = _NOQA.search(line)
        if noqa is not None:
            yield _insertion(finding, row, noqa.end() + 1, f",{finding.code}")
        end = len(line.rstrip()) + 1
        yield Edit(Place(place.filename, row, end, row, len(line) + 1), f"  # noqa: {finding.code}")


def _for_file(source: SourceFile, finding: Finding) -> Iterator[Edit]:
    """A comment before the first line that is neither for the shell nor about the encoding.

    In a notebook at the top of the first cell without a cell magic, which has to be the first of its cell.
    """
    comment = f"# autograd-hazards: ignore-file[{finding.code}]{source.newline}"
    lines = source.text.split("\n")
    if source.positions is not None:
        for row in source.positions.starts:
            if not is_cell_magic(lines[row - 1 :]):
                yield _insertion(finding, row, 1, comment)
        return
    row = 1
    for line in lines[:2]:
        if not _LEADING.match(line):
            break
        row += 1
    yield _insertion(finding, row, 1, comment)


def _insertion(finding: Finding, row: int, column: int, content: str) -> Edit:
    return Edit(Place(finding.place.filename, row, column, row, column), content)


def _suppresses(before: str, after: str, finding: Finding, rows: int) -> bool:
    """Whether the comment is one (and not part of a string), and covers the finding's statement."""
    filename = finding.place.filename
    old, new = parse(before, filename), parse(after, filename)
    if ast.dump(old.tree) != ast.dump(new.tree):
        return False
    row, end_row = finding.place.row + rows, finding.place.end_row + rows
    suppressions = Suppressions.of(after)
    first, last = statement_rows(new.tree).get(row, (row, end_row))
    hit = [suppressions.covers(a, b, finding.code) for a, b in {(first, last), (row, end_row)}]
    return any(hit)
