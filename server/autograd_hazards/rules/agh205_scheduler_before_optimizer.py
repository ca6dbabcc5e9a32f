"""A learning rate scheduler steps before its optimizer has stepped.

## What it does
Reports `scheduler.step()` before the optimizer's first `step()`.

## Why is this bad?
Since torch 1.1 the optimizer steps first. Called the other way round, the first value of the schedule is skipped, and
the whole schedule runs one step early; with a warm-up this is the step that matters.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)

for epoch in range(3):
    scheduler.step()
    # warns: "before `optimizer.step"
    loss = nn.functional.mse_loss(model(torch.randn(32, 8)), torch.randn(32, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)

for epoch in range(3):
    loss = nn.functional.mse_loss(model(torch.randn(32, 8)), torch.randn(32, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
```

## When torch notices
It warns once, at the scheduler's first step, that it was called before the optimizer's. `ReduceLROnPlateau` does not
warn. A first step that a `GradScaler` skips because of an overflow brings the same warning, although the order is
right.

## Limits
A scheduler that is stepped in another function is seen only where both are called from one place. A scheduler whose
optimizer never steps in the program is not reported.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..machine.frames import Site, Trace
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    message = say(
        "The scheduler steps before the optimizer's first step, so the first value of the schedule is skipped."
    )
    return tell.finding(
        event,
        _outermost(event.where, event.data["step"]),
        message,
        [
            (event.where, say("the schedule is advanced here"), "called"),
            (event.data["step"], say("the optimizer's first step comes only here"), "used"),
        ],
    )


def _outermost(where: Trace, step: Trace) -> Site:
    """The call to change: a scheduler's ``step`` that only hands on to others is the caller's to move."""
    frames = list(where.chain())
    common = [frame for frame, _ in step.chain()]
    while len(frames) > 1 and getattr(frames[0][0].function, "name", "") == "step" and frames[0][0] not in common:
        frames.pop(0)
    return frames[0][1]


RULE = Rule("AGH205", "scheduler-before-optimizer", WARNING, ("scheduler_first",), __doc__, check)
