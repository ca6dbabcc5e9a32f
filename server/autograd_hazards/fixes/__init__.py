"""Quick fixes: edits that mend a finding, each tried by analysing the mended program before it is offered."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from autograd_hazards.findings import Edit, Finding, Fix
from autograd_hazards.fixes.draft import UNSAFE, Problem
from autograd_hazards.fixes.merge import difference
from autograd_hazards.fixes.table import KINDS
from autograd_hazards.fixes.trial import ACCUSING, Trial, fresh, mends, runs_on, still, uncovers
from autograd_hazards.limits import work_done
from autograd_hazards.machine.events import Event
from autograd_hazards.messages import joined, say
from autograd_hazards.program.project import Project

# How many drafts of one finding are tried, with how many analyses; how many steps a fix may take for what it brings to
# light, in how many ways each, and how much at once.
MOST_DRAFTS = 12
MOST_ANALYSES = 40
MOST_STEPS = 12
MOST_WAYS = 4
MOST_BROUGHT = 4
# Work (see ``limits.work_done``; some 400 are a second) after which the search for a first fix is given up, too.
PATIENCE = 4_000
# Fixes that choose among names: a choice that needs more edits was the wrong one.
GUESSES = frozenset({"AGH608"})


def propose(
    event: Event, finding: Finding, project: Project, paths: Sequence[Path] = (), *, most: int = 4
) -> tuple[Fix, ...]:
    """The fixes for a finding, preferred first, at most ``most``. ``paths`` are the programs it was found in.

    None is offered that leaves the finding, brings another error or warning, or breaks the syntax; but see ``uncovers``.
    """
    state = Trial(project, list(paths) or [Path(finding.place.filename)])
    pair = next((p for p in state.pairs if p[0].code == finding.code and p[0].place == finding.place), None)
    return fixes_of(state, *(pair or (finding, event)), most=most)


def fixes_of(state: Trial, finding: Finding, event: Event, most: int = 4, *, work: float = math.inf) -> tuple[Fix, ...]:
    """As ``propose``, for a finding of a program that has been analysed already.

    Each draft costs an analysis of the program. When that much ``work`` was done (see ``limits.work_done``), no further
    fix is looked for than the first, and ``PATIENCE`` later none at all.
    """
    return tuple(itertools.islice(each_fix(state, finding, event, work=work), most))


def each_fix(state: Trial, finding: Finding, event: Event, *, work: float = math.inf) -> Iterator[Fix]:
    """The fixes for a finding one by one, preferred first, each tried when it is asked for."""
    began = work_done()
    budget = _Budget(began + work + PATIENCE)
    offered: list[object] = []  # the texts that fixes lead to
    drafts = (draft for kind in KINDS.get(finding.code, ()) for draft in kind(Problem(event, finding, state.project)))
    failed = []
    titles: list[str] = []
    for candidate in itertools.islice(drafts, MOST_DRAFTS):
        if not budget.take() or (offered and work_done() > began + work):
            return
        if candidate.title in titles:
            continue
        if not mends(state, finding, candidate):
            failed.append(candidate)
        elif (texts := state.texts_with(candidate.edits)) not in offered:
            offered.append(texts)
            titles.append(candidate.title)
            yield candidate
    if offered or finding.severity not in ACCUSING or finding.code in GUESSES:
        return
    for candidate in failed:  # no single edit is enough
        fix = _with_more(state, finding, event, candidate, budget)
        if fix is not None:
            yield fix
            return
    if event.loud:
        yield from itertools.islice((fix for fix in failed if uncovers(state, finding, fix)), 1)


class _Budget:
    """What the search for one finding's fixes may cost: analyses, and how much work they make."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.analyses = MOST_ANALYSES

    def take(self) -> bool:
        """Whether one more analysis is in it."""
        self.analyses -= 1
        return self.analyses >= 0 and work_done() < self.end


class _Step(NamedTuple):
    """A fix in the making: the hazards ``known`` so far on its way, and how many were ``left`` before its last edit."""

    titles: list[str]
    edits: tuple[Edit, ...]
    known: list[tuple[str, str, str]]
    left: int


def _with_more(state: Trial, finding: Finding, event: Event, candidate: Fix, budget: _Budget) -> Fix | None:
    """The candidate with further edits, where it brings the next hazard to light: the first way that leads to an end."""
    pending = [_Step([candidate.title], candidate.edits, [_cause(finding, event)], MOST_BROUGHT + 1)]
    reached: list[object] = []
    for _ in range(MOST_STEPS):
        if not pending or not budget.take():
            return None
        step = pending.pop(0)
        whole = Fix(joined(step.titles, say("; ")), UNSAFE, step.edits, candidate.note)
        after = state.after(step.edits, finding)
        texts = state.texts_with(step.edits)
        if after is None or not runs_on(state, after) or texts in reached:
            continue
        reached.append(texts)
        # The same finding again, where another op than those mended so far has saved what is changed.
        same = (pair for pair in still(state, after, finding, whole) if _cause(*pair) not in step.known)
        rest = fresh(state, after, whole) or list(same)
        if not rest:
            if mends(state, finding, whole):
                return whole
            continue
        brought, cause = rest[0]
        key = _cause(brought, cause)
        if (
            brought.code in GUESSES or len(rest) > MOST_BROUGHT or (key in step.known and len(rest) >= step.left)
        ):  # it did not help
            continue
        ways = (f for kind in KINDS.get(brought.code, ()) for f in kind(Problem(cause, brought, after.project)))
        deeper = []
        for further in itertools.islice(ways, MOST_WAYS):
            more = after.texts_with(further.edits)
            if more is not None:
                files = {Path(e.place.filename) for e in (*step.edits, *further.edits)}
                both = difference(state.project, after.project.with_texts(more), files)
                deeper.append(_Step(_told(step.titles, further, brought), both, [*step.known, key], len(rest)))
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
    """What a finding says, and the statements it is about: of the op that has saved something, of the cuts of a graph.

    None of this changes by being moved.
    """
    root = event.data.get("root")
    cuts = event.data.get("cuts") or (root.cuts if root is not None else ())
    traces = [event.data.get("built"), *(cut.trace for cut in cuts)]
    code = [ast.unparse(trace.stmt or trace.node) for trace in traces if trace is not None]
    return finding.code, finding.message, "\n".join(code)


__all__ = ["Trial", "each_fix", "fixes_of", "propose"]
