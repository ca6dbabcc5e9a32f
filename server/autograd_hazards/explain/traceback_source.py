"""Finds the program that a traceback comes from: which frames are the user's, and where their lines are now."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .traceback import Place

_LIBRARY = ("site-packages", "dist-packages", os.sep + "lib" + os.sep + "python", "/lib/python")
_SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv", "site-packages"})
MOST_FILES = 20_000  # of a project that are looked through for a file of the right name


class Program:
    """The files at hand. ``root`` is the project's folder (or None); ``overlay`` holds texts that stand for files."""

    def __init__(self, root: Path | None, overlay: Mapping[Path, str] | None = None) -> None:
        self.root = root
        self.overlay = dict(overlay or {})
        self._by_name: dict[str, list[Path]] | None = None

    def text(self, path: Path) -> str | None:
        """The text of a file; None when it cannot be read."""
        if path in self.overlay:
            return self.overlay[path]
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def locate(self, frames: Sequence[Place]) -> list[Place]:
        """The frames that lie in the user's files, with the paths and rows that the lines have here and now."""
        found = []
        for frame in frames:
            path = self._path(frame)
            if path is not None:
                found.append(replace(frame, file=str(path), row=self._row(path, frame)))
        return found

    def _path(self, frame: Place) -> Path | None:
        name = frame.file.replace("\\", "/")
        if name.startswith("<") or any(part.replace(os.sep, "/") in name for part in _LIBRARY):
            return None
        direct = Path(os.path.expanduser(frame.file))
        for candidate in ([direct] if direct.is_absolute() else []) + ([self.root / direct] if self.root else []):
            path = Path(os.path.abspath(candidate))
            if path in self.overlay or (path.is_file() and self._inside(path)):
                return path
        if not name.endswith(".py"):
            return self._cell(frame)
        parts = name.split("/")
        named = self._named(parts[-1])
        if not named:
            return None
        # The traceback may come from another machine: the file whose path has most of its end in common.
        return max(named, key=lambda path: (_common_end(path.parts, parts), self._fits(path, frame)))

    def _inside(self, path: Path) -> bool:
        return self.root is None or self.root in path.parents or path.parent == self.root

    def _named(self, name: str) -> list[Path]:
        if self._by_name is None:
            self._by_name = {}
            count = 0
            for folder, folders, files in os.walk(self.root) if self.root is not None else ():
                folders[:] = [f for f in folders if f not in _SKIPPED]
                for file in files:
                    if file.endswith(".py"):
                        self._by_name.setdefault(file, []).append(Path(folder) / file)
                count += len(files)
                if count > MOST_FILES:
                    break
            for path in self.overlay:
                self._by_name.setdefault(path.name, []).append(path)
        return self._by_name.get(name, [])

    def _cell(self, frame: Place) -> Path | None:
        """The only file at hand that has the frame's line of code: a cell's text, pasted as a program."""
        if not frame.code:
            return None
        fitting = [path for path in self.overlay if self._fits(path, frame)]
        return fitting[0] if len(fitting) == 1 else None

    def _fits(self, path: Path, frame: Place) -> bool:
        text = self.text(path) if frame.code else None
        return text is not None and any(line.strip() == frame.code for line in text.split("\n"))

    def _row(self, path: Path, frame: Place) -> int:
        """Where the frame's line is now: lines move while people try things."""
        text = self.text(path)
        if text is None or not frame.code:
            return frame.row
        lines = [line.strip() for line in text.split("\n")]
        if 0 < frame.row <= len(lines) and lines[frame.row - 1].startswith(frame.code[:40]):
            return frame.row
        rows = [row for row, line in enumerate(lines, 1) if line == frame.code]
        return min(rows, key=lambda row: abs(row - frame.row)) if rows else frame.row


def _common_end(path: Sequence[str], parts: Sequence[str]) -> int:
    count = 0
    for mine, theirs in zip(reversed(path), reversed(parts), strict=False):
        if mine != theirs:
            break
        count += 1
    return count


Lines = Callable[[str], Sequence[str]]
