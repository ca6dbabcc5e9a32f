"""The wrong optimizer is stepped: it has no gradients to use, and the one that has them does not step.

## What it does
Reports a step of an optimizer to whose parameters no backward has left a gradient, while the gradients that the last
backward left belong to another optimizer that never uses them, and optimizers that are cleared but never stepped.

## Why is this bad?
It is usually a copied line: `g_optimizer.step()` after the discriminator's loss. One network does not train at all,
and nothing says so.

## Example
```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 4), nn.Linear(4, 1)
actor_optimizer = torch.optim.SGD(actor.parameters(), lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
before = critic.weight.detach().clone()
for step in range(3):
    state = torch.randn(8, 4)
    critic_optimizer.zero_grad()
    critic(state).pow(2).mean().backward()
    actor_optimizer.step()
print(torch.equal(before, critic.weight))
# prints: True
```

## Use instead
```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 4), nn.Linear(4, 1)
actor_optimizer = torch.optim.SGD(actor.parameters(), lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
before = critic.weight.detach().clone()
for step in range(3):
    state = torch.randn(8, 4)
    critic_optimizer.zero_grad()
    critic(state).pow(2).mean().backward()
    critic_optimizer.step()
print(torch.equal(before, critic.weight))
```

## When torch notices
Never: a step skips parameters without gradients.

## Limits
An optimizer that steps anywhere in the program after such a backward is taken as right.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    data = event.data
    name = named(data["tensor"], say("the parameters of another optimizer"))
    if event.kind == "wrong_optimizer":
        message = say(
            "This optimizer has no gradients to use: the loss reaches {name}, which another optimizer holds, and that one "
            "does not step.",
            name=name,
        )
        story = [
            (data["made"], say("the optimizer that is not stepped takes its parameters here"), "built"),
            (data["backward"], say("its gradients are computed here"), "used"),
            (event.where, say("and this step is another optimizer's"), "fails"),
        ]
        return tell.finding(event, event.fails, message, story)
    story = [
        (data["made"], say("the optimizer that is never stepped takes its parameters here"), "built"),
        (data["backward"], say("its gradients are computed here"), "used"),
        (data["step"], say("only other optimizers step"), "fails"),
    ]
    if event.where is data["made"]:
        message = say(
            "This optimizer is cleared but never stepped, although gradients are computed for {name}, which it holds.",
            name=name,
        )
        return tell.finding(event, event.fails, message, story[1:])
    message = say(
        "This steps another optimizer after a loss that reaches {name}, whose own optimizer is never stepped.",
        name=name,
    )
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH608", "wrong-optimizer", WARNING, ("wrong_optimizer", "optimizer_never_steps"), __doc__, check)
