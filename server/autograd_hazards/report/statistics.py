"""How often each rule was met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from autograd_hazards.findings import Finding
from autograd_hazards.report.style import Style


def render(findings: Iterable[Finding], style: Style) -> str:
    """A line per rule, the most frequent first: count, code, name."""
    counts = Counter((finding.code, finding.name) for finding in findings)
    if not counts:
        return ""
    width = len(str(max(counts.values())))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{count:>{width}}  {style.paint(code, 'bold')}  {name}\n" for (code, name), count in ordered)
