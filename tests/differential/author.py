"""The state of one program being written: random choices, names in scope, lines so far.

The author keeps rough notes on each name (might require grad, might be part of a freed graph) only to steer how often
a program goes wrong: torch alone decides what happens.
"""

from __future__ import annotations

import ast
import random
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

Shape = tuple[int, ...]
MATRIX: Shape = (4, 4)
ROW: Shape = (4,)
HALF: Shape = (2, 4)
SCALAR: Shape = ()
Choice = TypeVar("Choice")
BREAK = "\0"
"""Ends a line within a text that ``Author.code`` puts into another one."""


@dataclass(slots=True)
class Var:
    """What is known of a name. ``kind`` is ``tensor``, ``list``, ``dict``, ``box``, ``module``, ``optimizer``, …

    ``shape`` is that of the tensor or of the elements; ``owns`` names the modules and leaves of an optimizer.
    """

    kind: str
    shape: Shape = MATRIX
    grad: bool = False
    stale: bool = False
    leaf: bool = False
    risky: bool = False
    size: int = 0
    owns: tuple[str, ...] = ()


@dataclass(slots=True)
class Scope:
    """Names visible here. Those in ``fixed`` belong to an outer function and must not be bound again."""

    names: dict[str, Var] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    recording: bool = True

    def inner(self) -> Scope:
        """A function's scope: everything visible, nothing bindable."""
        return Scope({name: replace(var) for name, var in self.names.items()}, frozenset(self.names), self.recording)


@dataclass(frozen=True, slots=True)
class Expr:
    """Text of an expression and the notes on its value."""

    text: str
    grad: bool = False
    stale: bool = False

    @property
    def operand(self) -> str:
        """The text, in parentheses where an operator or a dot would misread it."""
        tree = ast.parse(self.text, mode="eval").body
        return self.text if isinstance(tree, ast.Name | ast.Call | ast.Attribute | ast.Subscript) else f"({self.text})"


def insert(text: str) -> str:
    """The text as a part of a line for ``Author.code``."""
    return text.replace("\n", BREAK)


class Author:
    """Writes one program. ``care`` in 0..1 is how often a hazard is knowingly avoided."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.care = self.rng.choice((0.96, 0.88, 0.7, 0.45, 0.2))
        self.definitions: list[str] = []
        self.lines: list[str] = []
        self.indent = 0
        self.depth = 0
        self.in_function = False
        self.globals_exist = self.rng.random() < 0.6
        self.scope = Scope()
        self.iterated: frozenset[str] = frozenset()
        """Lists that a loop around runs over: growing one would never end."""
        self._counts: dict[str, int] = {}

    # choices

    def careful(self) -> bool:
        return self.rng.random() < self.care

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, options: Sequence[Choice]) -> Choice:
        return self.rng.choice(options)

    def weighted(self, options: Sequence[tuple[float, Choice]]) -> Choice:
        return self.rng.choices([option for _, option in options], [weight for weight, _ in options])[0]

    def either(self, right: Sequence[str] | str, wrong: Sequence[str] | str) -> str:
        """One of the right ways to write something, or of the wrong ones where the author is careless."""
        options = right if self.careful() else wrong
        return insert(options if isinstance(options, str) else self.pick(options))

    def one(self, *options: str) -> str:
        """One of the options; each may have several lines."""
        return insert(self.pick(options))

    def maybe(self, probability: float, text: str) -> str:
        """The text, or nothing: a line that is left empty is not written."""
        return insert(text) if self.chance(probability) else ""

    # names

    def fresh(self, stem: str) -> str:
        """A name not used before."""
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem}{self._counts[stem]}"

    def find(self, kind: str, test: Callable[[Var], bool] = lambda _: True) -> list[str]:
        return [name for name, var in self.scope.names.items() if var.kind == kind and test(var)]

    def bind(self, name: str, var: Var) -> None:
        self.scope.names[name] = var

    def bindable(self, name: str) -> bool:
        return name not in self.scope.fixed and "." not in name and "[" not in name

    def spoil(self, everything: bool = False) -> None:
        """After a backward or a step: what has a history may be freed or outdated."""
        for var in self.scope.names.values():
            if var.grad and not var.leaf and var.kind in ("tensor", "list", "dict", "box"):
                var.stale = True
            elif everything and var.kind == "tensor" and not var.leaf:
                var.stale = var.stale or var.grad

    # text

    def write(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def code(self, text: str) -> None:
        """Write lines with their own indentation. Inserts of several lines all stand where the insert stands."""
        for line in textwrap.dedent(text).split("\n"):
            margin = line[: len(line) - len(line.lstrip())]
            for part in line.strip().split(BREAK):
                if part.strip():
                    self.write(margin + part)

    def define(self, text: str) -> None:
        """Like ``code``, above the program's first statement."""
        saved, self.lines, self.indent = (self.lines, self.indent), [], 0
        self.code(text)
        self.definitions.extend([*self.lines, ""])
        self.lines, self.indent = saved

    def captured(self, write: Callable[[Author], None], **names: Var) -> str:
        """What ``write`` writes where only ``names`` are known, as an insert."""
        saved = (self.lines, self.indent, self.depth, self.in_function, self.scope)
        self.lines, self.indent, self.depth, self.in_function = [], 0, 1, True
        self.scope = Scope(dict(names))
        write(self)
        text = insert("\n".join(self.lines))
        self.lines, self.indent, self.depth, self.in_function, self.scope = saved
        return text

    @contextmanager
    def block(self, head: str, private: bool = True) -> Iterator[None]:
        """Lines written inside are indented below ``head``; names bound inside are forgotten after, if ``private``."""
        self.write(head)
        before = dict(self.scope.names)
        mark = len(self.lines)
        self.indent += 1
        self.depth += 1
        yield
        if len(self.lines) == mark:
            self.write("pass")
        self.indent -= 1
        self.depth -= 1
        if private:
            self.scope.names = {name: self.scope.names[name] for name in before if name in self.scope.names}

    @contextmanager
    def definition(
        self, head: str, parameters: dict[str, Var], decorators: Sequence[str] = (), here: bool = False
    ) -> Iterator[None]:
        """Write a function: a closure right ``here``, or among the definitions above the program's first statement.

        Inside, only ``parameters`` can be bound. A function above sees globals only if the program has any.
        """
        saved = (self.lines, self.indent, self.scope, self.depth, self.in_function)
        visible = self.scope.inner() if here or self.at_module_level else Scope()
        self.lines, self.indent, self.scope = [], 0, visible
        self.scope.names.update(parameters)
        self.scope.fixed -= frozenset(parameters)
        self.scope.recording = True
        self.depth, self.in_function = 1, True
        for decorator in decorators:
            self.write(decorator)
        self.write(head)
        self.indent = 1
        yield
        written = self.lines
        self.lines, self.indent, self.scope, self.depth, self.in_function = saved
        if here:
            for line in written:
                self.write(line)
        else:
            self.definitions.extend([*written, ""])

    @property
    def at_module_level(self) -> bool:
        """Whether names in scope are globals."""
        return self.globals_exist and not self.in_function
