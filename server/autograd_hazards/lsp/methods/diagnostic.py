"""``textDocument/diagnostic``: diagnostics that the client fetches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp.everywhere import result_id

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=True, identifier="autograd-hazards", work_done_progress=True
)


async def handle(
    ls: HazardsServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """The diagnostics of the newest version; nothing of a document that is not open."""
    uri = params.text_document.uri
    report = await ls.report_of(uri)
    found = report.diagnostics.get(uri, []) if report is not None else []
    name = result_id(ls, found)
    if name == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(name)
    return types.RelatedFullDocumentDiagnosticReport(found, result_id=name)
