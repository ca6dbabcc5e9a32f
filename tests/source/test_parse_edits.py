"""Random edits: parsing never raises, whole blocks stay as they were, re-parsing an edit gives what parsing gives."""

from __future__ import annotations

import ast
import random
import warnings
from pathlib import Path

import pytest

from autograd_hazards.source.parse import ParsedFile, parse

BITS = [
    *("(", ")", "[", "]", "{", "}", "'", '"', '"""', "'''", "\\", "\n", "\\\n", "#", ":", "    ", "\t", "@", ";", ", "),
    *("def f():\n", "async def g():\n    pass\n", "class A:\n", "else:", "if x:\n", "try:\n", "import x\n", "x = 1\n"),
    *("  x = (\n", "\r", "\f", "é", "\ud800", "\0", "f'{", "return", "print a\n", "except A, e:\n", "\n\n", "@dec\n"),
]
SEED = '''\
"""Docstring
def not_code():
"""
from __future__ import annotations
import os; import sys

X = [
    1, 2,
]
if X: Y = f(
    2) ; Z = 3

# A comment
@decorator(
    a=1)
@other
def function(a, b=(1, 2), *args):
    """Text with 'quotes' and \\""" in it."""
    for i in a:
        yield i + \\
            1
    return {"é": '#', """b""": b}

class A(B, metaclass=C):

    x: int = 3

    @property
    async def method(self):
        async with self as s:
            return await s

    class Inner:
        pass
\x0c
try:
    pass
except E:
    pass
else:
    with a as b, c as d:
        lambda: 0
finally:
    del X
'''


def texts() -> list[str]:
    """The seed, and files of this project and of the standard library of moderate size."""
    here = Path(__file__).parent
    paths = [*sorted(here.glob("*.py")), *sorted(Path(ast.__file__).parent.glob("*.py"))[::9]]
    found = [SEED, SEED.replace("\n", "\r\n")]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if 0 < len(text.strip()) < 12_000:
            found.append(text)
    return found


def edit(rng: random.Random, text: str) -> str:
    """One edit: something typed, deleted, or a line removed, doubled or spoilt."""
    at = rng.randrange(len(text) + 1)
    kind = rng.random()
    if kind < 0.5:
        return text[:at] + rng.choice(BITS) + text[at:]
    if kind < 0.65:
        return text[:at] + text[at + rng.choice((1, 1, 2, 5, 40, 300)) :]
    lines = text.split("\n")
    row = rng.randrange(len(lines))
    if kind < 0.75:
        del lines[row]
    elif kind < 0.85:
        lines.insert(row, rng.choice(lines))
    elif kind < 0.93:
        lines[row] = rng.choice(BITS) + lines[row]
    else:
        lines[row] += rng.choice(BITS)
    return "\n".join(lines)


def seen(parsed: ParsedFile) -> object:
    """Everything that a parsed file says."""
    return (
        ast.dump(parsed.tree, include_attributes=True),
        parsed.problems,
        parsed.python2,
        parsed.dropped,
        [(block.first, block.last, block.text) for block in parsed.blocks],
    )


@pytest.mark.parametrize("seed", range(4))
def test_reparsing_gives_what_parsing_gives(seed: int) -> None:
    rng = random.Random(seed)
    sources = texts()
    for _ in range(45):
        text = rng.choice(sources)
        previous = parse(text, "file.py")
        for _ in range(rng.choice((1, 2, 8))):
            text = edit(rng, text)
            fresh = parse(text, "file.py")
            again = parse(text, "file.py", previous)
            assert seen(again) == seen(fresh), text
            previous = again


@pytest.mark.parametrize("seed", range(3))
def test_what_an_edit_leaves_whole_is_parsed_as_python_does(seed: int) -> None:
    rng = random.Random(1000 + seed)
    sources = texts()
    valid = 0
    for _ in range(80):
        text = edit(rng, rng.choice(sources)).replace("\ud800", "\ufffd")  # which ast.parse refuses everywhere
        parsed = parse(text, "file.py")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (SyntaxError, ValueError):
            assert parsed.problems
            for problem in parsed.problems:
                assert 1 <= problem.place.row <= len(parsed.lines)
                assert 1 <= problem.place.column <= problem.place.end_column
                assert problem.place.end_column <= len(parsed.lines[problem.place.row - 1]) + 1
        else:
            valid += 1
            assert not parsed.problems
            assert ast.dump(parsed.tree, include_attributes=True) == ast.dump(tree, include_attributes=True)
    assert valid > 10


@pytest.mark.parametrize("seed", range(3))
def test_blocks_away_from_a_broken_one_stay_as_they_were(seed: int) -> None:
    """Something that breaks one line and leaves no string open costs no other block."""
    rng = random.Random(2000 + seed)
    sources = texts()[2:]
    for _ in range(60):
        text = rng.choice(sources)
        whole = parse(text, "file.py")
        block = rng.choice([block for block in whole.blocks if block.body])
        row = block.body[-1].end_lineno or block.body[-1].lineno
        lines = text.split("\n")
        if lines[row - 1].endswith(("'''", '"""')):
            continue
        lines[row - 1] += rng.choice((" 1 2", " )", " :=", " = = 1", " $"))
        parsed = parse("\n".join(lines), "file.py")
        if "#" in lines[row - 1] and not parsed.problems:
            continue  # a comment took it
        kept = [ast.dump(statement, include_attributes=True) for statement in parsed.tree.body]
        expected = [
            ast.dump(statement, include_attributes=True)
            for other in whole.blocks
            if other is not block
            for statement in other.body
        ]
        if isinstance(block.body[-1], ast.ClassDef) and len(kept) > len(expected):  # without that line
            kept = [text for text in kept if not text.startswith(f"ClassDef(name='{block.body[-1].name}'")]
        assert kept == expected, lines[row - 1]
        assert len(parsed.problems) == 1


def test_moved_blocks_are_taken_over() -> None:
    before = parse(SEED, "file.py")
    for node in before.tree.body:
        node.noted = [node, node]  # type: ignore[attr-defined]
    nodes = {id(node) for node in ast.walk(before.tree)}
    after = parse("import first\n\n" + SEED.replace("lambda: 0", "lambda: 1"), "file.py", before)
    kept = [node for node in ast.walk(after.tree) if id(node) in nodes]
    assert len(kept) < len(nodes)  # both ends changed, and what lies between is parsed anew
    again = parse(after.text.replace("1, 2,", "1, 2, 3,\n"), "file.py", after)
    assert seen(again) == seen(parse(again.text, "file.py"))
    moved = next(node for node in again.tree.body if isinstance(node, ast.ClassDef))
    assert moved is next(node for node in after.tree.body if isinstance(node, ast.ClassDef))


def test_what_stays_of_a_block_that_does_not_parse_stays_below_the_edit() -> None:
    before = "x = 1\ny = 2\ndef f(a):\n" + "".join(f"    b{n} = a + {n}\n" for n in range(30)) + "z = 3\n"
    lines = before.split("\n")
    after = "\n".join([*lines[:3], "    b = (", *lines[28:]])
    parsed = parse(after, "a.py", parse(before, "a.py"), typing=True)
    rows = {node.lineno for node in ast.walk(parsed.tree) if hasattr(node, "lineno")}
    assert parsed.problems and min(rows) == 1 and max(rows) <= len(lines)
