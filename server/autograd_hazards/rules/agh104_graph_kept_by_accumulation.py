"""A running sum or list keeps the graph of every iteration in memory."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import INFORMATION, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    name = f"`{event.data['name']}`" if event.data["name"] else "The list"
    how = {"sum": "adds up tensors that still carry their graph", "list": "collects tensors that still carry their graph",
           "state": "is updated from itself together with its graph"}[event.data["how"]]
    message = f"{name} {how}, so the graphs of all iterations stay in memory."
    return tell.finding(event, event.fails, message, [(event.data["built"], "the graph that is kept is built here", "built")])


RULE = Rule("AGH104", "graph-kept-by-accumulation", INFORMATION, ('graph_kept',), cast(str, __doc__), check)
