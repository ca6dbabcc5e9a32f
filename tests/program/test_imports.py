"""Import statements found by scanning: the same as the parser finds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograd_hazards.program.imports import Import, scan_imports


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a", [Import("a")]),
        ("import a.b as c, d", [Import("a.b"), Import("d")]),
        ("from a.b import c as d, e", [Import("a.b", 0, ("c", "e"))]),
        ("from . import x", [Import("", 1, ("x",))]),
        ("from ..a import x", [Import("a", 2, ("x",))]),
        ("from .. a import x", [Import("a", 2, ("x",))]),
        ("from a import *", [Import("a", 0, ("*",))]),
        ("from a import (  # why\n    b,\n    c as d,  # that\n)\n", [Import("a", 0, ("b", "c"))]),
        ("from a import b, \\\n    c\n", [Import("a", 0, ("b", "c"))]),
        ("def f():\n    import a; x = 1\n", [Import("a")]),
        ("import a\r\nimport b\rimport c", [Import("a"), Import("b"), Import("c")]),
        ("important = 1\nfrom_ = 2\nx = 'import a'\n", []),
    ],
)
def test_forms(text: str, expected: list[Import]) -> None:
    assert scan_imports(text) == expected


def test_all_that_the_parser_finds_in_the_standard_library() -> None:
    paths = sorted(Path(ast.__file__).parent.glob("*.py"))[::12]
    count = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found = set(scan_imports(text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                expected = {Import(alias.name) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                expected = {Import(node.module or "", node.level, tuple(alias.name for alias in node.names))}
            else:
                continue
            if node.col_offset and ";" in text.split("\n")[node.lineno - 1]:
                continue
            count += 1
            assert expected <= found, (path, node.lineno)
    assert count > 50
