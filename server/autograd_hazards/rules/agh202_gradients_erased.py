"""Gradients are cleared before any step has used them.

## What it does
Reports `zero_grad()` (or `p.grad = None`) that clears the gradients of a backward before any step has used them.

## Why is this bad?
The backward was for nothing and the network does not train. With `set_to_none=False`, weight decay and momentum still
move the weights, so it even looks as if something were going on.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features, target = torch.randn(32, 8), torch.randn(32, 1)
before = model.weight.detach().clone()

for epoch in range(3):
    loss = nn.functional.mse_loss(model(features), target)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
print("still the same:", torch.equal(before, model.weight))
# prints: still the same: True
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features, target = torch.randn(32, 8), torch.randn(32, 1)
before = model.weight.detach().clone()

for epoch in range(3):
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("still the same:", torch.equal(before, model.weight))
# prints: still the same: False
```

## When torch notices
Never: an optimizer skips parameters without a gradient.

## Limits
Gradients that are read before they are cleared (logged, copied, harvested) count as used. Only backwards all of whose
gradients in optimized parameters are cleared are reported, and only in programs that step at all.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    message = say("This clears gradients that no optimizer step has used, so that backward trains nothing.")
    story = [
        (event.data["backward"], say("the gradients are computed here"), "built"),
        (event.where, say("they are cleared here, unused"), "changed"),
    ]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH202", "gradients-erased", WARNING, ("gradients_erased",), __doc__, check)
