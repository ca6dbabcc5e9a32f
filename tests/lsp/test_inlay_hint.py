"""``textDocument/inlayHint``."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import TRAINING

EVERYTHING = types.Range(types.Position(0, 0), types.Position(100, 0))


async def hints(editor: Editor, uri: str) -> list[types.InlayHint] | None:
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), EVERYTHING)
    found: list[types.InlayHint] | None = await editor.request(types.TEXT_DOCUMENT_INLAY_HINT, params)
    return found


@pytest.mark.parametrize("editor", [{"options": {"settings": {"inlayHints": True}}}], indirect=True)
async def test_backward_and_step_say_what_they_do(editor: Editor) -> None:
    marked = Marked(TRAINING)
    uri = editor.open("train.py", marked.text)
    backward, step = await hints(editor, uri) or ()
    assert (backward.label, backward.position) == ("frees graph of loss", marked.position("backward", index=-1))
    assert (step.label, step.position) == ("changes net (v+1)", marked.position("step", index=-1))


async def test_they_are_off_by_default(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(TRAINING).text)
    assert await hints(editor, uri) is None
