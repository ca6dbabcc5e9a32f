"""A custom autograd Function returns the wrong number of gradients."""

from __future__ import annotations

import ast
from typing import cast

from ..findings import Finding
from ..machine.events import Event
from ..machine.frames import Site
from .base import ERROR, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    cls, expected, given = event.data["function"], event.data["expected"], event.data["given"]
    method = cls.attrs.get("backward")
    node = getattr(getattr(method, "func", method), "node", None)
    returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)] if node is not None else []
    where = Site(cls.module.path, returns[-1] if returns else node) if node is not None else event.fails
    message = f"The backward of {cls.name} returns {given} gradient{'' if given == 1 else 's'} for {expected} inputs of its forward."
    story = [(event.data["built"], "applied here", "built"), (event.where, "this backward fails", "fails")]
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule("AGH501", "custom-function-misuse", ERROR, ("wrong_gradient_count",), cast(str, __doc__), check)
