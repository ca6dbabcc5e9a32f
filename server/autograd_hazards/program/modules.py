"""A module of the project: its name, its place and its parsed text."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from autograd_hazards.findings import Place
from autograd_hazards.program.imports import Import, scan_imports
from autograd_hazards.source.files import SourceFile, SourceProblem
from autograd_hazards.source.parse import ParsedFile, SyntaxProblem, parse


@dataclass(eq=False)
class Module:
    """One file, or a folder without ``__init__.py`` (a namespace: no text, an empty tree).

    ``name`` is the dotted name from the outermost package, ``path`` absolute. ``source`` is None for a namespace.
    """

    name: str
    path: Path
    is_package: bool
    source: SourceFile | SourceProblem | None = None
    previous: ParsedFile | None = field(default=None, repr=False)  # given up for ``parsed`` (see source.parse)
    typing: bool = False  # a person is editing it

    @property
    def is_namespace(self) -> bool:
        """Whether this is a folder without ``__init__.py``."""
        return self.source is None

    @property
    def text(self) -> str:
        """The text; empty for a namespace or a file that cannot be read."""
        return self.source.text if isinstance(self.source, SourceFile) else ""

    @cached_property
    def parsed(self) -> ParsedFile:
        """The parsed text. A file that cannot be read has an empty tree and its problem in ``problems``."""
        filename = str(self.path)
        if isinstance(self.source, SourceProblem):
            place = Place(filename, self.source.row, self.source.column, self.source.row, self.source.column)
            return ParsedFile(filename, "", ast.Module([], []), [SyntaxProblem(place, self.source.message)])
        previous, self.previous = self.previous, None
        return parse(self.text, filename, previous, typing=self.typing)

    def take(self, source: SourceFile | SourceProblem, typing: bool) -> None:
        """Go on with another text; what was parsed of the one before is given up."""
        known = self.__dict__.pop("parsed", None)
        if known is not None:
            self.previous = known
        self.__dict__.pop("imports", None)
        self.source, self.typing = source, typing

    @cached_property
    def imports(self) -> list[Import]:
        """The imports in the text, wherever they stand."""
        return scan_imports(self.text)
