"""``notebookDocument/didOpen``, ``didChange``, ``didClose``: cells in order make one program."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tests.lsp.client import Editor, apply

CELLS = [
    "import torch\nweight = torch.randn(3, requires_grad=True)\n",
    "%matplotlib inline\ngrown = torch.exp(weight)\n",
    "# prose",
    "名 = '😀'; grown.add_(1)\n",
    "grown.sum().backward()\n",
]


class Notebook:
    """An open notebook of which the third cell is prose."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.uri = editor.uri("book.ipynb")
        self.version = 1
        self.cells = [f"vscode-notebook-cell:{editor.uri('book.ipynb')[5:]}#{number}" for number in range(len(CELLS))]
        for uri, text in zip(self.cells, CELLS):
            editor.texts[uri], editor.versions[uri] = text, 1
        items = [self.item(number, text) for number, text in enumerate(CELLS)]
        book = types.NotebookDocument(self.uri, "jupyter-notebook", 1, [self.cell(n) for n in range(len(CELLS))])
        editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(book, items))

    def cell(self, number: int) -> types.NotebookCell:
        kind = types.NotebookCellKind.Markup if number == 2 else types.NotebookCellKind.Code
        return types.NotebookCell(kind, self.cells[number])

    def item(self, number: int, text: str) -> types.TextDocumentItem:
        return types.TextDocumentItem(self.cells[number], "markdown" if number == 2 else "python", 1, text)

    def change(self, **changes: Any) -> None:
        self.version += 1
        where = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(**changes))
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(where, event))

    def move(self, start: int, count: int, cells: list[types.NotebookCell], **more: Any) -> None:
        array = types.NotebookCellArrayChange(start, count, cells)
        self.change(structure=types.NotebookDocumentCellChangeStructure(array, **more))

    def write(self, number: int, text: str) -> None:
        uri = self.cells[number]
        self.editor.texts[uri] = text
        self.editor.versions[uri] += 1
        edit = types.NotebookDocumentCellContentChanges(
            types.VersionedTextDocumentIdentifier(version=self.editor.versions[uri], uri=uri),
            [types.TextDocumentContentChangeWholeDocument(text)],
        )
        self.change(text_content=[edit])

    async def found(self, number: int) -> list[types.Diagnostic]:
        return await self.editor.diagnostics(self.cells[number])


async def test_a_story_goes_through_the_cells(editor: Editor) -> None:
    book = Notebook(editor)
    (found,) = await book.found(3)
    assert found.range.start == types.Position(0, len("名 = '😀'; ") + 1)
    steps = [step.location.uri for step in found.related_information or ()]
    assert steps == [book.cells[1], book.cells[3], book.cells[4]]
    assert await book.found(4) == []


async def test_a_fix_lands_in_its_cell(editor: Editor) -> None:
    book = Notebook(editor)
    (found,) = await book.found(3)
    action = (await editor.actions(book.cells[3], found.range, ["quickfix"]))[0]
    edit = await editor.resolved(action)
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.uri == book.cells[3]
    book.write(3, apply(editor.texts[book.cells[3]], change.edits, "utf-16"))
    assert await book.found(3) == []


async def test_cells_are_moved_deleted_and_added(editor: Editor) -> None:
    book = Notebook(editor)
    assert len(await book.found(3)) == 1
    # The change comes behind the backward now.
    book.move(3, 2, [book.cell(4), book.cell(3)])
    await editor.until(lambda: _last(editor, book.cells[3]) == [], "no finding after the move")
    book.move(3, 2, [book.cell(3), book.cell(4)])
    await editor.until(lambda: _last(editor, book.cells[3]) != [], "the finding again")
    book.move(4, 1, [], did_close=[types.TextDocumentIdentifier(book.cells[4])])
    await editor.until(lambda: _last(editor, book.cells[3]) == [], "no finding without the backward")
    book.move(4, 0, [book.cell(4)], did_open=[book.item(4, CELLS[4])])
    await editor.until(lambda: _last(editor, book.cells[3]) != [], "the finding with the backward")


async def test_hover_knows_cells(editor: Editor) -> None:
    book = Notebook(editor)
    await book.found(3)
    hover = await editor.hover(book.cells[4], types.Position(0, 1))
    assert hover is not None and "requires grad" in hover.contents.value
    assert hover.range == types.Range(types.Position(0, 0), types.Position(0, 5))


async def test_closing_takes_the_diagnostics_away(editor: Editor) -> None:
    book = Notebook(editor)
    await book.found(3)
    where = types.NotebookDocumentIdentifier(book.uri)
    cells = [types.TextDocumentIdentifier(uri) for uri in book.cells]
    editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(where, cells))
    await editor.until(lambda: _last(editor, book.cells[3]) == [], "empty diagnostics")


def _last(editor: Editor, uri: str) -> list[types.Diagnostic]:
    return next((list(p.diagnostics) for p in reversed(editor.published) if p.uri == uri), [])


async def test_what_is_suppressed_in_a_notebook_leaves_cell_magics_first(editor: Editor) -> None:
    book = Notebook(editor)
    book.write(0, "%%time\n" + CELLS[0])
    assert len(await book.found(3)) == 1
    area = types.Range(types.Position(0, 0), types.Position(0, 100))
    actions = await editor.actions(book.cells[3], area)
    action = next(a for a in actions if a.title == "Suppress AGH301 in this file")
    (change,) = (await editor.resolved(action)).document_changes or []
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.uri == book.cells[1]
    assert change.edits[0].range.start == types.Position(0, 0)
    published = len(editor.published)
    book.write(1, apply(CELLS[1], change.edits, editor.encoding))
    await editor.until(
        lambda: [p for p in editor.published[published:] if p.uri == book.cells[3] and not p.diagnostics]
    )
