"""The optimizer holds the parameters of a network that was replaced, so the network in use never trains.

## What it does
Reports an optimizer that steps, none of whose parameters ever gets a gradient, while the gradients go to parameters
that no optimizer holds: the network was built again, or replaced, after the optimizer was made.

## Why is this bad?
The loss is computed with the new network, its gradients are right, and the step moves the old one, which nothing uses.

## Example
```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model = nn.Linear(4, 1)
before = model.weight.detach().clone()
for step in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, model.weight))
# prints: True
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(4, 1)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
before = model.weight.detach().clone()
for step in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, model.weight))
```

## When torch notices
Never: a step without gradients does nothing.

## Limits
Where other parameters of the optimizer do get gradients, the ones that replaced some must have the same names as those.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    name = named(event.data["tensor"], say("the parameters in use"))
    message = (
        say(
            "This optimizer holds parameters that were replaced; the gradients now go to {name}, which no optimizer holds.",
            name=name,
        )
        if event.data.get("replaced")
        else say(
            "None of this optimizer's parameters ever gets a gradient; the gradients go to {name}, which no optimizer holds.",
            name=name,
        )
    )
    story = [
        (event.where, say("the optimizer takes its parameters here"), "built"),
        (event.data["made"], say("the parameters that get the gradients are made here"), "built"),
        (event.data["backward"], say("gradients are computed here"), "used"),
        (event.data["step"], say("and this step does not use them"), "fails"),
    ]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH602", "optimizer-holds-stale-parameters", WARNING, ("stale_optimizer",), __doc__, check)
