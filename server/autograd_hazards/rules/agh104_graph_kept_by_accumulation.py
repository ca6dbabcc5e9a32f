"""A running sum or list keeps the graph of every iteration in memory.

## What it does
Reports `total += loss` in a loop, a list that collects outputs or losses, and an attribute that is updated from
itself, when what is kept still carries its graph and no backward ever uses it.

## Why is this bad?
Each term keeps the graph it was computed with. After a backward that is a small chain of nodes per iteration; without
one (in evaluation) it is every activation of every batch, and the run ends out of memory.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

epoch_loss = 0.0
for step in range(3):
    features, target = torch.randn(32, 8), torch.randn(32, 1)
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    epoch_loss += loss
print("sum of a graph:", epoch_loss.requires_grad)
# prints: sum of a graph: True
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

epoch_loss = 0.0
for step in range(3):
    features, target = torch.randn(32, 8), torch.randn(32, 1)
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    epoch_loss += loss.item()
print("sum of numbers:", epoch_loss)
```
On a GPU, where `.item()` waits for the device, `epoch_loss += loss.detach()` does the same without waiting. An
evaluation loop belongs under `torch.no_grad()`.

## When torch notices
Never, until memory is exhausted.

## Limits
A sum or list that some later backward uses, that is handed to code which cannot be followed, or that is built under
`no_grad` is not reported. The finding is information: a short loop may never feel it.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import INFORMATION, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    name, how = f"`{event.data['name']}`" if event.data["name"] else say("The list"), event.data["how"]
    message = {
        "sum": say(
            "{name} adds up tensors that still carry their graph, so the graphs of all iterations stay in memory.",
            name=name,
        ),
        "list": say(
            "{name} collects tensors that still carry their graph, so the graphs of all iterations stay in memory.",
            name=name,
        ),
        "state": say(
            "{name} is updated from itself together with its graph, so the graphs of all iterations stay in memory.",
            name=name,
        ),
    }[how]
    return tell.finding(
        event, event.fails, message, [(event.data["built"], say("the graph that is kept is built here"), "built")]
    )


RULE = Rule("AGH104", "graph-kept-by-accumulation", INFORMATION, ("graph_kept",), __doc__, check)
