"""``workspace/didChangeConfiguration``, ``didChangeWatchedFiles``, ``didChangeWorkspaceFolders``: live."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import CLEAN, SAVED_CHANGED


def configure(editor: Editor, **settings: object) -> None:
    params = types.DidChangeConfigurationParams({"autogradHazards": settings})
    editor.client.workspace_did_change_configuration(params)


def changed(editor: Editor, name: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
    event = types.FileEvent(editor.uri(name), kind)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


def plain(value: object) -> Any:
    """Any value of the protocol as JSON has it."""
    return json.loads(json.dumps(default_converter().unstructure(value)))


def last(editor: Editor, uri: str) -> list[types.Diagnostic]:
    return next((list(p.diagnostics) for p in reversed(editor.published) if p.uri == uri), [])


async def test_settings_count_at_once(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH301"]
    configure(editor, ignore=["AGH3"])
    await editor.until(lambda: last(editor, uri) == [], "nothing")
    configure(editor, severity={"AGH301": "hint"})
    await editor.until(lambda: last(editor, uri) != [], "a hint")
    assert last(editor, uri)[0].severity == types.DiagnosticSeverity.Hint
    configure(editor, enable=False)
    await editor.until(lambda: last(editor, uri) == [], "nothing")


async def test_a_setting_that_cannot_be_used_is_said_once(editor: Editor) -> None:
    configure(editor, select="AGH301", severity={"AGH301": "loud"})
    await editor.until(lambda: len(editor.messages) == 2, "two messages")
    configure(editor, select="AGH301")
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    assert len(await editor.diagnostics(uri)) == 1
    assert len(editor.messages) == 2 and "select" in editor.messages[0]


@pytest.mark.parametrize("editor", [{"configuration": {"ignore": ["AGH301"]}}], indirect=True)
async def test_settings_are_fetched_from_clients_that_have_them(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    await editor.until(lambda: editor.published and last(editor, uri) == [], "nothing")


FOLDERS = {"folders": ["strict", "lax"], "configuration": {"by_folder": {"lax": {"ignore": ["AGH301"]}}}}


@pytest.mark.parametrize("editor", [FOLDERS], indirect=True)
async def test_each_folder_has_its_own_settings(editor: Editor) -> None:
    text = Marked(SAVED_CHANGED).text
    strict, lax, outside = (editor.open(name, text) for name in ("strict/train.py", "lax/train.py", "train.py"))
    await editor.until(
        lambda: last(editor, strict) and last(editor, outside) and not last(editor, lax), "findings in two"
    )
    editor.configuration["by_folder"] = {"strict": {"severity": {"AGH301": "hint"}}, "lax": {}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.until(lambda: len(last(editor, lax)) == 1, "a finding here too")
    await editor.until(lambda: last(editor, strict)[0].severity == types.DiagnosticSeverity.Hint, "a hint there")
    assert last(editor, lax)[0].severity == last(editor, outside)[0].severity == types.DiagnosticSeverity.Error


@pytest.mark.parametrize("editor", [FOLDERS], indirect=True)
async def test_a_folder_that_is_added_brings_its_settings(editor: Editor) -> None:
    editor.configuration["by_folder"]["new"] = {"ignore": ["AGH3"]}
    uri = editor.open("new/train.py", Marked(SAVED_CHANGED).text)
    await editor.until(lambda: len(last(editor, uri)) == 1, "a finding")
    event = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(editor.uri("new"), "new")], [])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await editor.until(lambda: last(editor, uri) == [], "nothing")


async def test_the_projects_configuration_is_read_again(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    assert len(await editor.diagnostics(uri)) == 1
    (editor.folder / "pyproject.toml").write_text('[tool.autograd-hazards]\nignore = ["AGH301"]\n')
    changed(editor, "pyproject.toml", types.FileChangeType.Created)
    await editor.until(lambda: last(editor, uri) == [], "nothing")
    (editor.folder / "pyproject.toml").write_text("[tool.autograd-hazards]\nno-such = 1\n")
    changed(editor, "pyproject.toml")
    await editor.until(lambda: editor.messages, "a message")
    assert "no-such" in editor.messages[0]
    await editor.until(lambda: last(editor, uri) != [], "the finding")


async def test_a_module_that_changes_on_disk_is_read_again(editor: Editor) -> None:
    helper = editor.folder / "helper.py"
    helper.write_text("def grow(x):\n    return x\n")
    uri = editor.open("train.py", CLEAN.replace("torch.exp(weight)", "grow(torch.exp(weight))").replace(
        "import torch\n", "import torch\nfrom helper import grow\n"
    ), save=True)  # fmt: skip
    assert await editor.diagnostics(uri) == []
    helper.write_text("def grow(x):\n    x += 1\n    return x\n")
    changed(editor, "helper.py")
    editor.replace(uri, "(3,", "(4,")
    (found,) = await editor.diagnostics(uri)
    assert "The cause is in `helper.py`, line 2." in found.message
    opened = editor.open("helper.py", helper.read_text())
    await editor.until(lambda: last(editor, opened) != [], "the finding in the helper")
    helper.unlink()
    changed(editor, "helper.py", types.FileChangeType.Deleted)
    editor.close(opened)
    editor.replace(uri, "(4,", "(5,")
    assert await editor.diagnostics(uri) == []


@pytest.mark.parametrize("editor", [{"folders": ["one"]}], indirect=True)
async def test_folders_come_and_go(editor: Editor) -> None:
    for name, ignored in (("one", "AGH301"), ("two", "AGH2")):
        (editor.folder / name).mkdir(exist_ok=True)
        text = f'[tool.autograd-hazards]\nignore = ["{ignored}"]\n'
        (editor.folder / name / "pyproject.toml").write_text(text)
    first = editor.open("one/train.py", Marked(SAVED_CHANGED).text, save=True)
    assert await editor.diagnostics(first) == []
    added = types.WorkspaceFolder(editor.uri("two"), "two")
    event = types.WorkspaceFoldersChangeEvent([added], [])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    second = editor.open("two/train.py", Marked(SAVED_CHANGED).text, save=True)
    assert len(await editor.diagnostics(second)) == 1
    event = types.WorkspaceFoldersChangeEvent([], [added])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    editor.replace(second, "(3,", "(4,")
    assert len(await editor.diagnostics(second)) == 1


async def test_a_folder_that_goes_or_comes_takes_its_modules_along(editor: Editor) -> None:
    """Clients may tell of the folder alone."""
    watching = await editor.until(lambda: next((each for each in editor.registered if each.id == "files"), None))
    kinds = {watcher["globPattern"]: watcher.get("kind") for watcher in plain(watching.register_options)["watchers"]}
    assert kinds["**/*"] == types.WatchKind.Create | types.WatchKind.Delete and kinds["**/*.py"] is None
    package = editor.folder / "package"
    package.mkdir()
    (package / "helper.py").write_text("def grow(x):\n    x += 1\n    return x\n")
    text = "import torch\nfrom package.helper import grow\n\nw = torch.randn(3, requires_grad=True)\ngrow(torch.exp(w)).sum().backward()\n"
    uri = editor.open("train.py", text, save=True)
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH301"]
    package.rename(editor.folder / "moved")
    changed(editor, "package", types.FileChangeType.Deleted)
    await editor.until(lambda: last(editor, uri) == [], "nothing")
    (editor.folder / "moved").rename(package)
    changed(editor, "package", types.FileChangeType.Created)
    await editor.until(lambda: [d.code for d in last(editor, uri)] == ["AGH301"], "the finding")


async def test_files_that_are_no_code_cost_nothing(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text, save=True)
    await editor.diagnostics(uri)
    said = len(editor.notified)
    (editor.folder / "runs").mkdir()
    for name in ("runs", "runs/events.out", "model.pt", "__pycache__", ".git/index"):
        changed(editor, name, types.FileChangeType.Created)
    changed(editor, "model.pt", types.FileChangeType.Deleted)
    await editor.hover(uri, types.Position(0, 0))
    assert len(editor.notified) == said  # no analysis was begun
