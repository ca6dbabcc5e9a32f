"""A tensor that a backward needs is changed in place.

## What it does
Reports a tensor that an op has saved for its backward and that is changed in place before that backward runs: by
`+=`, an op whose name ends in `_`, an indexed assignment, `out=`, or through a view, `detach()` or another alias. The
finding stands at the change and names the op that saved the tensor.

## Why is this bad?
The derivative of many ops is computed from their input or their result. With the value gone, the gradient would be
wrong, so torch refuses, often far away from the line that has to change.

## Example
```python
import torch
from torch import nn

gate, values = nn.Linear(8, 8), nn.Linear(8, 8)
features = torch.randn(32, 8)

attention = torch.sigmoid(gate(features))
attention *= 0.5
output = (attention * values(features)).sum(dim=1)
output.mean().backward()
# raises: "modified by an inplace operation"
```

## Use instead
```python
import torch
from torch import nn

gate, values = nn.Linear(8, 8), nn.Linear(8, 8)
features = torch.randn(32, 8)

attention = torch.sigmoid(gate(features))
attention = attention * 0.5
output = (attention * values(features)).sum(dim=1)
output.mean().backward()
```

## When torch notices
At the backward: a variable needed for the gradient has been modified in place, with its shape and its version now and
then. Whether it does depends on the op:
- the result is saved by `exp`, `sqrt`, `rsqrt`, `tanh`, `sigmoid`, `relu`, `reciprocal`, `softmax`, an LSTM;
- an input is saved by `log`, `sin`, `abs`, `square`, `gelu`, `silu`, `clamp`, convolutions, norms, `mse_loss`,
  `gather`, and by products and `matmul` the other factor, if this one requires grad;
- both by `pow` of tensors, `std`, `prod`, `norm`, `amax`, `logsumexp`, attention;
- nothing that the program holds by `+`, `-`, `sum`, `mean` (since torch 2.3), `cat`, views, `clone`, `dropout`: a
  change after them is right, and there is no finding.

Masks, indices and targets are saved as well. All views of a tensor share one version, so writing another slice counts
too. In-place ops keep a copy of what they overwrite themselves: `x.mul_(y)` is right, `x.mul_(torch.tanh(x))` is
right, `x /= x.norm()` is not.

## Limits
What an op of a library outside torch saves is not known and raises no finding. Ops whose behaviour depends on the
device are taken as on the CPU.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH301":
        return None
    node, saved, mutation, changed = (
        event.data["node"],
        event.data["saved"],
        event.data["mutation"],
        event.data["changed"],
    )
    what = named(saved.tensor, say("its result") if saved.is_output else say("its input"))
    start = named(saved.tensor, say("Its result") if saved.is_output else say("Its input"))
    story = [
        (node.trace, say("`{op}` saves {what} for its backward here", op=node.op, what=what), "saved"),
        (changed, say("{what} is changed in place here", what=what), "changed"),
        (event.where, say("this backward needs {what} as it was", what=what), "fails"),
    ]
    message = say(
        "{start} is changed in place after `{op}` saved it for the backward.",
        start=start,
        op=node.op,
    )
    del mutation
    return tell.finding(event, changed.site, message, story, event.fails)


RULE = Rule("AGH301", "saved-tensor-modified", ERROR, ("version",), __doc__, check)
