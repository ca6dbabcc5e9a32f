"""Rules: one file each. A rule reads events of the machine and makes findings; its docstring is its documentation."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller

if TYPE_CHECKING:
    ALL: dict[str, Rule]  # every rule by its code; loaded when first asked for


def __getattr__(name: str) -> Any:
    if name != "ALL":
        raise AttributeError(name)
    globals()["ALL"] = rules = _load()
    return rules


def _load() -> dict[str, Rule]:
    rules = {}
    for info in pkgutil.iter_modules(__path__):
        if info.name.startswith("agh"):
            rule: Rule = importlib.import_module(f"{__name__}.{info.name}").RULE
            rules[rule.code] = rule
    return dict(sorted(rules.items()))


def find(analysis: Any, lines: Callable[[str], list[str]] | None = None) -> list[Finding]:
    """The findings of an analysis, one per place and code. ``lines`` gives a file's lines (for columns)."""
    return [finding for finding, _ in pairs(analysis, lines)]


def pairs(analysis: Any, lines: Callable[[str], list[str]] | None = None) -> list[tuple[Finding, Event]]:
    """As ``find``, each finding with the event that it was made from."""
    if not analysis.events:
        return []
    reader = lines or getattr(analysis, "lines", None) or _Reader()
    every = globals().get("ALL") or __getattr__("ALL")
    tellers = {code: Teller(rule, reader) for code, rule in every.items()}
    by_kind: dict[str, list[Rule]] = {}
    for rule in every.values():
        for kind in rule.on:
            by_kind.setdefault(kind, []).append(rule)
    found: dict[tuple[Any, ...], tuple[Finding, Event]] = {}
    for event in analysis.events:
        for rule in by_kind.get(event.kind, ()):
            finding = rule.check(event, tellers[rule.code])
            if finding is None:
                continue
            key = finding.code, finding.place
            known = found.get(key)
            if known is None or RANK[finding.severity] > RANK[known[0].severity]:
                found[key] = finding, event
    return sorted(found.values(), key=lambda pair: (pair[0].place, pair[0].code))


RANK = {"information": 0, "warning": 1, "error": 2}


class _Reader:
    """Reads and keeps the lines of files."""

    def __init__(self) -> None:
        self.files: dict[str, list[str]] = {}

    def __call__(self, path: str) -> list[str]:
        if path not in self.files:
            from ..source.files import SourceFile, read_source

            source = read_source(Path(path))
            self.files[path] = source.text.split("\n") if isinstance(source, SourceFile) else []
        return self.files[path]
