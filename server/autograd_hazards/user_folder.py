"""The folder in which this program may keep what makes it faster, outside of any project."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "autograd-hazards"


def cache_folder() -> Path | None:
    """The user's own cache folder for this program, which need not exist; None where there is no place for one.

    ``AUTOGRAD_HAZARDS_CACHE`` names another, and empty it says that nothing shall be kept.
    """
    given = os.environ.get("AUTOGRAD_HAZARDS_CACHE")
    if given is not None:
        return Path(given) if os.path.isabs(given) else None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / NAME if os.path.isabs(base) else None
