"""Errors that a test waits for (``pytest.raises``, ``assertRaises``) are what it wants, and no hazards."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from .events import MARK

# Where the context managers are that catch what was expected, by version of pytest.
_WAITING = (
    ("_pytest.raises", "RaisesExc"),
    ("_pytest.python_api", "RaisesContext"),
    ("unittest.case", "_AssertRaisesContext"),
)


def install(replace: Callable[[Any, str, Callable[[Any], Any]], None]) -> None:
    """Stand behind what is loaded of test runners until the recording stops."""
    for module, name in _WAITING:
        waiting = getattr(sys.modules.get(module), name, None)
        if waiting is not None:
            replace(waiting, "__exit__", _leaving)


def _leaving(original: Any) -> Any:
    @functools.wraps(original)
    def leave(self: Any, kind: Any, error: Any, trace: Any) -> Any:
        caught = original(self, kind, error, trace)
        event = getattr(error, MARK, None)
        if caught and event is not None:
            event["expected"] += 1
        return caught

    return leave
