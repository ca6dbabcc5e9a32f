"""An in-place write reads and writes the same memory in several places.

## What it does
Reports an in-place write to a tensor in which several positions share one place in memory (from `expand`,
`broadcast_to` or strides of zero), and one that reads from its own memory in another order, such as `x += x.T`.

## Why is this bad?
The result would depend on the order in which the elements are written.

## Example
```python
import torch

prior = torch.tensor([0.1, 0.2, 0.7])
scores = prior.expand(4, 3)
scores += torch.randn(4, 3)
# raises: "more than one element of the written-to tensor refers to a single memory location"
```

## Use instead
```python
import torch

prior = torch.tensor([0.1, 0.2, 0.7])
scores = prior.expand(4, 3).clone()
scores += torch.randn(4, 3)
```
`scores = prior + torch.randn(4, 3)` needs no copy at all. For the second form write `x = x + x.T`.

## When torch notices
At the write: more than one element refers to a single memory location, or some elements of the input and of the
written-to tensor do. An `expand` that does not enlarge anything is an ordinary view and passes. Writing one row that
does not overlap with itself (`x[0] = 1`), and filling with one number, pass, and change all the other rows as well.
A write to what a mask or an index tensor chooses (`x[mask] = 0`, `masked_fill_`) also changes the other positions of
the same place; torch only warns that it is deprecated, and it is a warning here, too. The gradient that a Function's
backward is given is often such a tensor, as after `sum()` or `mean()`.

## Limits
Shapes must be known well enough to tell that a dimension is really enlarged, or that two views really overlap.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "smeared":
        message = say(
            "{tensor} shows one memory place at several positions, so this also writes to positions that are not chosen; clone first.",
            tensor=named(event.data["tensor"], say("This tensor")),
        )
        story = [(event.data["made"], say("made here"), "built"), (event.where, say("written here"), "changed")]
        return tell.finding(event, event.fails, message, story, level="warning")
    message = say(
        "{tensor} shows one memory place at several positions, so torch refuses to write here; clone first.",
        tensor=named(event.data["tensor"], say("This tensor")),
    )
    return tell.finding(
        event,
        event.fails,
        message,
        [(event.data["made"], say("made here"), "built"), (event.where, say("written here"), "fails")],
        event.fails,
    )


RULE = Rule("AGH306", "overlapping-memory-written", ERROR, ("overlap", "smeared"), __doc__, check)
