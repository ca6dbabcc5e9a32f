"""Regular expressions that are compiled when they are first used: most runs need few of them, and starting should be quick."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for a compiled pattern until somebody asks it for something."""

    __slots__ = ("_compiled", "_flags", "_pattern")

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags
        self._compiled: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(self._pattern, self._flags)
        return getattr(self._compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like ``re.compile``, later. Raises ``re.error`` on first use when the pattern is wrong."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
