"""``check --fix`` and ``check --diff``: mend, write or show, and tell what was done and what was left."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from autograd_hazards.findings import Finding
from autograd_hazards.fixes.session import Mended, mend
from autograd_hazards.fixes.write import NotWritten, write
from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.messages import Text, say
from autograd_hazards.report.paths import display, split_cell
from autograd_hazards.report.text import counted
from autograd_hazards.workspace import Workspace


def diff(workspace: Workspace, mended: Mended) -> str:
    """What would change, as a unified diff."""
    out: list[str] = []
    for path, text in sorted(mended.texts.items()):
        name = display(str(path)).lstrip("/")  # of a file elsewhere, as git names it
        old = workspace.project.raw_text(path).splitlines(keepends=True)
        for line in difflib.unified_diff(old, text.splitlines(keepends=True), f"a/{name}", f"b/{name}"):
            out.append(line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)


def apply(workspace: Workspace, files: Sequence[Path], unsafe: bool, log: TextIO, locale: str = ENGLISH) -> Mended:
    """Mend ``files`` on disk. What cannot be written is told in ``log`` and left as it was."""
    mended = mend(workspace, files, unsafe=unsafe)
    for path, text in sorted(mended.texts.items()):
        try:
            write(workspace.project, path, text)
        except NotWritten as left:
            said = say("{file} was not changed: {reason}", file=display(str(path)), reason=left.message)
            print(f"autograd-hazards: {translate(said, locale)}", file=log)
            del mended.texts[path]
            mended.applied = [
                (f, fix) for f, fix in mended.applied if all(e.place.filename != str(path) for e in fix.edits)
            ]
    return mended


def summary(mended: Mended, place: Callable[[Finding], Finding], locale: str = ENGLISH) -> str:
    """What was mended, fix by fix, and what was left, with the reasons. ``place`` puts findings into their cells."""
    lines: list[Text] = []
    for finding, fix in mended.applied:
        shown = place(finding)
        lines.append(say("{place}: fixed {code}: {title}", place=_where(shown), code=finding.code, title=fix.title))
        if fix.note:
            lines.append(say("    ({note})", note=fix.note))
    for finding, reason in mended.left:
        where = _where(place(finding))
        lines.append(say("{place}: left {code}: {reason}", place=where, code=finding.code, reason=reason))
    done, files = len(mended.applied), len(mended.texts)
    lines.append(
        say(
            "Fixed {findings} in {files}, left {left}.",
            findings=counted(done, "finding"),
            files=counted(files, "file"),
            left=f"{len(mended.left):,}",
        )
    )
    return "".join(translate(line, locale) + "\n" for line in lines)


def _where(finding: Finding) -> str:
    name, cell = split_cell(finding.place.filename)
    inside = f":cell {cell}" if cell is not None else ""
    return f"{display(name)}{inside}:{finding.place.row}"
