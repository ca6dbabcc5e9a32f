"""How many terminal columns text takes, so that markers stand below what they mean."""

from __future__ import annotations

import unicodedata

TAB = 4
_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"


def char_width(char: str) -> int:
    """Columns of one character on a terminal: 0 for combining and invisible ones, 2 for wide ones, else 1."""
    if " " <= char <= "~":
        return 1
    if (
        char in (_JOINER, _EMOJI_STYLE)
        or unicodedata.combining(char)
        or unicodedata.category(char) in ("Mn", "Me", "Cf")
    ):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def layout(line: str) -> tuple[str, list[int]]:
    """Make ``line`` printable and say where each character stands.

    Tabs become spaces up to the next stop, control characters become a visible sign of one column. The list has one
    entry per character of ``line`` and one for its end: the display column, from 0, at which it begins.
    """
    if line.isascii() and line.isprintable():
        return line, list(range(len(line) + 1))
    shown: list[str] = []
    columns: list[int] = []
    at = 0
    joined = False
    for char in line:
        columns.append(at)
        if char == "\t":
            step = TAB - at % TAB
            shown.append(" " * step)
            at += step
            continue
        width = char_width(char)
        if width and unicodedata.category(char) == "Cc":
            char = "\u2423" if char == "\x0c" else "\ufffd"
        # A sign after a joiner merges with the one before it into one picture.
        at += 0 if joined else width
        joined = char == _JOINER
        shown.append(char)
    columns.append(at)
    return "".join(shown), columns
