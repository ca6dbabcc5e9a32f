"""URIs of files, and names for documents that are in no file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from pygls.uris import from_fs_path, to_fs_path

T = TypeVar("T")

# Where documents without a file (a new buffer, another machine's file) are taken to lie: in no project.
NOWHERE = Path(os.path.abspath(os.sep)) / "autograd-hazards-unsaved"
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def path_of(uri: str) -> Path:
    """The absolute path of a file's URI; for any other document a path below ``NOWHERE`` that stands for it."""
    if uri.startswith("file:"):
        found = to_fs_path(uri)
        if found:
            return Path(os.path.abspath(found))
    name = _UNSAFE.sub("-", uri).strip("-") or "document"
    return NOWHERE / (name if name.endswith((".py", ".ipynb")) else f"{name}.py")


def uri_of(path: Path | str) -> str:
    """The URI of a file."""
    return from_fs_path(str(path)) or Path(path).as_uri()


def innermost(path: Path, by_folder: Mapping[Path, T], default: T) -> T:
    """What belongs to the innermost of these folders that a path lies in; ``default`` where it lies in none."""
    around = [folder for folder in by_folder if path == folder or folder in path.parents]
    return by_folder[max(around, key=lambda folder: len(folder.parts))] if around else default


def under(path: Path, folders: Iterable[Path]) -> Path | None:
    """The path of a file as one that has the innermost of these folders open writes it; None for a file in none.

    A file may be named by another path than its folder: without the symbolic links that lead to the folder, or with the
    drive's letter in another case.
    """
    inner_first = sorted(folders, key=lambda folder: -len(folder.parts))
    for folder in inner_first:
        if path.is_relative_to(folder):
            return folder / path.relative_to(folder)
    try:
        real = Path(os.path.realpath(path))
        ends = [(folder, Path(os.path.realpath(folder))) for folder in inner_first]
    except ValueError:  # no path that a disk could have
        return None
    # First as it stands: a link within the folder is no other name of the folder, and stays in the path.
    for name in (path, real):
        for folder, end in ends:
            if name.is_relative_to(end):
                return folder / name.relative_to(end)
    return None
