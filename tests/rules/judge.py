"""Does what the analyser says about a case count? One place for the acceptance rule of ``cases/README.md``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograd_hazards.findings import Finding
from autograd_hazards.machine import analyse
from autograd_hazards.program.project import Project
from autograd_hazards.rules import find
from tests.rules.corpus import Case, Program

ACCUSING = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a case is found, by which finding, or why not."""

    found: bool
    why: str
    by: Finding | None = None


def findings_of(program: Program) -> list[Finding]:
    """What the analyser says about every file of ``program``, most recent state of the code, no suppression."""
    return find(analyse(Project([program.root]), program.files))


def accusations(findings: Iterable[Finding]) -> list[Finding]:
    """The findings above information: none of them may be on a right program."""
    return [finding for finding in findings if finding.severity in ACCUSING]


def rows_of(finding: Finding, file: Path) -> set[int]:
    """Rows of ``file`` that the finding names, its own and those of its story."""
    places = [finding.place, *(part.place for part in finding.related)]
    if finding.fails_at is not None:
        places.append(finding.fails_at)
    return {place.row for place in places if _same(place.filename, file)}


def judge(case: Case, findings: Iterable[Finding]) -> Verdict:
    """The verdict over what was found in ``case.bad``."""
    reasons: list[str] = []
    for finding in findings:
        reason = _refusal(case, finding)
        if reason is None:
            return Verdict(True, "", finding)
        reasons.append(f"{finding.code}:{finding.place.row} {reason}")
    return Verdict(False, "; ".join(reasons) or "nothing found")


def _refusal(case: Case, finding: Finding) -> str | None:
    if not case.loud and finding.code[3] != case.rule[3]:
        return f"family of {case.rule} wanted"
    if not _same(finding.place.filename, case.file):
        return "in another file"
    if finding.place.row not in case.hazard_rows | case.related_rows:
        return "row not in the story"
    if not rows_of(finding, case.file) & case.hazard_rows:
        return "no hazard row among its rows"
    return None


def _same(filename: str, path: Path) -> bool:
    return Path(filename).resolve() == path.resolve()


def line(finding: Finding) -> str:
    """A finding in one line of text."""
    story = ",".join(f"{part.role or '-'}:{part.place.row}" for part in finding.related)
    place = f"{Path(finding.place.filename).name}:{finding.place.row}"
    return f"{finding.code} {finding.severity} {place} [{story}] {finding.message}"
