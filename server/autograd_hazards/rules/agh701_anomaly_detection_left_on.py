"""Anomaly detection is left on: every backward is checked and training is slow.

## What it does
Reports `torch.autograd.set_detect_anomaly(True)` and `detect_anomaly()` around training code.

## Why is this bad?
In anomaly mode torch records a stack trace for every op of the forward and checks every gradient for NaN. That is for
finding an error, and it slows training down several times.

## Example
```python
import torch
from torch import nn

torch.autograd.set_detect_anomaly(True)

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.mse_loss(model(torch.randn(32, 8)), torch.randn(32, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# silent: right weights, late
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.mse_loss(model(torch.randn(32, 8)), torch.randn(32, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```
Behind a flag, `set_detect_anomaly(args.debug)` or `if args.debug:`, it is right: it is on when asked for.

## When torch notices
The context manager `detect_anomaly()` warns when it is entered that it is for debugging; `set_detect_anomaly(True)`
is silent.

## Limits
Only a value that is known to be true is reported. Code that switches the mode on inside a library is not seen.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    return tell.finding(
        event,
        event.fails,
        say("Anomaly detection stays on here and slows every backward down; keep it for debugging."),
        [],
    )


RULE = Rule("AGH701", "anomaly-detection-left-on", WARNING, ("anomaly_mode",), __doc__, check)
