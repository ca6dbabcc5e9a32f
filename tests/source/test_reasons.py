"""Reasons of syntax errors keep the parser's words in English, and are told in other languages where they are known."""

from __future__ import annotations

import re

import pytest

from autograd_hazards.locales import CHINESE, translate
from autograd_hazards.messages import moved
from autograd_hazards.source.parse import parse
from autograd_hazards.source.reasons import reason_of

BROKEN = {
    "x = (1,\n": "'(' 没有闭合",
    "x = 1)\n": "')' 没有与之配对的括号",
    "x = (1]\n": "右括号 ']' 与左括号 '(' 不匹配",
    "def f():\npass\n": "函数定义之后应有缩进的代码块（第 1 行）",
    "class A:\npass\n": "类定义之后应有缩进的代码块（第 1 行）",
    "if True:\npass\n": "'if' 语句之后应有缩进的代码块（第 1 行）",
    "x = 'a\n": "字符串没有闭合（在第 1 行发现）",
    "x = 1\n  y = 2\n": "意外的缩进",
    "x = = 1\n": "语法无效",
    "if True\n    pass\n": "此处应有 ':'",
}


@pytest.mark.parametrize("text", BROKEN)
def test_frequent_reasons_are_told_in_chinese(text: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(text, "a.py", "exec")
    assert reason_of(str(caught.value.msg)) == caught.value.msg
    (problem,) = parse(text, "a.py").problems
    told = translate(problem.message, CHINESE)
    assert BROKEN[text] in told, told
    assert told.startswith("语法错误，第 ")


@pytest.mark.parametrize("said", ["cannot assign to literal", "f-string: line 3: what", "'{' was never closed"])
def test_every_reason_stays_what_it_was(said: str) -> None:
    assert reason_of(said) == said


def test_lines_in_reasons_move_with_their_text() -> None:
    reason = reason_of("expected an indented block after 'for' statement on line 2")
    assert moved(reason, 5) == "expected an indented block after 'for' statement on line 7"
    assert moved(reason, -9) == "expected an indented block after 'for' statement on line 1"
    assert re.fullmatch("f-string: line 8: what", moved(reason_of("f-string: line 3: what"), 5))
