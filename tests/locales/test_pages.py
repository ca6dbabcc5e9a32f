"""One rule is one file, one page, and one page in every other language, which shows the same programs and names the same code."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from tools.messages import TRANSLATED, digests

from autograd_hazards import catalogue, cli, locales, rules
from tests.rules import test_docs_examples
from tests.rules.corpus import cases

ROOT = Path(__file__).parents[2]
PAGES = Path(locales.__file__).parent / "zh_cn" / "rules"
CODES = list(catalogue.entries())
ENGLISH, CHINESE = catalogue.entries(), catalogue.entries("zh-cn")
HEADINGS = {
    "What it does": "检查什么",
    "Why is this bad?": "为什么不好",
    "Example": "示例",
    "Use instead": "应改为",
    "When torch notices": "torch 何时察觉",
    "Limits": "局限",
}
BLOCK = re.compile(r"^```\w+\n.*?^```$", re.MULTILINE | re.DOTALL)
HAN = r"[\u4e00-\u9fff]"


def stems(folder: Path, pattern: str) -> set[str]:
    return {path.stem[:6].upper() for path in folder.glob(pattern)}


def spans(page: str) -> set[str]:
    return {" ".join(span.split()) for span in re.findall(r"`([^`]+)`", BLOCK.sub("", page))}


def test_rules_files_and_pages_are_the_same_set() -> None:
    assert stems(Path(rules.__file__).parent, "agh*.py") == rules.ALL.keys()
    assert stems(PAGES, "*.md") == set(CODES)
    assert stems(ROOT / "docs" / "rules", "AGH*.md") == set(CODES)
    assert stems(ROOT / "docs" / "zh-CN" / "rules", "AGH*.md") == set(CODES)


def test_every_rule_has_a_program_that_shows_it() -> None:
    """A public report among the cases, or at least the examples of its page, which are run as cases are."""
    assert {case.rule for case in cases()} <= rules.ALL.keys()
    assert {code for code, _ in test_docs_examples.CASES} == rules.ALL.keys()


@pytest.mark.parametrize("code", CODES)
def test_a_translated_page_has_the_form_of_the_english_one(code: str) -> None:
    english, chinese = ENGLISH[code].doc, CHINESE[code].doc
    headings = [HEADINGS[heading] for heading in re.findall(r"^## (.*)$", english, re.MULTILINE)]
    assert re.findall(r"^## (.*)$", chinese, re.MULTILINE) == headings
    assert BLOCK.findall(chinese) == BLOCK.findall(english)
    assert locales.EXAMPLE not in chinese
    assert spans(chinese) == spans(english)
    assert set(re.findall(r"AGH\d+", chinese)) == set(re.findall(r"AGH\d+", english))
    assert len(re.findall(r"^- ", chinese, re.MULTILINE)) == len(re.findall(r"^- ", english, re.MULTILINE))


@pytest.mark.parametrize("code", CODES)
def test_a_translated_page_is_of_the_english_one_as_it_is(code: str) -> None:
    known = json.loads(TRANSLATED.read_text(encoding="utf-8"))
    assert known.get(code) == digests()[code], (
        f"the English page of {code} has changed: bring locales/*/rules/{code}.md up to date, "
        "then run `python tools/messages.py --pages`"
    )


@pytest.mark.parametrize("code", CODES)
def test_a_chinese_page_is_written_as_chinese(code: str) -> None:
    prose = (PAGES / f"{code}.md").read_text(encoding="utf-8").replace(locales.EXAMPLE, "")
    first, *sections = re.split(r"^## .*$", prose, flags=re.MULTILINE)
    assert first.strip().endswith("。") and "\n" not in first.strip()
    bare = re.sub(r"`[^`]*`", "`", prose)
    assert all(re.search(HAN, section) for section in sections if section.strip())
    assert not re.search(rf"{HAN}[,;:?!()]|[,;:?!]{HAN}", bare), "half-width punctuation"
    assert not re.search(rf"{HAN}[A-Za-z0-9`]|[A-Za-z0-9`]{HAN}", bare), "no space"
    assert not re.search(r"[，。；：、（]\s*[，。；：、）]", bare)
    assert not re.search(r"[，。；：、（）] | [，。；：、（）]", bare)


def test_a_rule_is_shown_in_chinese_on_request() -> None:
    out = io.StringIO()
    assert cli.main(["rule", "AGH301", "--locale", "zh-cn"], out) == 0
    shown = out.getvalue()
    assert shown.startswith("# AGH301 saved-tensor-modified\n\n反向传播需要的张量被原地修改。\n")
    assert "attention *= 0.5" in shown
