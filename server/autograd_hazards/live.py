"""A workspace for editors: texts change all the time, and the answer for the file being edited is wanted first."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograd_hazards import engine as engines
from autograd_hazards.cache import Edge, Unit
from autograd_hazards.config import Config
from autograd_hazards.findings import Finding, Place
from autograd_hazards.program.project import Project
from autograd_hazards.workspace import Workspace, map_places, merged


@dataclass(frozen=True, slots=True)
class _Known:
    """An outcome and the state of the project that it belongs to; ``texts`` are those of the files with findings."""

    unit: Unit
    called: frozenset[str]
    clock: int
    generation: int
    texts: Mapping[str, str]


class Outcomes:
    """The outcomes of files' analyses in memory, each good while nothing that its file imports has changed."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[Path, _Known] = {}
        self._closures: dict[Path, list[Path]] = {}
        self._generation = -1

    def get(self, path: Path, called: frozenset[str]) -> Unit | None:
        """The outcome of a file for ``called`` (see ``machine.analyse``), if it still holds."""
        known = self._known.get(path)
        if known is None or known.called != called or known.generation != self.project.generation:
            return None
        changed = self.project.changed
        if any(changed.get(other, 0) > known.clock for other in self._closure(path)):
            return None
        return known.unit

    def put(self, path: Path, called: frozenset[str], unit: Unit, edges: dict[str, set[Edge]]) -> None:
        """Keep the outcome of a file."""
        texts = {name: self.project.module_at(Path(name)).text for name in {f.place.filename for f in unit.findings}}
        self._known[path] = _Known(unit, called, self.project.clock, self.project.generation, texts)

    def save(self) -> None:
        """Nothing: these live as long as the process."""

    def elsewhere(self, path: Path) -> list[Finding]:
        """What other files' entries found in ``path`` when they were last analysed, moved to where that stands now."""
        name = str(path)
        text = self.project.module_at(path).text
        found = []
        for other, known in self._known.items():
            mine = [f for f in known.unit.findings if f.place.filename == name] if other != path else []
            if mine:
                move = moves(name, known.texts[name], text)
                found += [moved for f in mine if (moved := _moved(f, move)) is not None]
        return found

    def _closure(self, path: Path) -> list[Path]:
        """A file and all that it imports."""
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
            known = self._closures[path] = list(found)
        return known


def moves(filename: str, before: str, after: str) -> Callable[[Place], Place | None]:
    """How places of a file move when its text changes; None for one whose lines were edited."""
    if before == after:
        return lambda place: place
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    shift = len(new) - len(old)

    def move(place: Place) -> Place | None:
        if place.filename != filename or place.end_row <= head:
            return place
        if place.row > len(old) - tail:
            return replace(place, row=place.row + shift, end_row=place.end_row + shift)
        return None

    return move


def _moved(finding: Finding, move: Callable[[Place], Place | None]) -> Finding | None:
    """A finding whose places have moved; None when its own line was edited."""
    if move(finding.place) is None:
        return None
    return map_places(finding, lambda place: move(place) or place)


class LiveWorkspace(Workspace):
    """A workspace in which ``update`` and ``check`` take turns, and only what an edit could change is analysed anew."""

    def __init__(
        self,
        root: Path,
        config: Config,
        *,
        overlay: Mapping[Path, str] | None = None,
        engine: engines.Engine | None = None,
    ) -> None:
        super().__init__(root, config, overlay=overlay, jobs=1, engine=engine)
        self.project.remembers = True
        self.outcomes = Outcomes(self.project)
        self.cache = self.outcomes

    def update(self, path: Path, text: str | None) -> None:
        """Take ``text`` for a file from now on, or what is on disk for None (also when that has changed)."""
        path = Path(os.path.abspath(path))
        if text is None:
            self.overlay.pop(path, None)
        else:
            self.overlay[path] = text
        self.project.update(path, text, typing=text is not None)

    def check_first(self, path: Path) -> list[Finding]:
        """What the entries of the file itself give now, and what those of other files gave last time."""
        path = Path(os.path.abspath(path))
        units: dict[Path, Unit] = {}
        troubles: dict[Path, str] = {}
        self._round([(path, self.called_in(path))], units, troubles, None)
        own = [finding for finding in units[path].findings if finding.place.filename == str(path)]
        self._entries.update({(f.code, f.place): path for f in own})
        found = merged([*own, *self.outcomes.elsewhere(path)])
        kept = self._report(path, found, troubles.get(path, ""))
        return sorted(kept, key=lambda finding: (finding.place, finding.code, finding.message))

    def is_whole(self, path: Path) -> bool:
        """Whether ``check_first`` gives now what ``check`` would give: no caller has to be analysed anew."""
        callers = self.project.known_importers(path)
        if callers is None:
            return False
        return all(self.outcomes.get(other, self.called_in(other)) is not None for other in callers)

    def entries_of(self, paths: Sequence[Path]) -> list[Path]:
        """The files whose entries a check of ``paths`` analyses."""
        return list(dict.fromkeys([*paths, *self._importers(paths)]))
