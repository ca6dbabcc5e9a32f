"""The catalogue of every language is complete, holds nothing that is not said any more, and keeps code as code."""

from __future__ import annotations

import json
import re
from collections import Counter
from string import Formatter

import pytest
from tools.messages import PACKAGE, misfits, said

from autograd_hazards.locales import CHINESE, ENGLISH, LOCALES, messages, translate
from autograd_hazards.messages import joined, say

OTHERS = [locale for locale in LOCALES if locale != ENGLISH]
HAN = r"[\u4e00-\u9fff]"
# Words that stay as they are without being code in the English text.
OTHER_WORDS = (
    "就地",
    "叶节点",
    "叶子节点",
    "反传",
    "后向",
    "前向计算",
)  # for what is called 原地, 叶子张量, 反向传播, 前向传播
LATIN = {"torch", "detach", "fused", "scaler", "clone", "autograd", "backward", "forward", "step"}


def placeholders(template: str) -> Counter[str]:
    """The placeholders of a template, each as often as it occurs, with conversion and format."""
    parts = Formatter().parse(template)
    return Counter(f"{name}" for _, name, _, _ in parts if name is not None)


def conversions(template: str) -> set[tuple[str, str | None, str | None]]:
    return {(name, spec, kind) for _, name, spec, kind in Formatter().parse(template) if name is not None}


def code(template: str) -> Counter[str]:
    """What stands between backticks."""
    return Counter(re.findall(r"`[^`]*`", template))


def identifiers(template: str) -> set[str]:
    """What is code without backticks: ``retain_graph=True``, ``.data``, ``--fix``, ``use_reentrant``, ``AGH301``."""
    bare = re.sub(r"\{[^}]*\}|`[^`]*`", " ", template)
    words = re.findall(r"--[a-z-]+|[A-Za-z_.]*[A-Za-z_][\w.]*(?:\([\w.]*\))?(?:=\w+)?", bare)
    return {word.rstrip(".") for word in words if re.search(r"[_=.(]|--|\d|[A-Z]{2}", word.rstrip("."))}


SAID = said()
PAIRS = [(locale, template) for locale in OTHERS for template in SAID if template in messages(locale)]


def test_the_arguments_are_those_of_the_template() -> None:
    assert misfits() == []


@pytest.mark.parametrize("locale", OTHERS)
def test_every_message_is_translated_and_no_translation_is_left_over(locale: str) -> None:
    known = messages(locale)
    assert [f"{SAID[template]}: {template}" for template in SAID if template not in known] == []
    assert [template for template in known if template not in SAID] == []


@pytest.mark.parametrize("locale", OTHERS)
def test_no_template_is_translated_twice(locale: str) -> None:
    text = (PACKAGE / "locales" / locale.replace("-", "_") / "messages.json").read_text(encoding="utf-8")
    pairs: list[tuple[str, str]] = json.loads(text, object_pairs_hook=list)
    assert [template for template, times in Counter(template for template, _ in pairs).items() if times > 1] == []


@pytest.mark.parametrize(("locale", "template"), PAIRS)
def test_a_translation_keeps_placeholders_and_code(template: str, locale: str) -> None:
    translation = messages(locale)[template]
    assert placeholders(translation) == placeholders(template)
    assert conversions(translation) == conversions(template)
    assert code(translation) == code(template)
    assert identifiers(translation) == identifiers(template)


@pytest.mark.parametrize("template", [template for locale, template in PAIRS if locale == CHINESE])
def test_chinese_is_written_as_chinese(template: str) -> None:
    translation = messages(CHINESE)[template]
    bare = re.sub(r"\{[^}]*\}|`[^`]*`", " ", template)
    if re.search(r"[a-z]{3}", bare):
        assert re.search(HAN, translation), "not translated"
    # Full-width punctuation, and spaces between Chinese and Latin letters, figures or code.
    assert not re.search(rf"{HAN}[,;:?!()]|[,;:?!]{HAN}", translation)
    assert not re.search(rf"{HAN}[A-Za-z0-9`]|[A-Za-z0-9`]{HAN}", translation)
    assert not re.search(r"[，。；：、（）？] |(?<!^)(?<! ) [，。；：、（）？]", translation)
    assert not [word for word in OTHER_WORDS if word in translation]
    assert bool(re.search(r"[.]$", template)) == translation.endswith("。")
    english = {word.lower() for word in re.findall(r"[A-Za-z]+", template)}
    for word in re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^}]*\}", " ", translation)):
        assert word.lower() in english | LATIN, f"{word} is not in the English text"


def test_there_is_no_space_between_chinese_characters_where_messages_meet() -> None:
    unnamed = say("`{op}` saves {what} for its backward here", op="exp", what=say("its input"))
    assert translate(unnamed, CHINESE) == "`exp` 在此处为反向传播保存它的输入"
    named = say("`{op}` saves {what} for its backward here", op="exp", what="`x`")
    assert translate(named, CHINESE) == "`exp` 在此处为反向传播保存 `x`"
    start = say("The result of `{op}`", op="mul")
    whole = say("{start} does not require grad, so there is nothing to differentiate.", start=start)
    assert translate(whole, CHINESE) == "`mul` 的结果不需要梯度，因此无从求导。"
    assert translate(joined(["AGH301", "AGH302"], say(", ")), CHINESE) == "AGH301、AGH302"
    path = say("{name}: no such file or folder", name="我的 项目/a.py")
    assert translate(path, CHINESE).startswith("我的 项目/a.py：")
