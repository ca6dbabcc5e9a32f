"""A module of the project: its name, its place and its parsed text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograd_hazards.findings import Place
from autograd_hazards.source.files import SourceFile, SourceProblem
from autograd_hazards.source.parse import ParsedFile, SyntaxProblem, parse


@dataclass
class Module:
    """One file, or a folder without ``__init__.py`` (a namespace: no text, an empty tree)."""

    name: str
    path: Path
    is_package: bool
    source: SourceFile | SourceProblem | None = None  # None for a namespace

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
        if isinstance(self.source, SourceProblem):
            problem = self.source
            place = Place(str(self.path), problem.row, problem.column, problem.row, problem.column)
            return ParsedFile(
                str(self.path), "", ast.Module([], []), [SyntaxProblem(place, problem.message)]
            )
        return parse(self.text, str(self.path))
