"""What a module defines, and what its functions mention: found without looking into bodies, or by scanning their text.

Scanning takes strings and comments for code, so ``sinks`` and ``calls`` may hold too much, never too little.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from autograd_hazards.source.parse import ParsedFile

_KEY = "symbols"
_SINK = re.compile(
    r"\.\s*(?P<called>backward|step|grad|zero_grad|numpy|item|tolist|unscale_|apply|[A-Za-z]\w*_)\s*\("
    r"|\.\s*(?P<read>_?grad|data|requires_grad)\b"
    r"|(?P<augmented>(?:[-+*/%@&|^]|//|\*\*|<<|>>)=)"
    r"|(?P<subscript>\]\s*=(?!=))"
    r"|\b(?P<keyword>out|inplace)\s*=(?!=)"
)
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")


@dataclass(eq=False)
class FunctionSymbol:
    """A function of a module or a method of a class. Functions within it count as part of it."""

    name: str
    qualname: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    text: str = field(repr=False)
    owner: ClassSymbol | None = field(default=None, repr=False)

    @cached_property
    def sinks(self) -> frozenset[str]:
        """What it may do to autograd's state (see ``sinks_of``)."""
        return sinks_of(self.text)

    @cached_property
    def calls(self) -> frozenset[str]:
        """The last names of what it may call: ``step`` for ``self.optimizer.step()``."""
        return frozenset(_CALL.findall(self.text))


@dataclass(eq=False)
class ClassSymbol:
    """A class of a module. ``bases`` are their source texts, such as ``nn.Module``."""

    name: str
    node: ast.ClassDef
    bases: tuple[str, ...]
    methods: dict[str, FunctionSymbol] = field(default_factory=dict)


@dataclass(eq=False)
class Symbols:
    """The top-level definitions of a module, those under ``if``, ``try`` and ``with`` included; the last of a name."""

    classes: dict[str, ClassSymbol] = field(default_factory=dict)
    functions: dict[str, FunctionSymbol] = field(default_factory=dict)

    def callables(self) -> Iterator[FunctionSymbol]:
        """Every function, then every method."""
        yield from self.functions.values()
        for symbol in self.classes.values():
            yield from symbol.methods.values()


def sinks_of(text: str) -> frozenset[str]:
    """What code may do to autograd's state.

    Names of methods called (``backward``, ``step``, ``grad``, ``zero_grad``, ``numpy``, ``item``, ``tolist``, ``apply``
    and all that end in one ``_``), of attributes used (``grad``, ``_grad``, ``data``, ``requires_grad``), ``op=`` for
    an augmented assignment, ``[]=`` for one to a subscript, ``out=`` and ``inplace=`` for those keywords.
    """
    found: set[str] = set()
    for match in _SINK.finditer(text):
        kind = match.lastgroup
        if kind == "augmented":
            found.add("op=")
            if text[: match.start()].rstrip().endswith("]"):
                found.add("[]=")
        elif kind == "subscript":
            found.add("[]=")
        elif kind == "keyword":
            found.add(match[kind] + "=")
        elif kind is not None and not match[kind].endswith("__"):
            found.add(match[kind])
    return frozenset(found)


def symbols_of(parsed: ParsedFile) -> Symbols:
    """The symbols of a parsed file, computed once for it."""
    known = parsed.facts.get(_KEY)
    if isinstance(known, Symbols):
        return known
    symbols = Symbols()
    lines = parsed.lines
    for statement in _top_level(parsed.tree.body):
        if isinstance(statement, ast.ClassDef):
            symbol = ClassSymbol(statement.name, statement, tuple(ast.unparse(base) for base in statement.bases))
            for member in _top_level(statement.body):
                if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    qualname = f"{statement.name}.{member.name}"
                    symbol.methods[member.name] = FunctionSymbol(
                        member.name, qualname, member, _text_of(member, lines), symbol
                    )
            symbols.classes[statement.name] = symbol
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            symbols.functions[statement.name] = FunctionSymbol(
                statement.name, statement.name, statement, _text_of(statement, lines)
            )
    parsed.facts[_KEY] = symbols
    return symbols


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and those in its compound statements, in order, without entering definitions."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for inner in ("body", "orelse", "finalbody"):
            nested = getattr(statement, inner, None)
            if nested:
                yield from _top_level(nested)
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _top_level(part.body)


def _text_of(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> str:
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])
