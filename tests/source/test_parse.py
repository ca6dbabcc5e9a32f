"""Tolerant parsing: what a syntax error costs, and what is said about it."""

from __future__ import annotations

import ast
import sys
import time
import warnings
from pathlib import Path

import pytest

from autograd_hazards.program.imports import scan_imports
from autograd_hazards.source.notebook import neutralise
from autograd_hazards.source.parse import ParsedFile, parse
from autograd_hazards.source.suppress import Suppressions


def dump(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True)


def defined(parsed: ParsedFile) -> list[tuple[str, int]]:
    """Names (or kinds) of the statements left, with their rows."""
    return [(getattr(node, "name", type(node).__name__), node.lineno) for node in parsed.tree.body]


def rows(parsed: ParsedFile) -> list[int]:
    return [problem.place.row for problem in parsed.problems]


WHOLE = '''\
import torch


def first(x):
    """Text with def second(: in it."""
    return (x +
1)


@torch.no_grad()
def second(x):
    y = """
def third():
    pass
"""
    return y


class Model(torch.nn.Module):
    size = 3

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    @property
    def device(self):
        return "cpu"

    def forward(self, x):
        return self.fc(x)


if __name__ == "__main__":
    print(first(1))
'''


def test_a_whole_text_is_parsed_as_python_does() -> None:
    parsed = parse(WHOLE, "file.py")
    assert dump(parsed.tree) == dump(ast.parse(WHOLE))
    assert not parsed.problems
    assert not parsed.dropped
    assert "".join(block.text for block in parsed.blocks) == WHOLE
    assert [block.first for block in parsed.blocks] == [1, 4, 10, 19, 34]


@pytest.mark.parametrize(
    ("old", "new", "lost", "problem_row"),
    [
        ("return (x +\n1)", "return (x + +)\n", "first", 6),
        ("return (x +\n1)", "return (x +\n", "first", 6),  # a bracket left open
        ("def first(x):", "def first(x:", "first", 4),
        ("def first(x):", "def first(x)", "first", 4),
        ("    return y", "    return 'y", "second", 16),
        ("@torch.no_grad()", "@torch.no_grad(", "second", 10),
        ("    print(first(1))", "    print(first(1)", None, 35),
        ("import torch", "import torch as", None, 1),
        ("import torch", "import torch; x = (", None, 1),
        ("import torch", "import torch; \0", None, 1),
    ],
)
def test_an_error_costs_its_own_block(old: str, new: str, lost: str | None, problem_row: int) -> None:
    text = WHOLE.replace(old, new, 1)
    parsed = parse(text, "file.py")
    assert rows(parsed) == [problem_row]
    whole = parse(WHOLE, "file.py")
    delta = new.count("\n") - old.count("\n")
    at = WHOLE.index(old)
    row = WHOLE.count("\n", 0, at) + 1
    expected = [
        ast.dump(statement)
        for block in whole.blocks
        for statement in block.body
        if not block.first <= row <= block.last
    ]
    assert [ast.dump(statement) for statement in parsed.tree.body] == expected
    for statement in parsed.tree.body:
        before = next(old for old in whole.tree.body if ast.dump(old) == ast.dump(statement))
        assert statement.lineno == before.lineno + (delta if before.lineno > row else 0)
    if lost:
        assert parsed.dropped == {lost}
        assert f"`{lost}`" in parsed.problems[0].message


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("return self.fc(x)", "return self.fc(x", "Model.forward"),
        ("return self.fc(x)", "return self.", "Model.forward"),
        ("super().__init__()", "super().__init__(", "Model.__init__"),
        ('return "cpu"', "return 'cpu", "Model.device"),
        ("    @property", "    @", "Model.device"),
    ],
)
def test_of_a_class_only_the_broken_member_is_lost(old: str, new: str, lost: str) -> None:
    text = WHOLE.replace(old, new, 1)
    parsed = parse(text, "file.py")
    assert len(parsed.problems) == 1
    assert parsed.problems[0].place.row == WHOLE.count("\n", 0, WHOLE.index(old)) + 1 or "expected" in (
        parsed.problems[0].message
    )
    assert parsed.dropped == {lost}
    model = next(node for node in parsed.tree.body if isinstance(node, ast.ClassDef))
    expected = next(node for node in ast.parse(WHOLE).body if isinstance(node, ast.ClassDef))
    expected.body = [node for node in expected.body if getattr(node, "name", "") != lost.removeprefix("Model.")]
    assert [dump(node) for node in model.body] == [dump(node) for node in expected.body]


