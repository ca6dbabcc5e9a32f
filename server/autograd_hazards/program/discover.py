"""All Python files and notebooks below a folder, to look for callers in. It does not decide what is checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_SKIPPED = frozenset({"__pycache__", "__pypackages__", "node_modules", "site-packages", "build", "dist", "venv", "env"})
_LOOKED_AT = 2_000


def _may_be_folder(name: str) -> bool:
    """Whether a folder of that name is looked into."""
    return "." not in name and name not in _SKIPPED


def may_hold_code(folder: Path, root: Path) -> bool:
    """Whether a path below ``root`` may be that of a folder in which ``project_files`` finds something, by its names."""
    return all(map(_may_be_folder, folder.relative_to(root).parts))


def holds_code(folder: Path) -> bool:
    """Whether a Python file or a notebook is among the first things below a folder: it may be one of a million pictures."""
    pending, seen = [str(folder)], 0
    for current in pending:
        try:
            with os.scandir(current) as entries:
                for entry in entries:
                    if entry.name.endswith((".py", ".ipynb")):
                        return True
                    if _may_be_folder(entry.name) and entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    seen += 1
                    if seen >= _LOOKED_AT:
                        return False
        except OSError:  # no folder, or none that may be read
            continue
    return False


def project_files(folder: Path, most: int) -> Iterator[Path]:
    """At most ``most`` files, folder by folder from the top, in the order of their names.

    Folders that hold no code of the project are left out: hidden ones, environments, build output. Links to folders are
    not followed, and a folder that may not be read holds nothing.
    """
    pending = [str(folder)]
    count = 0
    for current in pending:
        try:
            with os.scandir(current) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        if any(entry.name in ("pyvenv.cfg", "conda-meta") for entry in listed) and current != pending[0]:
            continue
        for entry in listed:
            if entry.name.startswith("."):
                continue
            if entry.name.endswith((".py", ".ipynb")):
                if entry.is_file():
                    yield Path(entry.path)
                    count += 1
                    if count >= most:
                        return
            elif _may_be_folder(entry.name) and entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
