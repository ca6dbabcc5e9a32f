"""Parsing that never fails: a syntax error costs its own top-level block, the rest keeps its true rows."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field

from autograd_hazards.findings import Place
from autograd_hazards.source.blocks import Chunk, resume_points, split_blocks
from autograd_hazards.source.positions import column_from_utf8, split_lines, unify_newlines


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A part of the text that cannot be read, in one sentence."""

    place: Place
    message: str


@dataclass
class ParsedFile:
    """A text and the statements that could be read from it. ``tree`` has the rows of ``text``."""

    filename: str
    text: str
    tree: ast.Module
    problems: list[SyntaxProblem] = field(default_factory=list)
    python2: bool = False
    facts: dict[str, object] = field(default_factory=dict)  # what later layers computed once from the tree
    _lines: list[str] | None = None

    @property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        if self._lines is None:
            self._lines = split_lines(self.text)
        return self._lines

    def place(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.ExceptHandler | ast.alias) -> Place:
        """Where a node of the tree stands."""
        lines = self.lines
        row, end_row = node.lineno, node.end_lineno or node.lineno
        end = node.end_col_offset
        return Place(
            self.filename,
            row,
            column_from_utf8(lines[row - 1], node.col_offset),
            end_row,
            column_from_utf8(lines[end_row - 1], node.col_offset if end is None else end),
        )


def parse(text: str, filename: str) -> ParsedFile:
    """Parse a text. Never raises; what cannot be read is missing from the tree and named in ``problems``."""
    try:
        return ParsedFile(filename, text, _parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _tolerant(text, filename)


def _parse(text: str) -> ast.Module:
    """``ast.parse`` without the warnings about odd literals and escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _tolerant(text: str, filename: str) -> ParsedFile:
    body: list[ast.stmt] = []
    problems: list[SyntaxProblem] = []
    pending = split_blocks(unify_newlines(text))
    pending.reverse()
    while pending:
        chunk = pending.pop()
        try:
            tree = _parse(chunk.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            problems.append(_problem(error, chunk, filename))
            points = resume_points(chunk.text)
            if points:
                row = chunk.first + chunk.text.count("\n", 0, points[0])
                rest = [
                    Chunk(piece.first + row - 1, piece.last + row - 1, piece.text)
                    for piece in split_blocks(chunk.text[points[0] :])
                ]
                pending.extend(reversed(rest))
        else:
            if chunk.first > 1:
                ast.increment_lineno(tree, chunk.first - 1)
            body.extend(tree.body)
    return ParsedFile(filename, text, ast.Module(body, []), problems)


def _problem(error: Exception, chunk: Chunk, filename: str) -> SyntaxProblem:
    lines = split_lines(chunk.text)
    if isinstance(error, SyntaxError):
        row = min(max(error.lineno or 1, 1), len(lines))
        column = min(max(error.offset or 1, 1), len(lines[row - 1]) + 1)
        message = f"This cannot be read: {error.msg}."
    else:
        row, column = 1, 1
        message = "This is nested too deeply to be read." if not isinstance(error, ValueError) else f"{error}."
    place = Place(filename, chunk.first + row - 1, column, chunk.first + row - 1, len(lines[row - 1]) + 1)
    return SyntaxProblem(place, message)
