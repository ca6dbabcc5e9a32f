"""Suppression comments: ``# noqa: AGH301``, ``# autograd-hazards: ignore[AGH301]`` and ``ignore-file``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from autograd_hazards.source.blocks import string_end
from autograd_hazards.source.patterns import lazy
from autograd_hazards.source.positions import unify_newlines

_TOKEN = lazy(
    r'"""|\'\'\'|"(?:[^"\\\n]|\\[\s\S])*"|\'(?:[^\'\\\n]|\\[\s\S])*\'|#[^\n]*',
)
_NOQA = lazy(
    r"#\s*noqa\b(?!-)(?P<codes>\s*:\s*[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)?",
    re.IGNORECASE,
)
_IGNORE = lazy(
    r"#\s*autograd-hazards:\s*ignore(?P<file>-file)?\b(?!-)(?:\s*\[(?P<codes>[^\]]*)\])?",
    re.IGNORECASE,
)
_CODE = lazy(r"[A-Z]+[0-9]+", re.IGNORECASE)


@dataclass
class Suppression:
    """One comment. ``codes`` in upper case; None means every code. Columns count from 1.

    ``reportable`` says that it is surely meant for us, so that it may be reported when it suppresses nothing.
    """

    row: int
    column: int
    end_column: int
    codes: tuple[str, ...] | None
    whole_file: bool = False
    reportable: bool = True
    used: set[str] = field(default_factory=set)


@dataclass
class Suppressions:
    """The suppression comments of one text."""

    comments: list[Suppression] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Suppressions:
        """Find the comments; texts without any cost one substring search."""
        lowered = text.lower()
        if "noqa" not in lowered and "autograd-hazards:" not in lowered:
            return cls()
        return cls(list(_scan(unify_newlines(text))))

    def covers(self, row: int, end_row: int, code: str) -> bool:
        """Whether a finding whose statement spans these rows is suppressed; the comment then counts as used."""
        covered = False
        for comment in self.comments:
            if not comment.whole_file and comment.row != row and comment.row != end_row:
                continue
            if comment.codes is None or code in comment.codes:
                comment.used.add(code)
                covered = True
        return covered

    def unused(self) -> list[tuple[int, int, int, tuple[str, ...]]]:
        """``(row, column, end_column, codes)`` of each comment of ours that suppressed nothing so far.

        ``codes`` are the idle ones among those it lists; empty for a comment that lists none.
        """
        result: list[tuple[int, int, int, tuple[str, ...]]] = []
        for comment in self.comments:
            idle = tuple(code for code in comment.codes or () if code not in comment.used)
            if comment.reportable and (idle or not comment.used):
                result.append((comment.row, comment.column, comment.end_column, idle))
        return result


def _scan(text: str) -> list[Suppression]:
    found: list[Suppression] = []
    position = 0
    while match := _TOKEN.search(text, position):
        token = match[0]
        position = match.end()
        if token[0] == "#":
            suppression = _read(token, text, match.start())
            if suppression is not None:
                found.append(suppression)
        elif token in ('"""', "'''"):
            end = string_end(text, position, token)
            position = len(text) if end < 0 else end
    return found


def _read(comment: str, text: str, start: int) -> Suppression | None:
    match = _IGNORE.search(comment)
    ours = match is not None
    match = match or _NOQA.search(comment)
    if match is None:
        return None
    listed = None if match["codes"] is None else tuple(code.upper() for code in _CODE.findall(match["codes"]))
    if listed is not None and not ours:
        # Codes of other tools are for those to judge.
        listed = tuple(code for code in listed if code.startswith("AGH"))
        if not listed:
            return None
    column = start + match.start() - text.rfind("\n", 0, start)
    return Suppression(
        row=text.count("\n", 0, start) + 1,
        column=column,
        end_column=column + len(match[0]),
        codes=listed,
        whole_file=ours and match["file"] is not None,
        reportable=ours or listed is not None,
    )
