"""Parameters are edited between the backward and the optimizer step, which then overrides the edit.

## What it does
Reports parameters that are clamped or renormalised in place between the backward and the optimizer step, or before
both, so that the step moves them and the next forward uses them as they are then.

## Why is this bad?
The step comes last and moves the parameters out of the bounds again, so the next forward runs with weights that break
the constraint, which is what the edit was meant to prevent.

## Example
```python
import torch
from torch import nn

critic = nn.Linear(8, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=1.0)
real, fake = torch.randn(32, 8) + 3, torch.randn(32, 8)

for step in range(3):
    loss = critic(fake).mean() - critic(real).mean()
    optimizer.zero_grad()
    loss.backward()
    for weight in critic.parameters():
        weight.data.clamp_(-0.01, 0.01)
    optimizer.step()
print("within bounds:", bool(critic.weight.abs().max() <= 0.01))
# prints: within bounds: False
```

## Use instead
```python
import torch
from torch import nn

critic = nn.Linear(8, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=1.0)
real, fake = torch.randn(32, 8) + 3, torch.randn(32, 8)

for step in range(3):
    loss = critic(fake).mean() - critic(real).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for weight in critic.parameters():
        weight.data.clamp_(-0.01, 0.01)
print("within bounds:", bool(critic.weight.abs().max() <= 0.01))
# prints: within bounds: True
```

## When torch notices
Never.

## Limits
Only edits that keep a parameter within bounds (`clamp_`, `clip_`, `renorm_` and the like) are reported, through
`.data` or under `no_grad`. Other edits before a step, such as decoupled weight decay, are legitimate.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = say(
        "{tensor} is edited here, but the step that follows moves it away again.",
        tensor=named(event.data["tensor"], say("A parameter")),
    )
    return tell.finding(
        event,
        event.data["changed"].site,
        message,
        [(event.data["changed"], say("edited here"), "changed"), (event.where, say("the step comes after"), "used")],
    )


RULE = Rule("AGH207", "parameter-edited-before-step", WARNING, ("edited_before_step",), __doc__, check)
