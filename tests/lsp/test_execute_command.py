"""``workspace/executeCommand``."""

from __future__ import annotations

from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED


async def run(editor: Editor, command: str, *arguments: object) -> object:
    return await editor.request(
        types.WORKSPACE_EXECUTE_COMMAND, types.ExecuteCommandParams(command, list(arguments) or None)
    )


async def test_fix_all_asks_the_client_to_apply_the_edits(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    assert len(await editor.diagnostics(uri)) == 1
    assert await run(editor, "autogradHazards.fixAll", uri) == 1
    (edit,) = editor.edits
    editor.apply(edit)
    assert await editor.diagnostics(uri) == []
    assert await run(editor, "autogradHazards.fixAll", uri) == 0


async def test_the_whole_project_is_checked_with_progress(editor: Editor) -> None:
    (editor.folder / "bad.py").write_text(Marked(SAVED_CHANGED).text)
    assert await run(editor, "autogradHazards.checkWorkspace") == 1
    await editor.until(lambda: any(p.uri == editor.uri("bad.py") and p.diagnostics for p in editor.published))
    kinds = [params.value["kind"] for name, params in editor.notified if name == "progress"]
    assert kinds[0] == "begin" and kinds[-1] == "end"
