"""The report for people: a header per finding, the code with the story drawn into it, the fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from autograd_hazards.findings import Finding, Place
from autograd_hazards.report import paths
from autograd_hazards.report.frame import Label, draw, gutter_width
from autograd_hazards.report.style import Style

Lines = Callable[[str], Sequence[str]]
"""Gives the lines of a file by the filename of a place; empty when they cannot be had."""

RAISES = "torch raises here"


def render(findings: Iterable[Finding], lines: Lines, style: Style) -> str:
    """All findings, each with its picture. Ends with a line end unless there are none."""
    return "".join(render_one(finding, lines, style) + "\n" for finding in findings)


def render_one(finding: Finding, lines: Lines, style: Style) -> str:
    """One finding with its pictures: its own file first, other files of the story below."""
    place = finding.place
    where = style.paint(f"{paths.display(place.filename)}:{place.row}:{place.column}", "bold")
    severity = style.paint(f"{finding.severity}[{finding.code}]", finding.severity)
    out = [f"{where}: {severity} {style.paint(finding.name, 'bold')}: {finding.message}"]
    by_file: dict[str, list[Label]] = {place.filename: []}
    labels = story(finding)
    for label in labels:
        by_file.setdefault(label.place.filename, []).append(label)
    gutter = gutter_width(labels)
    for filename, group in by_file.items():
        picture = draw(lines(filename), group, style, finding.severity, gutter)
        if filename != place.filename:
            first = group[0].place
            arrow = style.paint(" " * gutter + " ::: ", "gutter")
            out.append(f"{arrow}{paths.display(filename)}:{first.row}:{first.column}")
            if not picture:
                # Without text to draw into, the story is still told.
                out.extend(f"{' ' * gutter}     line {label.place.row}: {label.text}" for label in group)
        out.extend(picture)
    note = style.paint(" " * gutter + " = ", "gutter")
    for fix in finding.fixes:
        caution = "" if fix.applicability == "safe" else " (changes what is trained)"
        out.append(f"{note}fix: {fix.title}{caution}")
    return "\n".join(out) + "\n"


def story(finding: Finding) -> list[Label]:
    """The labels of a finding in the order in which things happen, numbered when there are several."""
    steps: list[tuple[Place, str]] = [(related.place, related.message) for related in finding.related]
    if finding.fails_at is not None and all(
        place.row != finding.fails_at.row or place.filename != finding.fails_at.filename for place, _ in steps
    ):
        steps.append((finding.fails_at, RAISES))
    own = next((i for i, (place, _) in enumerate(steps) if _same_spot(place, finding.place)), None)
    numbered = len(steps) > 1
    labels = [
        Label(place, f"{i}. {message}" if numbered else message, primary=i - 1 == own)
        for i, (place, message) in enumerate(steps, 1)
    ]
    if own is None:
        labels.insert(0, Label(finding.place, "", primary=True))
    return labels


def _same_spot(one: Place, other: Place) -> bool:
    return (one.filename, one.row, one.column) == (other.filename, other.row, other.column)


def summary(findings: Sequence[Finding], files: int, style: Style) -> str:
    """The closing line: how many findings of each severity, in how many files."""
    if not findings:
        return style.paint(f"No hazards found in {plural(files, 'file')}.", "good") + "\n"
    counts = Counter(finding.severity for finding in findings)
    parts = []
    for severity, noun in (("error", "error"), ("warning", "warning"), ("information", "remark")):
        if counts[severity]:
            parts.append(style.paint(plural(counts[severity], noun), severity))
    hit = len({paths.split_cell(finding.place.filename)[0] for finding in findings})
    return f"Found {', '.join(parts)} in {hit} of {plural(files, 'file')}.\n"


def plural(count: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
