"""`requires_grad` is switched on for a loss whose graph is broken: the error is gone, and so is the training.

## What it does
Reports `loss.requires_grad_()`, `loss.requires_grad = True` and `torch.tensor(…, requires_grad=True)` on a value that
was computed from parameters whose graph was lost on the way.

## Why is this bad?
It is the answer to the error "does not require grad", and the wrong one: the loss becomes a leaf of its own, its
backward fills `loss.grad` with a one and reaches no parameter. The error is gone, and so is the training.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features, labels = torch.randn(32, 8), torch.randint(0, 2, (32,))

predictions = model(features).argmax(dim=1).float()
loss = (predictions - labels).abs().mean()
loss.requires_grad_()
optimizer.zero_grad()
loss.backward()
optimizer.step()
print(model.weight.grad)
# prints: None
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features, labels = torch.randn(32, 8), torch.randint(0, 2, (32,))

loss = nn.functional.cross_entropy(model(features), labels)
optimizer.zero_grad()
loss.backward()
optimizer.step()
print("trained:", model.weight.grad is not None)
# prints: trained: True
```

## When torch notices
Never.

## Limits
The usual way to make a leaf on purpose, `x.detach().requires_grad_()` for the gradient of an input, is not reported
unless a loss is treated so.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    cut = event.data["cut"]
    message = say("Switching requires_grad on here hides that the graph is broken: backward runs, and nothing trains.")
    return tell.finding(
        event,
        event.fails,
        message,
        [(cut, say("the graph ends here"), "cut"), (event.where, say("and is hidden here"), "fails")],
    )


RULE = Rule("AGH406", "broken-graph-masked", WARNING, ("broken_graph_masked",), __doc__, check)
