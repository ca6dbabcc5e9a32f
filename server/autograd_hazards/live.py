"""A workspace for editors: texts change all the time, and the answer for the file being edited is wanted first."""

from __future__ import annotations

import math
import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograd_hazards import engine as engines
from autograd_hazards.cache import Edge, Unit
from autograd_hazards.catalogue import UNREADABLE_SOURCE
from autograd_hazards.config import Config
from autograd_hazards.engine import RecordingProject
from autograd_hazards.findings import Finding, Place
from autograd_hazards.kept import Kept, kept_for
from autograd_hazards.messages import say
from autograd_hazards.program.modules import Module
from autograd_hazards.source.parse import common_prefix, common_suffix
from autograd_hazards.source.positions import row_starts
from autograd_hazards.workspace import Workspace, called_elsewhere, merged

# Characters of text whose trees are kept beside those of what is open: a tree takes some fifty times its text.
MOST_PARSED = 600_000
# From this many files on, a process of their own pays: it takes half a second to start.
MANY = 4


@dataclass(frozen=True, slots=True)
class _Known:
    """An outcome and the state of the project that it belongs to; ``texts`` are those of the files with findings."""

    unit: Unit
    called: frozenset[str]
    clock: int
    generation: int
    texts: Mapping[str, str]


_NOTHING: dict[str, frozenset[str]] = {}


class Outcomes:
    """The outcomes of files' analyses in memory, each good while nothing that its file imports has changed.

    A file that has none yet is looked for in what an earlier process has ``kept``.
    """

    def __init__(self, project: RecordingProject, kept: Kept | None = None) -> None:
        self.project = project
        self.kept = kept
        self._unkept: dict[tuple[Path, frozenset[str]], _Known] = {}  # analysed since ``keep``
        self._looked_for: set[tuple[Path, frozenset[str]]] = set()
        self._known: dict[Path, _Known] = {}  # the newest
        self._uncalled: dict[Path, _Known] = {}  # the newest for no ``called``, with which every check begins
        self._calls: dict[Path, dict[str, frozenset[str]]] = {}
        self._closures: dict[Path, list[Module]] = {}
        self._generation = -1

    def get(self, path: Path, called: frozenset[str]) -> Unit | None:
        """The outcome of a file for ``called`` (see ``machine.analyse``), if it still holds."""
        known = self._known.get(path)
        if known is None or known.called != called:
            known = None if called else self._uncalled.get(path)
        if known is None:
            return self._take(path, called)
        return known.unit if self._holds(path, known) else None

    def _holds(self, path: Path, known: _Known) -> bool:
        if known.generation != self.project.generation:
            return False
        changed = self.project.changed
        return not any(changed.get(module.path, 0) > known.clock for module in self.closure(path))

    def _take(self, path: Path, called: frozenset[str]) -> Unit | None:
        """An outcome that an earlier process has kept: looked for once, and only while nobody has edited the file."""
        if self.kept is None or path in self.project.changed or (path, called) in self._looked_for:
            return None
        self._looked_for.add((path, called))
        unit = self.kept.get(path, called)
        if unit is not None:
            self._know(path, called, unit)
        return unit

    def put(self, path: Path, called: frozenset[str], unit: Unit, edges: dict[str, set[Edge]]) -> None:
        """Take the outcome of an analysis."""
        known = self._know(path, called, unit)
        if self.kept is not None:
            self._unkept[path, called] = known

    def _know(self, path: Path, called: frozenset[str], unit: Unit) -> _Known:
        named = {place.filename for f in unit.findings for place in (f.place, f.fails_at) if place is not None}
        texts = {name: self.project.module_at(Path(name)).text for name in named}
        known = self._known[path] = _Known(unit, called, self.project.clock, self.project.generation, texts)
        if not called:
            self._uncalled[path] = known
            self._calls[path] = called_elsewhere({path: unit})
        return known

    def calls(self, path: Path, file: Path) -> frozenset[str]:
        """The functions of another file that the entries of a file called when all of them were analysed last."""
        return self._calls.get(path, _NOTHING).get(str(file), frozenset())

    def save(self) -> None:
        """Nothing: ``keep`` writes, when there is time."""

    def keep(self) -> None:
        """Write down, for other processes, what was found since the last time and still holds."""
        if self.kept is not None and self._unkept:
            units = [(path, called, k.unit) for (path, called), k in self._unkept.items() if self._holds(path, k)]
            self.kept.keep(units, self.project.edges)
            self._unkept.clear()  # not before: it may be cancelled

    def moved(self, path: Path, *, own: bool) -> list[Finding]:
        """What was found in ``path`` when files were last analysed, moved to where that stands now.

        By the entries of other files, with ``own`` by those of ``path``, too. What is wrong with the text itself is not
        among it.
        """
        name = str(path)
        text = self.project.module_at(path).text
        found = []
        for other, known in self._known.items():
            if other == path and not own:
                continue
            mine = [f for f in known.unit.findings if f.place.filename == name and f.code != UNREADABLE_SOURCE.code]
            if mine:
                move = moves(name, known.texts[name], text)
                found += [moved for f in mine if (moved := _moved(f, move)) is not None]
        return found

    def failing(self, path: Path) -> list[Finding]:
        """What fails in ``path`` because of another file, each as found there, its failure where that stands now."""
        name = str(path)
        text = self.project.module_at(path).text
        found: dict[tuple[str, Place], Finding] = {}
        for known in self._known.values():
            for finding in known.unit.findings:
                fails = finding.fails_at
                if fails is not None and fails.filename == name != finding.place.filename:
                    place = moves(name, known.texts[name], text)(fails)
                    if place is not None:
                        found.setdefault((finding.code, place), replace(finding, fails_at=place))
        return list(found.values())

    def __contains__(self, path: Path) -> bool:
        """Whether there is an outcome of a file, be it still good or not."""
        return path in self._known

    def closure(self, path: Path) -> list[Module]:
        """A file's module and all that it imports."""
        if self._generation != self.project.generation:
            self._generation = self.project.generation
            self._closures.clear()
        known = self._closures.get(path)
        if known is None:
            found = {path: self.project.module_at(path)}
            pending = [found[path]]
            for module in pending:
                for other in self.project.imported_by(module):
                    if other.path not in found:
                        found[other.path] = other
                        pending.append(other)
            known = self._closures[path] = list(found.values())
        return known


