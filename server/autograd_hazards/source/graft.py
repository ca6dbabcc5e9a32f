"""Keeping the nodes of an earlier version where an edit left their meaning alone.

What was computed for a function, by whatever layer, hangs on its node. A function whose text has not changed keeps its
node; one whose text has changed but whose syntax tree has not (a comment, a space) keeps it with new positions. So
whether a node is still the same object says whether the function still means the same.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Side:
    """One of the two versions of a part of a file: its lines, which start in the row ``first``."""

    __slots__ = ("first", "lines")

    def __init__(self, text: str, first: int) -> None:
        self.lines = text.split("\n")
        self.first = first

    def of(self, node: ast.stmt) -> list[str]:
        """The lines of a statement with its decorators."""
        return self.lines[first_row(node) - self.first : (node.end_lineno or node.lineno) - self.first + 1]


def graft(old: list[ast.stmt], before: Side | None, new: list[ast.stmt], after: Side) -> bool:
    """Put the nodes of ``old`` into ``new`` where they mean the same, with the positions they have in ``after``.

    ``before`` is None when the nodes of ``old`` are not of the text that stands there now. Gives True when nothing has
    changed but bodies of functions: of those at this level, and of methods of classes here.
    The nodes of ``old`` must not be used through their former lists again.
    """
    if len(old) != len(new):
        return False
    same = True
    for index, (mine, fresh) in enumerate(zip(old, new)):
        node, alike = _chosen(mine, before, fresh, after)
        new[index] = node
        same = same and alike
    return same


def _chosen(old: ast.stmt, before: Side | None, new: ast.stmt, after: Side) -> tuple[ast.stmt, bool]:
    """The node to go on with, and whether it means the same outside of functions' bodies."""
    if type(old) is not type(new):
        return new, False
    texts = (before.of(old), after.of(new)) if before is not None else None
    if texts is not None and old.col_offset == new.col_offset and texts[0] == texts[1]:
        rows = new.lineno - old.lineno
        if rows:
            shift([old], rows)
        return old, True
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        if not _same_header(old, new) or len(old.body) != len(new.body):
            return new, False
        body = list(new.body)
        alike = graft(old.body, before, body, after)
        move_to(old, new, inside=False)
        old.body = body
        _forget(old)
        return old, alike
    if (texts is None or not _surely_differ(*texts)) and means_the_same(old, new):
        move_to(old, new)
        return old, True
    if isinstance(old, ast.FunctionDef | ast.AsyncFunctionDef) and isinstance(
        new, ast.FunctionDef | ast.AsyncFunctionDef
    ):
        return new, _same_header(old, new)
    return new, False


def _surely_differ(old: list[str], new: list[str]) -> bool:
    """Whether the lines of two statements differ by more than comments and white space. False where that is not clear."""
    return len(old) == len(new) and any(
        one != other and "#" not in one and "#" not in other and "".join(one.split()) != "".join(other.split())
        for one, other in zip(old, new)
    )


Reader = Callable[[str], "ast.Module | None"]


def _read_member(piece: str, row: int, read: Reader) -> ast.stmt | None:
    """The one statement that a part of a class's body is, with the rows that it has in the file."""
    if row < 2:
        return None
    tree = read("\n" * (row - 2) + "if 1:\n" + piece)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.If):
        return None
    body = tree.body[0].body
    return body[0] if len(body) == 1 and not tree.body[0].orelse else None


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def means_the_same(old: ast.AST, new: ast.AST) -> bool:
    """Whether two trees differ in their positions at most. Looks first where the extent of a node has changed."""
    pending: list[tuple[Any, Any]] = [(old, new)]
    while pending:
        mine, fresh = pending.pop()
        if mine.__class__ is not fresh.__class__:
            return False
        one, other = mine.__dict__, fresh.__dict__
        changed: list[tuple[Any, Any]] = []
        for name in mine._fields:
            value, against = one.get(name), other.get(name)
            pairs = [(value, against)]
            if value.__class__ is list and against.__class__ is list:
                if len(value) != len(against):
                    return False
                pairs = list(zip(value, against))
            for pair in pairs:
                value, against = pair
                if isinstance(value, ast.AST):
                    (pending if _extent(value) == _extent(against) else changed).append(pair)
                elif value.__class__ is not against.__class__ or repr(value) != repr(against):
                    return False
        pending += changed
    return True


