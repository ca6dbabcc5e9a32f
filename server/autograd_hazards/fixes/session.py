"""Mending whole files: fix after fix, each on the program that the ones before have left, until nothing changes."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograd_hazards.findings import Finding, Fix
from autograd_hazards.fixes import Trial, fixes_of
from autograd_hazards.fixes.draft import SAFE
from autograd_hazards.fixes.table import KINDS
from autograd_hazards.messages import Text, say

if TYPE_CHECKING:
    from autograd_hazards.workspace import Workspace

# Fixes applied in the runs of one program, a bound for edits that would call for each other.
MOST_FIXES = 60
# Work for which fixes for one finding are looked for; a file that takes seconds to analyse is not worth every draft.
MOST_WORK = 12_000
# Findings that explain others: mended first.
CAUSES = ("AGH408", "AGH410", "AGH608")
NO_FIX = say("no fix is known that would be right")
NO_FIX_OF = {
    "AGH402": say("no name in reach means what both losses use, nor the optimizer that this loss is for"),
    "AGH408": say("no statement is known where the tensor itself could become the leaf"),
}
_RANK = {"error": 0, "warning": 1, "information": 2}


@dataclass
class Mended:
    """What became of the findings. ``texts`` are the new contents of files that change (a notebook's is its JSON)."""

    texts: dict[Path, str] = field(default_factory=dict)
    applied: list[tuple[Finding, Fix]] = field(default_factory=list)
    left: list[tuple[Finding, Text]] = field(default_factory=list)


def mend(workspace: Workspace, paths: Sequence[Path], *, unsafe: bool) -> Mended:
    """Apply the preferred fix of every finding in ``paths``: safe ones, with ``unsafe`` the others, too."""
    result = Mended()
    found = workspace.check(paths)
    wanted = {os.path.abspath(path) for path in paths}
    entries = list(dict.fromkeys(workspace.entry_of(finding) for finding in found))
    for entry in entries:
        if entry is not None:
            _mend_entry(workspace, entry, wanted, unsafe, result)
    return result


def with_fixes(workspace: Workspace, findings: Sequence[Finding], *, work: float = math.inf) -> list[Finding]:
    """``findings`` of the last ``check`` with the fixes that can be offered for them (``work``: see ``fixes_of``)."""
    by_entry: dict[Path, list[Finding]] = {}
    for finding in findings:
        entry = workspace.entry_of(finding)
        if entry is not None and finding.code in KINDS:
            by_entry.setdefault(entry, []).append(finding)
    known: dict[Finding, Finding] = {}
    for entry, mine in by_entry.items():
        state = Trial(
            workspace.project,
            [entry],
            workspace.called_in(entry),
            workspace.config.torch_version,
            memory=workspace.project.memories.get(entry),
        )
        events = {(f.code, f.place): event for f, event in state.pairs}
        for finding in mine:
            event = events.get((finding.code, finding.place))
            if event is not None:
                known[finding] = replace(finding, fixes=fixes_of(state, finding, event, work=work))
    return [known.get(finding, finding) for finding in findings]


def _mend_entry(workspace: Workspace, entry: Path, files: set[str], unsafe: bool, result: Mended) -> None:
    memory = None if result.texts else workspace.project.memories.get(entry)  # of the check, as long as nothing changed
    project = workspace.project.with_texts(result.texts) if result.texts else workspace.project
    called, version = workspace.called_in(entry), workspace.config.torch_version
    state = Trial(project, [entry], called, version, memory=memory)
    seen = [_contents(state, files)]
    hopeless: dict[tuple[str, str, str], Text] = {}
    for _ in range(MOST_FIXES):
        choice = _next(workspace, state, files, unsafe, hopeless)
        if choice is None:
            break
        finding, fix = choice
        texts = state.texts_with(fix.edits)
        after = state.after(fix.edits)
        if texts is None or after is None:
            break
        contents = _contents(after, files)
        if contents in seen:
            break
        seen.append(contents)
        if any(workspace.project.raw_text(path) == text for path, text in texts.items()):
            break
        state = after
        result.texts.update(texts)
        result.applied.append((finding, fix))
        hopeless.clear()
    for finding in _reported(workspace, state, files):
        reason = hopeless.get(_key(state, finding), NO_FIX)
        result.left.append((finding, reason))


def _contents(state: Trial, files: set[str]) -> tuple[str, ...]:
    return tuple(state.project.module_at(Path(name)).text for name in sorted(files))


def _reported(workspace: Workspace, state: Trial, files: set[str]) -> list[Finding]:
    kept = workspace.applying([f for f in state.findings if f.place.filename in files], state.project)
    return sorted(kept, key=_order)


def _order(finding: Finding) -> tuple[bool, int, int, str]:
    """What to mend first: causes before what follows from them, errors; of a term's gradients the last is its own."""
    row = -finding.place.row if finding.code == "AGH105" else finding.place.row
    return finding.code not in CAUSES, _RANK.get(finding.severity, 3), row, f"{finding.code} {finding.message}"


def _key(state: Trial, finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.place.filename, f"{finding.place.row}:{state.line(finding)}"


def _next(
    workspace: Workspace, state: Trial, files: set[str], unsafe: bool, hopeless: dict[tuple[str, str, str], Text]
) -> tuple[Finding, Fix] | None:
    events = {(f.code, f.place): event for f, event in state.pairs}
    for finding in _reported(workspace, state, files):
        key = _key(state, finding)
        event = events.get((finding.code, finding.place))
        if key in hopeless or event is None:
            continue
        if finding.code not in KINDS:
            hopeless[key] = say("there is no quick fix for this rule")
            continue
        try:
            fixes = fixes_of(state, finding, event, most=1 if unsafe else 4, work=MOST_WORK)
        except Exception as error:  # noqa: BLE001 - a defect of ours costs one finding and hides no other
            hopeless[key] = say("a defect of the analyser: {error}", error=f"{type(error).__name__}: {error}")
            continue
        # Reaching over the checked files would change what nobody named.
        inside = [fix for fix in fixes if all(edit.place.filename in files for edit in fix.edits)]
        usable = next((fix for fix in inside if unsafe or fix.applicability == SAFE), None)
        if usable is not None:
            return finding, usable
        hopeless[key] = _why_not(finding, fixes, inside, files)
    return None


def _why_not(finding: Finding, fixes: Sequence[Fix], inside: Sequence[Fix], files: set[str]) -> Text:
    """Why none of the ``fixes`` was applied; those ``inside`` change no other than the checked ``files``."""
    if inside:
        return say("its fix changes what is trained; apply it with --unsafe-fixes: {title}", title=inside[0].title)
    if fixes:
        others = sorted({Path(e.place.filename).name for e in fixes[0].edits if e.place.filename not in files})
        return say("its fix changes files that were not named: {files}", files=", ".join(others))
    return NO_FIX_OF.get(finding.code, NO_FIX)
