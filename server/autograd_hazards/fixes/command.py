"""``check --fix`` and ``check --diff``: mend, write or show, and tell what was done and what was left."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from autograd_hazards.findings import Finding
from autograd_hazards.fixes.session import Mended, mend
from autograd_hazards.fixes.write import NotWritten, write
from autograd_hazards.report.paths import display, split_cell
from autograd_hazards.report.text import plural
from autograd_hazards.workspace import Workspace


def diff(workspace: Workspace, mended: Mended) -> str:
    """What would change, as a unified diff."""
    out: list[str] = []
    for path, text in sorted(mended.texts.items()):
        name = display(str(path))
        old = workspace.project.raw_text(path).splitlines(keepends=True)
        for line in difflib.unified_diff(old, text.splitlines(keepends=True), f"a/{name}", f"b/{name}"):
            out.append(line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)


def apply(workspace: Workspace, files: Sequence[Path], unsafe: bool, log: TextIO) -> Mended:
    """Mend ``files`` on disk. What cannot be written is told in ``log`` and left as it was."""
    mended = mend(workspace, files, unsafe=unsafe)
    for path, text in sorted(mended.texts.items()):
        try:
            write(workspace.project, path, text)
        except NotWritten as reason:
            print(f"autograd-hazards: {display(str(path))} was not changed: {reason}", file=log)
            del mended.texts[path]
            mended.applied = [
                (f, fix) for f, fix in mended.applied if all(e.place.filename != str(path) for e in fix.edits)
            ]
    return mended


def summary(mended: Mended, place: Callable[[Finding], Finding]) -> str:
    """What was mended, fix by fix, and what was left, with the reasons. ``place`` puts findings into their cells."""
    out: list[str] = []
    for finding, fix in mended.applied:
        shown = place(finding)
        out.append(f"{_where(shown)}: fixed {finding.code}: {fix.title}\n")
        if fix.note:
            out.append(f"    ({fix.note})\n")
    for finding, reason in mended.left:
        out.append(f"{_where(place(finding))}: left {finding.code}: {reason}\n")
    done, files = len(mended.applied), len(mended.texts)
    out.append(f"Fixed {plural(done, 'finding')} in {plural(files, 'file')}, left {len(mended.left):,}.\n")
    return "".join(out)


def _where(finding: Finding) -> str:
    name, cell = split_cell(finding.place.filename)
    inside = f":cell {cell}" if cell is not None else ""
    return f"{display(name)}{inside}:{finding.place.row}"
