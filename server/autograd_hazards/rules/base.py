"""What a rule is, and the helpers that rules share to place findings and tell their story."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..findings import Finding, Place, Related
from ..machine.events import Event
from ..machine.frames import Site, Trace, common_frame
from ..messages import Text, say
from ..source.positions import column_from_utf8

ERROR = "error"
WARNING = "warning"
INFORMATION = "information"


@dataclass(frozen=True)
class Rule:
    """One rule: its code, its name, the worst severity it gives, the event kinds it reads, and its documentation."""

    code: str
    name: str
    level: str
    on: tuple[str, ...]
    doc: str
    check: Callable[[Event, Teller], Finding | None]


class Teller:
    """Builds findings for one rule from traces of the machine."""

    def __init__(self, rule: Rule, lines: Callable[[str], list[str]]) -> None:
        self.rule = rule
        self.lines = lines

    def place(self, site: Site) -> Place:
        """The site's source range, columns in characters."""
        node = site.node
        row = getattr(node, "lineno", 1)
        end_row = getattr(node, "end_lineno", None) or row
        lines = self.lines(site.path)
        start = column_from_utf8(_line(lines, row), getattr(node, "col_offset", 0))
        end = column_from_utf8(_line(lines, end_row), getattr(node, "end_col_offset", None) or 0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            end_row, end = row, len(_line(lines, row)) + 1
        return Place(site.path, row, start, end_row, max(end, start + 1) if end_row == row else end)

    def finding(
        self,
        event: Event,
        where: Site,
        message: Text,
        story: Sequence[tuple[Trace | Site, Text, str]],
        fails: Site | None = None,
        level: str | None = None,
    ) -> Finding:
        """A finding at ``where``; ``story`` gives (trace, text, role) in the order in which things happen."""
        severity, certainty = grade(event, level or self.rule.level)
        related: list[Related] = []
        place = self.place(where)
        for part, text, role in story:
            for site, words, kind in spread(part, text, role):
                item = Related(self.place(site), words, kind)
                if not any(r.place == item.place and r.message == item.message for r in related):
                    related.append(item)
        return Finding(
            self.rule.code, self.rule.name, severity, place, message, certainty,
            self.place(fails) if fails is not None else None, tuple(related),
        )  # fmt: skip


def _line(lines: list[str], row: int) -> str:
    return lines[row - 1] if 0 < row <= len(lines) else ""


def spread(part: Trace | Site, text: Text, role: str) -> Iterator[tuple[Site, Text, str]]:
    """A place of the story and the calls that led to it, innermost first."""
    if isinstance(part, Site):
        yield part, text, role
        return
    for depth, (_, site) in enumerate(part.chain()):
        if depth == 0:
            yield site, text, role
        elif depth < 5:
            yield site, say("called from here"), "called"


def grade(event: Event, level: str) -> tuple[str, str]:
    """Severity and certainty: an error only where no assumption is left."""
    if event.caught:
        return (INFORMATION if level == INFORMATION else WARNING), "likely"
    if event.assumed:
        return (INFORMATION if level == INFORMATION else WARNING), "possible"
    if not event.certain:
        return (INFORMATION if level == INFORMATION else WARNING), "likely"
    return level, "certain"


def lifted(trace: Trace, other: Trace) -> Site:
    """``trace`` as seen from the innermost activation that it shares with ``other``."""
    return common_frame(trace, other)[0]


def between(before: Trace, changed: Trace, after: Trace) -> Site:
    """``changed`` as seen from the innermost activation that it shares with what came before or what comes after it."""
    activations = [id(frame) for frame, _ in changed.chain()]

    def depth(other: Trace) -> int:
        shared = {id(frame) for frame, _ in other.chain()}
        return next((i for i, frame in enumerate(activations) if frame in shared), len(activations))

    return lifted(changed, min(after, before, key=depth))


def named(tensor: Any, otherwise: Text) -> str:
    """The tensor's name in the program, or what to say when it has none."""
    name = getattr(tensor, "name", "")
    return f"`{name}`" if name else otherwise


def source_text(site: Site, limit: int = 60) -> str:
    """The code of a site, shortened."""
    try:
        text = " ".join(ast.unparse(site.node).split())
    except (AttributeError, ValueError, RecursionError):
        return say("this")
    return text if len(text) <= limit else text[: limit - 1] + "…"
