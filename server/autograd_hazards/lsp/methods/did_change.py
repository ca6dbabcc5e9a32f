"""``textDocument/didChange``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def handle(ls: HazardsServer, params: types.DidChangeTextDocumentParams) -> None:
    """Make the edits and analyse the new version."""
    document = ls.documents.change(params)
    if document is not None:
        ls.analyse(document)