def _extent(node: Any) -> tuple[Any, ...]:
    """How far a node reaches, wherever its first row is."""
    inner = getattr(node, "__dict__", None)
    if not inner or inner.get("end_lineno") is None:
        return ()
    return inner["end_lineno"] - inner["lineno"], inner["col_offset"], inner["end_col_offset"]


def edit_member(
    owner: ast.ClassDef, first: int, edited: tuple[int, int], rows: int, after: str, read: Reader
) -> bool | None:
    """Read again only the member of a class in which an edit lies, in place.

    ``after`` is the new text of the class, which starts in row ``first``; ``edited`` are the old rows that were touched
    and ``rows`` how many more there are now. ``read`` parses a text and gives None where it cannot. The result says
    whether only bodies of functions have changed; None when the edit does not lie within one member that can be read
    by itself: then nothing was done.
    """
    members = owner.body
    index = max((i for i, m in enumerate(members) if first_row(m) <= edited[0]), default=-1)
    if index < 0 or first_row(members[0]) <= owner.lineno:
        return None
    member = members[index]
    start = first_row(member)
    behind = first_row(members[index + 1]) if index + 1 < len(members) else None
    if (index and first_row(member) <= (members[index - 1].end_lineno or start)) or edited[0] < start:
        return None
    if behind is None or edited[1] >= behind or behind <= (member.end_lineno or start):
        return None
    lines = after.split("\n")
    if _indentation(lines[start - first]) != _indentation(lines[behind + rows - first]):
        return None
    piece = "\n".join(lines[start - first : behind + rows - first]) + "\n"
    made = _read_member(piece, start, read)
    if made is None:
        return None
    node, alike = _chosen(member, None, made, Side(piece, start))
    members[index] = node
    if rows:
        shift(members[index + 1 :], rows)
        owner.end_lineno = (owner.end_lineno or 0) + rows
    _forget(owner)
    return alike


def first_row(node: ast.stmt) -> int:
    """The row in which a statement begins, decorators included."""
    decorators = getattr(node, "decorator_list", None)
    return min(node.lineno, decorators[0].lineno) if decorators else node.lineno


def _same_header(old: ast.stmt, new: ast.stmt) -> bool:
    """Whether two definitions are the same but for their bodies."""
    return means_the_same(_without_body(old), _without_body(new))


def _without_body(node: ast.stmt) -> Any:
    """A node with the same children except for those of its body."""
    make: Any = type(node)
    return make(**{name: [] if name == "body" else getattr(node, name, None) for name in node._fields})


def _forget(node: ast.AST) -> None:
    """Remove what was noted on a node, since its children have changed."""
    kept = {*node._fields, *_POSITIONS}
    for name in [name for name in node.__dict__ if name not in kept]:
        del node.__dict__[name]


def move_to(old: ast.AST, new: ast.AST, *, inside: bool = True) -> None:
    """Give the nodes of ``old`` the positions of those of ``new``, which has the same form.

    Without ``inside`` a definition's body is left alone.
    """
    pending: list[tuple[Any, Any]] = [(old, new)]
    while pending:
        mine, fresh = pending.pop()
        for name in _POSITIONS:
            if name in fresh.__dict__:
                mine.__dict__[name] = fresh.__dict__[name]
        for name in fresh._fields:
            if not inside and mine is old and name == "body":
                continue
            value, other = getattr(mine, name, None), getattr(fresh, name, None)
            if isinstance(value, ast.AST) and isinstance(other, ast.AST):
                pending.append((value, other))
            elif isinstance(value, list) and isinstance(other, list):
                pending += [(a, b) for a, b in zip(value, other) if isinstance(a, ast.AST)]


def shift(body: list[ast.stmt], rows: int, below: int = 0) -> None:
    """Move the nodes of some statements by some rows: those behind the row ``below``, and none to before it."""
    for node in positioned(body):
        inner = node.__dict__
        if inner["lineno"] > below:
            inner["lineno"] = max(inner["lineno"] + rows, below)
        if (inner.get("end_lineno") or 0) > below:
            inner["end_lineno"] = max(inner["end_lineno"] + rows, below)


def positioned(body: list[ast.stmt]) -> list[ast.AST]:
    """All nodes in these statements that have rows."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        inner = node.__dict__
        if "lineno" in inner:
            found.append(node)
        for name in node._fields:  # not all of __dict__: later layers may note nodes on nodes
            value = inner.get(name)
            if value.__class__ is list:
                pending += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and value._fields:
                pending.append(value)
    return found
