"""Spellings of older Pythons in today's words, so that a block written for them can still be followed.

Rows stay as they are, and so do the columns of what counts: words are replaced by others of the same length, except
where a line has nothing more to say.
"""

from __future__ import annotations

import re

_SPELLINGS = (
    (re.compile(r"\basync(?=\s*=[^=])"), "asynk"),  # .cuda(async=True), before Python 3.7
    (re.compile(r"^(\s*|.*[:;]\s*)print >>", re.MULTILINE), r"\1print,  "),
    (re.compile(r"^(\s*|.*[:;]\s*)(print|exec) (?=[\"'\w\[{(+~-])", re.MULTILINE), r"\1\2,"),
    (re.compile(r"^(\s*except\b[^:,(\n]*|\s*except\s*\([^)\n]*\)\s*),\s*([a-z_]\w*)\s*:", re.MULTILINE), r"\1 as \2:"),
    (re.compile(r"^(\s*raise\s+[\w.]+),", re.MULTILINE), r"\1#"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"\b(\d+)L\b"), r"\1 "),
    (re.compile(r"\b0(?=[0-7]{3}\b)"), "0o"),
)


def modernised(text: str) -> str | None:
    """The text with the spellings of older Pythons replaced; None when there are none."""
    result = text
    for pattern, new in _SPELLINGS:
        result = pattern.sub(new, result)
    return result if result != text else None
