"""All safe fixes of a file at once."""

from __future__ import annotations

from autograd_hazards.findings import Edit, Finding, Fix, Place
from autograd_hazards.lsp.analyst import Analyst, Report


def edits(analyst: Analyst, report: Report) -> tuple[Edit, ...]:
    """The edits that mend what can be mended without changing what is trained; places by cell."""
    from autograd_hazards.fixes.merge import difference
    from autograd_hazards.fixes.session import mend

    workspace = analyst.workspace(report.path)
    mended = mend(workspace, [report.path], unsafe=False)
    if not mended.texts:
        return ()
    after = workspace.project.with_texts(mended.texts)
    made = difference(workspace.project, after, set(mended.texts))
    carrier = Finding("", "", "", Place(str(report.path), 1, 1, 1, 1), "", "", fixes=(Fix("", "safe", tuple(made)),))
    return workspace.by_cell([carrier])[0].fixes[0].edits
