"""Clipping, unscaling and stepping are in the wrong order.

## What it does
Reports `clip_grad_norm_` and `clip_grad_value_` before the backward or after the step, and on gradients that still
carry the loss scale of a `GradScaler`; a second `unscale_` or `scaler.step` for one optimizer without `update()` in
between; and `optimizer.step()` on scaled gradients.

## Why is this bad?
Clipping after the step, or before there are gradients, clips nothing. Scaled gradients are larger by a factor of
thousands: clipping them to norm 1 makes the real ones vanish, and stepping with them makes the weights explode.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(3):
    features, target = torch.randn(32, 8), torch.randn(32, 1)
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
# silent: every step has used gradients of any size
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(3):
    features, target = torch.randn(32, 8), torch.randn(32, 1)
    loss = nn.functional.mse_loss(model(features), target)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
    optimizer.step()
```
With a scaler: `scaler.scale(loss).backward()`, `scaler.unscale_(optimizer)`, clip, `scaler.step(optimizer)`,
`scaler.update()`.

## When torch notices
A second `unscale_` or `step` before `update()` raises a RuntimeError (and is reported as an error). Clipping at the
wrong time, clipping scaled gradients and stepping with them are silent. A scaler with `enabled=False` does nothing,
and nothing is reported for it.

## Limits
Whether a scaler is enabled often depends on the device; where that is not known, the case that it is counts, as a
warning.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "clip_scaled":
        message = say(
            "The gradients are clipped while they still carry the loss scale; call unscale_(optimizer) first."
        )
        return tell.finding(
            event, event.fails, message, [(event.data["backward"], say("these gradients are scaled"), "built")]
        )
    if event.kind == "clip_without_gradients":
        if not event.certain:
            return None
        after = event.data["order"] == "after"
        message = (
            say("This clips gradients that the step has already used.")
            if after
            else say("This clips before there are any gradients.")
        )
        return tell.finding(event, event.fails, message, [])
    if event.kind == "step_scaled":
        return tell.finding(
            event,
            event.fails,
            say("This steps with gradients that still carry the loss scale; use scaler.step(optimizer)."),
            [],
        )
    first = event.data["first"]
    what = "unscale_" if event.kind == "unscaled_twice" else "step"
    message = say("{what} is called a second time for this optimizer without scaler.update() in between.", what=what)
    return tell.finding(
        event,
        event.fails,
        message,
        [(first, say("the first call"), "changed"), (event.where, say("the call that fails"), "fails")],
        event.fails,
        "error",
    )


RULE = Rule(
    "AGH204",
    "clip-or-unscale-order",
    WARNING,
    ("clip_without_gradients", "clip_scaled", "unscaled_twice", "scaler_stepped_twice", "step_scaled"),
    __doc__,
    check,
)
