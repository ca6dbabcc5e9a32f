"""The editor's documents: their texts, kept up to date by edits.

Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` as in the protocol, and nowhere else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types

from autograd_hazards.lsp.uris import path_of
from autograd_hazards.source import positions

_LINE_END = re.compile(r"\r\n|\r|\n")

FROM_CLIENT: dict[str, Callable[[str, int], int]] = {
    "utf-8": positions.column_from_utf8,
    "utf-16": positions.column_from_utf16,
    "utf-32": positions.column_from_utf32,
}
TO_CLIENT: dict[str, Callable[[str, int], int]] = {
    "utf-8": positions.column_to_utf8,
    "utf-16": positions.column_to_utf16,
    "utf-32": positions.column_to_utf32,
}


class Document:
    """One open text: a file or a cell of a notebook."""

    def __init__(self, uri: str, version: int, text: str, path: Path | None = None) -> None:
        self.uri = uri
        self.path = path_of(uri) if path is None else path
        self.version = version
        self.text = text
        self._starts: list[int] | None = None

    @property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        return self._starts

    def line(self, row: int) -> str:
        """A line (from 0) without its end; empty behind the last one."""
        starts = self.starts
        if not 0 <= row < len(starts):
            return ""
        end = starts[row + 1] if row + 1 < len(starts) else len(self.text)
        return self.text[starts[row] : end].rstrip("\r\n")

    def offset(self, position: types.Position, encoding: str) -> int:
        """The offset of a position. One behind a line's end means that end, one behind the text the text's end."""
        starts = self.starts
        if position.line < 0:
            return 0
        if position.line >= len(starts):
            return len(self.text)
        return starts[position.line] + FROM_CLIENT[encoding](self.line(position.line), position.character) - 1

    def position(self, offset: int, encoding: str) -> types.Position:
        """The position of an offset."""
        row = bisect_right(self.starts, offset) - 1
        return types.Position(row, TO_CLIENT[encoding](self.line(row), offset - self.starts[row] + 1))

    def apply(self, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: str) -> None:
        """Make the edits one after the other."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start = self.offset(change.range.start, encoding)
                end = max(self.offset(change.range.end, encoding), start)
                self.text = self.text[:start] + change.text + self.text[end:]
            else:
                self.text = change.text
            self._starts = None


class Documents:
    """All open documents by URI."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self._open: dict[str, Document] = {}

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """The open document of that URI."""
        return self._open.get(uri)

    def at(self, path: Path) -> Document | None:
        """The open document of a file."""
        return next((document for document in self._open.values() if document.path == path), None)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Take a document in; opening one again replaces it."""
        document = self._open[item.uri] = Document(item.uri, item.version, item.text)
        return document

    def change(self, params: types.DidChangeTextDocumentParams) -> Document | None:
        """Edit a document; None for one that is not open."""
        document = self._open.get(params.text_document.uri)
        if document is not None:
            document.apply(params.content_changes, self.encoding)
            document.version = params.text_document.version
        return document

    def close(self, uri: str) -> Document | None:
        """Give a document up; None for one that is not open."""
        return self._open.pop(uri, None)
