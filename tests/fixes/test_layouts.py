"""Mending does not depend on how a program is laid out: line ends, tabs and comments are neither read nor lost."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.fixes.mending import mend_text

# Those that show how they indent.
PROGRAMS = [p for p in sorted((Path(__file__).parent / "programs").glob("*.py")) if "\n    " in p.read_text("utf-8")][
    ::2
]
COMMENT = "  # 第{}行：勿删 🙂"


def with_tabs(text: str) -> str:
    """Four spaces of indentation as one tab."""
    return re.sub(r"^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), text, flags=re.MULTILINE)


def with_comments(text: str) -> str:
    """A comment of its own behind every line that has none."""
    lines = text.split("\n")
    return "\n".join(
        line + COMMENT.format(number) if line.strip() and "#" not in line and '"""' not in line else line
        for number, line in enumerate(lines)
    )


def without_comments(text: str) -> str:
    """What ``with_comments`` was given."""
    return re.sub(r"  # 第\d+行：勿删 🙂", "", text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_line_ends_tabs_and_comments_stay(path: Path, tmp_path: Path) -> None:
    plain = path.read_text(encoding="utf-8")
    assert not re.search(r"^ +\S", re.sub(r"^(?: {4})+", "", plain, flags=re.MULTILINE), re.MULTILINE), (
        "odd indentation"
    )
    mended = mend_text(tmp_path, plain)
    before = with_comments(with_tabs(plain)).replace("\n", "\r\n")
    after = mend_text(tmp_path, before)
    assert "\n" not in after.replace("\r\n", ""), "a line end changed"
    assert without_comments(after).replace("\r\n", "\n") == with_tabs(mended)
    lost = Counter(re.findall(r"# .*", before)) - Counter(re.findall(r"# .*", after))
    gone = Counter(map(str.strip, plain.split("\n"))) - Counter(map(str.strip, mended.split("\n")))
    assert sum(lost.values()) <= sum(gone.values()), lost  # a comment only goes with its line
