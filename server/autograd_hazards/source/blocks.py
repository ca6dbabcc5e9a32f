"""Cutting a text into top-level blocks without parsing it: strings, brackets and continuations are respected.

Used only for texts that do not parse as a whole. Works on texts whose line ends are all ``\n``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r'"""|\'\'\''  # the start of a triple-quoted string
    r'|"(?:[^"\\\n]|\\[\s\S])*"|\'(?:[^\'\\\n]|\\[\s\S])*\''  # a whole one-line string
    r"|#[^\n]*"
    r"|[()\[\]{}]"
    r"|\\\n"
    r"|\n(?=[^\s#])"  # a line that starts in column 0
)
_CLAUSE = re.compile(r"(?:else|elif|except|finally)\b")
_STATEMENT = re.compile(
    r"(?:async[ ]+def|def|class)[ ]+\w|@[\w.]+|import[ ]+\w|from[ ]+[\w.]+[ ]+import\b"
    r"|(?:if|for|while|with|try|async)\b[^\n]*:[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows ``first`` to ``last`` (from 1, both included) that hold one top-level statement and what trails it."""

    first: int
    last: int
    text: str


def split_blocks(text: str) -> list[Chunk]:
    """The chunks of a text, in order and without gaps."""
    starts = [0]
    position = 0
    depth = 0
    decorated = text.startswith("@")
    size = len(text)
    while position < size:
        match = _TOKEN.search(text, position)
        if match is None:
            break
        token = match[0]
        position = match.end()
        first = token[0]
        if first == "\n":
            if depth:
                continue
            if _CLAUSE.match(text, position):
                continue
            if not decorated:
                starts.append(position)
            decorated = text[position] == "@"
        elif first in "([{":
            depth += 1
        elif first in ")]}":
            depth = max(depth - 1, 0)
        elif token == '"""' or token == "'''":
            position = _string_end(text, position, token)
    return _chunks(text, starts)


def resume_points(text: str) -> list[int]:
    """Offsets of later lines of a broken chunk that surely start a statement: where to go on after the break."""
    points: list[int] = []
    position = text.find("\n") + 1
    while 0 < position < len(text):
        if _STATEMENT.match(text, position):
            points.append(position)
        position = text.find("\n", position) + 1
    return points


def _string_end(text: str, position: int, quote: str) -> int:
    """Where the triple-quoted string that starts before ``position`` ends; the text's end when it never does."""
    while True:
        end = text.find(quote, position)
        if end < 0:
            return len(text)
        backslash = text.find("\\", position, end)
        if backslash < 0:
            return end + 3
        position = backslash + 2


def _chunks(text: str, starts: list[int]) -> list[Chunk]:
    chunks: list[Chunk] = []
    row = 1
    for start, end in zip(starts, [*starts[1:], len(text)]):
        piece = text[start:end]
        rows = piece.count("\n")
        last = row + rows - (1 if piece.endswith("\n") else 0)
        chunks.append(Chunk(row, max(last, row), piece))
        row += rows
    return chunks
