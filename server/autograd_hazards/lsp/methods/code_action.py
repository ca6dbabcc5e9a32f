"""``textDocument/codeAction``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp import actions

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(
    code_action_kinds=[types.CodeActionKind.QuickFix, actions.FIX_ALL], resolve_provider=True
)


async def handle(ls: HazardsServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The fixes of the findings in the range, ways to suppress them, and the page of their rule."""
    return await actions.offered(ls, params)
