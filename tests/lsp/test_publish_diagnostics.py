"""``textDocument/publishDiagnostics``: after opening and after each edit, for the newest version."""

from __future__ import annotations

import pytest
from lsprotocol import types

from autograd_hazards.lsp.uris import path_of
from tests.lsp.client import Editor, Marked
from tests.lsp.conftest import ENCODINGS
from tests.lsp.programs import CLEAN, SAVED_CHANGED


async def test_a_finding_comes_with_its_story(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    assert found.code == "AGH301"
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.source == "autograd-hazards"
    page = "command:autogradHazards.openRule?%5B%22AGH301%22%5D"
    assert found.code_description is not None and found.code_description.href == page
    assert f"[About AGH301]({page})" in (await editor.hover(uri, marked.position("finding"))).contents.value
    assert found.range == marked.range("finding")
    steps = found.related_information
    assert steps is not None
    rows = [step.location.range.start.line for step in steps]
    assert rows == sorted(rows)
    assert rows[0] == marked.position("saved").line and rows[-1] == marked.position("fails").line
    assert found.data["code"] == "AGH301" and found.data["fixes"] is True and found.data["id"]


@pytest.mark.parametrize("editor", [{"options": {"clientCommands": False}}], indirect=True)
async def test_editors_without_the_extension_get_the_file_of_the_page(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    await editor.until(lambda: any(said.diagnostics for said in editor.published), "the finding")
    (found,) = editor.published[-1].diagnostics
    assert found.code_description is not None
    page = found.code_description.href
    assert path_of(page).read_text(encoding="utf-8").count("# AGH301 saved-tensor-modified") == 1
    said = (await editor.hover(uri, marked.position("finding"))).contents.value
    assert "command:" not in said and f"[AGH301]({page})" in said


async def test_an_edit_brings_new_diagnostics(editor: Editor) -> None:
    uri = editor.open("train.py", CLEAN)
    assert await editor.diagnostics(uri) == []
    editor.write(uri, Marked(SAVED_CHANGED).text)
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH301"]
    editor.replace(uri, "grown.add_(1)", "grown = grown + 1")
    assert await editor.diagnostics(uri) == []


async def test_closing_takes_them_away(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    await editor.diagnostics(uri)
    editor.close(uri)
    await editor.until(lambda: not editor.published[-1].diagnostics, "empty diagnostics")


@pytest.mark.parametrize("editor", [{"encoding": name} for name in ENCODINGS], indirect=True, ids=ENCODINGS)
async def test_columns_are_counted_in_the_agreed_encoding(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED.replace("«finding»", "名前 = '😀é'; «finding»"))
    assert editor.result.capabilities.position_encoding == editor.encoding
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    assert found.range == marked.range("finding", editor.encoding)
    editor.replace(uri, "😀é", "😀😀")
    (found,) = await editor.diagnostics(uri)
    text = editor.texts[uri]
    again = Marked(text.replace("grown.add_(1)", "«finding»grown.add_(1)«/finding»"))
    assert found.range == again.range("finding", editor.encoding)


async def test_a_cause_in_another_file_is_told_where_it_fails_too(editor: Editor) -> None:
    (editor.folder / "helper.py").write_text("def grow(x):\n    x.add_(1)\n    return x\n")
    text = "import torch\nfrom helper import grow\n\nweight = torch.randn(3, requires_grad=True)\n"
    marked = Marked(text + "«fails»grow(torch.exp(weight)).sum().backward()«/fails»\n")
    uri = editor.open("train.py", marked.text, save=True)
    (found,) = await editor.diagnostics(uri)
    assert found.range == marked.range("fails")
    assert "The cause is in `helper.py`, line 2." in found.message
    assert any(step.location.uri == editor.uri("helper.py") for step in found.related_information or ())
    helper = editor.open("helper.py", (editor.folder / "helper.py").read_text())
    (cause,) = await editor.diagnostics(helper)
    assert cause.code == found.code and cause.range.start.line == 1


async def test_of_a_long_program_a_first_look_is_told_and_then_the_rest(editor: Editor) -> None:
    long = "\n".join(["h = torch.tanh(h + 1)"] * 4_000)
    text = f"import torch\n\nw = torch.ones(4, requires_grad=True)\nh = w * 2\n{long}\nh.mul_(2)\nh.sum().backward()\n"
    editor.open("long.py", text)
    await editor.until(lambda: any(said.diagnostics for said in editor.published), "the finding")
    assert [[d.code for d in said.diagnostics] for said in editor.published] == [[], ["AGH301"]]
