"""A custom autograd Function returns the wrong number of gradients.

## What it does
Reports a `torch.autograd.Function` whose `backward` returns fewer gradients than its `forward` has inputs (the
context not counted), a missing `return` included. The finding stands at the `return`.

## Why is this bad?
Every input needs its place in the tuple, those that need no gradient get `None`. It is usually an input added later
(a flag, a threshold) that was forgotten in `backward`.

## Example
```python
import torch


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, threshold):
        return (logits > threshold).float()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


logits = torch.randn(8, requires_grad=True)
code = Binarize.apply(logits, 0.5)
code.sum().backward()
# raises: "returned an incorrect number of gradients"
```

## Use instead
```python
import torch


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, threshold):
        return (logits > threshold).float()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


logits = torch.randn(8, requires_grad=True)
code = Binarize.apply(logits, 0.5)
code.sum().backward()
```

## When torch notices
At the backward: the function has returned an incorrect number of gradients, with the number expected and the number
given. Additional `None`s at the end pass.

## Limits
Other misuses (inputs kept as attributes of the context, a missing `mark_dirty`, a wrong formula) are not reported. A
`backward` whose result is not known, such as one that calls a compiled extension, is taken as right.
"""

from __future__ import annotations

import ast

from ..findings import Finding
from ..machine.events import Event
from ..machine.frames import Site
from ..messages import say
from .base import ERROR, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    cls, expected, given = event.data["function"], event.data["expected"], event.data["given"]
    method = cls.attrs.get("backward")
    node = getattr(getattr(method, "func", method), "node", None)
    returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)] if node is not None else []
    where = Site(cls.module.path, returns[-1] if returns else node) if node is not None else event.fails
    counts = {"name": cls.name, "given": given, "expected": expected}
    message = (
        say("The backward of {name} returns {given} gradient for {expected} inputs of its forward.", **counts)
        if given == 1
        else say("The backward of {name} returns {given} gradients for {expected} inputs of its forward.", **counts)
    )
    story = [(event.data["built"], say("applied here"), "built"), (event.where, say("this backward fails"), "fails")]
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule("AGH501", "custom-function-misuse", ERROR, ("wrong_gradient_count",), __doc__, check)
