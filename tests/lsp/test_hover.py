"""``textDocument/hover``."""

from __future__ import annotations

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED


async def test_a_finding_tells_its_story(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    hover = await editor.hover(uri, marked.position("finding"))
    assert hover is not None
    text = hover.contents.value
    assert "AGH301" in text and "torch raises an error at line 6." in text
    assert text.index("line 4") < text.index("line 5") < text.index("line 6")
    assert hover.range == marked.range("finding")
