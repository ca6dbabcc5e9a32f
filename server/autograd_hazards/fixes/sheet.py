"""A file's text beside its tree: from nodes to ranges, from ranges to edits, and what stands around a node."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Place
from autograd_hazards.machine.syntax import walk
from autograd_hazards.program.modules import Module
from autograd_hazards.source.files import SourceFile
from autograd_hazards.source.positions import column_from_utf8

_LINE_END = re.compile(r"\r\n|\r|\n")
MOST_SHOWN = 60  # characters
_FIELDS = ("body", "orelse", "finalbody", "handlers", "cases")


class Sheet:
    """One file while edits are made for it. Offsets are characters from the start of the text, line ends included."""

    def __init__(self, module: Module) -> None:
        self.path = module.path
        self.name = str(module.path)
        self.text = module.text
        self.tree = module.parsed.tree
        self.newline = module.source.newline if isinstance(module.source, SourceFile) else "\n"
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        facts = module.parsed.facts
        if "parents" not in facts:
            facts["parents"] = {child: node for node in walk(self.tree) for child in ast.iter_child_nodes(node)}
        parents = facts["parents"]
        assert isinstance(parents, dict)
        self.parents: dict[ast.AST, ast.AST] = parents
        self.facts = module.parsed.facts

    @property
    def functions(self) -> dict[str, list[ast.AST]]:
        """The functions and methods of the file by their names."""
        if "functions" not in self.facts:
            named: dict[str, list[ast.AST]] = {}
            for node in walk(self.tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    named.setdefault(node.name, []).append(node)
            self.facts["functions"] = named
        found = self.facts["functions"]
        assert isinstance(found, dict)
        return found

    # -- positions

    def line(self, row: int) -> str:
        """The text of a row without its line end."""
        if not 0 < row <= len(self.starts):
            return ""
        end = self.starts[row] if row < len(self.starts) else len(self.text)
        return self.text[self.starts[row - 1] : end].rstrip("\r\n")

    def _offset(self, row: int, units: int) -> int:
        return self.starts[row - 1] + column_from_utf8(self.line(row), units) - 1

    def start(self, node: ast.AST) -> int:
        """Where a node's text begins; for a decorated definition that is its first decorator's ``@``."""
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            return self.text.rindex("@", 0, self._offset(decorators[0].lineno, decorators[0].col_offset))
        return self._offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Where a node's text ends."""
        return self._offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def dot(self, node: ast.Attribute) -> int:
        """Where the dot of ``x.name`` stands: behind the parentheses that ``x`` may have around it."""
        return self.text.rindex(".", self.end(node.value), self.end(node))

    def segment(self, node: ast.AST) -> str:
        """A node's text as it is written."""
        return self.text[self.start(node) : self.end(node)]

    def short(self, node: ast.AST) -> str:
        """A node's text for a title: on one line, cut where it is long, of a statement with a body only the header."""
        body = getattr(node, "body", None)
        if isinstance(body, list) and isinstance(node, ast.stmt):
            return short(self.text[self.start(node) : self.start(body[0])].partition("#")[0]) + " …"
        return short(self.segment(node))

    def place(self, start: int, end: int) -> Place:
        """The place of a range."""
        row, end_row = bisect_right(self.starts, start), bisect_right(self.starts, end)
        return Place(self.name, row, start - self.starts[row - 1] + 1, end_row, end - self.starts[end_row - 1] + 1)

    def replace(self, start: int, end: int, content: str) -> Edit:
        """An edit; ``\\n`` in ``content`` becomes the file's own line end."""
        if self.newline != "\n":
            content = content.replace("\n", self.newline)
        return Edit(self.place(start, end), content)

    def insert(self, at: int, content: str) -> Edit:
        """An insertion."""
        return self.replace(at, at, content)

    def rewrite(self, node: ast.AST, content: str) -> Edit:
        """An edit that writes ``content`` for a node."""
        return self.replace(self.start(node), self.end(node), content)

    # -- the tree around a node

    def has(self, node: ast.AST) -> bool:
        """Whether the node belongs to this file's tree as it is now."""
        return node in self.parents

    def up(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, innermost first, itself included."""
        current: ast.AST | None = node
        while current is not None:
            yield current
            current = self.parents.get(current)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that contains a node."""
        return next((n for n in self.up(node) if isinstance(n, ast.stmt)), None)

    def function(self, node: ast.AST) -> ast.AST:
        """The function that contains a node, or the module."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        return next((n for n in self.up(self.parents.get(node, node)) if isinstance(n, kinds)), self.tree)

    def loop(self, node: ast.AST) -> ast.For | ast.While | None:
        """The innermost loop statement around a node within its function."""
        inner = node
        for outer in self.up(self.parents.get(node, node)):
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                return None
            if isinstance(outer, ast.For | ast.While) and inner in outer.body:
                return outer
            inner = outer
        return None

    def block(self, stmt: ast.stmt) -> list[ast.stmt]:
        """The list of statements that a statement is in."""
        parent = self.parents.get(stmt)
        for field in _FIELDS:
            items = getattr(parent, field, None)
            if isinstance(items, list) and stmt in items:
                return items
        return [stmt]

    def blocks_up(self, node: ast.AST) -> list[ast.stmt]:
        """The statements around a node, innermost first, within its function."""
        found: list[ast.stmt] = []
        for outer in self.up(node):
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and found:
                break
            if isinstance(outer, ast.stmt):
                found.append(outer)
        return found

    def meeting(self, first: ast.AST, second: ast.AST) -> tuple[ast.stmt, ast.stmt] | None:
        """The statements of one block that contain the two nodes; None when they never meet in one."""
        others = self.blocks_up(second)
        for stmt in self.blocks_up(first):
            block = self.block(stmt)
            for other in others:
                if other in block:
                    return stmt, other
        return None

    # -- whole statements

    def indent(self, stmt: ast.stmt) -> str:
        """The white space before a statement on its line."""
        line = self.line(stmt.lineno)
        return line[: len(line) - len(line.lstrip())]

    def unit(self, stmt: ast.stmt) -> str:
        """One level of indentation as this file writes it, near ``stmt``."""
        outer = next(
            (n for n in self.up(stmt) if isinstance(n, ast.stmt) and self.indent(n) != self.indent(stmt)), None
        )
        here = self.indent(stmt)
        if outer is not None and here.startswith(self.indent(outer)):
            return here[len(self.indent(outer)) :]
        match = re.search(r"^[^\n#]*:[ \t]*(?:#[^\r\n]*)?\r?\n([ \t]+)\S", self.text, re.MULTILINE)
        return match[1] if match else "    "

    def alone(self, stmt: ast.stmt) -> bool:
        """Whether nothing else stands on a statement's lines (no semicolon, no one-line suite)."""
        start, end = self.start(stmt), self.end(stmt)
        row = bisect_right(self.starts, start)
        before = self.text[self.starts[row - 1] : start]
        last = bisect_right(self.starts, end)
        after = self.text[end : self.starts[last] if last < len(self.starts) else len(self.text)].strip()
        continued = row > 1 and self.line(row - 1).endswith("\\")
        return not before.strip() and (not after or after.startswith("#")) and not continued

    def lines_of(self, stmt: ast.stmt, comments: bool = True) -> tuple[int, int]:
        """The range of a statement's whole lines, with the comments that stand directly above it at its indentation."""
        row = bisect_right(self.starts, self.start(stmt))
        if comments:
            indent = self.indent(stmt)
            while row > 1 and self.line(row - 1).startswith(indent + "#"):
                row -= 1
        last = bisect_right(self.starts, self.end(stmt))
        return self.starts[row - 1], self.starts[last] if last < len(self.starts) else len(self.text)

    def whole(self, stmt: ast.stmt) -> str:
        """The text of a statement's lines; always ends with a line end."""
        start, end = self.lines_of(stmt)
        text = self.text[start:end]
        return text if text.endswith(("\n", "\r")) else text + self.newline

    def with_comments(self, stmt: ast.stmt) -> str:
        """A statement's code without indentation, with the comments above and behind it: what is put elsewhere."""
        if not self.alone(stmt):
            return self.segment(stmt)
        indent = self.indent(stmt)
        lines = self.whole(stmt).replace("\r\n", "\n").rstrip("\n").split("\n")
        return "\n".join(line.removeprefix(indent) for line in lines)

    def insert_before(self, stmt: ast.stmt, code: str) -> Edit | None:
        """Insert lines of code (without indentation) before a statement that stands alone."""
        if not self.alone(stmt):
            return None
        start, _ = self.lines_of(stmt)
        return self.insert(start, self._indented(code, self.indent(stmt)))

    def insert_after(self, stmt: ast.stmt, code: str) -> Edit | None:
        """Insert lines of code (without indentation) after a statement; behind a semicolon when it shares its line."""
        _, end = self.lines_of(stmt)
        indent = self.indent(stmt)
        if not self.alone(stmt) and not self._last_of_line(stmt):
            if "\n" in code or "#" in code:
                return None
            return self.insert(self.end(stmt), f"; {code}")
        lead = "" if self.text[:end].endswith(("\n", "\r")) else "\n"
        return self.insert(end, lead + self._indented(code, indent))

    def _last_of_line(self, stmt: ast.stmt) -> bool:
        """Whether a statement is the last of several on its line, and these are not the suite of one."""
        block = self.block(stmt)
        around = self.parents.get(stmt)
        last = bisect_right(self.starts, self.end(stmt))
        after = self.text[self.end(stmt) : self.starts[last] if last < len(self.starts) else len(self.text)].strip()
        return (
            (not after or after.startswith("#"))
            and block.index(stmt) > 0
            and (isinstance(around, ast.Module) or getattr(around, "lineno", 0) < block[0].lineno)
        )

    def remove(self, stmt: ast.stmt, comments: bool = False) -> Edit:
        """Remove a statement with its lines; a block is never left empty, and neighbours behind semicolons stay.

        With ``comments`` those directly above go, too: for what is put elsewhere together with them.
        """
        if len(self.block(stmt)) == 1 and stmt in self.parents and not isinstance(self.parents[stmt], ast.Module):
            around = self.parents[stmt]
            if isinstance(around, ast.For) and not around.orelse and isinstance(around.iter, ast.Name | ast.Attribute):
                return self.remove(around, comments)  # a loop that does nothing any more
            return self.replace(self.start(stmt), self.end(stmt), "pass")
        if self.alone(stmt):
            return self.replace(*self.lines_of(stmt, comments), "")
        end = self.end(stmt)
        behind = re.compile(r"[ \t]*;[ \t]*").match(self.text, end)
        if behind:
            return self.replace(self.start(stmt), behind.end(), "")
        start = self.start(stmt)
        return self.replace(start - len(self.text[:start]) + len(self.text[:start].rstrip(" \t;")), end, "")

    def move(self, stmts: list[ast.stmt], target: ast.stmt, after: bool) -> list[Edit] | None:
        """Move statements of one block, with their comments, before or behind another one of it.

        On lines that several statements share, semicolons come and go. None where one would have to be cut apart.
        """
        if not all(self.alone(stmt) for stmt in (*stmts, target)):
            return self._move_between_lines(stmts, target, after)
        text = "".join(self.whole(stmt) for stmt in stmts)
        start, end = self.lines_of(target)
        at = end if after else start
        edits = [self.replace(*self.lines_of(stmt), "") for stmt in stmts]
        if after and not self.text[:at].endswith(("\n", "\r")):
            text = self.newline + text.rstrip("\r\n")
        return [*edits, Edit(self.place(at, at), text)]

    def carry(self, node: ast.AST, met: ast.stmt, target: ast.stmt, after: bool) -> list[Edit] | None:
        """Move what ``node``'s statement does, and nothing else that stands in ``met``, before or behind ``target``.

        Where ``met`` does nothing else, it moves as it is; else the statement moves alone, under the same conditions.
        None where more than conditions stand around it.
        """
        around = self.blocks_up(node)
        around = around[: around.index(met) + 1]
        if all(self._only(inner, outer) for inner, outer in zip(around, around[1:])):
            return self.move([met], target, after)
        stmt = around[0]
        code = self.with_comments(stmt)
        for inner, outer in zip(around, around[1:]):
            if not isinstance(outer, ast.If):
                return None
            test = self.segment(outer.test)
            if inner in outer.orelse:
                test = f"not {test}" if isinstance(outer.test, ast.Name | ast.Attribute | ast.Call) else f"not ({test})"
            indented = "\n".join(self.unit(stmt) + line if line else line for line in code.split("\n"))
            code = f"if {test}:\n{indented}"
        edit = self.insert_after(target, code) if after else self.insert_before(target, code)
        return None if edit is None else [self.remove(stmt, comments=True), edit]

    @staticmethod
    def _only(inner: ast.stmt, outer: ast.stmt) -> bool:
        """Whether a compound statement does nothing but one statement."""
        return getattr(outer, "body", None) == [inner] and not any(getattr(outer, name, None) for name in _FIELDS[1:])

    def _move_between_lines(self, stmts: list[ast.stmt], target: ast.stmt, after: bool) -> list[Edit] | None:
        codes = [self.segment(stmt) for stmt in stmts]
        if any("\n" in code or hasattr(stmt, "body") or self._commented(stmt) for code, stmt in zip(codes, stmts)):
            return None
        edit: Edit | None
        if not self.alone(target):
            code = "; ".join(codes)
            edit = self.insert(self.end(target), f"; {code}") if after else self.insert(self.start(target), f"{code}; ")
        elif after:
            edit = self.insert_after(target, "\n".join(codes))
        else:
            edit = self.insert_before(target, "\n".join(codes))
        return None if edit is None else [*(self.remove(stmt) for stmt in stmts), edit]

    def _commented(self, stmt: ast.stmt) -> bool:
        """Whether a comment belongs to a statement that stands alone: behind it or above it."""
        start, end = self.lines_of(stmt)
        return self.alone(stmt) and "#" in self.text[start : self.start(stmt)] + self.text[self.end(stmt) : end]

    @staticmethod
    def _indented(code: str, indent: str) -> str:
        return "".join(f"{indent}{line}\n" if line else "\n" for line in code.split("\n"))


def short(text: str) -> str:
    """Code for a title: on one line, and cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def atomic(node: ast.expr) -> bool:
    """Whether ``.name`` can follow the expression without parentheses around it."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.List | ast.Tuple | ast.Dict)


def receiver(sheet: Sheet, call: ast.AST) -> str:
    """For ``a.b.step()`` the text ``a.b``; empty for anything else."""
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return sheet.segment(call.func.value)
    return ""
