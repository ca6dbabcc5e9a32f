"""`retain_graph=True` keeps a graph that no later backward uses.

## What it does
Reports `retain_graph=True` (on `backward` or `autograd.grad`) when no later backward goes through any part of that
graph.

## Why is this bad?
The activations of the whole forward stay in memory until the last tensor of the graph is gone, which is often in the
next iteration, when the next forward has already taken its own. Worse, the flag hides the error that torch would
raise when a later change makes two iterations share a graph by mistake: memory and time then grow with every step.

## Example
```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters())

for step in range(3):
    features, target = torch.randn(32, 8), torch.randn(32, 1)
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
# silent: the same weights as without the flag, in more memory
```

## Use instead
```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters())

for step in range(3):
    features, target = torch.randn(32, 8), torch.randn(32, 1)
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

## When torch notices
Never. `create_graph=True` retains the graph too, for the gradient's own backward, and is not reported. Where a later
backward does come, but through ops that saved nothing, torch would not need the flag either; that is left alone.

## Limits
Nothing is said when the loss goes to code that cannot be followed, which may call backward again. A loop is followed
for a few iterations, so a second backward that comes only after many of them is not seen.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import INFORMATION, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    message = say("retain_graph=True keeps the whole graph in memory, and no later backward goes through it.")
    return tell.finding(event, event.fails, message, [])


RULE = Rule("AGH102", "needless-retain-graph", INFORMATION, ("needless_retain",), __doc__, check)
