"""Trying a draft: the program with its edits is analysed again, and only what mends and harms nothing is offered."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograd_hazards import machine, rules
from autograd_hazards.findings import Edit, Finding, Fix, Place
from autograd_hazards.fixes.apply import Overlap, apply
from autograd_hazards.machine.events import Event
from autograd_hazards.program.project import Project
from autograd_hazards.source.files import SourceFile

ACCUSING = ("error", "warning")
# Our own edits must not leave these behind, though they are only information: a graph that is kept for nothing, a sample
# that is no longer cut off.
UNWELCOME = {"retain_graph": "AGH102", "detach": "AGH402"}
# The states behind the last drafts: the one that is taken is wanted again.
MOST_KEPT = 4


class Trial:
    """One analysed state of a project: the programs ``paths``, what was found in them and from which events.

    A ``memory`` of these programs saves the analysis as far as it holds. With ``only`` (see ``machine.analyse``) what
    other entries give is missing.
    """

    def __init__(
        self,
        project: Project,
        paths: Sequence[Path],
        called: frozenset[str] = frozenset(),
        torch_version: str | None = None,
        *,
        memory: machine.Memory | None = None,
        only: frozenset[str] | None = None,
    ) -> None:
        self.project = project
        self.paths = list(paths)
        self.torch_version = torch_version
        self.only = only
        memory = memory or machine.Memory()
        analysis = machine.analyse(
            project, self.paths, called=called, torch_version=torch_version, memory=memory, only=only
        )
        self.called = called
        self._all_called = called | analysis.called
        self._outcomes = list(memory.outcomes())
        self.defects = analysis.defects
        self.pairs: list[tuple[Finding, Event]] = rules.pairs(analysis)
        # What Python itself would raise, and torch where no rule reads it, as far as the machine can tell: by its type
        # and text, how often.
        self.exceptions = Counter(
            (event.data.get("name", ""), event.data["message"])
            for event in analysis.events
            if event.kind == "exception" or (event.kind == "other" and not event.caught)
        )
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

    def after(self, edits: Sequence[Edit], about: Finding | None = None) -> Trial | None:
        """The state with ``edits`` made; None when they do not go together or break the syntax.

        For a finding ``about`` which is all that one wants to know, only the entries are run that reach it or an edit.
        """
        key = tuple(edits)
        known = self._tried.get(key)
        if key not in self._tried or (known is not None and known.only is not None and about is None):
            while len(self._tried) >= MOST_KEPT:
                del self._tried[next(iter(self._tried))]
            self._tried[key] = self._after(key, self._concerned(key, about) if about is not None else None)
        return self._tried[key]

    def _after(self, edits: Sequence[Edit], only: frozenset[str] | None) -> Trial | None:
        texts = self.texts_with(edits)
        if texts is None:
            return None
        project = self.project.with_texts(texts)
        for path in texts:
            problems = project.module_at(path).parsed.problems
            if len(problems) > len(self.project.module_at(path).parsed.problems):
                return None
        # What only an entry that is left out calls must not become an entry of its own.
        called = self.called if only is None else self._all_called - only
        return Trial(project, self.paths, called, self.torch_version, only=only)

    def _concerned(self, edits: Sequence[Edit], about: Finding) -> frozenset[str] | None:
        """The entries that run a function which is edited or in which the finding lies; None for all of them."""
        places = [about.place, *(edit.place for edit in edits)]
        functions = {self._function_at(place) for place in places}
        concerned = frozenset(name for name, _, reached in self._outcomes if not functions.isdisjoint({name, *reached}))
        return None if None in functions or len(concerned) == len(self._outcomes) else concerned

    def _function_at(self, place: Place) -> str | None:
        """The function or method whose body a place lies in, as ``path::qualified.name``; None for code outside of them."""
        last = place.end_row - (place.end_column == 1 and place.end_row > place.row)
        for node, name in machine.function_names(self.project.module_at(Path(place.filename))).items():
            if node.body[0].lineno <= place.row and last <= node.end_lineno:
                return str(name)
        return None

    def told_by(self, only: frozenset[str] | None) -> list[Finding]:
        """What was found by the entries that ``only`` names."""
        if only is None:
            return self.findings
        mine = {id(event) for name, events, _ in self._outcomes if name in only for event in events}
        return [finding for finding, event in self.pairs if id(event) in mine]

    def text_at(self, place: Place) -> str:
        """The text of a place."""
        lines = self.project.module_at(Path(place.filename)).parsed.lines[place.row - 1 : place.end_row]
        if lines:
            lines[-1] = lines[-1][: place.end_column - 1]
            lines[0] = lines[0][place.column - 1 :]
        return "\n".join(lines)

    def line(self, finding: Finding) -> str:
        """The text of the line at which a finding stands, without its indentation."""
        lines = self.project.module_at(Path(finding.place.filename)).parsed.lines
        row = finding.place.row
        return lines[row - 1].strip() if 0 < row <= len(lines) else ""


def mends(before: Trial, finding: Finding, fix: Fix) -> bool:
    """Whether ``fix`` makes ``finding`` go away and brings no error or warning that was not there."""
    after = before.after(fix.edits, finding)
    return (
        after is not None
        and runs_on(before, after)
        and _gone(before, after, finding, fix)
        and not fresh(before, after, fix)
    )


# Edits of these leave what is computed as it was written; where torch refused it, the backward behind it was never seen.
UNCOVERING = frozenset({"AGH301", "AGH302", "AGH303", "AGH304", "AGH306", "AGH404", "AGH405", "AGH407", "AGH409"})


def uncovers(before: Trial, finding: Finding, fix: Fix) -> bool:
    """Whether ``fix`` makes ``finding`` go away, and what shows then is silent: warnings about what torch now gets to."""
    after = before.after(fix.edits, finding)
    return (
        finding.code in UNCOVERING
        and after is not None
        and runs_on(before, after)
        and _gone(before, after, finding, fix)
        and not any(event.loud or found.severity == "error" for found, event in fresh(before, after, fix))
    )


def runs_on(before: Trial, after: Trial) -> bool:
    """Whether the edits bring no exception of Python's own: a method that a list does not have, a name not yet bound."""
    return not after.defects and not after.exceptions - before.exceptions


