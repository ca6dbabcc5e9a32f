"""Saying in one sentence what is wrong with a block that does not parse."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace

from autograd_hazards.messages import Text, moved, say
from autograd_hazards.source.patterns import lazy
from autograd_hazards.source.reasons import reason_of


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the parser said about a part of a text. Rows count from 1 within the text that was parsed.

    ``row`` is where it stumbled; ``first`` to ``last`` are the rows that are lost by it. ``python2`` says that the
    line is Python 2, ``needs`` is the newer Python that could read it, with ``feature`` as the reason. ``more`` counts
    further members of the same class that are lost.
    """

    row: int
    column: int
    end_column: int
    first: int
    last: int
    reason: str
    name: str = ""
    python2: bool = False
    needs: tuple[int, int] | None = None
    feature: str = ""
    more: int = 0
    followed: bool = False  # an older Python can read it, so it is analysed as that would

    def moved(self, rows: int) -> Trouble:
        """The same trouble, further down by ``rows``."""
        if not rows:
            return self
        return replace(
            self,
            row=self.row + rows,
            first=self.first + rows,
            last=self.last + rows,
            reason=moved(self.reason, rows),
        )

    def sentence(self) -> Text:
        """The message for a person."""
        lost = _lost(self.first, self.last, self.name, self.more)
        one = self.first == self.last and not self.more
        if self.needs is not None:
            versions = {
                "feature": self.feature,
                "newer": f"Python {self.needs[0]}.{self.needs[1]}",
                "running": f"Python {sys.version_info[0]}.{sys.version_info[1]}",
                "lost": lost,
            }
            return (
                say("{feature} need {newer}, and this runs on {running}, so {lost} is not analysed.", **versions)
                if one
                else say("{feature} need {newer}, and this runs on {running}, so {lost} are not analysed.", **versions)
            )
        reason = self.reason if self.reason.endswith("?") else say("{sentence}.", sentence=self.reason)
        if self.followed:
            return say("This Python cannot run {lost}, though older ones could: {reason}", lost=lost, reason=reason)
        return (
            say("Syntax error, so {lost} is not analysed: {reason}", lost=lost, reason=reason)
            if one
            else say("Syntax error, so {lost} are not analysed: {reason}", lost=lost, reason=reason)
        )


def _lost(first: int, last: int, name: str, more: int) -> Text:
    rows = say("line {line}", line=first) if first == last else say("lines {first}-{last}", first=first, last=last)
    lost = say("{rows} (`{name}`)", rows=rows, name=name) if name else rows
    return say("{lost} and {more} more members of the class", lost=lost, more=more) if more else lost


