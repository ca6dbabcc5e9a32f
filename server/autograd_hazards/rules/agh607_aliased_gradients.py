"""One parameter's gradient is made to be another's, and clearing one does not clear the other.

## What it does
Reports `p._grad = q.grad`: from then on both parameters share one gradient tensor.

## Why is this bad?
The idiom comes from asynchronous actor-critic code, where a shared network steps with the gradients of a local one. It
worked while `zero_grad` wrote zeros. Since torch 2.0 `zero_grad` sets the gradient to None: the shared network lets go
of the tensor, the local network keeps it, and every update applies the sum of all gradients so far.

## Example
```python
import torch
from torch import nn

shared, local = nn.Linear(2, 1), nn.Linear(2, 1)
optimizer = torch.optim.SGD(shared.parameters(), lr=0.1)
seen = []
for step in range(3):
    optimizer.zero_grad()
    local(torch.ones(1, 2)).sum().backward()
    for p, q in zip(shared.parameters(), local.parameters()):
        p._grad = q.grad
    seen.append(shared.bias.grad.item())
    optimizer.step()
print(seen)
# prints: [1.0, 2.0, 3.0]
```

## Use instead
```python
import torch
from torch import nn

shared, local = nn.Linear(2, 1), nn.Linear(2, 1)
optimizer = torch.optim.SGD(shared.parameters(), lr=0.1)
seen = []
for step in range(3):
    local.zero_grad()
    local(torch.ones(1, 2)).sum().backward()
    for p, q in zip(shared.parameters(), local.parameters()):
        p.grad = q.grad.clone()
    seen.append(shared.bias.grad.item())
    optimizer.step()
print(seen)
```

## When torch notices
Never. Before torch 2.0, or with `zero_grad(set_to_none=False)`, the idiom was right.

## Limits
Only the private attribute `_grad` is reported; sharing through `grad` itself is taken as meant.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    source = named(event.data["source"], say("the other parameter"))
    message = say(
        "Both parameters share one gradient from here on: zero_grad lets go of it on one side, and {source} goes on adding to it.",
        source=source,
    )
    return tell.finding(event, event.fails, message, [])


RULE = Rule("AGH607", "aliased-gradients", WARNING, ("gradient_aliased",), __doc__, check)
