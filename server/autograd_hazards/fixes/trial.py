"""Trying a draft: the program with its edits is analysed again, and only what mends and harms nothing is offered."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograd_hazards import machine, rules
from autograd_hazards.findings import Edit, Finding, Fix
from autograd_hazards.fixes.apply import Overlap, apply
from autograd_hazards.machine.events import Event
from autograd_hazards.program.project import Project
from autograd_hazards.source.files import SourceFile

ACCUSING = ("error", "warning")
# Our own edits must not leave these behind, though they are only information.
UNWELCOME = ("AGH102",)
# The states behind the last drafts: the one that is taken is wanted again.
MOST_KEPT = 4


class Trial:
    """One analysed state of a project: the programs ``paths``, what was found in them and from which events.

    An ``analysis`` of these programs that is at hand is used in place of a new one.
    """

    def __init__(
        self,
        project: Project,
        paths: Sequence[Path],
        called: frozenset[str] = frozenset(),
        torch_version: str | None = None,
        analysis: machine.Analysis | None = None,
    ) -> None:
        self.project = project
        self.paths = list(paths)
        self.called = called
        self.torch_version = torch_version
        if analysis is None:
            analysis = machine.analyse(project, self.paths, called=called, torch_version=torch_version)
        self.defects = analysis.defects
        self.pairs: list[tuple[Finding, Event]] = rules.pairs(analysis)
        self._tried: dict[tuple[Edit, ...], Trial | None] = {}

    @property
    def findings(self) -> list[Finding]:
        """What was found."""
        return [finding for finding, _ in self.pairs]

    def texts_with(self, edits: Sequence[Edit]) -> dict[Path, str] | None:
        """The files that ``edits`` change, with their new texts; None when the edits do not go together."""
        by_file: dict[Path, list[Edit]] = {}
        for edit in edits:
            by_file.setdefault(Path(edit.place.filename), []).append(edit)
        texts = {}
        try:
            for path, mine in by_file.items():
                source = self.project.module_at(path).source
                if not isinstance(source, SourceFile):
                    return None
                texts[path] = apply(source, self.project.raw_text(path), mine)
        except (Overlap, OSError):
            return None
        return texts

    def after(self, edits: Sequence[Edit]) -> Trial | None:
        """The state with ``edits`` made; None when they do not go together or break the syntax."""
        key = tuple(edits)
        if key not in self._tried:
            while len(self._tried) >= MOST_KEPT:
                del self._tried[next(iter(self._tried))]
            self._tried[key] = self._after(key)
        return self._tried[key]

    def _after(self, edits: Sequence[Edit]) -> Trial | None:
        texts = self.texts_with(edits)
        if texts is None:
            return None
        project = self.project.with_texts(texts)
        for path in texts:
            problems = project.module_at(path).parsed.problems
            if len(problems) > len(self.project.module_at(path).parsed.problems):
                return None
        return Trial(project, self.paths, self.called, self.torch_version)

    def line(self, finding: Finding) -> str:
        """The text of the line at which a finding stands, without its indentation."""
        lines = self.project.module_at(Path(finding.place.filename)).parsed.lines
        row = finding.place.row
        return lines[row - 1].strip() if 0 < row <= len(lines) else ""


def mends(before: Trial, finding: Finding, fix: Fix) -> bool:
    """Whether ``fix`` makes ``finding`` go away and brings no error or warning that was not there."""
    after = before.after(fix.edits)
    return (
        after is not None and not after.defects and _gone(before, after, finding, fix) and not fresh(before, after, fix)
    )


def fresh(before: Trial, after: Trial, fix: Fix) -> list[tuple[Finding, Event]]:
    """What the edits brought: errors and warnings that were not there, neither at their line nor with its text."""
    back = _Rows(fix.edits)
    rows = {(f.code, f.message, f.place.filename, f.place.row) for f in before.findings}
    texts = Counter((f.code, f.message, before.line(f)) for f in before.findings)
    keeping = any("retain_graph" in edit.content for edit in fix.edits)
    brought = []
    for finding, event in after.pairs:
        if finding.severity not in ACCUSING and not (keeping and finding.code in UNWELCOME):
            continue
        key = finding.code, finding.message, after.line(finding)
        row = back.before(finding.place.filename, finding.place.row)
        if (finding.code, finding.message, finding.place.filename, row) in rows:
            continue
        if texts[key] > 0:
            texts[key] -= 1
            continue
        brought.append((finding, event))
    return brought


def _gone(before: Trial, after: Trial, finding: Finding, fix: Fix) -> bool:
    back = _Rows(fix.edits)
    text = before.line(finding)
    place = finding.place

    def same(found: Finding, row: int, line: str) -> bool:
        return (
            found.code == finding.code
            and found.message == finding.message
            and found.place.filename == place.filename
            and (row == place.row or line == text)
        )

    old = sum(same(f, f.place.row, before.line(f)) for f in before.findings)
    new = sum(same(f, back.before(f.place.filename, f.place.row), after.line(f)) for f in after.findings)
    return new < old


class _Rows:
    """Rows of the mended text as rows of the text before."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.marks: Mapping[str, list[tuple[int, int]]] = {}
        by_file: dict[str, list[Edit]] = {}
        for edit in edits:
            by_file.setdefault(edit.place.filename, []).append(edit)
        marks: dict[str, list[tuple[int, int]]] = {}
        for name, mine in by_file.items():
            shift = 0
            marks[name] = []
            for edit in sorted(mine, key=lambda e: e.place):
                lines = edit.content.count("\n") or edit.content.count("\r")
                shift += lines - (edit.place.end_row - edit.place.row)
                # Rows behind the edit; what an edit of whole lines inserts counts as new.
                marks[name].append((edit.place.end_row + shift + (edit.place.end_column > 1), shift))
        self.marks = marks

    def before(self, name: str, row: int) -> int:
        """The row of the old text, near enough for rows that an edit rewrote."""
        mine = self.marks.get(name, [])
        index = bisect_right([first for first, _ in mine], row) - 1
        return row - (mine[index][1] if index >= 0 else 0)
