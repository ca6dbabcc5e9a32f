"""What an analysis remembers for the next one of the same file: the outcome of entries whose reached code stands."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .events import Event


@dataclass(frozen=True, slots=True)
class Kept:
    """The outcome of one entry's runs, and what it rests on.

    ``loaded`` are the modules that were executed, by path. ``skeletons`` are all modules that could be, with what they
    were outside of functions; ``reached`` the functions and methods that ran, by module. ``seconds`` is the processor
    time that the runs took.
    """

    events: list[Event]
    called: set[Any]
    defects: list[str]
    loaded: dict[str, Any]
    skeletons: dict[Any, object]
    reached: dict[Any, frozenset[Any]]
    seconds: float


class Memory:
    """The outcomes of the entries of one file, by their function's node or, for the program itself, its path.

    A function that an edit leaves alone keeps its node (see ``source.graft``), so an outcome holds as long as the nodes
    that ran are still those of their modules.
    """

    def __init__(self) -> None:
        self._kept: dict[object, Kept] = {}
        self._next: dict[object, Kept] = {}
        self._modules: list[Any] = []
        self._project: Any = None
        self._version: str | None = None
        self.hits = 0
        self.misses = 0

    def begin(self, project: Any, torch_version: str | None) -> None:
        """Another analysis begins."""
        if project is not self._project or torch_version != self._version:
            self._kept.clear()
        self._project, self._version = project, torch_version
        self._kept.update(self._next)  # of an analysis that was cut short
        self._next = {}
        self.hits = self.misses = 0

    def end(self) -> None:
        """The analysis has ended: entries that are no more are forgotten."""
        self._kept, self._next = self._next, {}

    def find(self, key: object) -> Kept | None:
        """The outcome of an entry, if it still holds."""
        kept = self._kept.get(key)
        if kept is None or not self._holds(kept):
            self.misses += 1
            return None
        self.hits += 1
        self._next[key] = kept
        return kept

    def rests_on(self, modules: Iterable[Any]) -> None:
        """The modules that this analysis can reach."""
        self._modules = list(modules)

    def due(self, modules: Iterable[Any]) -> float:
        """About how many seconds of processor time the next analysis will take, by what the entries took before."""
        self.rests_on(modules)
        return sum(kept.seconds for kept in self._kept.values() if not self._holds(kept))

    def outcome(
        self,
        events: list[Event],
        called: set[Any],
        defects: list[str],
        loaded: dict[str, Any],
        seconds: float,
    ) -> Kept:
        """The outcome of an entry that has just been run."""
        reached: dict[Any, frozenset[Any]] = {}
        for module in self._modules:
            ran = frozenset(node for node in function_names(module) if node in called)
            if ran:
                reached[module] = ran
        skeletons = {module: module.parsed.skeleton for module in self._modules}
        return Kept(events, called, defects, loaded, skeletons, reached, seconds)

    def keep(self, key: object, outcome: Kept) -> None:
        """Remember the outcome of an entry."""
        self._next[key] = outcome

    def outcomes(self) -> Iterator[tuple[str, list[Event], frozenset[str]]]:
        """What the last analysis gave: each entry's name (a path for the program itself), its events, and the functions
        that it reached, as ``path::qualified.name``."""
        for key, kept in self._kept.items():
            names = {node: name for module in kept.reached for node, name in function_names(module).items()}
            own = {node: name for module in kept.skeletons for node, name in function_names(module).items()}
            reached = frozenset(names[node] for ran in kept.reached.values() for node in ran)
            yield own.get(key, str(key)), kept.events, reached

    def _holds(self, kept: Kept) -> bool:
        return len(kept.skeletons) == len(self._modules) and all(
            module in kept.skeletons
            and module.parsed.skeleton is kept.skeletons[module]
            and kept.reached.get(module, _NONE) <= function_names(module).keys()
            for module in self._modules
        )


_NONE: frozenset[Any] = frozenset()


def function_names(module: Any) -> Mapping[Any, str]:
    """The functions of a module and the methods of its classes, as ``path::qualified.name`` (kept with its tree)."""
    kept: dict[Any, str] | None = getattr(module.parsed.tree, "_function_names", None)
    if kept is not None:
        return kept
    found: dict[Any, str] = {}
    for node in module.parsed.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node] = f"{module.path}::{node.name}"
        elif isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[item] = f"{module.path}::{node.name}.{item.name}"
    module.parsed.tree._function_names = found
    return found
