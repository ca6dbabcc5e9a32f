"""How a file is named to a person: relative to where they stand when it lies below, absolute otherwise; and cells."""

from __future__ import annotations

import os
import re

_CELL = re.compile(r"(.*\.ipynb):cell (\d+)")


def cell_name(filename: str, cell: int) -> str:
    """The filename of a place in the cell (from 1) of a notebook."""
    return f"{filename}:cell {cell}"


def split_cell(filename: str) -> tuple[str, int | None]:
    """The file and the cell (None outside notebooks) of a place's filename."""
    match = _CELL.fullmatch(filename) if ":cell " in filename else None
    return (match[1], int(match[2])) if match else (filename, None)


def display(filename: str, cwd: str | None = None) -> str:
    """``filename`` relative to ``cwd`` (default: the current folder) when it lies below it."""
    if not os.path.isabs(filename):
        return filename
    base = os.path.join(cwd or os.getcwd(), "")
    return filename[len(base) :] if filename.startswith(base) else filename
