"""``workspace/diagnostic``: files that are not open."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import CLEAN, SAVED_CHANGED

ON = {"pull": True, "options": {"settings": {"lint": {"unopenedFiles": True}}}}


def write(editor: Editor) -> None:
    (editor.folder / "bad.py").write_text(Marked(SAVED_CHANGED).text)
    (editor.folder / "good.py").write_text(CLEAN)


async def fetch(editor: Editor, known: list[types.PreviousResultId], **tokens: Any) -> types.WorkspaceDiagnosticReport:
    params = types.WorkspaceDiagnosticParams(known, **tokens)
    found: types.WorkspaceDiagnosticReport = await editor.request(types.WORKSPACE_DIAGNOSTIC, params)
    return found


@pytest.mark.parametrize("editor", [ON], indirect=True)
async def test_files_that_are_not_open_are_told_with_progress(editor: Editor) -> None:
    write(editor)
    report = await fetch(editor, [], work_done_token="work")
    (item,) = report.items
    assert item.uri == editor.uri("bad.py") and [d.code for d in item.items] == ["AGH301"]
    kinds = [params.value["kind"] for name, params in editor.notified if name == "progress"]
    assert kinds[0] == "begin" and kinds[-1] == "end" and "report" in kinds


@pytest.mark.parametrize("editor", [ON], indirect=True)
async def test_what_is_known_is_not_told_again(editor: Editor) -> None:
    write(editor)
    (item,) = (await fetch(editor, [])).items
    waiting = editor.client.protocol.send_request_async(
        types.WORKSPACE_DIAGNOSTIC,
        types.WorkspaceDiagnosticParams([types.PreviousResultId(item.uri, item.result_id)]),
    )
    import asyncio

    task = asyncio.ensure_future(waiting)
    done, _ = await asyncio.wait([task], timeout=1.0)
    assert not done  # nothing is new, so the answer waits
    (editor.folder / "bad.py").write_text(CLEAN)
    event = types.FileEvent(editor.uri("bad.py"), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    report = await asyncio.wait_for(task, 30)
    assert [(i.uri, list(i.items)) for i in report.items] == [(item.uri, [])]


@pytest.mark.parametrize("editor", [{"pull": True}], indirect=True)
async def test_by_default_only_open_files_count(editor: Editor) -> None:
    write(editor)
    assert not (await fetch(editor, [])).items


@pytest.mark.parametrize("editor", [{**ON, "pull": False}], indirect=True)
async def test_clients_that_do_not_fetch_get_them_published(editor: Editor) -> None:
    write(editor)
    uri = editor.open("other.py", CLEAN)
    await editor.diagnostics(uri)
    params = await editor.until(lambda: next((p for p in editor.published if p.uri == editor.uri("bad.py")), None))
    assert [d.code for d in params.diagnostics] == ["AGH301"] and params.version is None


@pytest.mark.parametrize("editor", [ON], indirect=True)
async def test_what_is_told_in_parts_is_told_as_often_as_it_changes(editor: Editor) -> None:
    write(editor)
    known: dict[str, str] = {}

    async def told() -> list[tuple[str, int]]:
        """What comes in parts; the answer itself is empty then."""
        editor.notified.clear()
        ids = [types.PreviousResultId(uri, value) for uri, value in known.items()]
        report = await fetch(editor, ids, partial_result_token="parts")
        assert not report.items
        items = [item for name, params in editor.notified if name == "progress" for item in params.value["items"]]
        known.update({item["uri"]: item["resultId"] for item in items if "resultId" in item})
        return [(item["uri"], len(item["items"])) for item in items]

    def save(text: str) -> None:
        (editor.folder / "bad.py").write_text(text)
        event = types.FileEvent(editor.uri("bad.py"), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    uri = editor.uri("bad.py")
    assert await told() == [(uri, 1)]
    for text, count in ((CLEAN, 0), (Marked(SAVED_CHANGED).text, 1), (CLEAN, 0)):
        save(text)
        assert await told() == [(uri, count)]
