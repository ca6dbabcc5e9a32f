"""A backward is called on a tensor with more than one element.

## What it does
Reports `backward()` and `autograd.grad()` without a gradient argument on a tensor with more than one element.

## Why is this bad?
A gradient is defined for a single number. A batch of losses has to be reduced first, and whether by mean or by sum
decides how the learning rate depends on the batch size.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
features, target = torch.randn(32, 8), torch.randn(32, 1)

losses = (model(features) - target).square()
losses.backward()
# raises: "only for scalar outputs"
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
features, target = torch.randn(32, 8), torch.randn(32, 1)

losses = (model(features) - target).square()
losses.mean().backward()
```
`losses.backward(torch.ones_like(losses))` is the gradient of the sum.

## When torch notices
At the backward: a gradient can be created implicitly only for scalar outputs. A tensor with one element passes,
whatever its shape.

## Limits
Reported only where the shape is known well enough: from `reduction="none"`, from literal sizes, or from ops that keep
a batch. A batch of unknown size may be of size one, and then the finding is no error.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    message = say(
        "{tensor} has more than one element, so backward needs a gradient argument; reduce it with .mean() or .sum().",
        tensor=named(tensor, say("This tensor")),
    )
    return tell.finding(
        event,
        event.fails,
        message,
        [(made, say("computed here"), "built"), (event.where, say("this backward fails"), "fails")],
        event.fails,
    )


RULE = Rule("AGH409", "backward-of-non-scalar", ERROR, ("non_scalar",), __doc__, check)
