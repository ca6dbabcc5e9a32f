"""A custom autograd Function returns the wrong number of gradients.

## What it does
Reports a `torch.autograd.Function` whose `backward` returns fewer gradients than its `forward` has inputs (the
context not counted), a missing `return` included, or a gradient whose shape cannot be that of its input. The finding
stands at the `return`. Also reported are a `backward` that takes fewer gradients than `forward` has results, and a
Function that is called as an object instead of through `apply`. A `forward` that changes an input in place without
`mark_dirty` is a warning: autograd goes on as if the input were the old one. So is a `backward` that writes into a
gradient which another branch of the graph still has to get.

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
Other misuses (inputs kept as attributes of the context, a wrong formula) are not reported. A
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
    cls = event.data["function"]
    if event.kind == "legacy_function":
        message = say("{name} is called as an object, which torch refuses; call {name}.apply.", name=cls.name)
        return tell.finding(event, event.fails, message, [], event.fails)
    if event.kind == "not_marked_dirty":
        message = say(
            "The forward of {name} changes its input in place without ctx.mark_dirty, so autograd takes the input as unchanged.",
            name=cls.name,
        )
        story = [(event.where, say("changed here"), "changed"), (event.data["built"], say("applied here"), "used")]
        return tell.finding(event, event.fails, message, story, level="warning")
    if event.kind == "function_writes_gradient":
        message = say(
            "The backward of {name} writes into a gradient that another branch of the graph gets, too; compute a new tensor.",
            name=cls.name,
        )
        story = [
            (event.data["built"], say("applied here"), "built"),
            (event.data["other"], say("this branch shares the gradient"), "built"),
            (event.where, say("written here"), "changed"),
            (event.data["backward"], say("this backward hands on what was written"), "used"),
        ]
        return tell.finding(event, event.fails, message, story, level="warning")
    expected, given = event.data["expected"], event.data["given"]
    method = cls.attrs.get("backward")
    node = getattr(getattr(method, "func", method), "node", None)
    returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)] if node is not None else []
    where = Site(cls.module.path, returns[-1] if returns else node) if node is not None else event.fails
    story = [(event.data["built"], say("applied here"), "built"), (event.where, say("this backward fails"), "fails")]
    counts = {"name": cls.name, "given": given, "expected": expected}
    if event.kind == "wrong_gradient_shape" and (event.assumed or not event.certain):
        return None  # shapes follow from arguments that nobody knows
    if event.kind == "wrong_gradient_shape":
        message = say(
            "The backward of {name} returns a gradient of shape {given} for an input of shape {expected}.",
            name=cls.name,
            given=str(given),
            expected=str(expected),
        )
    elif event.kind == "backward_arguments":
        message = say(
            "The backward of {name} takes {given} gradients, but its forward has {expected} results.", **counts
        )
        where = Site(cls.module.path, node) if node is not None else event.fails
    elif given == 1:
        message = say("The backward of {name} returns {given} gradient for {expected} inputs of its forward.", **counts)
    else:
        message = say(
            "The backward of {name} returns {given} gradients for {expected} inputs of its forward.", **counts
        )
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule(
    "AGH501",
    "custom-function-misuse",
    ERROR,
    (
        "wrong_gradient_count",
        "wrong_gradient_shape",
        "backward_arguments",
        "legacy_function",
        "not_marked_dirty",
        "function_writes_gradient",
    ),
    __doc__,
    check,
)
