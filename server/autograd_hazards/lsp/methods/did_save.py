"""``textDocument/didSave``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_DID_SAVE


def handle(ls: HazardsServer, params: types.DidSaveTextDocumentParams) -> None:
    """Nothing has changed but the disk: the text is the one that was analysed."""
    ls.everywhere.changed()
