"""Notebooks: cells joined, IPython's syntax made harmless, rows led back to cells."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_hazards.source.files import SourceFile, SourceProblem, source_from_text
from autograd_hazards.source.notebook import CellPosition, NotebookError, join_cells, neutralise


def notebook(*cells: str | tuple[str, str]) -> str:
    made = []
    for cell in cells:
        kind, source = ("code", cell) if isinstance(cell, str) else cell
        made.append({"cell_type": kind, "source": source.splitlines(keepends=True), "metadata": {}})
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made})


def test_cells_are_joined_in_order_and_rows_lead_back() -> None:
    text, positions = join_cells(notebook("import torch\nx = 1", ("markdown", "# Title"), "y = 2\n", "z = 3"))
    lines = text.split("\n")
    assert [line for line in lines if line] == ["import torch", "x = 1", "y = 2", "z = 3"]
    for line, cell, row in (("import torch", 0, 1), ("x = 1", 0, 2), ("y = 2", 2, 1), ("z = 3", 3, 1)):
        joined = lines.index(line) + 1
        assert positions.cell_of(joined) == CellPosition(cell, row)
        assert positions.row_of(cell, row) == joined
    assert positions.row_of(1, 1) is None


MAGICS = """\
%matplotlib inline
!pip install torch
?torch.nn
torch.nn.Linear??
files = !ls *.pt
loss = %sql SELECT 1
!wget https://example.org/a \\
    -O a
%load_ext autoreload
"""


def test_magics_become_python_that_does_nothing_row_by_row() -> None:
    lines = MAGICS.split("\n")
    result = neutralise(lines)
    assert len(result) == len(lines)
    tree = ast.parse("\n".join(result))
    assert {type(node) for node in tree.body} == {ast.Pass, ast.Assign}


@pytest.mark.parametrize("line", [line for line in MAGICS.split("\n") if not line.startswith("    ")])
def test_each_magic_alone(line: str) -> None:
    tree = ast.parse("\n".join(neutralise(["x = 1", line])))
    assert isinstance(tree.body[0], ast.Assign)


def test_indented_magics_keep_their_block() -> None:
    result = neutralise(["if x:", "    !ls", "else:", "    %time f()"])
    tree = ast.parse("\n".join(result))
    assert ast.unparse(tree) == "if x:\n    pass\nelse:\n    pass\n    f()"


def test_python_after_a_timing_magic_stays_in_its_column() -> None:
    result = neutralise(["%time train(model)"])
    assert result[0].index("train(model)") == len("%time ")
    assert ast.unparse(ast.parse(result[0])) == "pass\ntrain(model)"
    assert ast.parse(neutralise(["%timeit -n 10 f()"])[0])
    assert ast.parse(neutralise(["%time for x in y: f()"])[0])


def test_cells_in_other_languages_hold_no_code() -> None:
    assert all(line.startswith("#") for line in neutralise(["%%bash", "rm -rf /tmp/x", "for i in *; do"]))
    kept = neutralise(["%%time", "loss.backward()"])
    assert kept[1] == "loss.backward()"


def test_operators_at_line_starts_are_no_magics() -> None:
    cell = ["x = ('%d'", "     %y", "     != z)", "!ls"]
    result = neutralise(cell)
    assert result[:3] == cell[:3]
    assert ast.parse("\n".join(result))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[" * 100_000, "JSON"),
        ("[]", "no JSON object"),
        ("{}", "no list of cells"),
        ('{"cells": 3}', "no list of cells"),
    ],
)
def test_what_is_no_notebook_is_said(text: str, said: str) -> None:
    with pytest.raises(NotebookError, match=said):
        join_cells(text)
    source = source_from_text(Path("a.ipynb"), text)
    assert isinstance(source, SourceProblem)
    assert said in source.message


def test_odd_cells_are_passed_over() -> None:
    document = {"cells": [None, 3, {"cell_type": "code"}, {"cell_type": "code", "source": ["a = 1\n", None, "b = 2"]}]}
    source = source_from_text(Path("a.ipynb"), json.dumps(document))
    assert isinstance(source, SourceFile)
    assert source.kind == "notebook"
    assert ast.unparse(ast.parse(source.text)) == "a = 1\nb = 2"


def test_old_notebooks_with_worksheets() -> None:
    document = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1"]}]}]}
    assert join_cells(json.dumps(document))[0].strip() == "x = 1"


@given(st.lists(st.text(st.sampled_from("%!?=\\ \n\tab.('\"#"), max_size=30), max_size=5))
def test_rows_are_kept_whatever_the_cells_hold(cells: list[str]) -> None:
    text, positions = join_cells(json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}))
    for index, cell in enumerate(cells):
        start = positions.row_of(index, 1)
        assert start is not None
        assert positions.cell_of(start + cell.count("\n")) == CellPosition(index, cell.count("\n") + 1)
    assert text.count("\n") == sum(cell.count("\n") + 1 for cell in cells) or not cells
