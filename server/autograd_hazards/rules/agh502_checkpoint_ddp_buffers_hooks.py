"""A reentrant checkpoint whose inputs need no gradient cuts off the parameters inside it.

## What it does
Reports `torch.utils.checkpoint.checkpoint(…, use_reentrant=True)` where no tensor argument requires grad, although
the function uses parameters that do, reentrant checkpoints that are differentiated for chosen inputs
(`torch.autograd.grad`, or `backward` with `inputs`), hooks on tensors that do not require grad, and hooks that write
into a gradient which another branch of the graph still has to get.

## Why is this bad?
The reentrant form runs the function without gradients and hangs its recomputation on the inputs. When none of them
requires grad (a frozen embedding in front of adapters is the usual case), there is nothing to hang it on: the
parameters inside never get a gradient.

## Example
```python
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

adapter, head = nn.Linear(4, 4), nn.Linear(4, 1)
hidden = checkpoint(adapter, torch.randn(8, 4), use_reentrant=True)
head(hidden).mean().backward()
print(adapter.weight.grad)
# warns: "None of the inputs have requires_grad"
# prints: None
```

## Use instead
```python
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

adapter, head = nn.Linear(4, 4), nn.Linear(4, 1)
hidden = checkpoint(adapter, torch.randn(8, 4), use_reentrant=False)
head(hidden).mean().backward()
print(adapter.weight.grad is None)
```

## When torch notices
A warning at the call: none of the inputs requires grad, so gradients will be None.

## Limits
Parameters that change before a checkpoint computes again are AGH206, buffers that are synchronised between two
forwards AGH301. Hooks that are never removed are not reported.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, WARNING, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "hook_without_gradient":
        tensor = named(event.data["tensor"], say("This tensor"))
        message = say("{tensor} does not require grad, so torch refuses to put a hook on it.", tensor=tensor)
        story = [(event.data["made"], say("made here without a graph"), "built")]
        return tell.finding(event, event.fails, message, story, event.fails, ERROR)
    if event.kind == "checkpoint_refuses":
        message = say(
            "A reentrant checkpoint cannot be differentiated for chosen inputs; pass use_reentrant=False to it."
        )
        story = [
            (event.data["built"], say("the checkpoint is made here"), "built"),
            (event.where, say("differentiated for chosen inputs here"), "fails"),
        ]
        return tell.finding(event, event.fails, message, story, event.fails, ERROR)
    if event.kind == "hook_writes_gradient":
        message = say(
            "This hook writes into a gradient that another branch of the graph gets, too; return a new tensor instead."
        )
        story = [
            (event.data["other"], say("this branch shares the gradient"), "built"),
            (event.where, say("the hook writes into it here"), "changed"),
            (event.data["backward"], say("this backward hands on what was written"), "used"),
        ]
        return tell.finding(event, event.fails, message, story, level=WARNING)
    name = named(event.data["source"], say("the parameters inside"))
    message = say(
        "No input of this reentrant checkpoint requires grad, so {name} gets no gradient; pass use_reentrant=False.",
        name=name,
    )
    return tell.finding(event, event.fails, message, [], level=WARNING)


RULE = Rule(
    "AGH502",
    "checkpoint-ddp-buffers-hooks",
    ERROR,
    ("checkpoint_cuts", "checkpoint_refuses", "hook_without_gradient", "hook_writes_gradient"),
    __doc__,
    check,
)
