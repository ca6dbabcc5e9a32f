"""An in-place activation overwrites what the layer before it saved for its backward."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "clobbered_input":
        tensor, op = event.data["tensor"], event.data["op"].rstrip("_")
        message = f"{named(tensor, 'This')} was overwritten by an in-place `{op}` inside the call above, so this reads other values than it seems to."
        story = [(event.data["changed"], f"the in-place `{op}` overwrites {named(tensor, 'its input')} here", "changed"), (event.where, "and it is read again here", "used")]
        return tell.finding(event, event.fails, message, story, level="warning")
    if code_of(event) != "AGH304":
        return None
    node, saved, mutation, changed = event.data["node"], event.data["saved"], event.data["mutation"], event.data["changed"]
    op = mutation.op.rstrip("_")
    story = [(node.trace, f"`{node.op}` saves {'its result' if saved.is_output else 'its input'} for its backward here", "saved"),
             (changed, f"the in-place `{op}` overwrites it here", "changed"), (event.where, "this backward needs it as it was", "fails")]
    where = changed.site
    if node.module is not None and node.module.site is not None:
        story.insert(0, (node.module.site.site, f"the `{node.op}` layer is made here", "built"))
    if mutation.module is not None and mutation.module.site is not None:
        where = mutation.module.site.site
        story.insert(0, (where, f"the in-place `{op}` layer is made here", "built"))
    message = f"The in-place `{op}` overwrites what `{node.op.rstrip('_')}` saved for its backward."
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule("AGH304", "inplace-activation", ERROR, ("version", "clobbered_input"), cast(str, __doc__), check)