def moves(filename: str, before: str, after: str) -> Callable[[Place], Place | None]:
    """How places of a file move when its text is edited in one spot; None for one whose text is gone."""
    if before == after:
        return lambda place: place
    head = common_prefix(before, after)
    tail = common_suffix(before, after, min(len(before), len(after)) - head)
    end, shift = len(before) - tail, len(after) - len(before)
    old, new = row_starts(before), row_starts(after)

    def moved(row: int, column: int) -> tuple[int, int]:
        offset = (old[row - 1] if row <= len(old) else len(before)) + column - 1
        if offset >= end:
            offset += shift
        elif offset > head:
            offset = min(offset, end + shift)
        place = bisect_right(new, offset)
        return place, offset - new[place - 1] + 1

    def move(place: Place) -> Place | None:
        if place.filename != filename:
            return place
        start, stop = moved(place.row, place.column), moved(place.end_row, place.end_column)
        return Place(filename, *start, *stop) if start < stop else None

    return move


def _moved(finding: Finding, move: Callable[[Place], Place | None]) -> Finding | None:
    """A finding whose places have moved; None when its own line was edited. Steps whose text is gone are left out."""
    place = move(finding.place)
    if place is None:
        return None
    fails = move(finding.fails_at) if finding.fails_at is not None else None
    steps = tuple(replace(step, place=to) for step in finding.related if (to := move(step.place)) is not None)
    return replace(finding, place=place, fails_at=fails, related=steps, fixes=())


