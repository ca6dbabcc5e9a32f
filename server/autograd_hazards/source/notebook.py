"""Jupyter notebooks: the code cells joined to one text, with the way back from a row to its cell."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from autograd_hazards.messages import Text, say
from autograd_hazards.source.blocks import scan_lines
from autograd_hazards.source.patterns import lazy
from autograd_hazards.source.positions import split_lines


@dataclass(frozen=True, slots=True)
class CellPosition:
    """Where a row of the joined text lies: the cell's index among *all* cells (from 0) and the row in it (from 1)."""

    cell: int
    row: int


@dataclass(frozen=True, slots=True)
class PositionMap:
    """The way back from rows of the joined text. ``starts[i]`` is the first row of the cell ``cells[i]``."""

    starts: tuple[int, ...]
    cells: tuple[int, ...]

    def cell_of(self, row: int) -> CellPosition:
        """The cell and the row in it for a row (from 1) of the joined text."""
        if not self.starts:
            return CellPosition(0, row)
        index = max(bisect_right(self.starts, row) - 1, 0)
        return CellPosition(self.cells[index], row - self.starts[index] + 1)

    def row_of(self, cell: int, row: int) -> int | None:
        """The row of the joined text for a row in a cell; None for a cell that holds no code."""
        for start, index in zip(self.starts, self.cells, strict=True):
            if index == cell:
                return start + row - 1
        return None


class NotebookError(ValueError):
    """The text is no notebook; the message says why in one sentence."""

    def __init__(self, message: Text) -> None:
        super().__init__(message)
        self.message = message


def join_cells(text: str) -> tuple[str, PositionMap]:
    """The code of a notebook's JSON ``text`` as one Python text, and its position map.

    Magics and shell lines are turned into comments or ``pass`` and keep their rows. Raises NotebookError.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotebookError(say("This notebook is no valid JSON: {error}.", error=error)) from error
    if not isinstance(document, dict):
        raise NotebookError(say("This notebook is no JSON object with cells."))
    cells = document.get("cells")
    if cells is None and isinstance(document.get("worksheets"), list):  # notebook format 3
        cells = [
            cell
            for sheet in document["worksheets"]
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(cells, list):
        raise NotebookError(say("This notebook has no list of cells."))
    lines: list[str] = []
    starts: list[int] = []
    indices: list[int] = []
    for index, cell in enumerate(cells):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        starts.append(len(lines) + 1)
        indices.append(index)
        lines.extend(neutralise(split_lines(_source_of(cell))))
    return "\n".join(lines) + "\n", PositionMap(tuple(starts), tuple(indices))


def _source_of(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


_CELL_MAGIC = lazy(r"\s*%%\s*(\w+)")
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "memit", "mprun"})
# What ``neutralise`` makes of a cell magic.
_NEUTRAL = lazy(r"\s*(?:pass  # %%|pass;|#\s*%%)")
_SHELL = lazy(r"(\s*)(?:!(?!=)|%%|\?{1,2}\w|[A-Za-z_][\w.\[\]]*\?{1,2}\s*$)")
_ASSIGNED = lazy(r"([ \t]*[A-Za-z_][\w, ]*=[ \t]*)[%!](?!=)")
_MAGIC = lazy(r"(\s*)%[A-Za-z]")
# Magics that run the statement after them; compound statements cannot follow on a line.
_RUNNING = lazy(
    r"(\s*)(%%?(?:timeit|time|prun|memit)\s+)"
    r"(?!-|(?:for|while|if|with|try|def|class|async|match)\b|$)"
)


def neutralise(lines: list[str]) -> list[str]:
    """A cell's lines with IPython's own syntax replaced, row for row, by Python that does nothing.

    A statement after ``%time`` and the like stays, in its column.
    """
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None or not any(mark in line for line in lines for mark in "%!?"):
        return lines
    magic = _CELL_MAGIC.match(lines[first])
    if magic and magic[1] not in _PYTHON_CELLS:
        return ["#" + line if line.strip() else line for line in lines]
    shell = _replace(lines, _SHELL, None)
    # A line in the middle of a statement may start with the operator %.
    text = "\n".join(shell)
    starts = set(scan_lines(text).starts)
    offsets = accumulate((len(line) + 1 for line in shell), initial=0)
    return _replace(shell, _MAGIC, {index for index, offset in enumerate(offsets) if offset in starts})


def is_cell_magic(lines: list[str]) -> bool:
    """Whether the first of these neutralised lines that is not empty may stand for a magic of the whole cell."""
    return _NEUTRAL.match(next((line for line in lines if line.strip()), "")) is not None


def _replace(lines: list[str], pattern: re.Pattern[str], only: set[int] | None) -> list[str]:
    """Replace the lines that match, with the lines that continue them; ``only`` are the indices that may match."""
    result: list[str] = []
    continued = False
    for index, line in enumerate(lines):
        if continued:
            continued = line.endswith("\\")
            result.append("#" + line)
            continue
        if running := _RUNNING.match(line):
            width = len(running[2])
            result.append(running[1] + "pass;".ljust(width) + line[running.end() :])
            continue
        if assigned := _ASSIGNED.match(line):
            result.append(f"{assigned[1]}None  # {line[assigned.end() :]}")
        elif (match := pattern.match(line)) and (only is None or index in only):
            result.append(f"{match[1]}pass  # {line.strip()}")
        else:
            result.append(line)
            continue
        continued = line.endswith("\\")
    return result