def test_a_class_with_a_broken_head_is_lost_as_a_whole() -> None:
    parsed = parse(WHOLE.replace("(torch.nn.Module):", "(torch.nn.Module:"), "file.py")
    assert "Model" not in dict(defined(parsed))
    assert "Model" in parsed.dropped
    assert len(parsed.problems) == 1


def test_code_goes_on_after_a_bracket_left_open_in_a_script() -> None:
    parsed = parse("import a\nx = f(\ny = 2\nz.backward()\nprint(z)\n", "file.py")
    assert defined(parsed) == [("Import", 1), ("Assign", 3), ("Expr", 4), ("Expr", 5)]
    assert rows(parsed) == [2]


def test_arguments_are_no_code() -> None:
    parsed = parse("x = f(\na = 1,\nb = 2,\n", "file.py")
    assert defined(parsed) == []
    assert rows(parsed) == [1]


@pytest.mark.parametrize("docs", [3, 4])
def test_code_goes_on_after_a_docstring_left_open(docs: int) -> None:
    functions = [f'def f{index}(x):\n    """\n    Text.\n    """\n    return x\n\n\n' for index in range(docs)]
    functions[1] = functions[1].replace('Text.\n    """', "Text.\n")
    parsed = parse("".join(functions) + "y = f0(1)\n", "file.py")
    assert defined(parsed) == [
        *((f"f{index}", 7 * index + 1) for index in range(docs) if index != 1),
        ("Assign", 7 * docs + 1),
    ]
    assert rows(parsed) == [9]


def test_code_in_strings_stays_text_when_the_error_is_elsewhere() -> None:
    text = 'def f(:\n    code = """\nimport os\ndef g():\n    pass\n"""\n    return code\n\nx = 1\n'
    parsed = parse(text, "file.py")
    assert defined(parsed) == [("Assign", 9)]
    assert rows(parsed) == [1]


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    broken = WHOLE.replace("return self.fc(x)", "return self.fc(x", 1)
    one, other = parse(broken, "file.py"), parse(broken.replace("\n", newline), "file.py")
    assert dump(one.tree) == dump(other.tree)
    assert one.problems == other.problems


def test_messages_are_sentences_with_the_files_rows() -> None:
    text = "x = 1\n\n\ndef f():\n    pass\n\n\ndef g():\nreturn 1\n"
    parsed = parse(text, "file.py")
    messages = [problem.message for problem in parsed.problems]
    reason = "expected an indented block after function definition on line 8"
    assert messages == [f"Syntax error, so line 8 (`g`) is not analysed: {reason}."]


def test_prose_that_lost_its_quotes_is_one_problem() -> None:
    text = "Some text.\nIt has, of course\n\nmany lines of it.\n\ndef f(:\n    pass\n\nx = 1\n"
    parsed = parse(text, "file.py")
    assert defined(parsed) == [("Assign", 9)]
    assert [problem.message.partition(" are ")[0] for problem in parsed.problems] == [
        "Syntax error, so lines 1-4",
        "Syntax error, so lines 6-7 (`f`)",
    ]


def test_a_class_in_ruins_is_one_problem() -> None:
    text = "class A:\n    x = 1\n" + "".join(f"    def f{index}(self:\n        pass\n" for index in range(9))
    parsed = parse(text, "file.py")
    assert len(parsed.problems) == 1
    assert "`A.f0`) and 8 more members of the class" in parsed.problems[0].message
    assert len(parsed.dropped) == 9


