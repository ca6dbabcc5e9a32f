"""Two rounds of edits as one: the difference between the first text and the last."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from autograd_hazards.findings import Edit
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.program.project import Project


def difference(before: Project, after: Project, paths: Iterable[Path]) -> tuple[Edit, ...]:
    """Edits of whole lines that turn the texts of ``before`` into those of ``after``."""
    edits = []
    for path in sorted(paths):
        sheet = Sheet(before.module_at(path))
        old = sheet.text.splitlines(keepends=True)
        new = after.module_at(path).text.splitlines(keepends=True)
        offsets = [0]
        for line in old:
            offsets.append(offsets[-1] + len(line))
        for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                edits.append(Edit(sheet.place(offsets[i], offsets[j]), "".join(new[k:m])))
    return tuple(edits)