class LiveWorkspace(Workspace):
    """A workspace in which ``update`` and ``check`` take turns, and only what an edit could change is analysed anew.

    With ``keeps`` it starts from what an earlier one has kept in the user's cache folder.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        *,
        overlay: Mapping[Path, str] | None = None,
        engine: engines.Engine | None = None,
        keeps: bool = False,
    ) -> None:
        super().__init__(root, config, overlay=overlay, jobs=1, engine=engine)
        self.project.remembers = True
        self.project.most_parsed = MOST_PARSED
        self.outcomes = Outcomes(
            self.project, kept_for(self.root, self.config.fingerprint(), self.project) if keeps else None
        )
        self.cache = self.outcomes

    def update(self, path: Path, text: str | None) -> None:
        """Take ``text`` for a file from now on, or what is on disk for None (also when that has changed)."""
        path = Path(os.path.abspath(path))
        if text is None:
            self.overlay.pop(path, None)
        else:
            self.overlay[path] = text
        self.project.update(path, text, typing=text is not None)

    def look(self, path: Path) -> tuple[list[Finding], bool]:
        """As ``check_first``, but entries that show nothing are left early; and whether there were such."""
        return self._first(path, engines.look)

    def check_first(self, path: Path) -> list[Finding]:
        """What the entries of the file itself give now, and what those of other files gave last time."""
        return self._first(path, self.engine)[0]

    def _first(self, path: Path, engine: engines.Engine) -> tuple[list[Finding], bool]:
        path = Path(os.path.abspath(path))
        called = self.called_in(path)
        unit, trouble = self.outcomes.get(path, called), ""
        if unit is None:
            outcome = self._by_itself((path, called), engine)
            unit, trouble = outcome.unit, outcome.trouble
            if not trouble and not unit.hurried:
                self.outcomes.put(path, called, unit, outcome.edges)
        own = [finding for finding in unit.findings if finding.place.filename == str(path)]
        self._entries.update({(f.code, f.place): path for f in own})
        found = merged([*own, *self.outcomes.moved(path, own=False)])
        kept = self._report(path, found, trouble)
        return sorted(kept, key=lambda finding: (finding.place, finding.code, finding.message)), unit.hurried

    def takes(self, path: Path) -> float:
        """About how many seconds ``check_first`` will take; 0 for a file of which nothing is known.

        Infinity where something is known, but nothing is left of its analysis (or it was that of another process), so that
        all of it has to be done again.
        """
        if path not in self.outcomes:
            return 0.0
        memory = self.project.memories.get(path)
        if memory is None:
            holds = self.outcomes.get(path, self.called_in(path)) is not None
            return 0.0 if holds or not self.project.uses_torch(self.project.module_at(path)) else math.inf
        return float(memory.due(self.outcomes.closure(path)))

    def called_in(self, path: Path) -> frozenset[str]:
        """The functions of a file that its callers, as they were analysed last, call: what ``check`` would find."""
        callers = self.project.known_importers(path)
        if callers is None:
            return super().called_in(path)
        return frozenset().union(*(self.outcomes.calls(other, path) for other in callers))

    def check_moved(self, path: Path) -> list[Finding]:
        """Without any analysis: what was found last time, where it stands now, and what does not parse."""
        found = merged([*self.outcomes.moved(path, own=True), *engines.problems(self.project, path)])
        kept = self._report(path, found, "")
        return sorted(kept, key=lambda finding: (finding.place, finding.code, finding.message))

    def failures(self, path: Path) -> list[Finding]:
        """Findings that lie in other files and make a line of this one fail, told as findings of that line."""
        told = []
        for finding in self.applying(self.outcomes.failing(path), self.project):
            if finding.fails_at is not None:
                name = finding.place.filename.replace("\\", "/").rpartition("/")[2]
                cause = say(
                    "{message} The cause is in `{file}`, line {row}.",
                    message=finding.message, file=name, row=finding.place.row,
                )  # fmt: skip
                told.append(replace(finding, place=finding.fails_at, message=cause))
        return told

    def _outcomes(self, tasks: Sequence[engines.Task]) -> Iterator[tuple[engines.Task, engines.Outcome]]:
        """As in any workspace, but what would take too much memory is analysed by a process that ends afterwards.

        An analysis leaves holes in the memory of its process, which then stays as large as it was at most.
        """
        elsewhere = self._too_much([task for task in tasks if task[0] not in self.project.memories])
        yield from super()._outcomes([task for task in tasks if task not in elsewhere])
        if elsewhere:
            for task, outcome in self._by_processes(elsewhere, jobs=1):
                for name, edges in outcome.edges.items():
                    self.project.edges.setdefault(name, set()).update(edges)
                yield task, outcome

    def _too_much(self, tasks: list[engines.Task]) -> list[engines.Task]:
        """The tasks, if there are so many that their trees would not be kept for the next time."""
        if len(tasks) < MANY:
            return []
        modules = {module for path, _ in tasks for module in self.outcomes.closure(path)}
        return tasks if sum(len(module.text) for module in modules) > self.project.most_parsed // 2 else []

    def is_whole(self, path: Path) -> bool:
        """Whether ``check_first`` gives now what ``check`` would give: no caller has to be analysed anew."""
        callers = self.project.known_importers(path)
        if callers is None:
            return False
        return all(
            self.outcomes.get(other, called) is not None
            for other in callers
            for called in {frozenset(), self.called_in(other)}
        )
