"""Which language is spoken, and that only what is for people is translated."""

from __future__ import annotations

import ctypes
import io
import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograd_hazards import cli, locales
from autograd_hazards.findings import Edit, Finding, Fix, Place, Related
from autograd_hazards.locales import locale_of, locale_of_environment, told, translate
from autograd_hazards.messages import say

LEAF = "import torch\n\nw = torch.ones(3, requires_grad=True)\nw += 1\n"


@pytest.mark.parametrize(
    "name", ["zh", "zh-cn", "zh_CN", "zh_CN.UTF-8", "zh_CN.GB18030@pinyin", "zh-Hans", "zh-Hans-CN", "ZH-CN"]
)
def test_names_of_chinese(name: str) -> None:
    assert locale_of(name) == "zh-cn"


@pytest.mark.parametrize(
    "name", [None, "", "C", "C.UTF-8", "POSIX", "en", "en_US.UTF-8", "de", "zh-tw", "zh_TW.UTF-8", "zh-Hant"]
)
def test_everything_else_is_told_in_english(name: str | None) -> None:
    assert locale_of(name) == "en"


def test_the_environment_is_asked_in_its_own_order() -> None:
    assert locale_of_environment({"LANG": "zh_CN.UTF-8"}) == "zh-cn"
    assert locale_of_environment({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}) == "en"
    assert locale_of_environment({"LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"}) == "zh-cn"
    assert locale_of_environment({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}) == "zh-cn"
    assert locale_of_environment({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en"}) == "en"
    assert locale_of_environment({"LC_ALL": "C.UTF-8", "LANGUAGE": "zh_CN"}) == "en"
    assert locale_of_environment({}) == "en" or os.name == "nt"


@pytest.mark.parametrize(("number", "language"), [(0x0804, "zh-cn"), (0x0409, "en")])
def test_windows_is_asked_for_the_language_of_the_desktop(
    number: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert locale_of(locales._windows_language()) == language


@pytest.fixture
def phrases(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"`{op}` saves {what}": "`{op}` 保存了{what}", "its result": "它的结果"}
    monkeypatch.setattr(locales, "messages", lambda locale: known)


@pytest.mark.usefixtures("phrases")
def test_arguments_are_translated_with_their_message() -> None:
    assert translate(say("`{op}` saves {what}", op="exp", what=say("its result")), "zh-cn") == "`exp` 保存了它的结果"
    assert translate(say("`{op}` saves {what}", op="exp", what="its result"), "zh-cn") == "`exp` 保存了its result"
    assert translate("its result", "zh-cn") == "its result"
    assert translate(say("not known: {what}", what=say("its result")), "zh-cn") == "not known: 它的结果"


@pytest.mark.usefixtures("phrases")
def test_a_finding_is_told_with_its_story_and_its_fixes() -> None:
    place, said = Place("a.py", 1, 1, 1, 2), say("its result")
    finding = Finding(
        "AGH301", "x", "error", place, said, "certain", None, (Related(place, said, "saved"),),
        (Fix(said, "safe", (Edit(place, "its result"),), said),),
    )  # fmt: skip
    again = told(finding, "zh-cn")
    assert again.message == again.related[0].message == again.fixes[0].title == again.fixes[0].note == "它的结果"
    assert again.fixes[0].edits[0].content == "its result"
    assert told(finding, "en") is finding


class Terminal(io.StringIO):
    """Output in some encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:
        return self._encoding


@pytest.fixture
def leaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    path = tmp_path / "leaf.py"
    path.write_text(LEAF)
    return path


def report(*arguments: str, encoding: str = "utf-8") -> str:
    out = Terminal(encoding)
    cli.main(["check", *arguments], out)
    return out.getvalue()


@pytest.mark.usefixtures("leaf")
def test_the_report_follows_option_configuration_and_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Found 1 error" in report("leaf.py")
    chinese = report("--locale", "zh-cn", "leaf.py")
    assert "叶子" in chinese
    assert "Found" not in chinese
    assert report("--locale", "zh-cn", "--no-cache", "leaf.py") == chinese, "cached and fresh findings read alike"
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert report("leaf.py") == chinese
    assert "Found 1 error" in report("--locale", "en", "leaf.py")
    (tmp_path / "pyproject.toml").write_text('[tool.autograd-hazards]\nlocale = "en"\n')
    assert "Found 1 error" in report("leaf.py")
    (tmp_path / "pyproject.toml").write_text('[tool.autograd-hazards]\nlocale = "zh-cn"\n')
    monkeypatch.delenv("LC_ALL")
    assert report("leaf.py") == chinese


@pytest.mark.usefixtures("leaf")
def test_a_terminal_without_chinese_letters_is_written_in_english() -> None:
    assert "Found 1 error" in report("--locale", "zh-cn", "leaf.py", encoding="latin-1")
    assert "叶子" in report("--locale", "zh-cn", "leaf.py", encoding="gbk")


@pytest.mark.usefixtures("leaf")
@pytest.mark.parametrize("kind", ["json", "github", "sarif"])
def test_formats_for_programs_are_english_unless_the_call_says_otherwise(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = report("--output-format", kind, "leaf.py")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert report("--output-format", kind, "leaf.py") == english
    chinese = report("--output-format", kind, "--locale", "zh-cn", "leaf.py")
    assert "叶子" in chinese
    if kind != "github":
        assert json.loads(chinese)


def test_a_locale_that_does_not_exist_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.autograd-hazards]\nlocale = "zh"\n')
    assert cli.main(["check"], io.StringIO()) == 2
    assert "locale must be one of auto, en, zh-cn, not 'zh'" in capsys.readouterr().err
    assert cli.main(["check", "--locale", "xx"], io.StringIO()) == 2
