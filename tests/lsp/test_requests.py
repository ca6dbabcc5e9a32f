"""Our own requests: timeline, rule, debugInformation."""

from __future__ import annotations

import sys
from pathlib import Path

from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED


async def test_the_timeline_has_lanes_and_ordered_events(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    told = await editor.request("autogradHazards/timeline", {"textDocument": {"uri": uri}, "id": found.data["id"]})
    assert told.code == "AGH301" and told.severity == "error" and "raises" in told.consequence
    lanes = {lane.id for lane in told.lanes}
    assert [event.order for event in told.events] == list(range(1, len(told.events) + 1))
    assert all(event.lane in lanes for event in told.events)
    assert [event.role for event in told.events][:2] == ["saved", "changed"]
    assert told.events[0].location.uri == uri
    assert told.events[0].location.range.start.line == marked.position("saved").line


async def test_a_timeline_of_nothing_is_null(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    await editor.diagnostics(uri)
    assert await editor.request("autogradHazards/timeline", {"textDocument": {"uri": uri}, "id": "no"}) is None


async def test_the_page_of_a_rule(editor: Editor) -> None:
    page = await editor.request("autogradHazards/rule", {"code": "AGH301"})
    assert page.markdown.startswith("# AGH301 saved-tensor-modified")
    assert await editor.request("autogradHazards/rule", {"code": "AGH999"}) is None


async def test_debug_information_names_versions_and_documents(editor: Editor) -> None:
    uri = editor.open("train.py", "")
    told = await editor.request("autogradHazards/debugInformation", {})
    assert "Python" in told.text and uri in told.text


async def test_what_is_saved_and_changed_lies_on_the_lane_of_the_value(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    told = await editor.request("autogradHazards/timeline", {"textDocument": {"uri": uri}, "id": found.data["id"]})
    kinds = {lane.id: lane.kind for lane in told.lanes}
    assert [(event.role, kinds[event.lane]) for event in told.events] == [
        ("saved", "tensor"),
        ("changed", "tensor"),
        ("fails", "graph"),
    ]


async def test_the_torch_of_the_users_environment_is_read_from_its_files(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    (packages / "torch").mkdir(parents=True)
    (packages / "torch" / "version.py").write_text("__version__ = '2.4.1+cu124'\n", encoding="utf-8")
    (packages / "torch" / "__init__.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    editor = Editor(tmp_path, options={"sitePackages": [str(packages)]})
    await editor.start([sys.executable, "-m", "autograd_hazards", "server"])
    told = await editor.request("autogradHazards/debugInformation", {})
    await editor.stop()
    assert "installed_torch='2.4.1+cu124'" in told.text
    (starting, *_) = [params for kind, params in editor.notified if kind == "status"]
    assert starting.torch == "2.4.1" and not hasattr(starting, "assumed")


async def test_where_there_is_no_torch_the_newest_known_is_assumed(editor: Editor) -> None:
    await editor.until(lambda: editor.notified, "the status")
    (starting, *_) = [params for kind, params in editor.notified if kind == "status"]
    assert starting.assumed is True and starting.torch.startswith("2.")


async def test_a_traceback_is_explained(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    fails = found.related_information[-1].location.range.start.line + 1
    text = (
        f'Traceback (most recent call last):\n  File "{editor.folder / "train.py"}", line {fails}, in <module>\n'
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.\n"
    )
    (editor.folder / "train.py").write_text(marked.text, encoding="utf-8")
    told = await editor.request("autogradHazards/explain", {"text": text, "textDocument": {"uri": uri}})
    assert "AGH301" in told.markdown
    assert told.finding.location.uri == uri
    assert told.finding.location.range.start.line == found.range.start.line


async def test_of_a_text_without_an_error_little_is_said(editor: Editor) -> None:
    told = await editor.request("autogradHazards/explain", {"text": "hello"})
    assert told.markdown and not hasattr(told, "finding")


async def test_a_client_that_fetches_is_told_when_a_setting_changes_what_it_would_get(tmp_path: Path) -> None:
    editor = Editor(tmp_path, pull=True)
    await editor.start([sys.executable, "-m", "autograd_hazards", "server"])
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    assert len((await editor.request(types.TEXT_DOCUMENT_DIAGNOSTIC, params)).items) == 1
    before = editor.refreshed
    editor.client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"autogradHazards": {"enable": False}})
    )
    await editor.until(lambda: editor.refreshed > before)
    assert not (await editor.request(types.TEXT_DOCUMENT_DIAGNOSTIC, params)).items
    await editor.stop()
