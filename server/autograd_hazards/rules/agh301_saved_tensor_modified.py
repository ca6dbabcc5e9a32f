"""A tensor that a backward needs is changed in place."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH301":
        return None
    node, saved, mutation, changed = event.data["node"], event.data["saved"], event.data["mutation"], event.data["changed"]
    what = named(saved.tensor, "its result" if saved.is_output else "its input")
    story = [(node.trace, f"`{node.op}` saves {what} for its backward here", "saved"), (changed, f"{what} is changed in place here", "changed"),
             (event.where, f"this backward needs {what} as it was", "fails")]
    message = f"{what[:1].upper() + what[1:]} is changed in place after `{node.op}` saved it for the backward."
    del mutation
    return tell.finding(event, changed.site, message, story, event.fails)


RULE = Rule("AGH301", "saved-tensor-modified", ERROR, ('version',), cast(str, __doc__), check)
