"""``textDocument/didOpen``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(ls: HazardsServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take the document in and analyse it."""
    document = ls.documents.open(params.text_document)
    ls.tell_analyst()
    ls.analyse(document)
