"""Columns in UTF-8, UTF-16 and UTF-32, both ways, and what ends a row."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_hazards.source import positions
from autograd_hazards.source.parse import parse

LINE = st.text(st.characters(exclude_characters="\r\n", exclude_categories=()), max_size=30)


@given(LINE, st.integers(1, 31))
def test_columns_survive_the_way_there_and_back(line: str, column: int) -> None:
    column = min(column, len(line) + 1)
    assert positions.column_from_utf8(line, positions.column_to_utf8(line, column)) == column
    assert positions.column_from_utf16(line, positions.column_to_utf16(line, column)) == column
    assert positions.column_from_utf32(line, positions.column_to_utf32(line, column)) == column


@given(LINE, st.integers(-3, 200))
def test_any_offset_gives_a_column_of_the_line(line: str, offset: int) -> None:
    for convert in (positions.column_from_utf8, positions.column_from_utf16, positions.column_from_utf32):
        assert 1 <= convert(line, offset) <= len(line) + 1


def test_offsets_count_what_they_say() -> None:
    line = "aé😀z"
    assert [positions.column_to_utf8(line, column) for column in range(1, 6)] == [0, 1, 3, 7, 8]
    assert [positions.column_to_utf16(line, column) for column in range(1, 6)] == [0, 1, 2, 4, 5]
    # Within a character: that character's column.
    assert positions.column_from_utf8(line, 5) == 3
    assert positions.column_from_utf16(line, 3) == 3


def test_rows_end_where_python_and_editors_end_them() -> None:
    text = "a = 1\rb = '\u2028'\x0c\r\nc = 3\x85\n"
    assert positions.split_lines(text) == ["a = 1", "b = '\u2028'\x0c", "c = 3\x85", ""]
    assert positions.unify_newlines(text) == "a = 1\nb = '\u2028'\x0c\nc = 3\x85\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_are_in_characters_for_every_line_end(newline: str) -> None:
    text = newline.join(["é = 1", "\tif_ = 'ü😀', x.backward()".lstrip("\t"), "\x0cy = 2", ""])
    parsed = parse(text, "file.py")
    assert not parsed.problems
    call = next(node for node in ast.walk(parsed.tree) if isinstance(node, ast.Call))
    place = parsed.place(call)
    line = parsed.lines[place.row - 1]
    assert (place.row, line[place.column - 1 : place.end_column - 1]) == (2, "x.backward()")
    last = parsed.place(parsed.tree.body[-1])
    assert (last.row, last.column, last.end_column) == (3, 2, 7)
