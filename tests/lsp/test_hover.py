"""``textDocument/hover``."""

from __future__ import annotations

import json
from urllib.parse import unquote

import pytest
from lsprotocol import types

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED, TRAINING


async def test_our_own_client_shows_the_story_itself_and_gets_the_rest(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    hover = await editor.hover(uri, marked.position("finding"))
    assert hover is not None
    text, _, facts = hover.contents.value.partition("\n\n---\n\n")
    assert text.startswith("torch raises an error at line 6. · [Show what happened (AGH301)](command:")
    assert "line 4" not in text and "which saved its result" in facts
    arguments = json.loads(unquote(text.partition("showTimeline?")[2].partition(")")[0]))
    assert arguments == [uri, found.data["id"]]
    assert text.endswith("[About AGH301](command:autogradHazards.openRule?%5B%22AGH301%22%5D)")


@pytest.mark.parametrize("editor", [{"options": {"clientCommands": False}}], indirect=True)
async def test_a_finding_tells_its_story(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    hover = await editor.hover(uri, marked.position("finding"))
    assert hover is not None
    text = hover.contents.value
    assert "AGH301" in text and "torch raises an error at line 6." in text
    assert text.index("line 4") < text.index("line 5") < text.index("line 6")
    assert hover.range == marked.range("finding")


async def test_what_autograd_knows_of_names_and_calls(editor: Editor) -> None:
    marked = Marked(TRAINING)
    uri = editor.open("train.py", marked.text)

    async def told(name: str, after: int = 0) -> str:
        position = marked.position(name)
        hover = await editor.hover(uri, types.Position(position.line, position.character + after))
        return hover.contents.value if hover is not None else ""

    tanh = await told("loss", 8)
    assert "requires grad" in tanh and "made by `tanh` at line 7, which saved" in tanh
    assert "freed by the backward at line 9" in tanh
    backward = await told("backward", 6)
    assert "reaches 2 leaves: `net`" in backward and "frees the graph built up to line 7" in backward
    assert "changes 2 parameters in place: `net`" in await told("step", 12)
    assert "`SGD` holds 2 parameters: `net`" in await told("step")
    assert await told("nothing") == ""


async def test_a_code_in_a_comment_shows_its_page(editor: Editor) -> None:
    marked = Marked(TRAINING)
    uri = editor.open("train.py", marked.text)
    hover = await editor.hover(uri, marked.position("code"))
    assert hover is not None and hover.contents.value.startswith("# AGH301 saved-tensor-modified")


async def test_what_a_caller_in_another_file_gives_is_known_here(editor: Editor) -> None:
    (editor.folder / "main.py").write_text(
        "import torch\nfrom torch import nn\nfrom engine import train\n\nnet = nn.Linear(4, 1)\n"
        "net.weight.requires_grad = False\ntrain(net, torch.optim.AdamW([net.bias]), torch.randn(3, 4))\n"
    )
    text = "def train(model, optimizer, batch):\n    loss = model(batch).sum()\n    loss.backward()\n    «step»optimizer.step()\n"
    marked = Marked(text)
    uri = editor.open("engine.py", marked.text, save=True)
    assert await editor.diagnostics(uri) == []
    position = marked.position("step")
    held = await editor.hover(uri, position)
    assert held is not None and held.contents.value == "- `AdamW` holds one parameter: `model.bias`"
    moved = await editor.hover(uri, types.Position(position.line, position.character + 11))
    assert moved is not None and moved.contents.value == "- changes one parameter in place: `model.bias`"


async def test_what_rests_on_a_guess_says_so(editor: Editor) -> None:
    text = "import torch\n\n\ndef fit(model, x):\n    loss = model(x).sum()\n    «call»loss.backward()\n    return list(model.parameters())\n"
    marked = Marked(text)
    uri = editor.open("fit.py", marked.text)
    await editor.diagnostics(uri)
    position = marked.position("call")
    hover = await editor.hover(uri, types.Position(position.line, position.character + 6))
    assert hover is not None and hover.contents.value == (
        "- reaches `model`\n- frees the graph built up to line 5\n- as far as it can be told: no call of `fit` was found"
    )
