"""A gradient is used in a loss, but was computed without `create_graph=True`."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "dead_term":
        if event.data["cut_kind"] != "grad":
            return None
        cut = event.data["cut"]
        message = "This gradient was computed without create_graph=True, so the penalty made of it does not train anything."
        story = [(cut, "the gradient is computed without a graph", "cut"), (event.where, "it is added to the loss here", "used"),
                 (event.data["backward"], "this backward does not reach it", "fails")]
        return tell.finding(event, cut.site, message, story)
    cut = next((c for c in event.data["cuts"] if c.kind == "grad"), None)
    if cut is None:
        return None
    message = "This loss is made of gradients that were computed without create_graph=True, so it has no graph to go back through."
    return tell.finding(event, cut.trace.site, message, [(cut.trace, "the gradient is computed without a graph", "cut"), (event.where, "this backward fails", "fails")], event.fails, "error")


RULE = Rule("AGH105", "missing-create-graph", WARNING, ('dead_term', 'no_grad_graph'), cast(str, __doc__), check)
