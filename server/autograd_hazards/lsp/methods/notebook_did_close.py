"""``notebookDocument/didClose``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.NOTEBOOK_DOCUMENT_DID_CLOSE


def handle(ls: HazardsServer, params: types.DidCloseNotebookDocumentParams) -> None:
    """Give the notebook up; the file on disk counts again."""
    notebook = ls.documents.close_notebook(params.notebook_document.uri)
    if notebook is not None:
        ls.close(notebook)
