"""Quick fixes: edits that mend a finding, each tried by analysing the mended program before it is offered."""

from __future__ import annotations

import ast
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograd_hazards.findings import Edit, Finding, Fix
from autograd_hazards.fixes.draft import UNSAFE, Problem
from autograd_hazards.fixes.merge import difference
from autograd_hazards.fixes.table import KINDS
from autograd_hazards.fixes.trial import ACCUSING, Trial, fresh, mends
from autograd_hazards.machine.events import Event
from autograd_hazards.messages import joined, say
from autograd_hazards.program.project import Project

# How many drafts of one finding are tried, with how many analyses; how many steps a fix may take for what it brings to
# light, in how many ways each, and how much at once.
MOST_DRAFTS = 12
MOST_ANALYSES = 30
MOST_STEPS = 8
MOST_WAYS = 3
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
    budget = _Budget(time.monotonic() + seconds)
    offered: list[object] = []  # the texts that fixes lead to
    drafts = (draft for kind in KINDS.get(finding.code, ()) for draft in kind(Problem(event, finding, state.project)))
    for candidate in itertools.islice(drafts, MOST_DRAFTS):
        if not budget.take():
            return
        fix: Fix | None = candidate if mends(state, finding, candidate) else None
        # More edits than one only against errors and warnings, and where no single one is enough.
        if fix is None and not offered and finding.severity in ACCUSING:
            fix = _with_more(state, finding, event, candidate, budget)
        if fix is not None and (texts := state.texts_with(fix.edits)) not in offered:
            offered.append(texts)
            yield fix


class _Budget:
    """What the search for one finding's fixes may cost: analyses and time."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.analyses = MOST_ANALYSES

    def take(self) -> bool:
        """Whether one more analysis is in it."""
        self.analyses -= 1
        return self.analyses >= 0 and time.monotonic() < self.end


def _with_more(state: Trial, finding: Finding, event: Event, candidate: Fix, budget: _Budget) -> Fix | None:
    """The candidate with further edits, where it brings the next hazard to light: the first way that leads to an end."""
    pending: list[tuple[list[str], tuple[Edit, ...], list[tuple[str, str, str]]]] = [
        ([candidate.title], candidate.edits, [_cause(finding, event)])
    ]
    reached: list[object] = []
    for step in range(MOST_STEPS):
        if not pending or (step and not budget.take()):  # the first one is known already
            return None
        titles, edits, known = pending.pop(0)
        whole = Fix(joined(titles, say("; ")), UNSAFE, edits, candidate.note)
        after = state.after(edits)
        texts = state.texts_with(edits)
        if after is None or after.defects or texts in reached:
            continue
        reached.append(texts)
        rest = fresh(state, after, whole) or _elsewhere(after, finding, known)
        if not rest:
            if mends(state, finding, whole):
                return whole
            continue
        brought, cause = rest[0]
        key = _cause(brought, cause)
        if len(rest) > MOST_BROUGHT or key in known:  # it did not help
            continue
        ways = (f for kind in KINDS.get(brought.code, ()) for f in kind(Problem(cause, brought, after.project)))
        deeper = []
        for further in itertools.islice(ways, MOST_WAYS):
            more = after.texts_with(further.edits)
            if more is not None:
                files = {Path(e.place.filename) for e in (*edits, *further.edits)}
                both = difference(state.project, after.project.with_texts(more), files)
                deeper.append((_told(titles, further, brought), both, [*known, key]))
        pending = deeper + pending
    return None


def _told(titles: list[str], further: Fix, brought: Finding) -> list[str]:
    """The titles with that of a further edit, without one that it takes back."""
    if brought.code == "AGH102":
        kept = [t for t in titles if not getattr(t, "template", "").startswith("Keep the graph: `retain_graph")]
        if len(kept) == len(titles) - 1 and kept:
            return kept
    return titles if further.title in titles else [*titles, further.title]


def _cause(finding: Finding, event: Event) -> tuple[str, str, str]:
    """What a finding says, and the text of the op whose saved tensor it is about: neither changes when edits move it."""
    trace = event.data.get("built")
    return finding.code, finding.message, ast.unparse(trace.node) if trace is not None else ""


def _elsewhere(after: Trial, finding: Finding, known: Sequence[tuple[str, str, str]]) -> list[tuple[Finding, Event]]:
    """The same finding again, where another op than those mended so far has saved what is changed."""
    same = finding.code, finding.message
    return [pair for pair in after.pairs if _cause(*pair)[:2] == same and _cause(*pair) not in known]


__all__ = ["Trial", "each_fix", "fixes_of", "propose"]
