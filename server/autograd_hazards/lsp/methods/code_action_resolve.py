"""``codeAction/resolve``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp import actions

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.CODE_ACTION_RESOLVE


async def handle(ls: HazardsServer, params: types.CodeAction) -> types.CodeAction:
    """The action with its edit."""
    return await actions.resolved(ls, params)
