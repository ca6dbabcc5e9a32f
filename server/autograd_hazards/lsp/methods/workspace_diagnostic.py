"""``workspace/diagnostic``: diagnostics of files that are not open, as far as the settings want them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from autograd_hazards.locales import translate
from autograd_hazards.lsp.everywhere import result_id
from autograd_hazards.messages import say

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.WORKSPACE_DIAGNOSTIC


async def handle(ls: HazardsServer, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """All that has changed since the client last asked. With nothing new, the answer waits until there is."""
    known = {item.uri: item.value for item in params.previous_result_ids}
    while True:
        ls.everywhere.news.clear()
        items = await _changed(ls, params, known) if ls.wants_unopened else _tell(ls, params, _emptied(known))
        if items or not known:
            # What was sent in parts is not sent again; the client asks anew, with what it knows then.
            return types.WorkspaceDiagnosticReport([] if params.partial_result_token is not None else items)
        await ls.everywhere.news.wait()


def _tell(ls: HazardsServer, params: types.WorkspaceDiagnosticParams, items: list[Any]) -> list[Any]:
    """The same items, which a client that takes parts gets at once."""
    if items and params.partial_result_token is not None:
        part = types.WorkspaceDiagnosticReportPartialResult(items)
        ls.progress(types.ProgressParams(params.partial_result_token, part))
    return items


def _emptied(known: dict[str, str]) -> list[Any]:
    """Reports that take back all that was said."""
    return [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in known]


async def _changed(ls: HazardsServer, params: types.WorkspaceDiagnosticParams, known: dict[str, str]) -> list[Any]:
    items: list[Any] = []
    gone = dict(known)
    progress, token = ls.work_done_progress, params.work_done_token
    if token is not None:
        title = translate(say("Looking for autograd hazards"), ls.locale)
        progress.begin(token, types.WorkDoneProgressBegin(title, percentage=0))
    try:
        async for number, count, report in ls.everywhere.reports():
            if token is not None:
                progress.report(
                    token, types.WorkDoneProgressReport(message=report.path.name, percentage=100 * number // count)
                )
            for uri, found in report.diagnostics.items():
                gone.pop(uri, None)
                name = result_id(ls, found)
                if known.get(uri) == name or (not found and uri not in known):
                    continue
                item = types.WorkspaceFullDocumentDiagnosticReport(uri, found, result_id=name)
                items += _tell(ls, params, [item])
    finally:
        if token is not None:
            progress.end(token, types.WorkDoneProgressEnd())
    return items + _tell(ls, params, _emptied(gone))
