"""A term of the loss cannot train the network that is stepped, since the way there is detached.

## What it does
Reports a term of a loss that is computed from a detached sample, when the step after the backward is meant to train
the network that made the sample.

## Why is this bad?
The term is a constant as far as that network is concerned. The other terms give it gradients, so the training seems
to run, but the adversarial part never arrives. It is a usual result of adding `detach()` until an error is gone.

## Example
```python
import torch
from torch import nn
from torch.nn.functional import mse_loss, softplus

generator, discriminator = nn.Linear(8, 8), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
gen_optimizer = torch.optim.Adam(generator.parameters())
masked, image = torch.randn(32, 8), torch.randn(32, 8)

fake = generator(masked)
rebuild_loss = mse_loss(fake, image)
adversarial_loss = softplus(-discriminator(fake.detach())).mean()
gen_loss = rebuild_loss + 0.1 * adversarial_loss
gen_optimizer.zero_grad()
gen_loss.backward()
gen_optimizer.step()
# silent: the generator learns from rebuild_loss only
```

## Use instead
```python
import torch
from torch import nn
from torch.nn.functional import mse_loss, softplus

generator, discriminator = nn.Linear(8, 8), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
gen_optimizer = torch.optim.Adam(generator.parameters())
masked, image = torch.randn(32, 8), torch.randn(32, 8)

fake = generator(masked)
rebuild_loss = mse_loss(fake, image)
adversarial_loss = softplus(-discriminator(fake)).mean()
gen_loss = rebuild_loss + 0.1 * adversarial_loss
gen_optimizer.zero_grad()
gen_loss.backward()
gen_optimizer.step()
```

## When torch notices
Never, as long as another term has a graph. Without one the backward fails (AGH407).

## Limits
A term that trains something else which is stepped with the same backward is taken as meant so, and not reported. Only
sums of losses are taken apart, not other ways of combining them.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = say(
        "{tensor} is detached here, so a term of the loss cannot train the network that is stepped with it.",
        tensor=named(event.data["source"], say("This")),
    )
    return tell.finding(
        event,
        event.fails,
        message,
        [
            (event.where, say("detached here"), "cut"),
            (event.data["term"], say("the term of the loss"), "used"),
            (event.data["backward"], say("this backward does not reach it"), "fails"),
        ],
    )


RULE = Rule("AGH403", "generator-cut-off", WARNING, ("term_cut_off",), __doc__, check)
