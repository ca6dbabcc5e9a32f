"""One picture of a piece of source with several labelled spans in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograd_hazards.findings import Place
from autograd_hazards.messages import say
from autograd_hazards.report.style import Style
from autograd_hazards.report.width import layout

CONTEXT = 1
# A gap of fewer hidden lines than this is shown: an ellipsis would take as much room.
SMALLEST_GAP = 3
MAX_WIDTH = 160


@dataclass(frozen=True, slots=True)
class Label:
    """A span to underline and what to write at it. ``primary`` marks the line to change."""

    place: Place
    text: str
    primary: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    text: str
    primary: bool


def draw(lines: Sequence[str], labels: Sequence[Label], style: Style, kind: str, gutter: int) -> list[str]:
    """Draw ``labels``, all of one file whose text is ``lines``; ``gutter`` is the width of the line numbers.

    ``kind`` is the severity, which colours the primary span. Places outside the text are left out.
    """
    by_row: dict[int, list[Label]] = {}
    for label in labels:
        if 1 <= label.place.row <= len(lines):
            by_row.setdefault(label.place.row, []).append(label)
    if not by_row:
        return []
    bar = "│" if style.unicode else "|"
    blank = " " * gutter + " " + style.paint(bar, "gutter")
    out = [blank]
    previous = 0
    for row in _shown_rows(sorted(by_row), lines):
        if previous and row > previous + 1:
            out.append(style.paint("." * min(3, gutter + 2), "gutter"))
        previous = row
        shown, spans = _clip(lines[row - 1], by_row.get(row, ()), style)
        number = style.paint(f"{row:>{gutter}} {bar}", "gutter")
        out.append(f"{number} {shown}".rstrip())
        out.extend(f"{blank} {text}" for text in _markers(spans, style, kind))
    out.append(blank)
    return out


def _shown_rows(rows: Sequence[int], lines: Sequence[str]) -> list[int]:
    wanted: set[int] = set()
    for row in rows:
        wanted.update(range(max(1, row - CONTEXT), min(len(lines), row + CONTEXT) + 1))
    ordered = sorted(wanted)
    for before, after in zip(ordered, ordered[1:], strict=False):
        if 1 < after - before <= SMALLEST_GAP:
            wanted.update(range(before, after))
    # Blank lines at the rim show nothing.
    ordered = sorted(wanted)
    while ordered and not lines[ordered[0] - 1].strip() and ordered[0] not in rows:
        ordered.pop(0)
    while ordered and not lines[ordered[-1] - 1].strip() and ordered[-1] not in rows:
        ordered.pop()
    return ordered


def _clip(line: str, labels: Sequence[Label], style: Style) -> tuple[str, list[_Span]]:
    """The part of ``line`` that is printed, and the spans in its display columns."""
    text, columns = layout(line)
    spans = [_span(line, columns, label, style) for label in labels]
    if columns[-1] <= MAX_WIDTH:
        return text, spans
    first = max(0, min((span.start for span in spans), default=0) - MAX_WIDTH // 4)
    start = next((i for i, column in enumerate(columns) if column >= first), len(line))
    end = max((i for i, column in enumerate(columns) if column <= columns[start] + MAX_WIDTH), default=len(line))
    head, tail = ("…" if start else ""), ("…" if end < len(line) else "")
    shift = columns[start] - len(head)
    limit = columns[end] - shift
    moved = [
        _Span(
            min(s.start - shift, limit),
            max(min(s.end - shift, limit), min(s.start - shift, limit) + 1),
            s.text,
            s.primary,
        )
        for s in spans
    ]
    return head + layout(line[start:end])[0] + tail, moved


def _span(line: str, columns: list[int], label: Label, style: Style) -> _Span:
    place = label.place
    start = min(max(place.column - 1, 0), len(line))
    several = place.end_row > place.row
    end = len(line.rstrip()) if several else min(place.end_column - 1, len(line))
    text = label.text
    if several and text:
        text = style.say(say("{text} (to line {line})", text=text, line=place.end_row))
    # An empty span, such as the end of a line, still gets one marker.
    return _Span(columns[start], max(columns[max(end, start)], columns[start] + 1), text, label.primary)


def _markers(spans: Sequence[_Span], style: Style, kind: str) -> list[str]:
    """The lines below a source line: underlines, then labels from the rightmost to the leftmost."""
    if not spans:
        return []
    ordered = sorted(spans, key=lambda span: (span.start, -span.end))
    cells: dict[int, tuple[str, str]] = {}
    # Narrow spans are drawn over wide ones, the primary one over all.
    for span in sorted(ordered, key=lambda s: (s.primary, -(s.end - s.start))):
        for column in range(span.start, span.end):
            cells[column] = ("^", kind) if span.primary else ("-", "secondary")
    right = max(span.end for span in ordered)
    waiting = [span for span in ordered if span.text]
    first = _paint_cells(cells, right, style)
    # The rightmost label may stand on the underlines' own line.
    if waiting:
        last = waiting.pop()
        first += " " + style.paint(last.text, kind if last.primary else "secondary")
        if last.end < right:
            # Another underline reaches beyond: a bare label at the end of the line would belong to the wrong one.
            first = _paint_cells(cells, right, style)
            waiting.append(last)
    out = [first]
    down, corner = ("│", "╰ ") if style.unicode else ("|", "` ")
    while waiting:
        label = waiting.pop()
        row: dict[int, tuple[str, str]] = {}
        for other in waiting:
            if other.start < label.start:
                row[other.start] = (down, kind if other.primary else "secondary")
        colour = kind if label.primary else "secondary"
        out.append(_paint_cells(row, label.start, style) + style.paint(corner + label.text, colour))
    return out


def _paint_cells(cells: dict[int, tuple[str, str]], width: int, style: Style) -> str:
    parts: list[str] = []
    run, colour = "", ""
    for column in range(width):
        char, kind = cells.get(column, (" ", ""))
        if kind != colour:
            parts.append(style.paint(run, colour) if colour else run)
            run, colour = "", kind
        run += char
    parts.append(style.paint(run, colour) if colour else run)
    return "".join(parts)


def gutter_width(labels: Sequence[Label]) -> int:
    """The width of the line numbers that a picture of ``labels`` needs."""
    return max((len(str(label.place.row + CONTEXT)) for label in labels), default=1)
