"""While the analysis computes, messages are answered; a newer version stops the analysis of an older one."""

from __future__ import annotations

import asyncio
import time

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED

# Each level doubles the calls: long to run for any interpreter, and bounded by the machine's budget.
HEAVY = (
    "import torch\n"
    "def f0(x):\n    return torch.tanh(x) * x + torch.exp(x)\n"
    + "".join(f"def f{n}(x):\n    return f{n - 1}(x) + f{n - 1}(x * 2)\n" for n in range(1, 12))
    + "x = torch.randn(3, requires_grad=True)\nf11(x).sum().backward()\n"
)


async def test_requests_are_answered_during_an_analysis(editor: Editor) -> None:
    uri = editor.open("heavy.py", HEAVY)
    await editor.until(lambda: editor.state == "analysing", "an analysis")
    began = time.monotonic()
    told = await editor.request("autogradHazards/debugInformation", {})
    waited = time.monotonic() - began
    assert uri in told.text
    assert waited < 5.0
    editor.write(uri, "import torch\n")
    assert await editor.diagnostics(uri) == []


async def test_only_the_newest_version_is_told(editor: Editor) -> None:
    uri = editor.open("heavy.py", HEAVY)
    for number in range(20):
        editor.write(uri, HEAVY + f"# {number}\n")
        await asyncio.sleep(0)
    editor.write(uri, "import torch\nx = torch.ones(1)\nx.backward()\n")
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH407"]
    versions = [params.version for params in editor.published if params.uri == uri]
    assert versions[-1] == editor.versions[uri] and len(versions) < 20


async def test_it_comes_to_rest_also_when_a_document_is_closed_at_once(editor: Editor) -> None:
    text = Marked(SAVED_CHANGED).text
    for number in range(3):
        editor.close(editor.open(f"gone{number}.py", text))
    uri = editor.open("train.py", text)
    editor.close(editor.open("last.py", text))
    await editor.until(lambda: editor.state == "ready", "rest")
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH301"]
