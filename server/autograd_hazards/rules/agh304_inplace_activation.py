"""An in-place activation overwrites what the layer before it saved for its backward.

## What it does
Reports an in-place activation or dropout (`nn.ReLU(inplace=True)`, `F.leaky_relu_(x)`, …) that overwrites a tensor
which the op before it, or a branch beside it, has saved for its backward; one that overwrites the input of a block
which the caller reads again afterwards (a skip connection); and one with a negative slope. The finding stands at the
line that makes the layer, where the flag is.

## Why is this bad?
Overwriting a saved tensor is AGH301 in the form in which it is met most: the flag is copied from a network in which a
convolution or a batch norm stands in front, where it is harmless, to a place where a `sigmoid`, a `tanh` or another
activation does.

## Example
```python
import torch
from torch import nn

block = nn.Sequential(nn.Linear(8, 16), nn.Sigmoid(), nn.Dropout(0.1, inplace=True), nn.Linear(16, 1))
features = torch.randn(32, 8)

block(features).mean().backward()
# raises: "modified by an inplace operation"
```

## Use instead
```python
import torch
from torch import nn

block = nn.Sequential(nn.Linear(8, 16), nn.Sigmoid(), nn.Dropout(0.1), nn.Linear(16, 1))
features = torch.randn(32, 8)

block(features).mean().backward()
```

## When torch notices
At the backward: a variable needed for the gradient has been modified in place. It is harmless, and not reported,
after ops that do not save their result: convolution, Linear, BatchNorm, addition, pooling. `Dropout` in eval mode and
`AlphaDropout(inplace=True)` change nothing at all. Silent is the skip connection: the value that is added later is
already rectified, and the network is another one than it seems (a warning). A negative slope is refused at the
backward, since the sign of the input is lost.

## Limits
A skip connection is recognised by the names that the overwritten tensor had before: one that is read again without a
new value, or the left side of `x + self.branch(x)`. A call whose result is not used, such as `relu_(x)` as a statement,
is meant. Copies kept in lists and attributes are not followed. Where the tensors are concatenated it is information,
since what follows may rectify all of them. A network from a library is not looked into.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "negative_slope":
        module = event.data["module"]
        where = module.site.site if module is not None and module.site is not None else event.data["built"].site
        message = say(
            "An in-place activation with a negative slope cannot be differentiated: the sign of its input is lost."
        )
        story = [
            (event.data["built"], say("applied here"), "built"),
            (event.where, say("this backward fails"), "fails"),
        ]
        return tell.finding(event, where, message, story, event.fails)
    if event.kind == "clobbered_input":
        tensor, op = event.data["tensor"], event.data["op"].rstrip("_")
        message = say(
            "{tensor} was overwritten by an in-place `{op}` since it got this name, so this reads other values than it seems to.",
            tensor=named(tensor, say("This")),
            op=op,
        )
        story = [
            (
                event.data["changed"],
                say("the in-place `{op}` overwrites {tensor} here", op=op, tensor=named(tensor, say("its input"))),
                "changed",
            ),
            (event.where, say("and it is read again here"), "used"),
        ]
        module = event.data["module"]
        if module is not None and module.site is not None:
            story.insert(0, (module.site.site, say("the in-place `{op}` layer is made here", op=op), "built"))
        return tell.finding(
            event, event.fails, message, story, level="information" if event.data["joined"] else "warning"
        )
    if code_of(event) != "AGH304":
        return None
    node, saved, mutation, changed = (
        event.data["node"],
        event.data["saved"],
        event.data["mutation"],
        event.data["changed"],
    )
    op = mutation.op.rstrip("_")
    story = [
        (
            node.trace,
            say("`{op}` saves its result for its backward here", op=node.op)
            if saved.is_output
            else say("`{op}` saves its input for its backward here", op=node.op),
            "saved",
        ),
        (changed, say("the in-place `{op}` overwrites it here", op=op), "changed"),
        (event.where, say("this backward needs it as it was"), "fails"),
    ]
    where = changed.site
    if node.module is not None and node.module.site is not None:
        story.insert(0, (node.module.site.site, say("the `{op}` layer is made here", op=node.op), "built"))
    if mutation.module is not None and mutation.module.site is not None:
        where = mutation.module.site.site
        story.insert(0, (where, say("the in-place `{op}` layer is made here", op=op), "built"))
    message = say(
        "The in-place `{op}` overwrites what `{saving}` saved for its backward.", op=op, saving=node.op.rstrip("_")
    )
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule("AGH304", "inplace-activation", ERROR, ("version", "clobbered_input", "negative_slope"), __doc__, check)
