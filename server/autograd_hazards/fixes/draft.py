"""What a kind of edit works with, and what it gives: drafts, which become fixes once they have been tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograd_hazards.findings import Edit, Finding, Fix
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.events import Event
from autograd_hazards.machine.frames import Site, Trace
from autograd_hazards.messages import Text
from autograd_hazards.program.project import Project

SAFE = "safe"
UNSAFE = "unsafe"


@dataclass(frozen=True)
class Problem:
    """One finding with the event behind it, and access to the texts of the project."""

    event: Event
    finding: Finding
    project: Project

    def sheet(self, where: Site | Trace | str | Path) -> Sheet:
        """The text of the file that a site lies in."""
        site = where.site if isinstance(where, Trace) else where
        path = site.path if isinstance(site, Site) else str(site)
        return Sheet(self.project.module_at(Path(path)))


def draft(title: Text, applicability: str, edits: Sequence[Edit | None] | None, note: Text | None = None) -> list[Fix]:
    """A fix that has not been tried yet; none when an edit could not be made."""
    if not edits or any(edit is None for edit in edits):
        return []
    return [Fix(title, applicability, tuple(edit for edit in edits if edit is not None), note or "")]
