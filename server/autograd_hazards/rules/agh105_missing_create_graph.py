"""A gradient is used in a loss, but was computed without `create_graph=True`.

## What it does
Reports a gradient from `autograd.grad` without `create_graph=True` that is then made part of a loss: a gradient
penalty, a force, a Jacobian or Hessian term.

## Why is this bad?
Without `create_graph=True` the gradient is a plain number to autograd. As one term among others the penalty is a
constant: it shows up in the logged loss and changes no weight. As the whole loss it cannot be differentiated at all.

## Example
```python
import torch
from torch import nn

critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
real, fake = torch.randn(32, 4), torch.randn(32, 4)

mixed = torch.lerp(real, fake, torch.rand(32, 1)).requires_grad_()
(slope,) = torch.autograd.grad(critic(mixed).sum(), mixed)
penalty = (slope.norm(dim=1) - 1).square().mean()
loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
loss.backward()
print("the penalty trains:", penalty.requires_grad)
# prints: the penalty trains: False
```

## Use instead
```python
import torch
from torch import nn

critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
real, fake = torch.randn(32, 4), torch.randn(32, 4)

mixed = torch.lerp(real, fake, torch.rand(32, 1)).requires_grad_()
(slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
penalty = (slope.norm(dim=1) - 1).square().mean()
loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
loss.backward()
print("the penalty trains:", penalty.requires_grad)
# prints: the penalty trains: True
```

## When torch notices
Only when the loss is made of such gradients alone: the backward then complains that its tensor does not require grad
and has no grad_fn (an error, and reported as one). As an addend it is silent.

## Limits
A `.grad` that a backward has filled counts as well. Gradients that are only logged, clipped, or used by hand for an
update are not reported. A gradient that passes through code which is not in the project is not followed.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "dead_term":
        if event.data["cut_kind"] != "grad":
            return None
        cut = event.data["cut"]
        message = say(
            "This gradient was computed without create_graph=True, so the penalty made of it does not train anything."
        )
        story = [
            (cut, say("the gradient is computed without a graph"), "cut"),
            (event.where, say("it is added to the loss here"), "used"),
            (event.data["backward"], say("this backward does not reach it"), "fails"),
        ]
        return tell.finding(event, cut.site, message, story)
    cut = next((c for c in event.data["cuts"] if c.kind == "grad"), None)
    if cut is None:
        return None
    message = say(
        "This loss is made of gradients that were computed without create_graph=True, so it has no graph to go back through."
    )
    return tell.finding(
        event,
        cut.trace.site,
        message,
        [
            (cut.trace, say("the gradient is computed without a graph"), "cut"),
            (event.where, say("this backward fails"), "fails"),
        ],
        event.fails,
        "error",
    )


RULE = Rule("AGH105", "missing-create-graph", WARNING, ("dead_term", "no_grad_graph"), __doc__, check)