_NAME = lazy(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_NEWER = (
    ((3, 11), lazy(r"^\s*except\s*\*"), say("Exception groups")),
    ((3, 12), lazy(r"^\s*type\s+\w+\s*[\[=]"), say("Type aliases")),
    ((3, 13), lazy(r"^\s*(?:class|(?:async\s+)?def)\s+\w+\s*\[[^\]]*="), say("Defaults of type parameters")),
    ((3, 12), lazy(r"^\s*(?:class|(?:async\s+)?def)\s+\w+\s*\["), say("Type parameters")),
    ((3, 14), lazy(r"(?<![\w'\"\\])[tT][rR]?(?:'|\")"), say("Template strings")),
    ((3, 14), lazy(r"^\s*except\s+[\w.]+(?:\s*,\s*[\w.]*[A-Z]\w*)+\s*:"), say("Exceptions without parentheses")),
    ((3, 15), lazy(r"^\s*lazy\s+(?:import|from)\b"), say("Lazy imports")),
    ((3, 15), lazy(r"[\[({]\s*\*{1,2}[\w.()\[\]]+\s+for\s"), say("Unpackings in comprehensions")),
)
_FSTRING = lazy(r"(?<![\w'\"])(?:[fF][rR]?|[rR][fF])['\"]")
_PYTHON2 = lazy(
    r"^\s*print\s*>>|\bprint\s+[^\s=(.,)\]:]|^\s*print\s+\(.*\)\s*[%,]|^\s*exec\s+[^\s=(.]"
    r"|^\s*raise\s+[\w.]+\s*,|^\s*except\s+[\w.]+\s*,\s*\w+\s*:|^\s*except\s*\(.*\)\s*,\s*\w+\s*:"
    r"|`[^`]+`|<>|(?<![\w.])0[0-7]+\b|\b\d+[lL]\b|\b[uU][rR]['\"]|\blambda\s*\(|\bdef\s+\w+\s*\(.*\(\w+\s*,"
)
_PYTHON2_REASONS = ("Missing parentheses in call to 'print'", "Missing parentheses in call to 'exec'")
_PYTHON3 = lazy(
    r"^[ \t]*(?:nonlocal|async)[ \t]|\)[ \t]*->|\byield[ ]+from\b|\bsuper\(\)|:=|(?<![\w'\"])[fF]['\"]"
    r"|^[ \t]*def[ ]+\w+\([^\n]{0,200}?\w:[ ]|\braise\b[^\n]{0,200}?[ ]from[ ]",
    re.MULTILINE,
)


def diagnose(error: Exception, text: str, first: int, last: int, name: str | None = None) -> Trouble:
    """What ``error`` (raised on parsing ``text``) means; the rows ``first`` to ``last`` of the text are lost by it."""
    lines = text.split("\n")
    if name is None:
        named = _NAME.match(text) or (_NAME.search(text) if text.startswith("@") else None)
        name = named[1] if named else ""
    if "\0" in text and (not isinstance(error, SyntaxError) or error.lineno is None):
        row = text.count("\n", 0, text.index("\0")) + 1
        column = lines[row - 1].index("\0") + 1
        return Trouble(row, column, column + 1, first, last, say("it holds a NUL character"), name)
    if not isinstance(error, SyntaxError):  # RecursionError, MemoryError: the parser's own bounds
        return Trouble(first, 1, len(lines[first - 1]) + 1, first, last, say("it is nested too deeply"), name)
    row = min(max(error.lineno or first, 1), len(lines))
    line = lines[row - 1]
    column = min(max(error.offset or 1, 1), len(line) + 1)
    end_column = min(column + 1, len(line) + 1)
    if error.end_lineno == error.lineno and error.end_offset is not None and error.end_offset > column:
        end_column = min(error.end_offset, len(line) + 1)
    reason: str = (error.msg or "invalid syntax").rstrip(".")
    line = line[:1000]  # no pattern needs more, and some take long on very long lines
    python2 = reason.startswith(_PYTHON2_REASONS) or _PYTHON2.search(line) is not None
    told = reason_of(reason)
    for version, pattern, feature in _NEWER if not reason.startswith(_PYTHON2_REASONS) else ():
        if sys.version_info < version and pattern.search(line):
            return Trouble(row, column, end_column, first, last, told, name, False, version, feature)
    if sys.version_info < (3, 12) and _FSTRING.search(line):
        told = say("{reason} (unless the f-string needs Python 3.12)", reason=told)
    return Trouble(row, column, end_column, first, last, told, name, python2)


def is_python2(text: str, troubles: list[Trouble]) -> bool:
    """Whether a text with these troubles is Python 2 as a whole rather than Python 3 with a slip in it."""
    old = sum(trouble.python2 for trouble in troubles)
    return old > 0 and 2 * old >= len(troubles) and not _PYTHON3.search(text)


def merged(troubles: list[Trouble], lines: list[str]) -> list[Trouble]:
    """The troubles without those that only follow from one just before them, as the lines of an opened docstring do.

    A function or a class with a trouble of its own keeps it.
    """
    kept: list[Trouble] = []
    for trouble in troubles:
        if (
            kept
            and not (trouble.name or kept[-1].more or trouble.needs)
            and all(not line or line.isspace() for line in lines[kept[-1].last : trouble.first - 1])
        ):
            kept[-1] = replace(kept[-1], last=trouble.last, python2=kept[-1].python2 or trouble.python2)
        else:
            kept.append(trouble)
    return kept


def python2_sentence(troubles: list[Trouble]) -> Text:
    """The one message for a Python 2 file with several troubles."""
    row = next(trouble.row for trouble in troubles if trouble.python2)
    if all(trouble.followed for trouble in troubles):
        return say(
            "This file is written for Python 2 (see line {line}), and Python 3 cannot run {parts} parts of it.",
            line=row,
            parts=len(troubles),
        )
    return say(
        "This file is written for Python 2 (see line {line}), so {parts} parts of it "
        "that Python 3 cannot read are not analysed.",
        line=row,
        parts=len(troubles),
    )
