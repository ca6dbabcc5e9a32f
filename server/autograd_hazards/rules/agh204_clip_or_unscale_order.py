"""Clipping, unscaling and stepping are in the wrong order."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "clip_scaled":
        message = "The gradients are clipped while they still carry the loss scale; call unscale_(optimizer) first."
        return tell.finding(event, event.fails, message, [(event.data["backward"], "these gradients are scaled", "built")])
    if event.kind == "clip_without_gradients":
        if not event.certain:
            return None
        after = event.data["order"] == "after"
        message = "This clips gradients that the step has already used." if after else "This clips before there are any gradients."
        return tell.finding(event, event.fails, message, [])
    if event.kind == "step_scaled":
        return tell.finding(event, event.fails, "This steps with gradients that still carry the loss scale; use scaler.step(optimizer).", [])
    first = event.data["first"]
    what = "unscale_" if event.kind == "unscaled_twice" else "step"
    message = f"{what} is called a second time for this optimizer without scaler.update() in between."
    return tell.finding(event, event.fails, message, [(first, "the first call", "changed"), (event.where, "the call that fails", "fails")], event.fails, "error")


RULE = Rule("AGH204", "clip-or-unscale-order", WARNING, ('clip_without_gradients', 'clip_scaled', 'unscaled_twice', 'scaler_stepped_twice', 'step_scaled'), cast(str, __doc__), check)
