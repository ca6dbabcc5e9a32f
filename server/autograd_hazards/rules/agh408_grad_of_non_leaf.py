"""A tensor that is not a leaf is treated as a parameter.

## What it does
Reports reading `.grad` of a tensor that is not a leaf, giving such a tensor to an optimizer, and converting a
parameter (`nn.Parameter(…).to(device)`, `.cuda()`, `.half()`), which makes a tensor that is no parameter any more.

## Why is this bad?
Gradients are kept for leaves only. A tensor that is computed from another one, be it by a multiplication or by moving
to a device, has a grad_fn, and its `.grad` stays `None`; the tensor that would be trained is the one before, which
nobody holds.

## Example
```python
import torch

images = torch.rand(4, 3, requires_grad=True) * 2 - 1
score = torch.sin(images).sum()
score.backward()
print(images.grad)
# warns: "of a Tensor that is not a leaf"
# prints: None
```

## Use instead
```python
import torch

images = (torch.rand(4, 3) * 2 - 1).requires_grad_()
score = torch.sin(images).sum()
score.backward()
print(images.grad.shape)
# prints: torch.Size([4, 3])
```
Create a parameter where it is to live, `nn.Parameter(torch.zeros(3, device=device))`, and call `images.retain_grad()`
where the gradient of an intermediate result is wanted.

## When torch notices
Reading `.grad` of a non-leaf warns and gives `None`. An optimizer refuses a non-leaf with a ValueError (reported as
an error). `nn.Parameter(…).to(device)` is silent, and on a machine without a GPU it even works, since there it
returns the parameter itself; it is reported at the call all the same.

## Limits
A conversion is reported only when it stands directly at the making of the leaf, where the intention is plain.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor = event.data["tensor"]
    if event.kind == "leaf_converted":
        message = say(
            "This conversion of a parameter gives a new tensor on another device or dtype, which is not a parameter any more; convert before nn.Parameter(...)."
        )
        return tell.finding(event, event.fails, message, [])
    made = event.data["made"]
    if event.kind == "non_leaf_optimized":
        message = say(
            "{tensor} is computed from other tensors, so it is no leaf and cannot be optimized; call requires_grad_() last.",
            tensor=named(tensor, say("This tensor")),
        )
        return tell.finding(
            event,
            event.fails,
            message,
            [(made, say("it is computed here"), "built"), (event.where, say("given to the optimizer here"), "fails")],
            event.fails,
            "error",
        )
    message = say(
        "{tensor} is not a leaf, so its .grad stays None; call retain_grad() before the backward.",
        tensor=named(tensor, say("This tensor")),
    )
    return tell.finding(event, event.fails, message, [(made, say("it is computed here"), "built")])


RULE = Rule(
    "AGH408", "grad-of-non-leaf", WARNING, ("grad_of_non_leaf", "non_leaf_optimized", "leaf_converted"), __doc__, check
)
