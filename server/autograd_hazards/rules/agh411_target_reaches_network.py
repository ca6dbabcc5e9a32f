"""An advantage, TD target or baseline in a policy loss still carries its graph, so the loss also trains what made it.

## What it does
Reports a weight in a policy loss (an advantage, a TD error, a baseline, an importance weight) that still carries the
graph of the value network, when an optimizer owns that network.

## Why is this bad?
The policy loss is `-log_prob * advantage`, with the advantage as a constant. Attached, it pulls the critic's values
down or up to make the policy loss smaller, against what the critic's own loss teaches. Nothing fails; the agent
learns badly.

## Example
```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()])
states, returns = torch.randn(32, 4), torch.randn(32)

policy = torch.distributions.Categorical(logits=actor(states))
actions = policy.sample()
advantage = returns - critic(states).squeeze(1)
policy_loss = -(policy.log_prob(actions) * advantage).mean()
value_loss = advantage.square().mean()
optimizer.zero_grad()
(policy_loss + value_loss).backward()
optimizer.step()
# silent: the critic is also trained by policy_loss
```

## Use instead
```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()])
states, returns = torch.randn(32, 4), torch.randn(32)

policy = torch.distributions.Categorical(logits=actor(states))
actions = policy.sample()
advantage = returns - critic(states).squeeze(1)
policy_loss = -(policy.log_prob(actions) * advantage.detach()).mean()
value_loss = advantage.square().mean()
optimizer.zero_grad()
(policy_loss + value_loss).backward()
optimizer.step()
```

## When torch notices
Never, as long as both losses go into one backward. With a backward each, the second one finds the critic's graph
freed (AGH101, AGH401).

## Limits
Recognised by the product of a log-probability with something that a stepped network has computed, by a target that is a
reward plus a multiple of the same network's output, and by a target of that name from another stepped network. Losses
in which both factors are meant to be trained, such as reparametrised policies, do not have this form.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, lifted, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made, origin = event.data["tensor"], event.data["made"], event.data["origin"]
    source = [(lifted(origin, made), say("the network that it comes from is called here"), "built")] if origin else []
    if event.data["target"]:
        message = say(
            "{tensor} still carries its graph, so the loss also moves it towards the estimate; detach it.",
            tensor=named(tensor, say("This target")),
        )
        return tell.finding(
            event,
            lifted(made, event.where),
            message,
            [
                *source,
                (made, say("computed with its graph here"), "built"),
                (event.where, say("compared with the estimate here"), "used"),
                (event.data["backward"], say("this backward goes on into the target"), "fails"),
            ],
            level=None if event.data["sure"] else "information",
        )
    message = say(
        "{tensor} still carries its graph, so the loss also trains the network it comes from; detach it.",
        tensor=named(tensor, say("This weight")),
    )
    return tell.finding(
        event,
        event.data["made"].site,
        message,
        [
            *source,
            (made, say("computed with its graph here"), "built"),
            (event.where, say("multiplied into the loss here"), "used"),
            (event.data["backward"], say("this backward goes on into that network"), "fails"),
        ],
    )


RULE = Rule("AGH411", "target-reaches-network", WARNING, ("product_reaches",), __doc__, check)
