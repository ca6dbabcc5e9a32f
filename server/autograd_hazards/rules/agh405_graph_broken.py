"""A computation leaves the graph, so what lies before it does not train."""

from __future__ import annotations

from typing import cast

from ..findings import Finding
from ..machine.events import Event
from .base import Rule, Teller, WARNING, named

BREAKING = frozenset({"tensor()", "item", "data", "numpy", "long", "int", "to", "short", "byte", "bool"})


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "unused":
        tensor = event.data["tensor"]
        message = f"{named(tensor, 'An input')} is not in the graph of what is differentiated here."
        story = [(event.data["made"], f"{named(tensor, 'the input')} is made here", "built"), (event.data["built"], "the result is computed here", "built"), (event.where, "differentiated here", "fails")]
        broken = event.data.get("broken")
        if broken is not None:
            return tell.finding(event, broken.site, message, [(broken, "the new value is not used", "cut"), *story], event.fails, "error")
        return tell.finding(event, event.fails, message, story, event.fails, "error")
    kind = event.data["cut_kind"]
    if kind in ("grad",) or (event.kind == "dead_term" and kind not in BREAKING):
        return None
    words = {"tensor()": "torch.tensor(...) copies the values without their graph", "item": ".item() gives a number without a graph",
             "data": ".data has no graph", "detach": ".detach() has no graph", "numpy": "numpy has no graph"}.get(kind, f"`{kind}` has no gradient")
    if event.kind == "dead_term":
        cut = event.data["cut"]
        message = f"This leaves the graph ({words}), so the term it is added to the loss with trains nothing."
        return tell.finding(event, cut.site, message, [(cut, "the graph ends here", "cut"), (event.where, "the term is added to the loss here", "used"), (event.data["backward"], "this backward does not reach it", "fails")])
    message = f"This leaves the graph ({words}), so {named(event.data['tensor'], 'the parameters')} before it never gets a gradient."
    return tell.finding(event, event.fails, message, [(event.where, "the graph ends here", "cut"), (event.data["step"], "this step never changes the parameters before it", "fails")])


RULE = Rule("AGH405", "graph-broken", WARNING, ('dead_term', 'parameters_cut_off', 'unused'), cast(str, __doc__), check)
