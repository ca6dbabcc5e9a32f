"""Outcomes that outlive the process: what an editor's session has found is there when the file is opened again.

They are kept in the user's cache folder, in the form of the cache on disk (see ``cache``), but by the texts that the
project has and not by what is on disk, so that an editor's unsaved texts count like any others.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograd_hazards.cache import Cache, Edge, Unit, blake2b, closure
from autograd_hazards.limits import checkpoint
from autograd_hazards.program.project import Project
from autograd_hazards.source.files import SourceFile
from autograd_hazards.user_folder import cache_folder

FOLDER = "outcomes"
UNUSED = 30 * 24 * 3600.0  # seconds after which what is kept for a project is thrown away
Called = frozenset[str]


class _ByText(Cache):
    """The cache on disk with other hashes: of the texts that the project has."""

    def _digest(self, name: str) -> str:
        digest = self._digests.get(name)
        if digest is None:
            source = self.project.module_at(Path(name)).source
            told = f"{source.kind}\0{source.text}" if isinstance(source, SourceFile) else f"\0{source}"
            digest = blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            self._digests[name] = digest
        return digest


class Kept:
    """What is kept for the project below one root. ``context`` is what else outcomes depend on."""

    def __init__(self, folder: Path, context: str, project: Project) -> None:
        self.folder = folder
        self.context = context
        self.project = project
        self._reading: tuple[tuple[int, int], _ByText] | None = None

    def get(self, path: Path, called: Called) -> Unit | None:
        """The outcome of a file, if it was kept and nothing that it rests on has changed."""
        state = self.project.generation, self.project.clock
        if self._reading is None or self._reading[0] != state:
            self._reading = state, _ByText(self.folder, self.context, self.project)
        return self._reading[1].get(path, called)

    def keep(self, units: Iterable[tuple[Path, Called, Unit]], edges: Mapping[str, set[Edge]]) -> None:
        """Write outcomes of the texts as they are now, all or (when cancelled) none. ``edges``: the imports resolved."""
        cache = _ByText(self.folder, self.context, self.project)
        known = dict(edges)
        for path, called, unit in units:
            checkpoint()
            if not any(self._in_pieces(Path(name)) for name in closure(str(path), known)):
                cache.put(path, called, unit, known)
        cache.save()
        self._reading = None

    def _in_pieces(self, path: Path) -> bool:
        """Whether a text does not parse: what is found then depends on how it came about (see ``source.parse``)."""
        parsed = self.project.module_at(path).__dict__.get("parsed")
        return parsed is not None and bool(parsed.problems)


def kept_for(root: Path, context: str, project: Project) -> Kept | None:
    """What is kept for a project; None where nothing can be."""
    folder = cache_folder()
    if folder is None:
        return None
    name = blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return Kept(folder / FOLDER / name, context, project)


def tidy() -> None:
    """Throw away what is kept for projects that nobody has worked on for long."""
    folder = cache_folder()
    if folder is None:
        return
    try:
        for each in (folder / FOLDER).iterdir():
            if time.time() - each.stat().st_mtime > UNUSED:
                shutil.rmtree(each, ignore_errors=True)
    except OSError:  # there is none, or another process tidies
        return
