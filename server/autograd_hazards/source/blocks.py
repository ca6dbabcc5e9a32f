r"""Cutting a text into blocks without parsing it: strings, brackets and continuations are respected.

A block is one top-level statement with its decorators and clauses, and the blank and comment lines after it. Used for
texts that do not parse as a whole, and for the part of a text that an edit touched. Line ends must be ``\n``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograd_hazards.source.patterns import lazy

_CODE = (
    r'"""|\'\'\''  # the start of a triple-quoted string
    r'|"(?:[^"\\\n]|\\[\s\S])*"|\'(?:[^\'\\\n]|\\[\s\S])*\''  # a whole one-line string
    r"|#[^\n]*"
    r"|[()\[\]{}]"
    r"|\\\n"
)
_TOP_TOKEN = lazy(_CODE + r"|\n(?=[^\s#\\])")  # of the line ends only those before a line that starts in column 0
_ANY_TOKEN = lazy(_CODE + r"|\n(?=[ \t]*[^\s#\\])")
_DECORATED = lazy(r"[ \t]*(?:@|def\b|class\b|async\b)")  # what a decorator may stand before
_BLOCK = lazy(r"[^\s#\\]")
_CLAUSE = lazy(r"[ \t]*(?:else|elif|except|finally)\b")
# Lines that cannot stand within brackets: where one comes, a bracket above it was left open.
_RESUME = lazy(
    r"[ \t]*(?:(?:async[ \t]+)?(?:def|class|with|while)[ \t(]|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b"
    r"|(?:return|raise|assert|del|global|nonlocal)[ \t]+\w|(?:pass|break|continue|return)[ \t]*$|try[ \t]*:"
    r"|(?:if|for)\b[^\n]*:[ \t]*(?:#[^\n]*)?$|@[A-Za-z_][\w.]*[ \t]*(?:\(|$))",
    re.MULTILINE,
)
# Lines that are surely code and no prose, for finding code that a string left open has swallowed.
_CODE_LINE = lazy(
    r"^(?:(?:async[ ]+)?def[ ]+\w+[ ]*\(|class[ ]+\w+[ ]*[:(]|@[\w.]+[ ]*(?:\(|$)|import[ ]+[\w.]+[ ]*(?:,|as\b|$)"
    r"|from[ ]+[\w.]+[ ]+import\b|if[ ]+__name__[ ]*==)",
    re.MULTILINE,
)
# Within brackets that are never closed: lines that look like statements rather than like arguments.
_LOOSE_LINE = lazy(
    r"^(?:[A-Za-z_][\w.]*(?:\[[^\n\]]*\])?[ ]*(?:[-+*/@%&|^]|//|\*\*|<<|>>)?=(?!=)|[A-Za-z_][\w.]*\()[^\n]*(?<!,)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The rows ``first`` to ``last`` (from 1, both included) of one block, and their text."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Scan:
    """``starts``: offsets at which a block (or a logical line) starts. ``strings``: the triple-quoted strings' spans.

    ``open_bracket`` and ``open_string`` are offsets of what the text leaves open, -1 for none. ``whole`` says that the
    text's last statement is complete: nothing open, no decorator that waits for its function (``decorated``), no
    continuation.
    """

    starts: list[int]
    strings: list[tuple[int, int]]
    open_bracket: int
    open_string: int
    decorated: bool
    whole: bool


def scan_blocks(text: str) -> Scan:
    """Where the top-level blocks of a text start."""
    return _scan(text, _TOP_TOKEN, blocks=True)


def scan_lines(text: str) -> Scan:
    """Where the logical lines of a text start, at any indentation."""
    return _scan(text, _ANY_TOKEN, blocks=False)


def split_blocks(text: str) -> list[Chunk]:
    """The blocks of a text, in order and without gaps."""
    return chunks_at(text, scan_blocks(text).starts)


def chunks_at(text: str, starts: list[int], first: int = 1) -> list[Chunk]:
    """The chunks of a text that start at these offsets; the text itself starts in row ``first``."""
    chunks: list[Chunk] = []
    row = first
    for index, start in enumerate(starts):
        piece = text[start : starts[index + 1]] if index + 1 < len(starts) else text[start:]
        rows = piece.count("\n")
        last = row + rows - (1 if piece.endswith("\n") else 0)
        chunks.append(Chunk(row, max(last, row), piece))
        row += rows
    return chunks


def starts_block(text: str, offset: int) -> bool:
    """Whether the line at ``offset`` starts a block when all before it is complete."""
    return _BLOCK.match(text, offset) is not None and _CLAUSE.match(text, offset) is None


def starts_after(scan: Scan, text: str, offset: int) -> bool:
    """Whether the line at ``offset`` starts a block after what was scanned, which may have left a bracket open."""
    if scan.whole:
        return starts_block(text, offset)
    if scan.open_bracket < 0 or scan.open_string >= 0 or not _RESUME.match(text, offset):
        return False
    return not (scan.decorated and _DECORATED.match(text, offset))


def _scan(text: str, pattern: re.Pattern[str], *, blocks: bool) -> Scan:
    starts = [0]
    strings: list[tuple[int, int]] = []
    brackets: list[int] = []
    open_string = -1
    position = 0
    size = len(text)
    decorated = text.startswith("@")
    continued = False
    search = pattern.search
    while match := search(text, position):
        start, position = match.span()
        first = text[start]
        if first == "\n":
            if brackets:
                if not _RESUME.match(text, position):
                    continue
                brackets.clear()
                decorated = decorated and _DECORATED.match(text, position) is not None
            if blocks:
                if _CLAUSE.match(text, position):
                    continue
                if not decorated:
                    starts.append(position)
                decorated = text[position] == "@"
            else:
                starts.append(position)
        elif first in "([{":
            brackets.append(start)
        elif first in ")]}":
            if brackets:
                brackets.pop()
        elif first == "\\":
            continued = position == size
            if text.startswith("@", position) and not brackets and start == text.rfind("\n", 0, start) + 1:
                decorated = True
        elif first != "#" and position - start == 3 and text[start + 1] == first == text[start + 2]:
            end = string_end(text, position, text[start:position])
            strings.append((start, end if end >= 0 else size))
            if end < 0:
                open_string = start
                break
            position = end
    open_bracket = brackets[0] if brackets else -1
    waits = continued or text.endswith("\\") or (blocks and decorated)
    whole = not (brackets or open_string >= 0 or waits)
    return Scan(starts, strings, open_bracket, open_string, decorated, whole)


def code_in_strings(text: str, scan: Scan, error_row: int) -> int:
    """Offset of the first line of code that a string left open has swallowed, -1 for none.

    Such a string ends where the next one should begin, and the parser stumbles there (``error_row``, from 1 in the
    text) or never gets out of it. A string that holds code on purpose is not taken for one.
    """
    for start, end in scan.strings:
        if scan.open_string < 0:
            if text.count("\n", 0, end) + 1 != error_row:
                continue
        match = _CODE_LINE.search(text, text.find("\n", start, end) + 1 or end, end)
        if match:
            return match.start()
    return -1


def code_in_brackets(text: str, scan: Scan) -> int:
    """Offset of the first line after a bracket that is never closed which looks like a statement, -1 for none."""
    if scan.open_bracket < 0:
        return -1
    line = text.find("\n", scan.open_bracket) + 1
    match = _LOOSE_LINE.search(text, line) if line else None
    return match.start() if match else -1


def string_end(text: str, position: int, quote: str) -> int:
    """Where the triple-quoted string that starts before ``position`` ends; -1 when it never does."""
    while True:
        end = text.find(quote, position)
        if end < 0:
            return -1
        backslash = text.find("\\", position, end)
        if backslash < 0:
            return end + 3
        position = backslash + 2


def split_class(text: str) -> tuple[int, list[int]] | None:
    """For the text of one top-level class: where its body starts, and where each member of it starts.

    None when it is no class with a body on lines of its own.
    """
    scan = scan_lines(text)
    header = next((index for index, start in enumerate(scan.starts) if text.startswith("class", start)), None)
    if header is None or header + 1 >= len(scan.starts):
        return None
    if any(text[start] != "@" for start in scan.starts[:header]):
        return None
    body = scan.starts[header + 1]
    indent = text[body : body + len(text[body:]) - len(text[body:].lstrip(" \t"))]
    if not indent:
        return None
    members: list[int] = []
    decorated = False
    for start in scan.starts[header + 1 :]:
        if not text.startswith(indent, start) or text[start + len(indent)] in " \t":
            continue
        if members and _CLAUSE.match(text, start):
            continue
        if not decorated:
            members.append(start)
        decorated = text[start + len(indent)] == "@"
    return body, members
