"""The pages of the rules keep their form, and their examples do under torch and under the machine what they say.

Comments in the blocks say what torch does: ``# raises: "regex"`` right after the line that raises,
``# warns: "regex"``, ``# prints: text`` (all of them, in order, are what the block prints) and ``# silent: words``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograd_hazards import rules
from tests.rules.corpus import Program
from tests.rules.judge import accusations, findings_of, line
from tests.rules.zygote import Outcome, Zygote

HEADINGS = ["What it does", "Why is this bad?", "Example", "Use instead", "When torch notices", "Limits"]
BLOCKS = ("Example", "Use instead")
CASES = [(code, heading) for code in rules.ALL for heading in BLOCKS]
LOUD = re.compile(r'# raises: "(.*)"$', re.MULTILINE)
WARNS = re.compile(r'# warns: "(.*)"$', re.MULTILINE)
PRINTS = re.compile(r"# prints: (.*)$", re.MULTILINE)
DIRECTIVE = re.compile(r"# (raises|warns|prints|silent): ")

KNOWN: dict[tuple[str, str], str] = {}
"""(code, heading) → why the machine does not yet say of that block what the page says. An entry that passes fails."""


@dataclass(frozen=True, slots=True)
class Page:
    """A rule's page: its first paragraph and its sections by heading."""

    summary: str
    sections: dict[str, str]

    def block(self, heading: str) -> str:
        """The one program of a section."""
        (found,) = re.findall(r"^```python\n(.*?)^```$", self.sections[heading], re.MULTILINE | re.DOTALL)
        return str(found)


def page(code: str) -> Page:
    """The parsed documentation of a rule."""
    summary, *parts = re.split(r"^## (.*)\n", rules.ALL[code].doc.strip(), flags=re.MULTILINE)
    return Page(summary.strip(), dict(zip(parts[::2], parts[1::2])))


@pytest.mark.parametrize("code", rules.ALL)
def test_page_has_its_form(code: str) -> None:
    found = page(code)
    assert "\n\n" not in found.summary
    assert found.summary.endswith(".") and len(found.summary) < 250
    assert list(found.sections) == HEADINGS
    assert all(text.strip() for text in found.sections.values())
    assert max(map(len, rules.ALL[code].doc.splitlines())) <= 120
    assert DIRECTIVE.search(found.block("Example")), "the example does not say what torch does"
    assert not LOUD.search(found.block("Use instead")) and not WARNS.search(found.block("Use instead"))


@pytest.mark.parametrize(("code", "heading"), CASES)
def test_torch_does_what_the_page_says(code: str, heading: str, zygote: Zygote, tmp_path: Path) -> None:
    text = page(code).block(heading)
    outcome = _run(zygote, tmp_path, text)
    loud = LOUD.search(text)
    if loud is None:
        assert outcome.code == 0, outcome.err
        assert outcome.out.splitlines() == PRINTS.findall(text) or "# prints: " not in text, outcome.out
    else:
        assert outcome.code == 1, "ran to its end"
        assert re.search(loud[1], outcome.err.splitlines()[-1]), outcome.err
        row = int(re.findall(r'main\.py", line (\d+), in <module>', outcome.err)[-1])
        assert row == text[: loud.start()].rstrip().count("\n") + 1, outcome.err
    warned = WARNS.search(text)
    assert ("Warning" in outcome.err) == (warned is not None), outcome.err
    assert warned is None or re.search(warned[1], outcome.err), outcome.err


@pytest.mark.parametrize(("code", "heading"), CASES)
def test_machine_says_what_the_page_says(code: str, heading: str, tmp_path: Path) -> None:
    trouble = _trouble(code, heading, tmp_path)
    if (code, heading) in KNOWN:
        assert trouble, f"right now: take {code} {heading!r} out of KNOWN"
    else:
        assert not trouble, "\n".join(trouble)


def _trouble(code: str, heading: str, folder: Path) -> list[str]:
    path = folder / "main.py"
    path.write_text(page(code).block(heading), encoding="utf-8")
    found = findings_of(Program("page", path))
    if heading == "Example":
        if any(finding.code == code for finding in found):
            return []
        return [f"no {code}", *map(line, found)]
    wrong = [finding for finding in found if finding.code == code]
    return [line(finding) for finding in dict.fromkeys([*wrong, *accusations(found)])]


def _run(zygote: Zygote, folder: Path, text: str) -> Outcome:
    path = folder / "main.py"
    path.write_text(text, encoding="utf-8")
    return zygote.run(path, folder)


def test_known_names_real_blocks() -> None:
    assert set(KNOWN) <= set(CASES)
