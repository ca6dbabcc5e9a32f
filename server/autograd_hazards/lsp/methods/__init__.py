"""One file per method of the protocol: ``METHOD``, ``handle(ls, params)``, and ``OPTIONS`` where the method has any."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def all_methods() -> Iterator[ModuleType]:
    """The modules of all methods, in the order of their names."""
    for info in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{info.name}")
