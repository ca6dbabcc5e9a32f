"""`requires_grad` is switched on for a loss whose graph is broken: the error is gone, and so is the training."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    cut = event.data["cut"]
    message = "Switching requires_grad on here hides that the graph is broken: backward runs, and nothing trains."
    return tell.finding(event, event.fails, message, [(cut, "the graph ends here", "cut"), (event.where, "and is hidden here", "fails")])


RULE = Rule("AGH406", "broken-graph-masked", WARNING, ('broken_graph_masked',), cast(str, __doc__), check)
