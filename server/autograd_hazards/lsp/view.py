"""Findings as the protocol shows them: places as locations, findings as diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from autograd_hazards.cache import blake2b
from autograd_hazards.findings import Finding, Place
from autograd_hazards.locales import translate
from autograd_hazards.lsp.documents import TO_CLIENT
from autograd_hazards.lsp.settings import HINT, Settings
from autograd_hazards.lsp.uris import uri_of
from autograd_hazards.report.links import rule_command, rule_page
from autograd_hazards.report.paths import split_cell
from autograd_hazards.source.files import BOM

SOURCE = "autograd-hazards"
OBSERVED = "observed"
OBSERVED_SOURCE = "autograd-hazards (observed at run time)"
# Code that does nothing but cost: shown faded.
UNNECESSARY = frozenset({"AGH001", "AGH102", "AGH701"})
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    HINT: types.DiagnosticSeverity.Hint,
}


class View:
    """How one client sees places: its position encoding, its URIs, and the cells of its notebooks.

    ``lines`` gives the lines of a file or cell; ``uris`` the URIs under which the client opened files, ``cells`` those
    of the cells of open notebooks, in order; ``commands`` says that the client has the extension's commands. ``marked``
    says of a file whether the client's text of it begins with a byte order mark, which ours never does.
    """

    def __init__(
        self,
        encoding: str,
        lines: Callable[[str], Sequence[str]],
        uris: Mapping[str, str],
        cells: Mapping[str, Sequence[str]],
        settings: Settings,
        commands: bool = False,
        marked: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.encoding = encoding
        self._lines = lines
        self._read: dict[str, Sequence[str]] = {}
        self.uris = uris
        self.cells = cells
        self.settings = settings
        self.commands = commands
        self._marked = marked

    def line(self, filename: str, row: int) -> str:
        """A line (from 1) of a file or cell; empty where there is none."""
        lines = self._read.get(filename)
        if lines is None:
            lines = self._read[filename] = self._lines(filename)
        return lines[row - 1] if 0 < row <= len(lines) else ""

    def uri(self, filename: str) -> str:
        """The client's URI of a file or cell."""
        name, cell = split_cell(filename)
        if cell is not None:
            cells = self.cells.get(name, ())
            if cell <= len(cells):
                return cells[cell - 1]
        return self.uris.get(name) or uri_of(name)

    def position(self, filename: str, row: int, column: int) -> types.Position:
        """A row and a column (from 1) as the client counts them."""
        line = self.line(filename, row)
        if row == 1 and self._marked(filename):
            line, column = BOM + line, column + 1
        return types.Position(row - 1, TO_CLIENT[self.encoding](line, column))

    def range(self, place: Place) -> types.Range:
        """A place as a range."""
        return types.Range(
            self.position(place.filename, place.row, place.column),
            self.position(place.filename, place.end_row, place.end_column),
        )

    def location(self, place: Place) -> types.Location:
        """A place as a location."""
        return types.Location(self.uri(place.filename), self.range(place))

    def ids(self, findings: Iterable[Finding]) -> list[str]:
        """A name for each finding that stays while lines above it come and go."""
        known: dict[str, int] = {}
        result = []
        for finding in findings:
            place = finding.place
            text = "\0".join((finding.message, place.filename, self.line(place.filename, place.row).strip()))
            name = f"{finding.code}-{blake2b(text.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
            known[name] = known.get(name, 0) + 1
            result.append(name if known[name] == 1 else f"{name}-{known[name]}")
        return result

    def rule_link(self, code: str) -> str | None:
        """What leads to a rule's page: the extension's own command where there is one, else the page's file."""
        return rule_command(code) if self.commands else rule_page(code, self.settings.locale)

    def diagnostic(self, finding: Finding, name: str, fixes: bool) -> types.Diagnostic:
        """A finding as a diagnostic. ``fixes`` says that quick fixes may be had for it."""
        data: dict[str, Any] = {"id": name, "code": finding.code, "fixes": fixes}
        link = self.rule_link(finding.code)
        return types.Diagnostic(
            range=self.range(finding.place),
            message=str(translate(finding.message, self.settings.locale)),
            severity=_SEVERITY[self.settings.severity_of(finding.code, finding.severity)],
            code=finding.code,
            code_description=types.CodeDescription(link) if link is not None else None,
            source=OBSERVED_SOURCE if finding.certainty == OBSERVED else SOURCE,
            tags=[types.DiagnosticTag.Unnecessary] if finding.code in UNNECESSARY else None,
            related_information=[
                types.DiagnosticRelatedInformation(
                    self.location(step.place), str(translate(step.message, self.settings.locale))
                )
                for step in finding.related
            ]
            or None,
            data=data,
        )


def is_below(path: Path, folder: Path) -> bool:
    """Whether a path is the folder or lies in it."""
    return path == folder or folder in path.parents


def within(position: types.Position, area: types.Range) -> bool:
    """Whether a position lies in a range, its ends included."""
    spot = position.line, position.character
    return (area.start.line, area.start.character) <= spot <= (area.end.line, area.end.character)


def overlap(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges have a position in common."""
    return within(one.start, other) or within(other.start, one)
