"""``notebookDocument/didOpen``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.NOTEBOOK_DOCUMENT_DID_OPEN


def handle(ls: HazardsServer, params: types.DidOpenNotebookDocumentParams) -> None:
    """Take the notebook in and analyse it."""
    notebook = ls.documents.open_notebook(params)
    ls.tell_analyst()
    ls.analyse(notebook)
