"""A tensor that is not a leaf is treated as a parameter."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor = event.data["tensor"]
    if event.kind == "leaf_converted":
        message = "This conversion of a parameter gives a new tensor on another device or dtype, which is not a parameter any more; convert before nn.Parameter(...)."
        return tell.finding(event, event.fails, message, [])
    made = event.data["made"]
    if event.kind == "non_leaf_optimized":
        message = f"{named(tensor, 'This tensor')} is computed from other tensors, so it is no leaf and cannot be optimized; call requires_grad_() last."
        return tell.finding(event, event.fails, message, [(made, "it is computed here", "built"), (event.where, "given to the optimizer here", "fails")], event.fails, "error")
    message = f"{named(tensor, 'This tensor')} is not a leaf, so its .grad stays None; call retain_grad() before the backward."
    return tell.finding(event, event.fails, message, [(made, "it is computed here", "built")])


RULE = Rule("AGH408", "grad-of-non-leaf", WARNING, ('grad_of_non_leaf', 'non_leaf_optimized', 'leaf_converted'), cast(str, __doc__), check)
