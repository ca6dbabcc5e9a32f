"""A leaf tensor that requires grad is changed in place.

## What it does
Reports an in-place change of a parameter, or of another leaf that requires grad, while gradients are recorded.

## Why is this bad?
A leaf is where gradients are accumulated. If it became the result of an op it would not be a leaf any more, and its
`.grad` would never be filled, so torch forbids it. Where the change is meant as an update or an initialisation,
autograd must not see it; where it is meant as a part of the model, it must not be in place.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
features, target = torch.randn(32, 8), torch.randn(32, 1)

nn.functional.mse_loss(model(features), target).backward()
for weight in model.parameters():
    weight -= 0.1 * weight.grad
    # raises: "a leaf Variable that requires grad"
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
features, target = torch.randn(32, 8), torch.randn(32, 1)

nn.functional.mse_loss(model(features), target).backward()
with torch.no_grad():
    for weight in model.parameters():
        weight -= 0.1 * weight.grad
```

## When torch notices
At the change, in all versions: a leaf that requires grad is being used in an in-place operation. Assignment to the
whole tensor, to a mask or to an index tensor (`p[...] = 0`, `p[mask] = 0`) is reported here; `p[0] = 0` and `p[0:2] =
0` write to a view and belong to AGH303. Under `no_grad`, through `.data` or `.detach()` it passes.

## Limits
Whether a tensor requires grad must be known: a parameter of a module that code out of the project may have frozen
gives a warning or nothing.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor = event.data["tensor"]
    message = say(
        "{tensor} is a leaf that requires grad, and torch refuses to change it in place outside torch.no_grad().",
        tensor=named(tensor, say("This tensor")),
    )
    return tell.finding(
        event,
        event.fails,
        message,
        [
            (event.data["built"], say("the leaf is made here"), "built"),
            (event.where, say("changed in place here"), "fails"),
        ],
        event.fails,
    )


RULE = Rule("AGH302", "leaf-modified", ERROR, ("leaf",), __doc__, check)
