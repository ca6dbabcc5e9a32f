"""The result of a tensor method without effect is thrown away.

## What it does
Reports a statement that calls a tensor method which returns a new tensor and leaves its own alone (`detach`, `clamp`,
`masked_fill`, `view`, `float`, …) without keeping the result; and a loop whose last line computes a new value for the
loop variable (`for p in weights: p = p - 0.1 * p.grad`).

## Why is this bad?
The line does nothing. Where it is a `detach()`, the graph stays attached; where it is a `clamp`, the bounds do not
hold. A new value for a loop variable does not reach the list that is looped over.

## Example
```python
import torch
from torch import nn

cell = nn.RNNCell(4, 8)
state = torch.zeros(16, 8)

for step in range(3):
    state = cell(torch.randn(16, 4), state)
    state.detach()
print("still attached:", state.requires_grad)
# prints: still attached: True
```

## Use instead
```python
import torch
from torch import nn

cell = nn.RNNCell(4, 8)
state = torch.zeros(16, 8)

for step in range(3):
    state = cell(torch.randn(16, 4), state)
    state = state.detach()
print("still attached:", state.requires_grad)
# prints: still attached: False
```
The forms with an underscore (`detach_()`, `clamp_()`) change the tensor itself.

## When torch notices
Never.

## Limits
Only methods of tensors are reported, and only as a whole statement; the last line of a notebook's cell, which shows
its value, is reported as well.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    if event.data["op"] == "=":
        message = say(
            "This gives the loop variable `{name}` a new value that nothing reads; the tensors it came from do not change.",
            name=event.data["name"],
        )
        return tell.finding(event, event.fails, message, [])
    if event.fails.path.endswith(".ipynb") and event.where.frame.function is None:
        return None  # a notebook shows the value
    message = say("`{op}` does not change its tensor; its result is thrown away here.", op=event.data["op"])
    return tell.finding(event, event.fails, message, [])


RULE = Rule("AGH410", "discarded-result", WARNING, ("discarded_result",), __doc__, check)
