"""Rows and columns: what ``ast`` counts in UTF-8 bytes, editors in UTF-16 units and people in characters.

A row ends at ``\n``, ``\r\n`` or a lone ``\r`` (as for Python's tokenizer and for editors), never at a form feed or at
the Unicode separators on which ``str.splitlines`` also breaks. Rows and character columns count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LINE_END = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` without their ends; a text that ends with a line end has an empty last line."""
    if "\r" in text:
        return _LINE_END.split(text)
    return text.split("\n")


def row_starts(text: str) -> list[int]:
    """The offset at which each row begins."""
    starts = [0]
    for line in split_lines(text)[:-1]:
        position = starts[-1] + len(line)
        starts.append(position + (2 if text.startswith("\r\n", position) else 1))
    return starts


def unify_newlines(text: str) -> str:
    """``text`` with every line end written as ``\\n``; rows and columns stay what they were."""
    if "\r" in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def column_from_utf8(line: str, offset: int) -> int:
    """The character column (from 1) of a UTF-8 byte offset (from 0), which is what ``ast`` calls ``col_offset``.

    An offset within a character counts as that character's own, one behind the line's end as the end.
    """
    if offset <= 0:
        return 1
    if line.isascii():
        return min(offset, len(line)) + 1
    return _characters_within(line, offset, _width8) + 1


def column_to_utf8(line: str, column: int) -> int:
    """The UTF-8 byte offset (from 0) of a character column (from 1)."""
    head = line[: max(column - 1, 0)]
    return len(head) if head.isascii() else len(head.encode("utf-8", "surrogatepass"))


def column_from_utf16(line: str, units: int) -> int:
    """The character column (from 1) of a UTF-16 offset (from 0), the unit of most editors."""
    if units <= 0:
        return 1
    if line.isascii():
        return min(units, len(line)) + 1
    return _characters_within(line, units, _width16) + 1


def column_to_utf16(line: str, column: int) -> int:
    """The UTF-16 offset (from 0) of a character column (from 1)."""
    head = line[: max(column - 1, 0)]
    return len(head) if head.isascii() else sum(map(_width16, head))


def column_from_utf32(line: str, offset: int) -> int:
    """The character column (from 1) of an offset in code points (from 0)."""
    return min(max(offset, 0), len(line)) + 1


def column_to_utf32(line: str, column: int) -> int:
    """The offset in code points (from 0) of a character column (from 1)."""
    return min(max(column - 1, 0), len(line))


def _width8(character: str) -> int:
    code = ord(character)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _width16(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1


def _characters_within(line: str, units: int, width: Callable[[str], int]) -> int:
    """How many whole characters fit into the first ``units`` units of the line."""
    used = 0
    for index, character in enumerate(line):
        used += width(character)
        if used > units:
            return index
    return len(line)
