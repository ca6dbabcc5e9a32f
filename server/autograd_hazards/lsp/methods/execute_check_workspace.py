"""``workspace/executeCommand`` with ``autogradHazards.checkWorkspace``."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.locales import translate
from autograd_hazards.messages import say

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

COMMAND = "autogradHazards.checkWorkspace"


async def handle(ls: HazardsServer) -> int:
    """Check all files of the open folders, with progress, and publish what is found; gives the number of findings."""
    window = ls.client_capabilities.window
    token = str(uuid.uuid4()) if window is not None and window.work_done_progress else None
    progress = ls.work_done_progress
    if token is not None:
        await progress.create_async(token)
        title = translate(say("Looking for autograd hazards"), ls.locale)
        progress.begin(token, types.WorkDoneProgressBegin(title, percentage=0, cancellable=True))
    found = sum(len(report.findings) for report in ls.reports.values())
    try:
        async for number, count, report in ls.everywhere.reports(all_folders=True):
            if token is not None:
                if progress.tokens[token].cancelled():
                    break
                progress.report(
                    token, types.WorkDoneProgressReport(message=report.path.name, percentage=100 * number // count)
                )
            found += len(report.findings)
            ls.everywhere.say(report)
    finally:
        if token is not None:
            progress.end(token, types.WorkDoneProgressEnd())
    return found
