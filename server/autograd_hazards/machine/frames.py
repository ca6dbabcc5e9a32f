"""Where the machine is: sites in the source, activations of functions, and traces that join the two."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .values import Function, ModuleValue, Value


class Site:
    """A node of the source in a file. Rows count from 1; columns are ``ast``'s own until a finding is made."""

    __slots__ = ("node", "path")

    def __init__(self, path: str, node: ast.AST) -> None:
        self.path = path
        self.node = node

    @property
    def row(self) -> int:
        return getattr(self.node, "lineno", 1)

    @property
    def key(self) -> tuple[str, int, int]:
        return self.path, self.row, getattr(self.node, "col_offset", 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Site) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"{self.path.rpartition('/')[2]}:{self.row}"


class Frame:
    """One activation of a function, a class body or a module."""

    __slots__ = (
        "call_node", "caller", "catches", "enclosing", "first_arg", "function", "globals_", "locals", "loops", "module",
        "nonlocals", "owner", "stmt",
    )  # fmt: skip

    def __init__(
        self,
        module: ModuleValue,
        function: Function | None,
        enclosing: Frame | None,
        caller: Frame | None,
        call_node: ast.AST | None,
        local_names: dict[str, Value],
    ) -> None:
        self.module = module
        self.function = function
        self.enclosing = enclosing
        self.caller = caller
        self.call_node = call_node
        self.locals = local_names
        self.globals_: set[str] | None = None
        self.nonlocals: set[str] | None = None
        self.stmt: ast.stmt | None = None
        self.owner: Any = function.cls if function is not None else None  # the class whose body defines the function
        self.first_arg: Value = None
        self.catches = 0
        self.loops = 0  # how many loops are around the call

    def site(self, node: ast.AST) -> Site:
        return Site(self.module.path, node)


class Trace:
    """A place in an execution: the node, the activation it ran in, and the loop iterations around it."""

    __slots__ = ("frame", "loops", "node", "stmt")

    def __init__(self, frame: Frame, node: ast.AST, loops: Loops) -> None:
        self.frame = frame
        self.node = node
        self.loops = loops
        self.stmt = frame.stmt

    @property
    def site(self) -> Site:
        return Site(self.frame.module.path, self.node)

    def chain(self) -> Iterator[tuple[Frame, Site]]:
        """Activations from the innermost outwards, each with the site in it that leads to this place."""
        frame: Frame | None = self.frame
        node: ast.AST | None = self.node
        while frame is not None and node is not None:
            yield frame, Site(frame.module.path, node)
            node, frame = frame.call_node, frame.caller

    def __repr__(self) -> str:
        return repr(self.site)


Loops = tuple[tuple[int, int], ...]  # outermost first: (identity of the loop's execution, iteration)


def common_frame(first: Trace, second: Trace) -> tuple[Site, Site]:
    """The two traces as seen from the innermost activation that contains both."""
    mine = {id(frame): site for frame, site in first.chain()}
    for frame, site in second.chain():
        if id(frame) in mine:
            return mine[id(frame)], site
    return first.site, second.site


def same_iteration(first: Loops, second: Loops) -> bool:
    """Whether no loop that contains both was advanced between them."""
    for (loop_a, i), (loop_b, j) in zip(first, second, strict=False):
        if loop_a != loop_b:
            return True
        if i != j:
            return False
    return True


def carried(older: Loops, newer: Loops) -> bool:
    """Whether ``older`` lies in an earlier iteration of a loop that also contains ``newer``."""
    return not same_iteration(older, newer)


def before_loop(older: Loops, newer: Loops) -> bool:
    """Whether ``older`` ran before a loop started that ``newer`` is in, later than its first iteration."""
    for k, (loop, i) in enumerate(newer):
        if k >= len(older) or older[k][0] != loop:
            return any(it > 0 for _, it in newer[k:])
        if older[k][1] != i:
            return False
    return False
