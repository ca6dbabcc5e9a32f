"""How a file is named to a person: relative to where they stand when it lies below, absolute otherwise."""

from __future__ import annotations

import os


def display(filename: str, cwd: str | None = None) -> str:
    """``filename`` relative to ``cwd`` (default: the current folder) when it lies below it."""
    if not os.path.isabs(filename):
        return filename
    base = os.path.join(cwd or os.getcwd(), "")
    return filename[len(base) :] if filename.startswith(base) else filename
