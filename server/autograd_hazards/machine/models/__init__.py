"""Models of libraries: one file per area. Importing a file registers its models.

Most programs need few areas, and starting should be quick: an area is imported when a name of its libraries is first asked for.
"""

from __future__ import annotations

import importlib
import pkgutil

LAZY = ("distributions", "stdlib_", "libraries_", "numpy_", "torch_data")
_loaded: set[str] = set()


def load_models() -> None:
    """Import the files that every program needs: builtins, native values, ops, modules, optimizers."""
    _load("")


def load_for(name: str) -> None:
    """Import the files that may know a dotted name of a library."""
    if name.startswith("torch."):
        if name.startswith("torch.distributions"):
            _load("distributions")
        elif name.startswith("torch.utils.data"):
            _load("torch_data")
        return
    if not name.startswith("builtins."):
        for group in LAZY:
            _load(group)


def _load(group: str) -> None:
    if group in _loaded:
        return
    _loaded.add(group)
    for info in pkgutil.iter_modules(__path__):
        if info.name.startswith(group) if group else not info.name.startswith(LAZY):
            importlib.import_module(f"{__name__}.{info.name}")
