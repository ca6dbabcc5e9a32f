"""An in-place activation overwrites what the layer before it saved for its backward."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH304":
        return None
    node, saved, mutation, changed = event.data["node"], event.data["saved"], event.data["mutation"], event.data["changed"]
    op = mutation.op.rstrip("_")
    story = [(node.trace, f"`{node.op}` saves {'its result' if saved.is_output else 'its input'} for its backward here", "saved"),
             (changed, f"the in-place `{op}` overwrites it here", "changed"), (event.where, "this backward needs it as it was", "fails")]
    made = getattr(mutation.tensor, "made_by", None)
    del made
    message = f"The in-place `{op}` overwrites what `{node.op}` saved for its backward."
    return tell.finding(event, changed.site, message, story, event.fails)


RULE = Rule("AGH304", "inplace-activation", ERROR, ('version',), cast(str, __doc__), check)
