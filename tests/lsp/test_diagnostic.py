"""``textDocument/diagnostic``: diagnostics that the client fetches."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import CLEAN, SAVED_CHANGED

pytestmark = pytest.mark.parametrize("editor", [{"pull": True}], indirect=True)


async def fetch(editor: Editor, uri: str, before: str | None = None) -> object:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=before)
    return await editor.request(types.TEXT_DOCUMENT_DIAGNOSTIC, params)


async def test_a_client_that_fetches_gets_them_once(editor: Editor) -> None:
    assert editor.result.capabilities.diagnostic_provider is not None
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    full = await fetch(editor, uri)
    assert isinstance(full, types.RelatedFullDocumentDiagnosticReport)
    assert [d.code for d in full.items] == ["AGH301"]
    again = await fetch(editor, uri, full.result_id)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    editor.write(uri, CLEAN)
    empty = await fetch(editor, uri, full.result_id)
    assert isinstance(empty, types.RelatedFullDocumentDiagnosticReport) and not empty.items
    assert not editor.published


async def test_of_a_document_that_is_not_open_nothing_is_said(editor: Editor) -> None:
    full = await fetch(editor, editor.uri("never.py"))
    assert isinstance(full, types.RelatedFullDocumentDiagnosticReport) and not full.items
