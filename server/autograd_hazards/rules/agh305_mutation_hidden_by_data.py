"""A saved tensor is changed through `.data` or numpy, which torch does not notice."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH305":
        return None
    node, saved, changed = event.data["node"], event.data["saved"], event.data["changed"]
    what = named(saved.tensor, "the tensor")
    story = [(node.trace, f"`{node.op}` saves {what} here", "saved"), (changed, f"{what} is changed here, unseen by torch", "changed"),
             (event.where, "this backward computes with the changed values", "fails")]
    message = f"{what[:1].upper() + what[1:]} is changed through .data after `{node.op}` saved it: torch does not notice, and the gradients are wrong."
    return tell.finding(event, changed.site, message, story)


RULE = Rule("AGH305", "mutation-hidden-by-data", WARNING, ('stale',), cast(str, __doc__), check)
