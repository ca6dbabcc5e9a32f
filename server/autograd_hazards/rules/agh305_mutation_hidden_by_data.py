"""A saved tensor is changed through `.data` or numpy, which torch does not notice.

## What it does
Reports a write through `.data`, through a numpy array that shares the memory, or by other ways that leave the version
counter alone, to a tensor that an op has saved for its backward.

## Why is this bad?
It is AGH301 without the error: the backward computes with the changed values, and the gradients are wrong. `.data` is
often written exactly because the honest form raised an error.

## Example
```python
import torch

logits = torch.tensor([-2.0, 0.5, 2.0], requires_grad=True)
gate = torch.tanh(logits)
gate.data[gate < 0] = 0.0
gate.sum().backward()
print(logits.grad)
# prints: tensor([1.0000, 0.7864, 0.0707])
```
The first gate is the constant 0, so its gradient should be 0, too.

## Use instead
```python
import torch

logits = torch.tensor([-2.0, 0.5, 2.0], requires_grad=True)
gate = torch.tanh(logits)
gate = gate.masked_fill(gate < 0, 0.0)
gate.sum().backward()
print(logits.grad)
# prints: tensor([0.0000, 0.7864, 0.0707])
```

## When torch notices
Never. A write through `detach()` shares the version counter and raises (AGH301). A write through `.data` to a tensor
that no op has saved, or after the backward, does no harm and is not reported.

## Limits
An array that reaches numpy code outside the project is taken as read only.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH305":
        return None
    node, saved, changed = event.data["node"], event.data["saved"], event.data["changed"]
    what = named(saved.tensor, say("the tensor"))
    start = named(saved.tensor, say("The tensor"))
    story = [
        (node.trace, say("`{op}` saves {what} here", op=node.op, what=what), "saved"),
        (changed, say("{what} is changed here, unseen by torch", what=what), "changed"),
        (event.where, say("this backward computes with the changed values"), "fails"),
    ]
    message = (
        say(
            "{start} is changed through numpy after `{op}` saved it: torch does not notice, and the gradients are wrong.",
            start=start,
            op=node.op,
        )
        if event.data["mutation"].cause == "numpy"
        else say(
            "{start} is changed through .data after `{op}` saved it: torch does not notice, and the gradients are wrong.",
            start=start,
            op=node.op,
        )
    )
    return tell.finding(event, changed.site, message, story)


RULE = Rule("AGH305", "mutation-hidden-by-data", WARNING, ("stale",), __doc__, check)
