"""A backward walks through a graph that an earlier backward has freed."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, lifted, source_text
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH101":
        return None
    node, first = event.data["node"], event.data["first"]
    story = [
        (event.data["built"], f"`{node.op}` keeps tensors for its backward", "built"),
        (first, "this backward frees the graph", "freed"),
        (event.where, "this backward needs it again", "fails"),
    ]
    message = f"This backward goes through the graph of `{node.op}` a second time, after {source_text(first.site)} freed it."
    return tell.finding(event, lifted(event.where, first), message, story, event.fails)


RULE = Rule("AGH101", "backward-through-freed-graph", ERROR, ('freed',), cast(str, __doc__), check)
