"""Everything that the server says is said in the client's language."""

from __future__ import annotations

import re

import pytest

from tests.lsp.client import Editor, Marked
from tests.lsp.programs import SAVED_CHANGED

CHINESE = {"locale": "zh-cn"}


@pytest.mark.parametrize("editor", [CHINESE], indirect=True)
async def test_a_chinese_client_reads_chinese(editor: Editor) -> None:
    marked = Marked(SAVED_CHANGED)
    uri = editor.open("train.py", marked.text)
    (found,) = await editor.diagnostics(uri)
    assert found.message == "`grown` 已被 `exp` 保存以供反向传播使用，之后又被原地修改。"
    assert [step.message for step in found.related_information] == [
        "`exp` 在此处为反向传播保存 `grown`",
        "`grown` 在此处被原地修改",
        "这次反向传播需要 `grown` 原来的值",
    ]
    hover = await editor.hover(uri, marked.position("finding"))
    assert "torch 在第 6 行报错。" in hover.contents.value
    assert "[查看发生了什么（AGH301）](command:" in hover.contents.value
    page = await editor.request("autogradHazards/rule", {"code": "AGH301"})
    assert "## 为什么不好" in page.markdown and "attention *= 0.5" in page.markdown
    told = await editor.request("autogradHazards/timeline", {"textDocument": {"uri": uri}, "id": found.data["id"]})
    assert told.consequence == "torch 在第 6 行报错。"
    assert told.title == found.message
    assert {"计算图", "grown"} == {lane.label for lane in told.lanes}
    assert all(re.search("[\u4e00-\u9fff]", event.text) for event in told.events)
    titles = [action.title for action in await editor.actions(uri, found.range)]
    assert all(re.search("[\u4e00-\u9fff]", title) for title in titles), titles
    assert "在此行抑制 AGH301" in titles


@pytest.mark.parametrize("editor", [{**CHINESE, "options": {"clientCommands": False}}], indirect=True)
async def test_addresses_lead_to_the_chinese_pages(editor: Editor) -> None:
    editor.open("train.py", Marked(SAVED_CHANGED).text)
    await editor.until(lambda: any(said.diagnostics for said in editor.published), "the finding")
    (found,) = editor.published[-1].diagnostics
    assert found.code_description.href.endswith("docs/zh-CN/rules/AGH301.md")


@pytest.mark.parametrize("editor", [{**CHINESE, "options": {"settings": {"locale": "en"}}}], indirect=True)
async def test_the_settings_have_the_last_word(editor: Editor) -> None:
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    (found,) = await editor.diagnostics(uri)
    assert found.message == "`grown` is changed in place after `exp` saved it for the backward."


@pytest.mark.parametrize(
    "editor", [{**CHINESE, "options": {"settings": {"timeLimit": 0, "locale": "de"}}}], indirect=True
)
async def test_mistakes_in_the_settings_are_told_in_it(editor: Editor) -> None:
    await editor.until(lambda: len(editor.messages) == 2, "two messages")
    assert sorted(editor.messages) == [
        "autogradHazards.locale 必须是 auto、en、zh-cn 之一，而不是 'de'",
        "autogradHazards.timeLimit 必须是大于 0 的秒数，而不是 0",
    ]
