"""A view is changed in place where torch does not allow it.

## What it does
Reports in-place changes of five kinds of views: of a leaf that requires grad, of one of several views that one call
has given (`chunk`, `split`, `unbind`, unpacking or iterating a tensor), of what a module with full backward hooks
takes or gives, of a view that was taken under `no_grad`, and of one that was taken in inference mode.

## Why is this bad?
A change of a view is a change of its base. If the base is a leaf that is forbidden, as in AGH302. If the views came
together from one call, autograd cannot rewrite the history of the base for one of them.

## Example
```python
import torch
from torch import nn

encoder = nn.Linear(8, 4)
frames = torch.randn(32, 8)

mean, log_std = encoder(frames).chunk(2, dim=1)
log_std.clamp_(-5.0, 2.0)
# raises: "is a view and is being modified inplace"
sample = mean + log_std.exp() * torch.randn_like(mean)
sample.square().mean().backward()
```

## Use instead
```python
import torch
from torch import nn

encoder = nn.Linear(8, 4)
frames = torch.randn(32, 8)

mean, log_std = encoder(frames).chunk(2, dim=1)
log_std = log_std.clamp(-5.0, 2.0)
sample = mean + log_std.exp() * torch.randn_like(mean)
sample.square().mean().backward()
```
For a view of a parameter, wrap an update in `torch.no_grad()`, and write `weight.clone()` where the changed copy is
part of the model.

## When torch notices
At the change: a view of a leaf is being used in an in-place operation; or the tensor is the output of a function that
returns multiple views; or it was created in no_grad mode (or in inference mode) and is modified with grad mode enabled.
Indexing with a number or slice (`x[i]`, `x[:, 0]`) gives an ordinary view, which may be changed. Advanced indexing
gives a copy.

## Limits
Which ops give views is known for torch itself; a function of a library that returns a view is not known to do so.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    if event.kind == "view":
        message = say(
            "{tensor} is a view of a leaf that requires grad, and torch refuses to change it in place.",
            tensor=named(tensor, say("This")),
        )
        story = [
            (event.data["built"], say("the leaf is made here"), "built"),
            (made, say("the view is taken here"), "built"),
            (event.where, say("changed in place here"), "fails"),
        ]
    elif event.kind == "multiview":
        message = say(
            "{tensor} is one of several views of one tensor (chunk, split, unbind or iteration), which must not be changed in place.",
            tensor=named(tensor, say("This")),
        )
        story = [(made, say("the views are made here"), "built"), (event.where, say("changed in place here"), "fails")]
    elif event.kind == "custom_view":
        message = say(
            "{tensor} comes as a view from a module with backward hooks, and such a view must not be changed in place.",
            tensor=named(tensor, say("This")),
        )
        story = [(made, say("the view is made here"), "built"), (event.where, say("changed in place here"), "fails")]
    elif event.kind == "inference_view":
        message = say(
            "{tensor} is a view made in inference mode, and memory of such a view must not be changed in place outside of it.",
            tensor=named(tensor, say("This")),
        )
        story = [(made, say("the view is made here"), "built"), (event.where, say("changed in place here"), "fails")]
    else:
        message = say(
            "{tensor} is a view made under no_grad and is changed in place with gradients on.",
            tensor=named(tensor, say("This")),
        )
        story = [(made, say("the view is made here"), "built"), (event.where, say("changed in place here"), "fails")]
    if "changed" in event.data:  # what the view lies in was changed: torch refuses the view's next use
        story[-1:] = [
            (event.data["changed"], say("changed in place here"), "changed"),
            (event.where, say("the view is used here"), "fails"),
        ]
    module = event.data.get("module")
    if module is not None and module.site is not None:
        story.insert(0, (module.site.site, say("the in-place layer is made here"), "built"))
    return tell.finding(event, event.fails, message, story, event.fails)


RULE = Rule(
    "AGH303",
    "view-modified",
    ERROR,
    ("view", "multiview", "custom_view", "no_grad_view", "inference_view"),
    __doc__,
    check,
)
