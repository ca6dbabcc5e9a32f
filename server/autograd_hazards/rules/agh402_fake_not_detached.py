"""A generated sample goes into the discriminator's loss without detach.

## What it does
Reports a generated sample that goes into the discriminator's loss without `detach()`, when the generator's own
backward then finds its graph freed. Where only the discriminator's step follows and the generator's gradients are
cleared, it is reported as information: a backward through the generator for nothing.

## Why is this bad?
The discriminator's loss must not train the generator. Not detached, its backward runs through the whole generator,
frees that graph, and leaves gradients there that point the wrong way.

## Example
```python
import torch
from torch import nn
from torch.nn.functional import softplus

generator, discriminator = nn.Linear(4, 8), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
gen_optimizer = torch.optim.Adam(generator.parameters())
dis_optimizer = torch.optim.Adam(discriminator.parameters())
real, noise = torch.randn(32, 8), torch.randn(32, 4)

fake = torch.tanh(generator(noise))
dis_loss = softplus(-discriminator(real)).mean() + softplus(discriminator(fake)).mean()
dis_optimizer.zero_grad()
dis_loss.backward()
dis_optimizer.step()
gen_loss = softplus(-discriminator(fake)).mean()
gen_optimizer.zero_grad()
gen_loss.backward()
# raises: "Trying to backward through the graph a second time"
gen_optimizer.step()
```

## Use instead
```python
import torch
from torch import nn
from torch.nn.functional import softplus

generator, discriminator = nn.Linear(4, 8), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
gen_optimizer = torch.optim.Adam(generator.parameters())
dis_optimizer = torch.optim.Adam(discriminator.parameters())
real, noise = torch.randn(32, 8), torch.randn(32, 4)

fake = torch.tanh(generator(noise))
dis_loss = softplus(-discriminator(real)).mean() + softplus(discriminator(fake.detach())).mean()
dis_optimizer.zero_grad()
dis_loss.backward()
dis_optimizer.step()
gen_loss = softplus(-discriminator(fake)).mean()
gen_optimizer.zero_grad()
gen_loss.backward()
gen_optimizer.step()
```

## When torch notices
At the generator's backward: the graph is walked a second time. With `retain_graph=True`, or with a new forward of the
generator for its own loss, torch says nothing; the work is wasted, and the gradients are wrong unless they are
cleared.

## Limits
A generated sample is known by a name such as `fake`, `generated` or `recon`; otherwise the same error is AGH101.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, lifted
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "gradients_wasted":
        message = say(
            "This backward also runs through another network, and the gradients that it leaves there are thrown away."
        )
        return tell.finding(
            event,
            event.fails,
            message,
            [
                (event.data["tensor"].created, say("that network is made here"), "built"),
                (event.where, say("gradients computed here"), "built"),
                (event.data["zero"], say("and cleared here, unused"), "changed"),
            ],
            level="information",
        )
    if code_of(event) != "AGH402":
        return None
    node, first = event.data["node"], event.data["first"]
    story = [
        (event.data["built"], say("the generated sample is computed here"), "built"),
        (first, say("this backward goes into the generator and frees its graph"), "freed"),
        (event.where, say("the generator's own backward needs it"), "fails"),
    ]
    message = say(
        "An earlier loss reached back through `{op}` and freed the generator's graph; detach the sample there.",
        op=node.op,
    )
    return tell.finding(event, lifted(event.where, first), message, story, event.fails)


RULE = Rule("AGH402", "fake-not-detached", ERROR, ("freed", "gradients_wasted"), __doc__, check)
