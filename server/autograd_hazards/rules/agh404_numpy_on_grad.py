"""`numpy()` is called on a tensor that requires grad.

## What it does
Reports `.numpy()`, `np.asarray(t)` and numpy functions (`np.sqrt(t)`, `np.array(t)`) on a tensor that requires grad.

## Why is this bad?
A numpy array cannot carry a graph, so torch makes the author say that it is to be left behind.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 2)
features = torch.randn(32, 8)

logits = model(features)
predictions = logits.numpy().argmax(axis=1)
# raises: "Can't call numpy"
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 2)
features = torch.randn(32, 8)

logits = model(features)
predictions = logits.detach().cpu().numpy().argmax(axis=1)
```
When the values are still to be trained through, stay in torch: `logits.argmax(dim=1)`, `torch.sqrt`, `torch.mean`.

## When torch notices
At the call, in all versions: numpy cannot be called on a tensor that requires grad, use `detach().numpy()`. Under
`no_grad` it passes, for parameters too. Some numpy functions (`np.mean`, `np.sum`) fail earlier, with a TypeError
about arguments that the tensor's own method does not know.

## Limits
Functions of libraries that convert to numpy on their own (plotting, metrics) are not looked into.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    message = say(
        "{tensor} requires grad, so it cannot be turned into a numpy array; use .detach().cpu().numpy().",
        tensor=named(event.data["tensor"], say("This tensor")),
    )
    return tell.finding(
        event,
        event.fails,
        message,
        [(event.data["made"], say("computed here"), "built"), (event.where, say("converted here"), "fails")],
        event.fails,
    )


RULE = Rule("AGH404", "numpy-on-grad", ERROR, ("numpy",), __doc__, check)
