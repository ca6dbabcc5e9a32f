"""Quick fixes: edits that mend a finding, each tried by analysing the mended program before it is offered."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograd_hazards.findings import Finding, Fix
from autograd_hazards.fixes.draft import UNSAFE, Problem
from autograd_hazards.fixes.merge import difference
from autograd_hazards.fixes.table import KINDS
from autograd_hazards.fixes.trial import Trial, fresh, mends
from autograd_hazards.machine.events import Event
from autograd_hazards.messages import joined, say
from autograd_hazards.program.project import Project

# How many drafts of one finding are tried, and how many further steps a fix may take for what it brings to light.
MOST_DRAFTS = 12
MOST_STEPS = 5
MOST_BROUGHT = 4


def propose(
    event: Event, finding: Finding, project: Project, paths: Sequence[Path] = (), *, most: int = 4
) -> tuple[Fix, ...]:
    """The fixes for a finding, preferred first, at most ``most``. ``paths`` are the programs it was found in.

    None is offered that leaves the finding, brings another error or warning, or breaks the syntax.
    """
    state = Trial(project, list(paths) or [Path(finding.place.filename)])
    pair = next((p for p in state.pairs if p[0].code == finding.code and p[0].place == finding.place), None)
    return fixes_of(state, *(pair or (finding, event)), most=most)


def fixes_of(
    state: Trial, finding: Finding, event: Event, most: int = 4, *, seconds: float = math.inf
) -> tuple[Fix, ...]:
    """As ``propose``, for a finding of a program that has been analysed already.

    Each draft costs an analysis of the program. When ``seconds`` are over, no further one is tried.
    """
    return tuple(itertools.islice(each_fix(state, finding, event, seconds=seconds), most))


def each_fix(state: Trial, finding: Finding, event: Event, *, seconds: float = math.inf) -> Iterator[Fix]:
    """The fixes for a finding one by one, preferred first, each tried when it is asked for."""
    end = time.monotonic() + seconds
    offered: list[object] = []  # the texts that fixes lead to
    tried = 0
    for kind in KINDS.get(finding.code, ()):
        for candidate in kind(Problem(event, finding, state.project)):
            tried += 1
            if tried > MOST_DRAFTS or time.monotonic() > end:
                return
            fix = candidate if mends(state, finding, candidate) else _with_more(state, finding, candidate)
            if fix is not None and (texts := state.texts_with(fix.edits)) not in offered:
                offered.append(texts)
                yield fix


def _with_more(state: Trial, finding: Finding, candidate: Fix) -> Fix | None:
    """The candidate with further edits, where it brings the next hazard to light."""
    edits = candidate.edits
    titles = [candidate.title]
    for _ in range(MOST_STEPS):
        whole = Fix(candidate.title, candidate.applicability, edits, candidate.note)
        after = state.after(edits)
        if after is None or after.defects:
            return None
        rest = fresh(state, after, whole)
        if not rest:
            whole = Fix(joined(list(dict.fromkeys(titles)), say("; ")), UNSAFE, edits, candidate.note)
            return whole if mends(state, finding, whole) else None
        brought, event = rest[0]
        if len(rest) > MOST_BROUGHT:
            return None
        further = next(
            (f for kind in KINDS.get(brought.code, ()) for f in kind(Problem(event, brought, after.project))), None
        )
        last = after.after(further.edits) if further is not None else None
        if further is None or last is None:
            return None
        titles.append(further.title)
        edits = difference(state.project, last.project, {Path(e.place.filename) for e in (*edits, *further.edits)})
    return None


__all__ = ["Trial", "each_fix", "fixes_of", "propose"]
