"""The programs under ``cases/`` and ``negatives/`` and what is known of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
CASES = ("cases", "more", "more_silent", "more_real")
NEGATIVES = ("negatives", "more_negatives", "more_negatives_silent")


@dataclass(frozen=True, slots=True)
class Program:
    """One runnable program: a script, or a folder whose ``main.py`` is run from inside it."""

    name: str
    path: Path

    @property
    def main(self) -> Path:
        """The file that Python is given."""
        return self.path / "main.py" if self.path.is_dir() else self.path

    @property
    def root(self) -> Path:
        """The folder to run in."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def files(self) -> list[Path]:
        """Every Python file of the program, the main one first."""
        if not self.path.is_dir():
            return [self.path]
        return sorted(self.path.rglob("*.py"), key=lambda path: (path != self.main, path))


@dataclass(frozen=True, slots=True)
class Case:
    """A public report: the program that shows the hazard, the mended one, and the facts of ``meta.json``."""

    name: str
    bad: Program
    fixed: Program
    rule: str
    error: str | None
    silent_check: str | None
    file: Path
    hazard_rows: frozenset[int]
    related_rows: frozenset[int]

    @property
    def loud(self) -> bool:
        """Whether torch raises by itself."""
        return self.error is not None


def _program(folder: Path, name: str) -> Program:
    inside = folder / name
    return Program(f"{folder.name}/{name}", inside if inside.is_dir() else folder / f"{name}.py")


def _case(folder: Path) -> Case:
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return Case(
        name=folder.name,
        bad=_program(folder, "bad"),
        fixed=_program(folder, "fixed"),
        rule=meta["rule"],
        error=meta["error"],
        silent_check=meta.get("silent_check"),
        file=folder / meta["file"],
        hazard_rows=frozenset(meta["hazard_lines"]),
        related_rows=frozenset(meta["related_lines"]),
    )


def cases() -> list[Case]:
    """All cases, by name."""
    metas = sorted(meta for folder in CASES for meta in (HERE / folder).glob("*/meta.json"))
    return [_case(meta.parent) for meta in metas]


def negatives() -> list[Program]:
    """All programs that look hazardous and are right."""
    paths = sorted(path for folder in NEGATIVES for path in (HERE / folder).glob("*.py"))
    return [Program(f"negatives/{path.stem}", path) for path in paths]
