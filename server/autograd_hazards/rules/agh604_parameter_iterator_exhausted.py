"""A `parameters()` iterator is walked a second time, when it has nothing left to give.

## What it does
Reports the second walk over one `model.parameters()` (or `named_parameters()`) iterator, or one that `filter`, `chain`,
a generator expression or a generator makes of it: in a helper that walks its argument twice, or where an iterator kept
in a variable is given to two consumers.

## Why is this bad?
`parameters()` is a generator. The first loop uses it up, the second loop runs zero times, and nothing is said: the
gradients are not clipped, the parameters are not frozen, the penalty is zero.

## Example
```python
import torch
from torch import nn

model = nn.Linear(4, 1)
model(torch.randn(8, 4)).sum().backward()


def clip(parameters, limit):
    norm = torch.stack([p.grad.norm() for p in parameters]).norm()
    for p in parameters:
        p.grad.mul_(limit / norm)
    return norm


before = clip(model.parameters(), 0.01)
after = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
print(bool(after > 0.02))
# prints: True
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(4, 1)
model(torch.randn(8, 4)).sum().backward()


def clip(parameters, limit):
    parameters = list(parameters)
    norm = torch.stack([p.grad.norm() for p in parameters]).norm()
    for p in parameters:
        p.grad.mul_(limit / norm)
    return norm


before = clip(model.parameters(), 0.01)
after = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
print(bool(after > 0.02))
```

## When torch notices
Never, except that an optimizer given an exhausted iterator raises "optimizer got an empty parameter list".

## Limits
Iterators that pass through code which cannot be followed are not watched.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    message = say(
        "This walks an iterator of parameters that has already been used up, so nothing happens; make a list of it."
    )
    story = [
        (event.data["made"], say("the iterator is made here"), "built"),
        (event.data["first"], say("and used up here"), "used"),
        (event.where, say("nothing is left for this walk"), "fails"),
    ]
    return tell.finding(event, event.fails, message, story)


RULE = Rule("AGH604", "parameter-iterator-exhausted", WARNING, ("parameters_exhausted",), __doc__, check)
