"""Some parameters of a network get gradients, but no optimizer holds them, so they never train.

## What it does
Reports an optimizer that holds some of a module's parameters, while others of the same module get gradients at every
backward and belong to no optimizer: a parameter group that was built and never added, a layer forgotten in a list.

## Why is this bad?
Training goes on and the loss falls, only these layers keep their first values.

## Example
```python
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


model = Tagger()
groups = [{"params": model.body.parameters()}]
optimizer = torch.optim.SGD(groups, lr=0.1)
before = model.head.weight.detach().clone()
for step in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, model.head.weight))
# prints: True
```

## Use instead
```python
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


model = Tagger()
groups = [{"params": model.body.parameters()}, {"params": model.head.parameters()}]
optimizer = torch.optim.SGD(groups, lr=0.1)
before = model.head.weight.detach().clone()
for step in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, model.head.weight))
```

## When torch notices
Never.

## Limits
It may be meant (a fixed part that was not frozen), so it is information. Freezing the part with
`requires_grad_(False)` says so, saves its backward, and silences this.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import INFORMATION, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    name = named(event.data["tensor"], say("Some parameters"))
    message = say(
        "{name} gets gradients with the parameters of this optimizer but is in no optimizer, so it never trains.",
        name=name,
    )
    story = [
        (event.where, say("the optimizer takes its parameters here"), "built"),
        (event.data["made"], say("a parameter that it does not hold is made here"), "built"),
        (event.data["backward"], say("gradients are computed for it here"), "used"),
    ]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH603", "parameters-in-no-optimizer", INFORMATION, ("unowned_parameters",), __doc__, check)
