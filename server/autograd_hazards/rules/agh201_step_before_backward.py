"""An optimizer step changes parameters between a forward and the backward that needs them.

## What it does
Reports an optimizer step, or `load_state_dict` or `nn.init`, between a forward and the backward that needs the
parameters as they were. The finding stands at the step.

## Why is this bad?
The backward of a layer multiplies with its weight. When the weight has been stepped since the forward, the gradient
would be that of no function at all, so torch refuses. It is the classic accident of programs with several optimizers:
both losses are computed first, and one network is stepped before the other loss has gone back through it.

## Example
```python
import torch
from torch import nn
from torch.nn.functional import softplus

generator = nn.Linear(4, 8)
discriminator = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
gen_optimizer = torch.optim.Adam(generator.parameters())
dis_optimizer = torch.optim.Adam(discriminator.parameters())
real, fake = torch.randn(32, 8), generator(torch.randn(32, 4))

dis_loss = softplus(-discriminator(real)).mean() + softplus(discriminator(fake.detach())).mean()
gen_loss = softplus(-discriminator(fake)).mean()
dis_optimizer.zero_grad()
dis_loss.backward()
dis_optimizer.step()
gen_optimizer.zero_grad()
gen_loss.backward()
# raises: "modified by an inplace operation"
gen_optimizer.step()
```

## Use instead
```python
import torch
from torch import nn
from torch.nn.functional import softplus

generator = nn.Linear(4, 8)
discriminator = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
gen_optimizer = torch.optim.Adam(generator.parameters())
dis_optimizer = torch.optim.Adam(discriminator.parameters())
real, fake = torch.randn(32, 8), generator(torch.randn(32, 4))

dis_loss = softplus(-discriminator(real)).mean() + softplus(discriminator(fake.detach())).mean()
dis_optimizer.zero_grad()
dis_loss.backward()
dis_optimizer.step()
gen_loss = softplus(-discriminator(fake)).mean()
gen_optimizer.zero_grad()
gen_loss.backward()
gen_optimizer.step()
```
To keep one forward for both losses, step both networks after both backwards, and keep the generator's gradients out
of the discriminator: `gen_loss.backward(inputs=list(generator.parameters()))`. Without `inputs` the program runs, but
the discriminator is stepped with the generator's gradients too (AGH203). `retain_graph=True` does not help here.

## When torch notices
At the backward: a variable needed for the gradient has been modified in place, with the shape and version of the
weight, but not its name nor the step. Not noticed, and harmless: biases of Linear and Conv, Embedding weights, and
the weight of a Linear whose input needs no gradient, since no backward reads them. A convolution's weight is noticed
even in the first layer. Steps with `fused=True` and writes through `.data` are not noticed and do harm: see AGH206. A
parameter changed by hand under `no_grad` is reported as AGH301.

## Limits
An optimizer whose parameters are not known is taken to own the networks that it is passed around with, and the
finding is a warning. A parameter without a gradient is not changed by a step; the analyser follows that.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, between, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH201":
        return None
    mutation, node, saved = event.data["mutation"], event.data["node"], event.data["saved"]
    changed = event.data["changed"]
    weight = named(saved.tensor, say("a parameter"))
    story = [
        (node.trace, say("the forward saves {weight} for its backward here", weight=weight), "saved"),
        (changed, say("{weight} is changed here", weight=weight), "changed"),
        (event.where, say("this backward needs {weight} as it was", weight=weight), "fails"),
    ]
    message = (
        say("This steps between a forward and the backward that still needs the old values of {weight}.", weight=weight)
        if mutation.cause == "step"
        else say(
            "This changes parameters between a forward and the backward that still needs the old values of {weight}.",
            weight=weight,
        )
    )
    return tell.finding(event, between(node.trace, changed, event.where), message, story, event.fails)


RULE = Rule("AGH201", "step-before-backward", ERROR, ("version",), __doc__, check)