def fresh(before: Trial, after: Trial, fix: Fix) -> list[tuple[Finding, Event]]:
    """What the edits brought: errors and warnings that were not there, neither in their row nor with their text."""
    back = _Rows(fix.edits)
    rows = {(f.code, f.place.filename, f.place.row) for f in before.findings}
    texts = Counter((f.code, f.message, before.line(f)) for f in before.findings)
    unwelcome = set()
    if any("retain_graph" in edit.content for edit in fix.edits):
        unwelcome.add(UNWELCOME["retain_graph"])
    if any("detach" in before.text_at(edit.place) and "detach" not in edit.content for edit in fix.edits):
        unwelcome.add(UNWELCOME["detach"])
    brought = []
    for finding, event in after.pairs:
        if finding.severity not in ACCUSING and finding.code not in unwelcome:
            continue
        key = finding.code, finding.message, after.line(finding)
        row = back.before(finding.place.filename, finding.place.row)
        if (finding.code, finding.place.filename, row) in rows:
            continue
        if texts[key] > 0:
            texts[key] -= 1
            continue
        brought.append((finding, event))
    return brought


def still(before: Trial, after: Trial, finding: Finding, fix: Fix) -> list[tuple[Finding, Event]]:
    """What is left of ``finding`` after the edits: in its row, whatever is the cause now, or with its text elsewhere."""
    back = _Rows(fix.edits)
    place, text = finding.place, before.line(finding)
    return [
        (f, event)
        for f, event in after.pairs
        if f.code == finding.code
        and f.place.filename == place.filename
        and (
            back.before(f.place.filename, f.place.row) == place.row
            or (f.message == finding.message and after.line(f) == text)
        )
    ]


def _gone(before: Trial, after: Trial, finding: Finding, fix: Fix) -> bool:
    place, text = finding.place, before.line(finding)
    old = [
        f
        for f in before.told_by(after.only)
        if (f.code, f.place.filename) == (finding.code, place.filename)
        and (f.place.row == place.row or (f.message == finding.message and before.line(f) == text))
    ]
    return len(still(before, after, finding, fix)) < len(old)


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
