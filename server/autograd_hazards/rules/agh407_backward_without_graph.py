"""A backward is called on a tensor that has no graph."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    if event.kind == "inference":
        message = f"{named(tensor, 'This tensor')} was made in inference mode and cannot take part in autograd."
        story = [(made, "made in inference mode here", "built"), (event.where, "used with gradients here", "fails")]
        if event.data["switch"] is not None:
            story.insert(0, (event.data["switch"], "inference mode is switched on here", "changed"))
        return tell.finding(event, event.fails, message, story, event.fails)
    if any(c.kind == "grad" for c in event.data["cuts"]):
        return None
    story = [(made, "computed here without a graph", "built"), (event.where, "this backward has nothing to go back through", "fails")]
    switch = event.data.get("switch")
    where = event.fails
    if switch is not None:
        story.insert(0, (switch, "gradients are switched off here", "changed"))
        where = switch.site
    for cut in event.data["cuts"][:2]:
        story.insert(0, (cut.trace, "gradients are off here" if cut.kind == "no_grad" else "the graph ends here", "cut"))
        if cut.kind == "no_grad" and switch is None and not event.data.get("wrt"):
            where = cut.trace.site
    what = "is differentiated with respect to, but does not require grad" if event.data.get("wrt") else "does not require grad, so there is nothing to differentiate"
    message = f"{named(tensor, 'This tensor')} {what}."
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule("AGH407", "backward-without-graph", ERROR, ('no_grad_graph', 'inference'), cast(str, __doc__), check)
