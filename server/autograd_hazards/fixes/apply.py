"""Applying edits to texts: Python files and notebooks. Nothing is written to disk here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from autograd_hazards.findings import Edit, Place
from autograd_hazards.fixes.jsontext import span, with_lines
from autograd_hazards.source.files import SourceFile
from autograd_hazards.source.notebook import join_cells
from autograd_hazards.source.positions import row_starts, split_lines


class Overlap(ValueError):
    """Two edits want to change the same text."""


def apply(source: SourceFile, raw: str, edits: Sequence[Edit]) -> str:
    """``raw``, the text of the file on disk (a notebook's JSON), with ``edits``. Raises Overlap.

    The text outside the edits stays as it is, character for character.
    """
    if source.kind != "notebook":
        return apply_text(raw, edits)
    return _apply_cells(source, raw, edits)


def apply_text(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with ``edits``, which may stand in any order. Raises Overlap."""
    starts = row_starts(text)
    pieces: list[str] = []
    position = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda e: _range(e.place, starts)):
        start, end = _range(edit.place, starts)
        if start < position:
            raise Overlap(f"edits overlap in row {edit.place.row}")
        pieces += (text[position:start], edit.content)
        position = end
    return "".join((*pieces, text[position:]))


def overlaps(first: Edit, second: Edit) -> bool:
    """Whether two edits touch the same text, two insertions at one point included."""
    a, b = first.place, second.place
    if a.filename != b.filename:
        return False
    begin_a, end_a = (a.row, a.column), (a.end_row, a.end_column)
    begin_b, end_b = (b.row, b.column), (b.end_row, b.end_column)
    if begin_a == begin_b:
        return True
    return begin_a < end_b and begin_b < end_a


def _range(place: Place, starts: Sequence[int]) -> tuple[int, int]:
    return starts[place.row - 1] + place.column - 1, starts[place.end_row - 1] + place.end_column - 1


def _apply_cells(source: SourceFile, raw: str, edits: Sequence[Edit]) -> str:
    """The edits of a notebook in its cells. Outputs, metadata and the form of the JSON stay."""
    assert source.positions is not None
    by_cell: dict[int, list[Edit]] = {}
    for edit in edits:
        first = source.positions.cell_of(edit.place.row)
        last = source.positions.cell_of(edit.place.end_row)
        end_row, end_column = last.row, edit.place.end_column
        if last.cell != first.cell:
            # Whole lines up to the end of a cell end, in the joined text, where the next one starts.
            if edit.place.end_column != 1 or last.row != 1:
                raise Overlap(f"an edit reaches over cells in row {edit.place.row}")
            end_row, end_column = 0, 0
        place = Place(edit.place.filename, first.row, edit.place.column, end_row, end_column)
        by_cell.setdefault(first.cell, []).append(Edit(place, edit.content))
    paths = _paths(json.loads(raw))
    for index, mine in by_cell.items():
        text = _source(raw, paths[index])
        lines = split_lines(text)
        mended = [
            edit if edit.place.end_row else Edit(_to_end(edit.place, lines), edit.content.rstrip("\n")) for edit in mine
        ]
        raw = with_lines(raw, paths[index], apply_text(text, mended).splitlines(keepends=True))
    join_cells(raw)  # it must still be a notebook
    return raw


def _paths(document: dict[str, Any]) -> list[tuple[str | int, ...]]:
    """Where the sources of all cells stand in a notebook."""
    cells: list[tuple[tuple[str | int, ...], Any]] = []
    if isinstance(document.get("cells"), list):
        cells = [(("cells", i), cell) for i, cell in enumerate(document["cells"])]
    else:
        for number, sheet in enumerate(document["worksheets"]):
            cells += [(("worksheets", number, "cells", i), cell) for i, cell in enumerate(sheet.get("cells", []))]
    return [(*path, "source" if "source" in cell else "input") for path, cell in cells]


def _source(raw: str, path: Sequence[str | int]) -> str:
    """The text of a cell."""
    start, end = span(raw, path)
    value = json.loads(raw[start:end])
    return "".join(value) if isinstance(value, list) else str(value)


def _to_end(place: Place, lines: Sequence[str]) -> Place:
    return Place(place.filename, place.row, place.column, len(lines), len(lines[-1]) + 1)