PYTHON2 = """\
import torch
x = 1
def f(a):
    print "loss", a
class A:
    def g(self):
        try:
            return self.h
        except KeyError, e:
            raise ValueError, "no"
    def h(self):
        return 2
print x
"""


def test_python_2_is_said_once() -> None:
    parsed = parse(PYTHON2, "old.py")
    assert parsed.python2
    assert len(parsed.problems) == 1
    assert "Python 2" in parsed.problems[0].message
    assert [name for name, _ in defined(parsed)] == ["Import", "Assign", "f", "A", "Expr"]
    assert not parsed.dropped


def test_older_spellings_are_followed_at_their_places() -> None:
    parsed = parse("x = 1\ny = x.cuda(async=True).detach()\nw = 2\n", "old.py")
    assert [name for name, _ in defined(parsed)] == ["Assign", "Assign", "Assign"]
    assert rows(parsed) == [2]
    assert parsed.problems[0].message.startswith("This Python cannot run line 2, though older ones could: ")
    (call,) = [node for node in ast.walk(parsed.tree) if isinstance(node, ast.Attribute) and node.attr == "detach"]
    assert (call.lineno, call.end_col_offset) == (2, len("y = x.cuda(async=True).detach"))


def test_an_older_method_does_not_cost_its_class() -> None:
    text = "class A:\n    def f(self):\n        print 'a'\n    def g(self:\n        pass\n    def h(self):\n        return 1\n"
    parsed = parse(text, "old.py")
    (cls,) = parsed.tree.body
    assert isinstance(cls, ast.ClassDef)
    assert [getattr(node, "name", "") for node in cls.body] == ["f", "h"]
    assert parsed.dropped == {"A.g"}


def test_a_slip_in_python_3_is_no_python_2() -> None:
    parsed = parse("def f(a) -> int:\n    return f'{a}'\n\nprint 1\nx = 1\nprint x\n", "new.py")
    assert not parsed.python2
    assert rows(parsed) == [4, 6]


@pytest.mark.parametrize("line", [r'print "{}\t"', r'x = "a\t" "b\t" y', "print t"])
def test_a_tab_in_a_string_is_no_template(line: str) -> None:
    (problem,) = parse(f"a = 1\n{line}\nb = 2\n", "old.py").problems
    assert "Template" not in problem.message


@pytest.mark.parametrize(
    ("code", "version", "said"),
    [
        ("try:\n    pass\nexcept* ValueError:\n    pass", (3, 11), "Exception groups"),
        ("class A[T]:\n    pass", (3, 12), "Type parameters"),
        ("def f[T](x: T) -> T:\n    return x", (3, 12), "Type parameters"),
        ("type Pair = tuple[int, int]", (3, 12), "Type aliases"),
        ("class A[T = int]:\n    pass", (3, 13), "Defaults of type parameters"),
        ("x = t'{y}'", (3, 14), "Template strings"),
        ("try:\n    pass\nexcept OSError, ValueError:\n    pass", (3, 14), "Exceptions without parentheses"),
        ("lazy import torch", (3, 15), "Lazy imports"),
    ],
)
def test_newer_syntax_is_said_to_be_newer(code: str, version: tuple[int, int], said: str) -> None:
    parsed = parse(f"a = 1\n{code}\nb = 2\n", "file.py")
    if sys.version_info >= version:
        assert not parsed.problems
        return
    assert [name for name, _ in defined(parsed)] == ["Assign", "Assign"]
    assert len(parsed.problems) == 1
    message = parsed.problems[0].message
    assert message.startswith(said)
    assert f"Python {version[0]}.{version[1]}" in message
    assert not parsed.python2


