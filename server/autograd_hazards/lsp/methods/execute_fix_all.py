"""``workspace/executeCommand`` with ``autogradHazards.fixAll``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.locales import translate
from autograd_hazards.lsp import fix_all
from autograd_hazards.lsp.edits import workspace_edit
from autograd_hazards.messages import say

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

COMMAND = "autogradHazards.fixAll"


async def handle(ls: HazardsServer, uri: str) -> int:
    """Apply all safe fixes to an open document; gives how many edits were made."""
    report = await ls.report_of(uri)
    if report is None:
        return 0
    edits = await ls.ask(lambda: fix_all.edits(ls.analyst, report)) or ()
    if edits:
        label = translate(say("All safe fixes of Autograd Hazards"), ls.locale)
        change = workspace_edit(ls, report.view, edits)
        await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(change, label))
    return len(edits)
