"""The report for people: a header per finding, the code with the story drawn into it, the fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from autograd_hazards.findings import Finding, Place
from autograd_hazards.locales import told
from autograd_hazards.messages import Text, joined, say
from autograd_hazards.report import paths
from autograd_hazards.report.frame import Label, draw, gutter_width
from autograd_hazards.report.style import Style

Lines = Callable[[str], Sequence[str]]
"""Gives the lines of a file by the filename of a place; empty when they cannot be had."""

RAISES = say("torch raises here")
SEVERITIES = {"error": say("error"), "warning": say("warning"), "information": say("information")}


def render(findings: Iterable[Finding], lines: Lines, style: Style) -> str:
    """All findings, each with its picture. Ends with a line end unless there are none."""
    return "".join(render_one(told(finding, style.locale), lines, style) + "\n" for finding in findings)


def render_one(finding: Finding, lines: Lines, style: Style) -> str:
    """One finding, in the language of ``style``, with its pictures: its own file first, others of the story below."""
    place = finding.place
    where = style.paint(f"{paths.display(place.filename)}:{place.row}:{place.column}", "bold")
    severity = style.paint(f"{style.say(SEVERITIES[finding.severity])}[{finding.code}]", finding.severity)
    out = [f"{where}: {severity} {style.paint(finding.name, 'bold')}: {finding.message}"]
    by_file: dict[str, list[Label]] = {place.filename: []}
    labels = story(finding, style)
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
                out.extend(
                    f"{' ' * gutter}     "
                    + style.say(say("line {line}: {text}", line=label.place.row, text=label.text))
                    for label in group
                )
        out.extend(picture)
    note = style.paint(" " * gutter + " = ", "gutter")
    for fix in finding.fixes:
        offered = say("fix: {title}", title=fix.title)
        if fix.applicability != "safe":
            offered = say("fix: {title} (changes what is trained)", title=fix.title)
        out.append(note + style.say(offered))
    return "\n".join(out) + "\n"


def story(finding: Finding, style: Style) -> list[Label]:
    """The labels of a finding in the order in which things happen, numbered when there are several."""
    steps: list[tuple[Place, str]] = [(related.place, related.message) for related in finding.related]
    if finding.fails_at is not None and all(
        place.row != finding.fails_at.row or place.filename != finding.fails_at.filename for place, _ in steps
    ):
        steps.append((finding.fails_at, style.say(RAISES)))
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
    checked = counted(files, "file")
    if not findings:
        return style.paint(style.say(say("No hazards found in {files}.", files=checked)), "good") + "\n"
    counts = Counter(finding.severity for finding in findings)
    parts = [
        style.paint(style.say(counted(counts[severity], noun)), severity)
        for severity, noun in (("error", "error"), ("warning", "warning"), ("information", "remark"))
        if counts[severity]
    ]
    hit = len({paths.split_cell(finding.place.filename)[0] for finding in findings})
    found = say("Found {counts} in {hit} of {files}.", counts=joined(parts, say(", ")), hit=hit, files=checked)
    return style.say(found) + "\n"


def counted(count: int, noun: str) -> Text:
    """``1 file``, ``2 files``; ``noun`` is ``file``, ``finding``, ``error``, ``warning`` or ``remark``."""
    number = f"{count:,}"
    one, several = {
        "file": (say("{count} file", count=number), say("{count} files", count=number)),
        "finding": (say("{count} finding", count=number), say("{count} findings", count=number)),
        "error": (say("{count} error", count=number), say("{count} errors", count=number)),
        "warning": (say("{count} warning", count=number), say("{count} warnings", count=number)),
        "remark": (say("{count} remark", count=number), say("{count} remarks", count=number)),
    }[noun]
    return one if count == 1 else several
