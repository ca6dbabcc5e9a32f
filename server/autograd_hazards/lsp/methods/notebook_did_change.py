"""``notebookDocument/didChange``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp.documents import Notebook

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.NOTEBOOK_DOCUMENT_DID_CHANGE


def handle(ls: HazardsServer, params: types.DidChangeNotebookDocumentParams) -> None:
    """Move, add, remove and edit cells, and analyse the notebook again."""
    before = ls.documents.get(params.notebook_document.uri)
    closed = set(before.documents) if isinstance(before, Notebook) else set()
    notebook = ls.documents.change_notebook(params)
    if notebook is not None:
        ls.tell_analyst()
        ls.drop(closed - set(notebook.documents))
        ls.analyse(notebook)