@pytest.mark.parametrize(
    "deep",
    ["(" * 150 + ")" * 150, "-" * 100_000 + "1", "x = " + "+".join("a" * 100_000), "[" * 5000, "x" + ".a" * 50_000],
    ids=["brackets", "minus", "plus", "open", "attributes"],
)
@pytest.mark.parametrize("limit", [1000, 20_000])
def test_deep_nesting_costs_its_block(deep: str, limit: int) -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        parsed = parse(f"a = 1\n{deep}\ndef f():\n    pass\n", "file.py")
    finally:
        sys.setrecursionlimit(before)
    assert defined(parsed)[0] == ("Assign", 1)
    assert defined(parsed)[-1] == ("f", 3)
    assert len(parsed.problems) <= 1


def test_parsing_deep_in_the_callers_stack() -> None:
    def descend(depth: int) -> ParsedFile:
        return descend(depth - 1) if depth else parse("x = (1 +\ny = 2\n", "file.py")

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        parsed = descend(4000)
    finally:
        sys.setrecursionlimit(before)
    assert rows(parsed) == [1]


def test_odd_characters() -> None:
    parsed = parse("s = '\ud800\u2028\x85'; y = 1\nz = 2\n", "file.py")
    assert not parsed.problems
    statement = parsed.tree.body[1]
    place = parsed.place(statement)
    assert (place.row, place.column, place.end_column) == (1, 12, 17)
    assert rows(parse("a = 1\nb\0 = 2\nc = 3\n", "file.py")) == [2]
    assert parse("", "file.py").tree.body == []
    assert parse("\ufeffx = 1", "file.py").problems


def test_no_warnings_come_out() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not parse("x = '\\d'\ny = 1if 2else 3\nassert (1, 2)\n1()\n", "file.py").problems


def test_many_breaks_take_linear_time() -> None:
    text = "x = f(\n" * 3000
    parsed = parse(text, "file.py")
    assert parsed.problems
    text = 'def f():\n    """open\n' * 1000
    assert parse(text, "file.py").problems


@pytest.mark.parametrize(
    "text",
    [
        "x = '''" + "'" * 100_000,
        "def f(" + "(a, " * 50_000,
        "\n" * 200_000 + "x = (",
        " " * 200_000 + "x",
        "x = 1 \\\n" * 50_000,
        "@a\n" * 50_000,
        "class A:\n" + "    def f(self:\n        pass\n" * 3000,
        "class A:\n" * 3000,
        "else:\n" * 50_000,
        "if a: # " * 20_000 + "\n(",
        "print a, '" + "`" * 100_000,
        "def f(a" + " " * 100_000 + "\nprint x",
        "'\\\n" * 50_000,
        '"' + "\\" * 100_000,
        "\x0c\n(" * 20_000,
    ],
    ids=range(15),
)
def test_no_text_takes_long(text: str) -> None:
    start = time.process_time()
    parsed = parse(text, "file.py")
    Suppressions.of(text + "  # noqa")
    neutralise([*text.split("\n"), "%m"])
    scan_imports(text)
    assert parsed.problems
    assert time.process_time() - start < 8


def test_the_standard_library(request: pytest.FixtureRequest) -> None:
    folder = Path(ast.__file__).parent
    paths = sorted(folder.rglob("*.py"))
    paths = paths[:: len(paths) // 8]  # some ship it without its tests
    assert len(paths) > 5
    for path in paths:
        data = path.read_bytes()
        try:
            text = data.decode("utf-8")
            expected = ast.parse(text)
        except (UnicodeDecodeError, SyntaxError, ValueError):
            continue
        parsed = parse(text, str(path))
        assert dump(parsed.tree) == dump(expected), path
        assert "".join(block.text for block in parsed.blocks) == text.replace("\r\n", "\n").replace("\r", "\n")
        # A break at the end must leave all before it as it is.
        broken = parse(text + "\nbroken = (\n", str(path))
        assert len(broken.problems) == 1, path
        assert dump(broken.tree) == dump(expected), path


def test_names_that_unread_statements_set_are_told() -> None:
    parsed = parse("x = 1\nx = <YOUR CODE>\n\nif x:\n    y = (\nz == <MORE>\n", "a.py")
    assert [name for _, name in parsed.unread] == ["x", "y"]
    assert parsed.unread[0] == (2, "x")
