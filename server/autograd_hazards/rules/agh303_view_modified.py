"""A view is changed in place where torch does not allow it."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    if event.kind == "view":
        message = f"{named(tensor, 'This')} is a view of a leaf that requires grad, and torch refuses to change it in place."
        story = [(event.data["built"], "the leaf is made here", "built"), (made, "the view is taken here", "built"), (event.where, "changed in place here", "fails")]
    elif event.kind == "multiview":
        message = f"{named(tensor, 'This')} is one of several views of one tensor (chunk, split, unbind or iteration), which must not be changed in place."
        story = [(made, "the views are made here", "built"), (event.where, "changed in place here", "fails")]
    else:
        message = f"{named(tensor, 'This')} is a view made under no_grad and is changed in place with gradients on."
        story = [(made, "the view is made here", "built"), (event.where, "changed in place here", "fails")]
    module = event.data.get("module")
    if module is not None and module.site is not None:
        story.insert(0, (module.site.site, "the in-place layer is made here", "built"))
    return tell.finding(event, event.fails, message, story, event.fails)


RULE = Rule("AGH303", "view-modified", ERROR, ('view', 'multiview', 'no_grad_view'), cast(str, __doc__), check)
