"""The story of a finding in Markdown, and what it leads to."""

from __future__ import annotations

from autograd_hazards.findings import Finding
from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.messages import Text, say
from autograd_hazards.report.paths import split_cell
from autograd_hazards.report.text import SEVERITIES


def consequence(finding: Finding) -> Text:
    """What happens because of a finding, in one sentence."""
    if finding.fails_at is not None:
        place = _where(finding, finding.fails_at.filename, finding.fails_at.row)
        return say("torch raises an error at {place}.", place=place)
    if finding.severity == "information":
        return say("Nothing fails, but memory or time is wasted.")
    return say("torch stays silent, and what is trained is wrong.")


def story_markdown(finding: Finding, locale: str = ENGLISH, link: str | None = None) -> str:
    """The message, the places in the order in which things happen, and the consequence, in the language ``locale``.

    ``link`` leads to the rule's page.
    """

    def told(text: str) -> str:
        return translate(text, locale)

    code = finding.code if link is None else f"[{finding.code}]({link})"
    head = f"**{code} {finding.name}**"
    severity = SEVERITIES.get(finding.severity, finding.severity)
    lines = [told(say("{rule} ({severity})", rule=head, severity=severity)), "", told(finding.message)]
    if finding.related:
        lines.append("")
    for number, step in enumerate(finding.related, 1):
        place = _where(finding, step.place.filename, step.place.row)
        lines.append(f"{number}. " + told(say("{place}: {text}", place=place, text=step.message)))
    lines += ["", told(consequence(finding))]
    return "\n".join(lines)


def _where(finding: Finding, filename: str, row: int) -> Text:
    """A line as a person names it beside the finding: its number, with the file or cell when that is another."""
    if filename == finding.place.filename:
        return say("line {line}", line=row)
    name, cell = split_cell(filename)
    short = name.replace("\\", "/").rpartition("/")[2]
    if cell is not None:
        return say("cell {cell} line {line}", cell=cell, line=row)
    return say("`{file}` line {line}", file=short, line=row)
