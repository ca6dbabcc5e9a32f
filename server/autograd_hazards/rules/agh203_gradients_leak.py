"""A step applies gradients that belong to an earlier step or to another loss.

## What it does
Reports a step whose gradients contain more than they should: those of batches that were already applied, since
nothing clears them, or those that another network's loss has left behind.

## Why is this bad?
`backward` adds to `.grad`. Without `zero_grad()` every step applies the sum of all gradients since the start. And a
loss that only passes through a network on its way to another one leaves gradients there as well: stepped with them, a
discriminator learns to please its generator.

## Example
```python
import torch
from torch import nn

model = nn.Linear(2, 1, bias=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features = torch.ones(32, 2)

for epoch in range(3):
    loss = model(features).mean()
    loss.backward()
    optimizer.step()
print(model.weight.grad)
# prints: tensor([[3., 3.]])
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(2, 1, bias=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features = torch.ones(32, 2)

for epoch in range(3):
    loss = model(features).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(model.weight.grad)
# prints: tensor([[1., 1.]])
```
When another loss leaves the gradients: clear them again before this network's own backward, limit the other one with
`backward(inputs=list(generator.parameters()))`, or detach what the other loss should not train.

## When torch notices
Never.

## Limits
Accumulating over several backwards before one step is what `.grad` is for and is not reported, unless the second loss
only passes through this network on its way into one that another optimizer steps. What another optimizer's loss left
in a network that it may have been meant to train as well is an information. Gradients that code out of the project may
have cleared are given the benefit of the doubt.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    first, second, earlier = event.data["first"], event.data["second"], event.data["earlier"]
    if event.kind == "never_cleared":
        story = [
            (first, say("these gradients are computed first"), "built"),
            (earlier, say("a step uses them"), "used"),
            (second, say("this backward adds to them"), "changed"),
            (event.where, say("this step applies the sum"), "fails"),
        ]
        message = say(
            "Nothing clears the gradients between two steps, so this step applies those of earlier batches again."
        )
        return tell.finding(event, event.fails, message, story)
    name = named(event.data["tensor"], say("the parameters"))
    if event.kind == "gradients_not_cleared":
        message = say(
            "The gradients of {name} are never cleared between steps, so this step applies those of earlier batches again.",
            name=name,
        )
    else:
        message = say("This step also applies gradients that another loss left in {name}.", name=name)
    story = [
        (first, say("these gradients are computed first"), "built"),
        (second, say("this backward adds to them"), "changed"),
        (event.where, say("this step applies the sum"), "fails"),
    ]
    if earlier is None:
        story = [
            (event.data["tensor"].created, say("{name} is made here", name=name), "built"),
            (second, say("these gradients are meant"), "built"),
            (first, say("this backward of another loss adds to them"), "changed"),
            story[-1],
        ]
        message = say("This backward of another loss adds to the gradients of {name} before their own step.", name=name)
        return tell.finding(event, first.site, message, story, level=None if event.data["sure"] else "information")
    story.insert(1, (earlier, say("a step uses them"), "used"))
    sure = event.data.get("sure", True)
    return tell.finding(event, event.fails, message, story, level=None if sure else "information")


RULE = Rule(
    "AGH203", "gradients-leak", WARNING, ("gradients_not_cleared", "foreign_gradients", "never_cleared"), __doc__, check
)
