"""Suppression comments: which findings they cover, and which of them are reported as unused."""

from __future__ import annotations

import pytest

from autograd_hazards.source.suppress import Suppressions


def covers(comment: str, code: str = "AGH301") -> bool:
    return Suppressions.of(f"x = 1\nh *= 2  {comment}\n").covers(2, 2, code)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "#noqa",
        "# NOQA: AGH301",
        "# noqa:AGH301,AGH302",
        "# noqa: AGH302 AGH301 on purpose",
        "# noqa: E501, agh301",
        "# because  # noqa: AGH301",
        "# autograd-hazards: ignore",
        "# autograd-hazards: ignore[AGH301]",
        "# autograd-hazards: ignore[AGH302, AGH301] on purpose",
        "# type: ignore  # autograd-hazards:ignore [AGH301]",
        "# autograd-hazards: ignore-file",
        "# autograd-hazards: ignore-file[AGH301]",
    ],
)
def test_covered(comment: str) -> None:
    assert covers(comment)


@pytest.mark.parametrize(
    "comment",
    [
        "",
        "# noqa: E501",
        "# noqa: AGH302",
        "# noqable",
        "# autograd-hazards: ignore[]",
        "# autograd-hazards: ignore[AGH302]",
        "# autograd-hazards: ignored",
        "# autograd-hazards: ignore-files",
        "; y = '# noqa'",
        '; y = """# autograd-hazards: ignore"""',
    ],
)
def test_not_covered(comment: str) -> None:
    assert not covers(comment)


def test_only_the_own_row_and_the_statements_ends() -> None:
    text = "a = f(\n    b,  # noqa: AGH301\n    c,\n)  # noqa: AGH302\n"
    comments = Suppressions.of(text)
    assert not comments.covers(1, 4, "AGH301")
    assert comments.covers(1, 4, "AGH302")
    assert comments.covers(2, 2, "AGH301")


def test_a_file_level_comment_may_stand_anywhere() -> None:
    comments = Suppressions.of("x = 1\n\n# autograd-hazards: ignore-file[AGH401]\n")
    assert comments.covers(1, 1, "AGH401")
    assert not comments.covers(1, 1, "AGH402")


def test_comments_in_strings_are_none() -> None:
    text = "\"\"\"\n# noqa: AGH301\n\"\"\"\nx = \"\\\"  # noqa: AGH301\"\ny = '''\\'''  # noqa: AGH301\n'''\n"
    assert Suppressions.of(text).comments == []


def test_unused() -> None:
    text = (
        "a = 1  # noqa: AGH301\n"
        "b = 2  # noqa: AGH301, AGH302, E501\n"
        "c = 3  # noqa\n"
        "d = 4  # noqa: E501\n"
        "é = 5  # autograd-hazards: ignore\n"
        "f = 6  # autograd-hazards: ignore[AGH401]\n"
    )
    comments = Suppressions.of(text)
    assert comments.covers(2, 2, "AGH302")
    assert comments.covers(6, 6, "AGH401")
    unused = comments.unused()
    assert [(row, codes) for row, _, _, codes in unused] == [(1, ("AGH301",)), (2, ("AGH301",)), (5, ())]
    lines = text.split("\n")
    row, column, end_column, _ = unused[0]
    assert lines[row - 1][column - 1 : end_column - 1] == "# noqa: AGH301"
    row, column, end_column, _ = unused[2]
    assert lines[row - 1][column - 1 : end_column - 1] == "# autograd-hazards: ignore"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_rows_for_every_line_end(newline: str) -> None:
    text = newline.join(["x = 1", "y = '''", "'''  # noqa: AGH301", ""])
    assert Suppressions.of(text).covers(2, 3, "AGH301")


def test_files_without_comments_of_ours_cost_nothing() -> None:
    assert Suppressions.of("x = '" + "a" * 100_000).comments == []
