"""``textDocument/codeAction`` and ``codeAction/resolve``."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED


async def test_fixes_are_listed_best_first_and_get_their_edits_later(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    actions = await editor.actions(uri, marked.range("finding"), ["quickfix"])
    assert [bool(action.is_preferred) for action in actions] == [True] + [False] * (len(actions) - 1)
    assert all(action.edit is None for action in actions)
    edit = await editor.resolved(actions[0])
    editor.apply(edit)
    assert await editor.diagnostics(uri) == []


async def test_the_edits_of_all_actions_can_be_asked_for_at_once(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    actions = await editor.actions(uri, marked.range("finding"), ["quickfix"])
    wanted = [action for action in actions if action.command is None]
    assert len(wanted) >= 3  # fixes, and both ways to suppress
    # One after the other is what a machine with nothing else to do makes of it.
    again = editor.open("again.py", marked.text)
    actions = await editor.actions(again, marked.range("finding"), ["quickfix"])
    wanted += [action for action in actions if action.command is None]
    assert all(await asyncio.gather(*map(editor.resolved, wanted)))


@pytest.mark.parametrize("editor", [{"resolve": False}], indirect=True)
async def test_clients_that_cannot_resolve_get_the_edits_at_once(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    actions = await editor.actions(uri, marked.range("finding"))
    assert actions and all(action.edit is not None for action in actions)


@pytest.mark.parametrize("scope", ["line", "file"])
async def test_a_finding_can_be_suppressed(editor: Editor, scope: str) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    actions = await editor.actions(uri, marked.range("finding"))
    action = next(a for a in actions if a.title.startswith("Suppress AGH301") and scope in a.title)
    editor.apply(await editor.resolved(action))
    assert await editor.diagnostics(uri) == []


async def test_all_safe_fixes_at_once(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    (action,) = await editor.actions(uri, start, ["source.fixAll"])
    assert action.kind == "source.fixAll.autograd-hazards"
    editor.apply(await editor.resolved(action))
    assert await editor.diagnostics(uri) == []


async def test_nothing_is_offered_away_from_findings(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    assert await editor.actions(uri, start, ["quickfix"]) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("editor", [{"encoding": e} for e in ("utf-8", "utf-16", "utf-32")], indirect=True)
async def test_edits_of_the_first_line_stand_behind_a_byte_order_mark(editor: Editor, end: str) -> None:
    marked = Marked(SAVED_CHANGED)
    text = "\ufeff" + marked.text.replace("\n", end)
    uri = editor.open("train.py", text)
    actions = await editor.actions(uri, marked.range("finding"))
    action = next(a for a in actions if a.title.startswith("Suppress AGH301") and "file" in a.title)
    editor.apply(await editor.resolved(action))
    assert editor.texts[uri].startswith("\ufeff# autograd-hazards: ") and editor.texts[uri].count("\ufeff") == 1
    assert await editor.diagnostics(uri) == []


async def test_an_action_of_another_server_comes_back_as_it_was(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    await editor.diagnostics(uri)
    for data in ({"do": "fix"}, {"do": "fix", "uri": uri}, {"id": 3}, "other"):
        action = types.CodeAction("Other", data=data)
        assert (await editor.client.code_action_resolve_async(action)).edit is None
