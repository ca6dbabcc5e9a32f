"""A loss of the training step is computed and shown, and no backward ever starts from it.

## What it does
Reports a loss with a forward of its own that is computed in an iteration in which another loss goes backward, before
the step of the optimizer that holds its parameters, and is then only printed or logged.

## Why is this bad?
The step never sees the loss: its term of the method is missing, though its number is in the log and may even fall,
since other losses train the same network. The forward's graph is built and kept for nothing.

## Example
```python
import torch
from torch import nn

net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    labelled, labels, unlabelled = torch.randn(8, 4), torch.randint(2, (8,)), torch.randn(8, 4)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(labelled), labels)
    loss.backward()
    consistency_loss = (net(unlabelled) - net(unlabelled + 0.1)).pow(2).mean()
    optimizer.step()
    print(loss.item(), consistency_loss.item())
# silent: consistency_loss trains nothing
```

## Use instead
```python
import torch
from torch import nn

net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    labelled, labels, unlabelled = torch.randn(8, 4), torch.randint(2, (8,)), torch.randn(8, 4)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(labelled), labels)
    loss.backward()
    consistency_loss = (net(unlabelled) - net(unlabelled + 0.1)).pow(2).mean()
    consistency_loss.backward()
    optimizer.step()
    print(loss.item(), consistency_loss.item())
```

## When torch notices
Never.

## Limits
Recognised by a local name that says "loss", in a function that reads it only to print it or to take its number. A loss
that is only to be watched is better computed under `torch.no_grad()`, which also silences the finding; so it is
information.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import INFORMATION, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    name = event.data["name"]
    message = say(
        "`{name}` is computed for this step and only shown: no backward starts from it, so it trains nothing.",
        name=name,
    )
    story = [
        (event.where, say("computed here, with a forward of its own"), "built"),
        (event.data["step"], say("this step does not know of it"), "fails"),
    ]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH412", "loss-not-trained", INFORMATION, ("untrained_loss",), __doc__, check)
