"""What one session has found is told by the next one at once, and everything works from there."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED

SERVER = [sys.executable, "-m", "autograd_hazards", "server"]


@pytest.mark.parametrize("pull", [False, True])
async def test_a_file_that_is_opened_again(pull: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", str(tmp_path / "kept"))
    marked = Marked(SAVED_CHANGED)
    project = tmp_path / "project"
    project.mkdir()
    sessions = []
    for number in range(2):
        editor = Editor(project, pull=pull)
        await editor.start(SERVER)
        uri = editor.open("train.py", marked.text, save=True)
        document = types.TextDocumentIdentifier(uri)
        if pull:
            report = await editor.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            found = list(report.items)
        else:
            found = await editor.diagnostics(uri)
        assert [d.code for d in found] == ["AGH301"]
        sessions.append(found)
        if number == 1 and not pull:
            hover = await editor.hover(uri, marked.position("finding"))
            assert hover is not None and "AGH301" in str(hover.contents)
            (best, *_) = await editor.actions(uri, marked.range("finding"), ["quickfix"])
            editor.apply(await editor.resolved(best))
            assert await editor.diagnostics(uri) == []
        began = time.monotonic()
        await editor.stop()
        assert time.monotonic() - began < 4  # nothing is waited for
    assert sessions[0] == sessions[1]
    assert not (project / ".autograd_hazards_cache").exists()
    (record,) = (tmp_path / "kept" / "outcomes").glob("*/*.json")
    assert json.loads(record.read_text())["path"] == str(project / "train.py")


async def test_what_was_kept_of_another_text_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", str(tmp_path / "kept"))
    text = Marked(SAVED_CHANGED).text
    for shown, codes in ((text, ["AGH301"]), (text.replace("grown.add_(1)", "pass"), []), (text, ["AGH301"])):
        editor = Editor(tmp_path)
        await editor.start(SERVER)
        uri = editor.open("train.py", shown)
        assert [d.code for d in await editor.diagnostics(uri)] == codes
        assert all([d.code for d in p.diagnostics] == codes for p in editor.published if p.uri == uri)
        await editor.stop()
