"""``initialize``: who the client is and what it wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.INITIALIZE


def handle(ls: HazardsServer, params: types.InitializeParams) -> None:
    """Take over the client's folders, settings and language; pygls answers with what is registered."""
    ls.adopt(params)
