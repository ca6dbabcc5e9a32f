"""`module.requires_grad = False` sets a plain attribute: the module's parameters go on training.

## What it does
Reports the assignment of `requires_grad` to an `nn.Module`.

## Why is this bad?
A module has no such switch. The assignment makes an attribute that nothing reads, so layers that should be frozen keep
training, or layers that should train stay frozen.

## Example
```python
from torch import nn

backbone = nn.Linear(4, 4)
backbone.requires_grad = False
print([p.requires_grad for p in backbone.parameters()])
# prints: [True, True]
```

## Use instead
```python
from torch import nn

backbone = nn.Linear(4, 4)
backbone.requires_grad_(False)
print([p.requires_grad for p in backbone.parameters()])
```

## When torch notices
Never.

## Limits
Modules whose class defines a `requires_grad` of its own are left alone.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    message = say(
        "This only sets an attribute of the module, its parameters are not touched; call requires_grad_(...) on it."
    )
    return tell.finding(event, event.fails, message, [])


RULE = Rule("AGH606", "requires-grad-set-on-module", WARNING, ("module_flag",), __doc__, check)
