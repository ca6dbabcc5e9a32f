"""Models of libraries: one file per area. Importing a file registers its models."""

from __future__ import annotations

import importlib
import pkgutil

_loaded = False


def load_models() -> None:
    """Import every file of this folder once."""
    global _loaded
    if not _loaded:
        _loaded = True
        for info in pkgutil.iter_modules(__path__):
            importlib.import_module(f"{__name__}.{info.name}")
