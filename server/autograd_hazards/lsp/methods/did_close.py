"""``textDocument/didClose``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(ls: HazardsServer, params: types.DidCloseTextDocumentParams) -> None:
    """Give the document up; the file on disk counts again."""
    document = ls.documents.close(params.text_document.uri)
    if document is not None:
        ls.close(document)
