"""The READMEs name every option and setting, and translated pages have the parts of the English ones."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from autograd_hazards import cli, config

ROOT = Path(__file__).parents[2]
NAMES = ("README.md", "README.zh-CN.md")
TRANSLATED = {
    "README.md": "README.zh-CN.md",
    "docs/reports.md": "docs/zh-CN/reports.md",
    "docs/editors.md": "docs/zh-CN/editors.md",
}
READMES = {name: (ROOT / name).read_text(encoding="utf-8") for name in NAMES}


def options(command: str) -> set[str]:
    """The long options of a command."""
    parser = cli._parser("en")
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    actions = commands.choices[command]._actions
    return {name for action in actions for name in action.option_strings if name.startswith("--")}


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_check_is_named(name: str) -> None:
    assert {option for option in options("check") if f"`{option}" not in READMES[name]} == {"--help"}


@pytest.mark.parametrize("name", NAMES)
def test_the_settings_of_the_example_exist(name: str) -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", READMES[name], re.MULTILINE | re.DOTALL)
    keys = re.findall(r"^([a-z-]+) = ", block, re.MULTILINE)
    assert keys and set(keys) <= set(config._KEYS)
    assert "locale" in keys


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translated_page_has_the_parts_of_the_english_one(name: str) -> None:
    english = (ROOT / name).read_text(encoding="utf-8")
    chinese = (ROOT / TRANSLATED[name]).read_text(encoding="utf-8")
    for part in (r"^##+ ", r"^\| `"):
        assert len(re.findall(part, chinese, re.MULTILINE)) == len(re.findall(part, english, re.MULTILINE))
    assert _code(chinese) == _code(english)


@pytest.mark.parametrize("name", TRANSLATED)
def test_links_lead_to_files(name: str) -> None:
    for page in (ROOT / name, ROOT / TRANSLATED[name]):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
            assert page.name != TRANSLATED[name] or not re.match(r"docs/(?!zh-CN/)", target), target


def test_every_page_is_translated() -> None:
    assert {path.name for path in (ROOT / "docs").glob("*.md")} == {
        path.name for path in (ROOT / "docs" / "zh-CN").glob("*.md")
    }


def _code(text: str) -> list[str]:
    """The code blocks of a README without its sample and comments, which are translated."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    words = re.compile(r"[ \t]*#(?! noqa| autograd-hazards).*|[ \t]*[(（].*[)）]$", re.MULTILINE)
    return [words.sub("", block) for language, block in blocks if language != "text"]
