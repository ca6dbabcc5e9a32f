"""Several open files of one program: an edit of one changes what is said of the others, saved or not."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.client import Editor

HARMFUL = "import torch\n\n\ndef act(w):\n    return torch.tanh(w)\n"
HARMLESS = HARMFUL.replace("torch.tanh(w)", "w + 1")
MAIN = """\
import torch
from helper import act

w = torch.randn(3, requires_grad=True)
y = act(w)
y.mul_(2)
y.sum().backward()
"""


def codes(editor: Editor, uri: str) -> list[Any]:
    """What was published last of a document."""
    return next(([d.code for d in p.diagnostics] for p in reversed(editor.published) if p.uri == uri), [])


async def test_an_edit_of_what_a_file_imports_is_told_there(editor: Editor) -> None:
    helper = editor.open("helper.py", HARMLESS, save=True)
    main = editor.open("main.py", MAIN, save=True)
    assert await editor.diagnostics(main) == []
    editor.write(helper, HARMFUL)
    await editor.until(lambda: codes(editor, main) == ["AGH301"], "the finding")
    editor.write(helper, HARMLESS)
    await editor.until(lambda: codes(editor, main) == [], "nothing")
    editor.write(helper, HARMFUL)
    await editor.until(lambda: codes(editor, main) == ["AGH301"], "the finding")
    editor.close(helper)  # without saving: what is on disk does no harm
    await editor.until(lambda: codes(editor, main) == [], "nothing")


async def test_an_edit_of_a_caller_is_told_in_what_it_calls(editor: Editor) -> None:
    changed = "import torch\n\n\ndef act(w):\n    y = torch.tanh(w)\n    y.mul_(2)\n    return y\n"
    main = MAIN.replace("y.mul_(2)\n", "")
    helper = editor.open("helper.py", changed, save=True)
    caller = editor.open("main.py", main.replace("y.sum().backward()", "print(y)"), save=True)
    assert await editor.diagnostics(caller) == []
    before = len(editor.published)
    editor.write(caller, main)
    await editor.until(lambda: codes(editor, helper), "the finding in the helper")
    assert any(p.uri == helper for p in editor.published[before:])


@pytest.mark.parametrize("editor", [{"pull": True}], indirect=True)
async def test_clients_that_fetch_are_asked_to_come_again(editor: Editor) -> None:
    async def fetched(uri: str) -> list[Any]:
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        report = await editor.request(types.TEXT_DOCUMENT_DIAGNOSTIC, params)
        return [d.code for d in report.items]

    helper = editor.open("helper.py", HARMLESS, save=True)
    main = editor.open("main.py", MAIN, save=True)
    assert await fetched(main) == []
    await editor.until(lambda: editor.state == "ready", "rest")
    before = editor.refreshed
    editor.write(helper, HARMFUL)
    await editor.until(lambda: editor.refreshed > before and editor.state == "ready", "a refresh")
    assert await fetched(main) == ["AGH301"]


async def test_a_file_that_is_no_longer_imported_is_told_so(editor: Editor) -> None:
    changed = "import torch\n\n\ndef act(w):\n    y = torch.tanh(w)\n    y.mul_(2)\n    return y\n"
    main = MAIN.replace("y.mul_(2)\n", "")
    helper = editor.open("helper.py", changed, save=True)
    caller = editor.open("main.py", main, save=True)
    await editor.until(lambda: codes(editor, helper), "the finding in the helper")
    editor.write(caller, main.replace("from helper import act", "act = torch.sin"))
    await editor.until(lambda: not codes(editor, helper), "nothing in the helper")
