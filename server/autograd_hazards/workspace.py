"""The one way into the analysis, for the command line and for editors alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from autograd_hazards import engine as engines
from autograd_hazards import walk
from autograd_hazards.cache import FOLDER, Cache, Edge, Unit
from autograd_hazards.catalogue import UNREADABLE_SOURCE, UNUSED_SUPPRESSION
from autograd_hazards.config import Config
from autograd_hazards.environment import learn, torch_version
from autograd_hazards.findings import Finding, Place
from autograd_hazards.messages import Text, joined, moved, say
from autograd_hazards.report.paths import cell_name, split_cell
from autograd_hazards.source.files import SourceFile
from autograd_hazards.source.positions import split_lines
from autograd_hazards.source.suppress import Suppressions

if TYPE_CHECKING:
    import ast

    from autograd_hazards.program.project import Project

# From this many files on, starting worker processes pays.
MANY = 20
_RANK = {"error": 0, "warning": 1, "information": 2}

Progress = Callable[[int, int], None]
"""Called with how many files are done and how many there are."""


class UnitCache(Protocol):
    """Where the outcomes of files' analyses are kept: on disk (``cache``) or in memory (``live``)."""

    def get(self, path: Path, called: frozenset[str]) -> Unit | None:
        """The outcome of a file, if it still holds."""

    def put(self, path: Path, called: frozenset[str], unit: Unit, edges: dict[str, set[Edge]]) -> None:
        """Keep an outcome."""

    def save(self) -> None:
        """Write down what is kept."""


