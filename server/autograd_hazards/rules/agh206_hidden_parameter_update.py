"""Parameters change between a forward and its backward in a way that torch does not notice.

## What it does
Reports a change of parameters between a forward and the backward that needs them, when the change does not count up
their version: an optimizer with `fused=True`, a write through `.data`, or through `.detach().numpy()`.

## Why is this bad?
It is AGH201 without the error. The backward multiplies with the new weights where the forward used the old ones: the
gradients belong to neither, and the training runs on with them.

## Example
```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=1.0, fused=True)
states, returns = torch.ones(16, 4), torch.full((16, 1), 5.0)

values = critic(actor(states))
actor_loss, critic_loss = -values.mean(), (critic(actor(states).detach()) - returns).square().mean()
(right,) = torch.autograd.grad(actor_loss, actor.bias, retain_graph=True)
critic_loss.backward()
critic_optimizer.step()
actor_loss.backward()
print("right gradient:", torch.allclose(right, actor.bias.grad))
# prints: right gradient: False
```

## Use instead
```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=1.0, fused=True)
states, returns = torch.ones(16, 4), torch.full((16, 1), 5.0)

critic_loss = (critic(actor(states).detach()) - returns).square().mean()
critic_loss.backward()
critic_optimizer.step()
actor_loss = -critic(actor(states)).mean()
(right,) = torch.autograd.grad(actor_loss, actor.bias, retain_graph=True)
actor_loss.backward()
print("right gradient:", torch.allclose(right, actor.bias.grad))
# prints: right gradient: True
```

## When torch notices
Never: the check before a backward compares version counters, and these writes leave them alone. The same optimizers
without `fused` raise. `p.data = new`, `load_state_dict(assign=True)` and `vector_to_parameters` put another tensor in
the parameter's place; the graph keeps the old one, and its gradients are right for the old weights: no finding.

## Limits
Fused steps are known by the literal `fused=True`. Weights that no backward reads (see AGH201) may change freely and
are not reported.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, between, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH206":
        return None
    mutation, node, saved = event.data["mutation"], event.data["node"], event.data["saved"]
    changed = event.data["changed"]
    weight = named(saved.tensor, say("a parameter"))
    story = [
        (node.trace, say("the forward saves {weight} here", weight=weight), "saved"),
        (changed, say("{weight} is changed here, unseen by torch", weight=weight), "changed"),
        (event.where, say("this backward computes with the new values"), "fails"),
    ]
    message = (
        say(
            "The checkpoint computes its forward again with the {weight} that is changed here: torch does not notice, and "
            "the gradients are wrong.",
            weight=weight,
        )
        if saved.role == "recomputed"
        else say(
            "A fused step changes {weight} between a forward and its backward: torch does not notice, and the gradients are wrong.",
            weight=weight,
        )
        if mutation.cause == "step"
        else say(
            "A write through .data changes {weight} between a forward and its backward: torch does not notice, and the gradients are wrong.",
            weight=weight,
        )
    )
    return tell.finding(event, between(node.trace, changed, event.where), message, story)


RULE = Rule("AGH206", "hidden-parameter-update", WARNING, ("stale",), __doc__, check)
