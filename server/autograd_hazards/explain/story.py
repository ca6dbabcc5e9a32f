"""The story of a finding in Markdown, and what it leads to."""

from __future__ import annotations

from autograd_hazards.findings import Finding
from autograd_hazards.report.links import rule_url
from autograd_hazards.report.paths import split_cell


def consequence(finding: Finding) -> str:
    """What happens because of a finding, in one sentence."""
    if finding.fails_at is not None:
        place = _where(finding, finding.fails_at.filename, finding.fails_at.row)
        return f"torch raises an error at {place}."
    if finding.severity == "information":
        return "Nothing fails, but memory or time is wasted."
    return "torch stays silent, and what is trained is wrong."


def story_markdown(finding: Finding) -> str:
    """The message, the places in the order in which things happen, and the consequence."""
    lines = [f"**[{finding.code}]({rule_url(finding.code)}) {finding.name}** ({finding.severity})", "", finding.message]
    if finding.related:
        lines.append("")
    for number, step in enumerate(finding.related, 1):
        lines.append(f"{number}. {_where(finding, step.place.filename, step.place.row)}: {step.message}")
    lines += ["", consequence(finding)]
    return "\n".join(lines)


def _where(finding: Finding, filename: str, row: int) -> str:
    """A line as a person names it beside the finding: its number, with the file or cell when that is another."""
    if filename == finding.place.filename:
        return f"line {row}"
    name, cell = split_cell(filename)
    short = name.replace("\\", "/").rpartition("/")[2]
    return f"`{short}` line {row}" if cell is None else f"cell {cell} line {row}"