class Workspace:
    """A project with its configuration. ``overlay`` holds texts that stand for files (an editor's, standard input).

    ``jobs`` is the number of worker processes for many files; 1 keeps everything in this process, None chooses.
    ``engine`` is the analysis itself; tests put another in its place.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        *,
        overlay: Mapping[Path, str] | None = None,
        cache: bool = False,
        jobs: int | None = None,
        scan_importers: bool = True,
        engine: engines.Engine | None = None,
    ) -> None:
        self.root = Path(os.path.abspath(root))
        if config.torch_version is None:
            config = replace(config, torch_version=torch_version(self.root))
        self.config = config
        self.notice = learn(config.torch_version, self.root)
        """What the user should know of the torch that findings are for, None where there is nothing to say."""
        self.overlay = {Path(os.path.abspath(path)): text for path, text in (overlay or {}).items()}
        self.project = engines.RecordingProject([self.root], self.overlay)
        self.engine = engine or engines.analyse
        self.jobs = jobs
        self.scan_importers = scan_importers
        self._called: dict[str, frozenset[str]] = {}
        self._entries: dict[tuple[str, Place], Path] = {}
        self.cache: UnitCache | None = None
        if cache and not self.overlay:
            folder = self.root / (config.cache_dir or FOLDER)
            self.cache = Cache(folder, config.fingerprint(), self.project)

    def check(self, paths: Sequence[Path], progress: Progress | None = None) -> list[Finding]:
        """All findings in the files ``paths`` (absolute or relative to the current folder), sorted by place.

        Files of the project that import them are analysed too, since a caller may be what makes a hazard; what is
        found in those themselves is left out. Never raises for anything that a file contains.
        """
        files = list(dict.fromkeys(Path(os.path.abspath(path)) for path in paths))
        entries = list(dict.fromkeys(files + self._importers(files)))
        units, troubles = self._analyse(entries, progress)
        if self.cache is not None:
            self.cache.save()
        self._entries = {(f.code, f.place): path for path, unit in units.items() for f in unit.findings}
        wanted = {str(path) for path in files}
        found = [f for unit in units.values() for f in unit.findings if f.place.filename in wanted]
        by_file: dict[str, list[Finding]] = {str(path): [] for path in files}
        for finding in merged(found):
            by_file[finding.place.filename].append(finding)
        kept = [f for path in files for f in self._report(path, by_file[str(path)], troubles.get(path, ""))]
        return sorted(kept, key=lambda finding: (finding.place, finding.code, finding.message))

    def entry_of(self, finding: Finding) -> Path | None:
        """The program in whose analysis the last ``check`` found this; None for what is no matter of programs."""
        return self._entries.get((finding.code, finding.place))

    def called_in(self, path: Path) -> frozenset[str]:
        """The functions of a file that, in the last ``check``, other programs called."""
        return self._called.get(str(path), frozenset())

    def applying(self, findings: Iterable[Finding], project: Project) -> list[Finding]:
        """Those of ``findings`` that are switched on and that no comment suppresses, by the texts of ``project``."""
        by_file: dict[str, list[Finding]] = {}
        for finding in findings:
            if self._enabled(finding.code, finding.place.filename):
                by_file.setdefault(finding.place.filename, []).append(finding)
        kept: list[Finding] = []
        for filename, mine in by_file.items():
            module = project.module_at(Path(filename))
            suppressions = Suppressions.of(module.text)
            kept += self._suppressed(mine, suppressions, module.parsed.tree) if suppressions.comments else mine
        return kept

    def lines(self, filename: str) -> Sequence[str]:
        """The lines of the file (or cell, see ``by_cell``) that a place names; none when it cannot be read."""
        name, cell = split_cell(filename)
        module = self.project.module_at(Path(name))
        lines = split_lines(module.text)
        if cell is None or not isinstance(module.source, SourceFile) or module.source.positions is None:
            return lines
        positions = module.source.positions
        first = positions.row_of(cell - 1, 1)
        if first is None:
            return []
        last = next((start - 1 for start in positions.starts if start > first), len(lines))
        return lines[first - 1 : last]

    def by_cell(self, findings: Iterable[Finding]) -> list[Finding]:
        """``findings`` with places in notebooks told by cell: ``x.ipynb:cell 3`` as filename, rows within the cell.

        Cells count from 1, those of text included, as notebooks show them in their order.
        """
        return [self._told_by_cell(finding) for finding in findings]

    def _told_by_cell(self, finding: Finding) -> Finding:
        told = map_places(finding, self._cell_place)
        shift = finding.place.row - told.place.row
        if shift and finding.code == UNREADABLE_SOURCE.code:  # its message names rows, too
            told = replace(told, message=moved(told.message, -shift))
        return told

    def _cell_place(self, place: Place) -> Place:
        if not place.filename.endswith(".ipynb"):
            return place
        source = self.project.module_at(Path(place.filename)).source
        if not isinstance(source, SourceFile) or source.positions is None:
            return place
        start = source.positions.cell_of(place.row)
        shift = place.row - start.row
        return replace(
            place, filename=cell_name(place.filename, start.cell + 1), row=start.row, end_row=place.end_row - shift
        )

    def _importers(self, files: Sequence[Path]) -> list[Path]:
        if not self.scan_importers:
            return []
        return [path for file in files for path in self.project.importers_of(file)]

    # -- the analysis of all entries

    def _analyse(self, entries: Sequence[Path], progress: Progress | None) -> tuple[dict[Path, Unit], dict[Path, str]]:
        """Each entry on its own; then again those with functions that turned out to be called from elsewhere."""
        units: dict[Path, Unit] = {}
        troubles: dict[Path, str] = {}
        self._round([(path, frozenset()) for path in entries], units, troubles, progress)
        called = self._called = called_elsewhere(units)
        second = [(path, called[str(path)]) for path in entries if str(path) in called]
        # Where nothing was found, fewer entries find nothing either.
        self._round([task for task in second if units[task[0]].findings], units, troubles, None)
        for path, names in second:
            if self.cache is not None and not units[path].findings and path not in troubles:
                self.cache.put(path, names, units[path], {})
        return units, troubles

    def _round(
        self,
        tasks: Sequence[engines.Task],
        units: dict[Path, Unit],
        troubles: dict[Path, str],
        progress: Progress | None,
    ) -> None:
        todo = []
        for path, called in tasks:
            unit = self.cache.get(path, called) if self.cache is not None else None
            if unit is None:
                todo.append((path, called))
            else:
                units[path] = unit
        ready = len(tasks) - len(todo)
        for done, ((path, called), outcome) in enumerate(self._outcomes(todo), ready + 1):
            units[path] = outcome.unit
            if outcome.trouble:
                troubles[path] = outcome.trouble
            elif self.cache is not None:
                self.cache.put(path, called, outcome.unit, outcome.edges)
            if progress is not None:
                progress(done, len(tasks))

    def _outcomes(self, tasks: Sequence[engines.Task]) -> Iterator[tuple[engines.Task, engines.Outcome]]:
        jobs = 1
        if len(tasks) >= MANY and not self.overlay:
            from autograd_hazards import workers

            jobs = self.jobs or workers.default_jobs()
        if jobs > 1:
            yield from self._by_processes(tasks, jobs)
            return
        for task in tasks:
            yield task, self._by_itself(task, self.engine)

    def _by_itself(self, task: engines.Task, engine: engines.Engine) -> engines.Outcome:
        """The outcome of one task, in this process."""
        path, called = task
        return engines.guarded(engine, self.project, path, called, self.config.torch_version, self.config.time_limit)

    def _by_processes(self, tasks: Sequence[engines.Task], jobs: int) -> Iterator[tuple[engines.Task, engines.Outcome]]:
        from autograd_hazards import workers

        config = self.config
        arguments = (self.engine, [self.root], config.torch_version, config.time_limit, self.overlay)
        # The worker's own limit strikes first and keeps the process; this one is for what cannot be interrupted.
        results = workers.run(engines.for_worker, arguments, tasks, jobs=jobs, limit=config.time_limit * 1.5 + 5)
        for task, result in results:
            if isinstance(result, workers.Failure):
                yield task, engines.Outcome(Unit(), {}, result.reason)
            else:
                yield task, result

    # -- what is reported of one file

    def _report(self, path: Path, findings: list[Finding], trouble: str) -> list[Finding]:
        module = self.project.module_at(path)
        filename = str(path)
        if trouble:
            message = say("This file was not analysed: {trouble}.", trouble=trouble)
            findings.append(engines.own_finding(UNREADABLE_SOURCE, _first_line(filename, module.text), message))
        enabled = [finding for finding in findings if self._enabled(finding.code, filename)]
        lowered = module.text.lower()
        meant = "agh" in lowered or "autograd-hazards:" in lowered  # a comment that names us may be idle
        suppressions = Suppressions.of(module.text) if enabled or meant else Suppressions()
        if suppressions.comments:
            if enabled:
                enabled = self._suppressed(enabled, suppressions, module.parsed.tree)
            if not trouble:
                enabled.extend(self._unused(suppressions, filename))
        return [
            replace(finding, severity=severity)
            if (severity := self.config.severity_of(finding.code, finding.severity)) != finding.severity
            else finding
            for finding in enabled
        ]

    def _enabled(self, code: str, filename: str) -> bool:
        if not self.config.enabled(code):
            return False
        base = str(self.config.source.parent if self.config.source else self.root)
        return not any(
            code.startswith(prefix)
            for pattern, codes in self.config.per_file_ignores
            for prefix in codes
            if walk.matches(filename, pattern, base)
        )

    def _suppressed(self, findings: Iterable[Finding], suppressions: Suppressions, tree: ast.Module) -> list[Finding]:
        rows = statement_rows(tree)
        kept = []
        for finding in findings:
            first, last = rows.get(finding.place.row, (finding.place.row, finding.place.end_row))
            # Both ends of the statement and the finding's own line may carry the comment.
            hit = [
                suppressions.covers(start, end, finding.code)
                for start, end in {(first, last), (finding.place.row, finding.place.end_row)}
            ]
            if not any(hit):
                kept.append(finding)
        return kept

    def _unused(self, suppressions: Suppressions, filename: str) -> Iterator[Finding]:
        if not self._enabled(UNUSED_SUPPRESSION.code, filename):
            return
        for row, column, end_column, codes in suppressions.unused():
            # A rule that did not run says nothing about whether its suppression is needed.
            idle = [listed for listed in codes if self._enabled(listed, filename)]
            if codes and not idle:
                continue
            if not codes and (self.config.ignore or self.config.select != Config().select):
                continue
            place = Place(filename, row, column, row, end_column)
            yield engines.own_finding(UNUSED_SUPPRESSION, place, _unused_message(idle))


def _unused_message(codes: Sequence[str]) -> Text:
    if not codes:
        return say("Unused suppression: nothing is found here.")
    listed = joined(codes, say(", "))
    if len(codes) == 1:
        return say("Unused suppression: {codes} is not found here.", codes=listed)
    return say("Unused suppression: {codes} are not found here.", codes=listed)


def map_places(finding: Finding, change: Callable[[Place], Place]) -> Finding:
    """The finding with every place in it changed."""
    related = tuple(replace(step, place=change(step.place)) for step in finding.related)
    fixes = tuple(
        replace(fix, edits=tuple(replace(edit, place=change(edit.place)) for edit in fix.edits))
        for fix in finding.fixes
    )
    fails_at = change(finding.fails_at) if finding.fails_at else None
    return replace(finding, place=change(finding.place), fails_at=fails_at, related=related, fixes=fixes)


def _first_line(filename: str, text: str) -> Place:
    first = text.partition("\n")[0].rstrip("\r")
    return Place(filename, 1, 1, 1, len(first) + 1)


def called_elsewhere(units: Mapping[Path, Unit]) -> dict[str, frozenset[str]]:
    """By file, its functions that the entries of other files called. Functions are named ``path::qualified.name``."""
    called: dict[str, set[str]] = {}
    for path, unit in units.items():
        for name in unit.called:
            file = name.partition("::")[0]
            if file != str(path):
                called.setdefault(file, set()).add(name)
    return {file: frozenset(names) for file, names in called.items()}


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """One finding per rule and place: the gravest, of equals the first."""
    best: dict[tuple[str, Place], Finding] = {}
    for finding in findings:
        key = (finding.code, finding.place)
        known = best.get(key)
        if known is None or _RANK.get(finding.severity, 3) < _RANK.get(known.severity, 3):
            best[key] = finding
    return list(best.values())


def statement_rows(tree: ast.Module) -> dict[int, tuple[int, int]]:
    """For each row of a statement (of a compound one: of its header) the first and the last row of it."""
    import ast

    rows: dict[int, tuple[int, int]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        last = node.end_lineno or node.lineno
        if isinstance(body, list) and body:
            last = max(body[0].lineno - 1, node.lineno)
        for row in range(node.lineno, last + 1):
            rows[row] = (node.lineno, last)
    return rows
