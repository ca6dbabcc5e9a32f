"""The pictures: spans, labels, order, gaps, wide characters, tabs, colours."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autograd_hazards.findings import Finding, Fix, Place, Related
from autograd_hazards.report import text
from autograd_hazards.report.style import Style, style_for

PLAIN = Style(colour=False, unicode=False)


def place(row: int, column: int, end_column: int, filename: str = "a.py", end_row: int = 0) -> Place:
    return Place(filename, row, column, end_row or row, end_column)


def find(lines: Sequence[str], *words: str, row: int = 0) -> Place:
    """The place of the one occurrence of a word in the lines."""
    (word,) = words
    hits = [(i, line.index(word)) for i, line in enumerate(lines, 1) if word in line and row in (0, i)]
    ((at, start),) = hits
    return place(at, start + 1, start + len(word) + 1)


def picture(lines: Sequence[str], finding: Finding, style: Style = PLAIN, **files: Sequence[str]) -> str:
    sources = {"a.py": lines, **{f"{name}.py": text for name, text in files.items()}}
    return text.render_one(finding, lambda filename: sources.get(filename, []), style)


def hazard(where: Place, *related: Related, fails_at: Place | None = None, fixes: tuple[Fix, ...] = ()) -> Finding:
    return Finding("AGH301", "saved-tensor-modified", "error", where, "It is bad.", "certain", fails_at, related, fixes)


def test_a_story_is_drawn_into_one_picture_in_order() -> None:
    lines = ["import torch", "h = torch.sigmoid(x)", "h *= 2", "", "h.sum().backward()"]
    finding = hazard(
        find(lines, "h *= 2"),
        Related(find(lines, "torch.sigmoid(x)"), "saved here", "saved"),
        Related(find(lines, "h *= 2"), "changed here", "changed"),
        Related(find(lines, "h.sum().backward()"), "torch raises here", "fails"),
        fails_at=find(lines, "h.sum().backward()"),
    )
    assert picture(lines, finding) == (
        "a.py:3:1: error[AGH301] saved-tensor-modified: It is bad.\n"
        "  |\n"
        "1 | import torch\n"
        "2 | h = torch.sigmoid(x)\n"
        "  |     ---------------- 1. saved here\n"
        "3 | h *= 2\n"
        "  | ^^^^^^ 2. changed here\n"
        "4 |\n"
        "5 | h.sum().backward()\n"
        "  | ------------------ 3. torch raises here\n"
        "  |\n"
    )


def test_labels_of_one_line_hang_below_each_other() -> None:
    lines = ["y = torch.exp(x); y += 1; y.sum().backward()"]
    finding = hazard(
        find(lines, "y += 1"),
        Related(find(lines, "torch.exp(x)"), "saved here"),
        Related(find(lines, "y += 1"), "changed here"),
        Related(find(lines, "y.sum().backward()"), "fails here"),
    )
    assert picture(lines, finding).split("\n")[2:-2] == [
        "1 | y = torch.exp(x); y += 1; y.sum().backward()",
        "  |     ------------  ^^^^^^  ------------------ 3. fails here",
        "  |     |             ` 2. changed here",
        "  |     ` 1. saved here",
    ]


def test_a_span_inside_another_stays_visible() -> None:
    lines = ["loss = f(g(x))"]
    finding = hazard(
        find(lines, "g(x)"), Related(find(lines, "f(g(x))"), "outer"), Related(find(lines, "g(x)"), "inner")
    )
    assert picture(lines, finding).split("\n")[3:-2] == [
        "  |        --^^^^-",
        "  |        | ` 2. inner",
        "  |        ` 1. outer",
    ]


def test_the_line_where_torch_raises_is_shown_when_the_story_lacks_it() -> None:
    lines = ["opt.step()", "loss.backward()"]
    finding = hazard(find(lines, "opt.step()"), fails_at=find(lines, "loss.backward()"))
    assert picture(lines, finding).split("\n")[2:-2] == [
        "1 | opt.step()",
        "  | ^^^^^^^^^^",
        "2 | loss.backward()",
        "  | --------------- torch raises here",
    ]


def test_far_lines_are_joined_by_an_ellipsis() -> None:
    lines = [f"line{i} = 0" for i in range(1, 31)]
    finding = hazard(
        find(lines, "line28"), Related(find(lines, "line3 "), "saved"), Related(find(lines, "line28"), "x")
    )
    rows = [line[:2].strip() for line in picture(lines, finding).split("\n")[1:-1]]
    assert rows == ["|"[:0], "2", "3", "", "4", "..", "27", "28", "", "29", ""]


def test_other_files_come_below_their_own_name() -> None:
    lines = ["y = net(x)", "y += 1"]
    other = ["def f(x):", "    return x.sigmoid()"]
    finding = hazard(
        find(lines, "y += 1"), Related(place(2, 12, 23, "net.py"), "saved here"), Related(place(2, 1, 7), "x")
    )
    shown = picture(lines, finding, net=other)
    assert (
        "  ::: net.py:2:12\n  |\n1 | def f(x):\n2 |     return x.sigmoid()\n  |            ----------- 1. saved here\n"
        in shown
    )
    assert shown.index("y += 1") < shown.index(":::")


def test_a_story_in_a_file_that_cannot_be_read_is_still_told() -> None:
    finding = hazard(place(1, 1, 2), Related(place(7, 1, 2, "gone.py"), "saved here"))
    assert "  ::: gone.py:7:1\n      line 7: saved here\n" in picture(["x"], finding)


def test_markers_stand_below_wide_characters() -> None:
    lines = ['名字 = "训练"; y += 1']
    marked = picture(lines, hazard(find(lines, "y += 1"))).split("\n")[3]
    # Four wide characters take two columns each.
    assert marked == "  | " + " " * (lines[0].index("y += 1") + 4) + "^^^^^^"


def test_markers_stand_below_emoji_and_combining_characters() -> None:
    lines = ['a = "👩\u200d🚀e\u0301"; y += 1']
    marked = picture(lines, hazard(find(lines, "y += 1"))).split("\n")[3]
    # The astronaut is three characters in two columns, the accented e two characters in one.
    assert marked == "  | " + " " * len('a = "xxe"; ') + "^^^^^^"


def test_tabs_become_spaces_and_markers_follow() -> None:
    lines = ["if x:", "\ty += 1"]
    shown = picture(lines, hazard(find(lines, "y += 1"))).split("\n")
    assert shown[3:5] == ["2 |     y += 1", "  |     ^^^^^^"]


def test_control_characters_are_not_sent_to_the_terminal() -> None:
    shown = picture(["y = '\x1b[31m\x0c'"], hazard(place(1, 1, 2)))
    assert "\x1b" not in shown
    assert "\x0c" not in shown


def test_a_span_over_several_lines_says_where_it_ends() -> None:
    lines = ["y = f(", "    x,", ")"]
    finding = hazard(place(1, 5, 2, end_row=3), Related(place(1, 5, 2, end_row=3), "saved here"))
    assert picture(lines, finding).split("\n")[3] == "  |     ^^ saved here (to line 3)"


def test_very_long_lines_are_cut_around_the_span() -> None:
    lines = ["a = [" + "1, " * 400 + "]; y += 1; " + "z = 1; " * 100]
    shown = picture(lines, hazard(find(lines, "y += 1"))).split("\n")
    start = shown[3].index("^")
    assert shown[2][start : start + 6] == "y += 1"
    assert max(map(len, shown)) < 175


@pytest.mark.parametrize("where", [place(9, 1, 2), place(1, 50, 60), place(1, 1, 1), place(0, 0, 0)])
def test_places_outside_the_text_do_not_break_the_picture(where: Place) -> None:
    assert "It is bad." in picture(["x"], hazard(where))


def test_unicode_and_colours() -> None:
    lines = ["a; y += 1; b"]
    finding = hazard(
        find(lines, "y += 1"), Related(find(lines, "y += 1"), "changed"), Related(find(lines, "b"), "used")
    )
    shown = picture(lines, finding, Style(colour=True, unicode=True))
    assert "\x1b[1;31m^^^^^^\x1b[0m" in shown
    assert "\x1b[1;31m╰ 1. changed\x1b[0m" in shown
    assert "│" in shown


def test_fixes_are_listed_with_their_caution() -> None:
    fixes = (Fix("Clone first", "safe", ()), Fix("Detach", "unsafe", ()))
    shown = picture(["x"], hazard(place(1, 1, 2), fixes=fixes))
    assert "  = fix: Clone first\n  = fix: Detach (changes what is trained)\n" in shown


class Stream:
    def __init__(self, tty: bool, encoding: str = "utf-8") -> None:
        self.encoding = encoding
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


@pytest.mark.parametrize(
    ("tty", "environ", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_only_where_wanted(tty: bool, environ: dict[str, str], colour: bool) -> None:
    assert style_for(Stream(tty), environ) == Style(colour)  # type: ignore[arg-type]


def test_a_terminal_without_unicode_gets_ascii() -> None:
    assert not style_for(Stream(True, "latin-1"), {}).unicode  # type: ignore[arg-type]


def test_the_summary_counts_by_severity() -> None:
    findings = [hazard(place(1, 1, 2)), hazard(place(2, 1, 2))]
    assert text.summary(findings, 1200, PLAIN) == "Found 2 errors in 1 of 1,200 files.\n"
    assert text.summary([], 1, PLAIN) == "No hazards found in 1 file.\n"
