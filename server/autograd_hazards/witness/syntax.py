"""Finds the syntax that a recorded place stands for, and the names that its values get."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ..machine.values import UserClass
from ..source.files import SourceFile, decode_source, read_source

Located = dict[str, Any]
"""A place as the recorder writes it: file, row, end_row, column, end_column (UTF-8 bytes or None), function."""


class Stub(ast.expr):
    """Stands for code that cannot be read: only its range is known."""

    def __init__(self, place: Located) -> None:
        super().__init__()
        self.lineno = place["row"]
        self.end_lineno = place["end_row"] or place["row"]
        self.col_offset = place["column"] or 0
        self.end_col_offset = place["end_column"] or self.col_offset + 1


def start_of(node: ast.AST) -> int:
    """The row where a statement starts, its decorators included."""
    decorators = getattr(node, "decorator_list", ())
    row: int = min([getattr(node, "lineno", 1), *(decorator.lineno for decorator in decorators)])
    return row


class Sources:
    """The sources of a run, parsed when first needed. ``texts`` stand for files (cells of a notebook, an editor's)."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts = texts or {}
        self._trees: dict[str, ast.Module | None] = {}
        self._parents: dict[str, dict[ast.AST, ast.AST]] = {}
        self._lines: dict[str, list[str]] = {}

    def lines(self, filename: str) -> list[str]:
        """The lines of a file; none when it cannot be read."""
        if filename not in self._lines:
            self._lines[filename] = self._text(filename).split("\n")
        return self._lines[filename]

    def _text(self, filename: str) -> str:
        if filename in self.texts:
            source = decode_source(
                Path(filename if filename.endswith(".py") else "cell.py"), self.texts[filename].encode()
            )
        else:
            source = read_source(Path(filename))
        return source.text.replace("\r\n", "\n") if isinstance(source, SourceFile) else ""

    def tree(self, filename: str) -> ast.Module | None:
        """The syntax of a file; None when it cannot be parsed."""
        if filename not in self._trees:
            try:
                tree = ast.parse("\n".join(self.lines(filename)))
            except (SyntaxError, ValueError, RecursionError):
                tree = None
            self._trees[filename] = tree
            self._parents[filename] = {}
            for node in ast.walk(tree) if tree is not None else ():
                for child in ast.iter_child_nodes(node):
                    self._parents[filename][child] = node
        return self._trees[filename]

    def node(self, place: Located) -> ast.AST:
        """The expression (or statement) at a recorded place."""
        tree = self.tree(place["file"])
        if tree is None:
            return Stub(place)
        row, column = place["row"], place["column"]
        best: ast.AST | None = None
        for node in ast.walk(tree):
            start = getattr(node, "lineno", None)
            if start is None or not isinstance(node, ast.expr | ast.stmt):
                continue
            end = getattr(node, "end_lineno", start)
            if column is not None:
                spot = (start, node.col_offset, end, node.end_col_offset)
                if spot == (row, column, place["end_row"], place["end_column"]):
                    return node
                if (start, node.col_offset) <= (row, column) and (end, node.end_col_offset) >= (
                    place["end_row"], place["end_column"]
                ):  # fmt: skip
                    best = node  # walked from the outside in
            elif isinstance(node, ast.stmt) and start_of(node) <= row <= end:
                best = node
        if best is None:
            return Stub(place)
        if column is not None and isinstance(best, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            return Stub(place)
        return _simple(best)

    def statement(self, filename: str, node: ast.AST) -> ast.stmt | None:
        """The statement around an expression."""
        parents = self._parents.get(filename, {})
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = parents.get(current)
        return current

    def function(self, filename: str, node: ast.AST) -> ast.AST | None:
        """The innermost function or module around a node."""
        parents = self._parents.get(filename, {})
        current = parents.get(node)
        while current is not None and not isinstance(
            current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module
        ):
            current = parents.get(current)
        return current

    def class_of(self, constructor: Located) -> UserClass | None:
        """The class that has a constructor (file and row), with its syntax."""
        tree = self.tree(constructor["file"])
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.ClassDef) and any(
                isinstance(part, ast.FunctionDef) and start_of(part) == constructor["row"] for part in node.body
            ):
                module: Any = SimpleNamespace(path=constructor["file"])
                return UserClass(node.name, node, module, [])
        return None

    def bindings(self, chain: list[Located]) -> Iterator[tuple[int, ast.stmt, str, bool]]:
        """Where the value made at ``chain`` gets names: (depth in the chain, statement, name, stored for longer)."""
        names: set[str] = set()  # that the value has in the function of the last place
        index: int | None = None  # its place in the tuple that the last function returned
        for depth, place in enumerate(chain):
            node = self.node(place)
            filename = place["file"]
            statement = self.statement(filename, node)
            if statement is None:
                return
            if isinstance(statement, ast.Return):
                if statement.value is not node and not _holds(statement.value, node):
                    return
                if isinstance(statement.value, ast.Tuple) and node in statement.value.elts:
                    index = statement.value.elts.index(node)
                continue
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Call)
                and node in statement.value.args
            ):
                if isinstance(statement.value.func, ast.Attribute) and statement.value.func.attr in _KEEPING:
                    yield depth, statement, "", True
                return
            value = getattr(statement, "value", None)
            if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                return
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            whole = value is node or statement is node or node in targets
            if not whole and not (isinstance(value, ast.Tuple) and node in value.elts):
                return
            names = set()
            if index is not None:
                targets = [t.elts[index] if isinstance(t, ast.Tuple) and index < len(t.elts) else t for t in targets]
            for target in targets:
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and node in value.elts:
                    index = value.elts.index(node)
                    if index < len(target.elts):
                        target = target.elts[index]
                if isinstance(target, ast.Name):
                    names.add(target.id)
                    yield depth, statement, target.id, False
                    yield from self._stored(filename, statement, target.id, depth)
                elif isinstance(target, ast.Attribute | ast.Subscript):
                    yield depth, statement, ast.unparse(target), True
                elif isinstance(target, ast.Tuple) and whole:
                    inside = [n for element in target.elts for n in ast.walk(element)]
                    names.update(n.id for n in inside if isinstance(n, ast.Name))
                    first = self._handed_on(filename, statement, names) or next(
                        (n.id for n in inside if isinstance(n, ast.Name)), None
                    )
                    if first is not None:
                        yield depth, statement, first, False
                    for name in sorted(names):
                        yield from self._stored(filename, statement, name, depth)
                    kept = next((n for n in inside if isinstance(n, ast.Attribute)), None)
                    if kept is not None:
                        yield depth, statement, ast.unparse(kept), True
            found = self._returned(filename, statement, names)
            if found is None:
                return
            index = found if found >= 0 else None

    def array_write(self, filename: str, export: ast.AST) -> ast.AST:
        """Where an array that shares memory with a tensor is written to, further down in the function that made it."""
        statement = self.statement(filename, export)
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            return export
        name = statement.targets[0].id
        scope = self.function(filename, statement)
        for later in ast.walk(scope) if scope is not None else ():
            if isinstance(later, ast.Assign | ast.AugAssign) and later.lineno > statement.lineno:
                for target in later.targets if isinstance(later, ast.Assign) else [later.target]:
                    bare: ast.AST = target
                    while isinstance(bare, ast.Subscript | ast.Attribute):
                        bare = bare.value
                    if (
                        isinstance(bare, ast.Name)
                        and bare.id == name
                        and (bare is not target or isinstance(later, ast.AugAssign))
                    ):
                        return later
        return export

    def _returned(self, filename: str, statement: ast.stmt, names: set[str]) -> int | None:
        """Whether the function around a statement returns one of ``names``: its place in a tuple, -1 alone, else None."""
        scope = self.function(filename, statement)
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        for value in [n.value for n in ast.walk(scope) if isinstance(n, ast.Return) and n.value is not None]:
            for position, element in enumerate(value.elts if isinstance(value, ast.Tuple) else [value]):
                if any(_is(element, name) for name in names):
                    return position if isinstance(value, ast.Tuple) else -1
        return None

    def _handed_on(self, filename: str, statement: ast.stmt, names: set[str]) -> str | None:
        """Which of several results of one call the function returns as it is: that one lives on."""
        scope = self.function(filename, statement)
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        for value in [n.value for n in ast.walk(scope) if isinstance(n, ast.Return) and n.value is not None]:
            for element in value.elts if isinstance(value, ast.Tuple) else [value]:
                found = next((name for name in sorted(names) if _is(element, name)), None)
                if found is not None:
                    return found
        return None

    def _stored(
        self, filename: str, statement: ast.stmt, name: str, depth: int
    ) -> Iterator[tuple[int, ast.stmt, str, bool]]:
        """Where, further down in the same function, what ``name`` holds is put into an attribute or container."""
        scope = self.function(filename, statement)
        for later in ast.walk(scope) if scope is not None else ():
            if not isinstance(later, ast.stmt) or later.lineno <= statement.lineno:
                continue
            if isinstance(later, ast.Assign) and _is(later.value, name):
                for target in later.targets:
                    if isinstance(target, ast.Attribute | ast.Subscript):
                        yield depth, later, ast.unparse(target), True
            elif isinstance(later, ast.Expr) and isinstance(later.value, ast.Call):
                call = later.value
                if isinstance(call.func, ast.Attribute) and call.func.attr in _KEEPING:
                    if any(_is(argument, name) for argument in call.args):
                        yield depth, later, name, True


_KEEPING = ("append", "add", "push", "put", "extend", "appendleft", "insert")


def _holds(value: ast.expr | None, node: ast.AST) -> bool:
    """Whether a returned tuple or list has ``node`` as an element."""
    if isinstance(value, ast.Tuple | ast.List):
        return any(element is node or _holds(element, node) for element in value.elts)
    return False


def _is(value: ast.expr, name: str) -> bool:
    if isinstance(value, ast.Tuple | ast.List):
        return any(_is(element, name) for element in value.elts)
    return isinstance(value, ast.Name) and value.id == name


def _simple(node: ast.AST) -> ast.AST:
    """What of a statement is the place: the call of an expression statement, the header of a compound one."""
    if isinstance(node, ast.Expr):
        return node.value
    if isinstance(node, ast.With | ast.AsyncWith):
        return node.items[0].context_expr
    if isinstance(node, ast.For | ast.AsyncFor):
        return node.iter
    if isinstance(node, ast.If | ast.While):
        return node.test
    return node
