"""The analysis of one file's entries: machine and rules together, with a record of what was read for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from autograd_hazards.cache import Edge, Unit, closure
from autograd_hazards.catalogue import UNREADABLE_SOURCE, Entry
from autograd_hazards.findings import Finding, Place
from autograd_hazards.limits import TimeUp, time_limit
from autograd_hazards.messages import say
from autograd_hazards.program.modules import Module
from autograd_hazards.program.project import Project

Engine = Callable[["RecordingProject", Path, frozenset[str], "str | None"], Unit]
"""Analyses the entries of a file: (project, file, functions that others call, version of torch) → findings."""


FIRST_LOOK = 6_000
"""Steps for each entry of a file that has just been opened, before its editor is told a first time: about a tenth of a second."""


class RecordingProject(Project):
    """A project that remembers which import led from which file to which: ``edges`` by the importing file's path."""

    def __init__(self, roots: list[Path], overlay: Mapping[Path, str] | None = None) -> None:
        super().__init__(roots, overlay)
        self.edges: dict[str, set[Edge]] = {}

    def resolve(self, name: str, importer: Module | None, level: int = 0) -> Module | None:
        module = super().resolve(name, importer, level)
        if importer is not None:
            edge = (name, level, str(module.path) if module else None)
            self.edges.setdefault(str(importer.path), set()).add(edge)
        return module


def look(project: RecordingProject, path: Path, called: frozenset[str], torch_version: str | None) -> Unit:
    """As ``analyse``, but entries that show nothing are left early: a first look at a file that was just opened."""
    return analyse(project, path, called, torch_version, steps=FIRST_LOOK)


def analyse(
    project: RecordingProject, path: Path, called: frozenset[str], torch_version: str | None, steps: int | None = None
) -> Unit:
    """Run the abstract machine over the entries of ``path`` and let the rules read what it met."""
    if not project.uses_torch(project.module_at(path)):
        # Most files of most projects; they do not even cost loading the machine.
        return Unit()
    from autograd_hazards import machine, rules

    memory = project.memories.setdefault(path, machine.Memory()) if project.remembers else None
    limits = machine.Limits() if steps is None else machine.Limits(steps=steps, hasty=True)
    analysis = machine.analyse(project, [path], limits, called=called, torch_version=torch_version, memory=memory)
    findings = rules.find(analysis)
    for defect in analysis.defects[:1]:
        message = say("Part of this file could not be analysed: a defect of the analyser ({defect}).", defect=defect)
        findings.append(own_finding(UNREADABLE_SOURCE, Place(str(path), 1, 1, 1, 2), message))
    return Unit(tuple(findings), frozenset(analysis.called), analysis.hurried)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one file, or in ``trouble`` the reason why there is none; ``edges`` are the imports followed."""

    unit: Unit
    edges: dict[str, set[Edge]]
    trouble: str = ""


def guarded(
    engine: Engine,
    project: RecordingProject,
    path: Path,
    called: frozenset[str],
    torch_version: str | None,
    limit: float,
) -> Outcome:
    """Run ``engine`` so that its failure on one file, or its taking longer than ``limit`` seconds, costs that file."""
    trouble = ""
    try:
        with time_limit(limit):
            unit = engine(project, path, called, torch_version)
            unread = problems(project, path)
            unit = replace(unit, findings=unit.findings + unread) if unread else unit
            return Outcome(unit, project.edges)
    except TimeUp:
        trouble = say("its analysis took longer than {limit} s and was stopped", limit=f"{limit:g}")
    except Exception as error:  # noqa: BLE001 - a defect of ours must not hide the findings in other files
        trouble = say("a defect of the analyser: {error}", error=f"{type(error).__name__}: {error}")
    return Outcome(Unit(), {}, trouble)


def problems(project: Project, path: Path) -> tuple[Finding, ...]:
    """What of a file cannot be read."""
    parsed = project.module_at(path).parsed
    return tuple(own_finding(UNREADABLE_SOURCE, problem.place, problem.message) for problem in parsed.problems)


def own_finding(rule: Entry, place: Place, message: str) -> Finding:
    """A finding about the text itself and not about what it does when run."""
    return Finding(rule.code, rule.name, "warning", place, message, "certain")


Task = tuple[Path, frozenset[str]]


def for_worker(
    engine: Engine,
    roots: list[Path],
    torch_version: str | None,
    limit: float,
    overlay: Mapping[Path, str] | None = None,
) -> Callable[[Task], Outcome]:
    """The function that a worker process runs per task; all its tasks share one project."""
    project = RecordingProject(roots, overlay)

    def work(task: Task) -> Outcome:
        path, called = task
        outcome = guarded(engine, project, path, called, torch_version, limit)
        # Of the project's imports only those that lead on from this file: the rest has been sent before.
        reached = closure(str(path), outcome.edges)
        return replace(outcome, edges={name: edges for name, edges in outcome.edges.items() if name in reached})

    return work
