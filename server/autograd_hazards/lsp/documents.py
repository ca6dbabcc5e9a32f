"""The editor's documents: their texts, kept up to date by edits.

Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` as in the protocol, and nowhere else.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from autograd_hazards.lsp.uris import path_of
from autograd_hazards.source import positions
from autograd_hazards.source.notebook import join_cells

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


class Notebook:
    """An open notebook: its cells in order, each with its document."""

    def __init__(self, uri: str, cells: Sequence[types.NotebookCell], path: Path | None = None) -> None:
        self.uri = uri
        self.path = path_of(uri) if path is None else path
        if self.path.suffix != ".ipynb":
            self.path = self.path.with_name(self.path.name + ".ipynb")
        self.version = 1  # ours: the client's need not rise with every change of a cell
        self.cells = list(cells)
        self.documents: dict[str, Document] = {}
        self.languages: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The notebook as JSON, as far as the analysis needs it."""
        return json.dumps({"cells": [self._cell(cell) for cell in self.cells]}, ensure_ascii=False)

    def _cell(self, cell: types.NotebookCell) -> dict[str, str]:
        document = self.documents.get(cell.document)
        python = self.languages.get(cell.document, "python") == "python"
        kind = "code" if cell.kind == types.NotebookCellKind.Code and python else "markdown"
        return {"cell_type": kind, "source": document.text if document is not None else ""}

    def first_row(self, uri: str) -> int | None:
        """The row (from 1) of the joined text in which a cell begins; None for one without code."""
        _, positions = join_cells(self.text)
        return next((positions.row_of(i, 1) for i, cell in enumerate(self.cells) if cell.document == uri), None)

    @property
    def uris(self) -> list[str]:
        """The URIs of all cells, in order."""
        return [cell.document for cell in self.cells]


Subject = Document | Notebook
"""What is analysed as a whole: a file, or a notebook with all its cells."""


class Documents:
    """All open documents by URI. ``naming`` gives the path of one that is opened."""

    def __init__(self, naming: Callable[[str], Path] = path_of) -> None:
        self.encoding = "utf-16"
        self._naming = naming
        self._files: dict[str, Document] = {}
        self._notebooks: dict[str, Notebook] = {}

    def __iter__(self) -> Iterator[Subject]:
        return iter([*self._files.values(), *self._notebooks.values()])

    def get(self, uri: str) -> Subject | None:
        """The open file of that URI, or the notebook that this is (or that has a cell of that URI)."""
        found = self._files.get(uri) or self._notebooks.get(uri)
        if found is None:
            return next((notebook for notebook in self._notebooks.values() if uri in notebook.documents), None)
        return found

    def document(self, uri: str) -> Document | None:
        """The text of that URI: a file or a cell."""
        found = self._files.get(uri)
        if found is None:
            return next((n.documents[uri] for n in self._notebooks.values() if uri in n.documents), None)
        return found

    def at(self, path: Path) -> Subject | None:
        """What is open of a file."""
        return next((subject for subject in self if subject.path == path), None)

    def _path(self, uri: str) -> Path:
        """The path of a document that is opened. A file that is open by another name, too, is another document."""
        path = self._naming(uri)
        other = self.at(path)
        return path if other is None or other.uri == uri else path_of(uri)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Take a document in; opening one again replaces it."""
        document = self._files[item.uri] = Document(item.uri, item.version, item.text, self._path(item.uri))
        return document

    def change(self, params: types.DidChangeTextDocumentParams) -> Document | None:
        """Edit a document; None for one that is not open."""
        document = self._files.get(params.text_document.uri)
        if document is not None:
            document.apply(params.content_changes, self.encoding)
            document.version = params.text_document.version
        return document

    def close(self, uri: str) -> Document | None:
        """Give a document up; None for one that is not open."""
        return self._files.pop(uri, None)

    def open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> Notebook:
        """Take a notebook in with its cells."""
        item = params.notebook_document
        notebook = self._notebooks[item.uri] = Notebook(item.uri, item.cells, self._path(item.uri))
        for cell in params.cell_text_documents:
            _add(notebook, cell)
        return notebook

    def change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> Notebook | None:
        """Move, add, remove and edit cells; None for a notebook that is not open."""
        notebook = self._notebooks.get(params.notebook_document.uri)
        if notebook is None:
            return None
        notebook.version += 1
        changes = params.change.cells
        if changes is None:
            return notebook
        if changes.structure is not None:
            array = changes.structure.array
            notebook.cells[array.start : array.start + array.delete_count] = array.cells or []
            for item in changes.structure.did_open or ():
                _add(notebook, item)
            for closed in changes.structure.did_close or ():
                notebook.documents.pop(closed.uri, None)
        for cell in changes.data or ():
            notebook.cells = [cell if old.document == cell.document else old for old in notebook.cells]
        for edit in changes.text_content or ():
            document = notebook.documents.get(edit.document.uri)
            if document is not None:
                document.apply(edit.changes, self.encoding)
                document.version = edit.document.version
        return notebook

    def close_notebook(self, uri: str) -> Notebook | None:
        """Give a notebook up; None for one that is not open."""
        return self._notebooks.pop(uri, None)


def _add(notebook: Notebook, item: types.TextDocumentItem) -> None:
    notebook.documents[item.uri] = Document(item.uri, item.version, item.text, notebook.path)
    notebook.languages[item.uri] = item.language_id
