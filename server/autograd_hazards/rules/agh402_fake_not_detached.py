"""A generated sample goes into the discriminator's loss without detach."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import ERROR, Rule, Teller, lifted, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "gradients_wasted":
        message = f"This backward also runs through the network of {named(event.data['tensor'], 'other parameters')}, and those gradients are thrown away."
        return tell.finding(event, event.fails, message, [(event.where, "gradients computed here", "built"), (event.data["zero"], "and cleared here, unused", "changed")], level="information")
    if code_of(event) != "AGH402":
        return None
    node, first = event.data["node"], event.data["first"]
    story = [(event.data["built"], "the generated sample is computed here", "built"), (first, "this backward goes into the generator and frees its graph", "freed"),
             (event.where, "the generator's own backward needs it", "fails")]
    message = f"An earlier loss reached back through `{node.op}` and freed the generator's graph; detach the sample there."
    return tell.finding(event, lifted(event.where, first), message, story, event.fails)


RULE = Rule("AGH402", "fake-not-detached", ERROR, ('freed', 'gradients_wasted'), cast(str, __doc__), check)
