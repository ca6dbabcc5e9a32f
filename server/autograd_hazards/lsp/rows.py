"""Rows of a notebook as one text, and rows of its cells: for what is known by rows of the whole text."""

from __future__ import annotations

from lsprotocol import types

from autograd_hazards.lsp.documents import FROM_CLIENT, TO_CLIENT, Documents, Notebook
from autograd_hazards.source.positions import column_from_utf8, column_to_utf8


def to_text(documents: Documents, uri: str, position: types.Position) -> tuple[int, int] | None:
    """A client's position as a row (from 1) of the file's text and a column in UTF-8 bytes (from 0)."""
    subject, document = documents.get(uri), documents.document(uri)
    if subject is None or document is None:
        return None
    line = document.line(position.line)
    column = column_to_utf8(line, FROM_CLIENT[documents.encoding](line, position.character))
    if not isinstance(subject, Notebook):
        return position.line + 1, column
    first = subject.first_row(uri)
    return None if first is None else (first + position.line, column)


def to_client(documents: Documents, uri: str, row: int, column: int) -> types.Position | None:
    """The reverse of ``to_text``; None for a row that is not in that document."""
    subject, document = documents.get(uri), documents.document(uri)
    if subject is None or document is None:
        return None
    first = subject.first_row(uri) if isinstance(subject, Notebook) else 1
    if first is None or not 0 <= row - first < len(document.starts):
        return None
    line = document.line(row - first)
    return types.Position(row - first, TO_CLIENT[documents.encoding](line, column_from_utf8(line, column)))
