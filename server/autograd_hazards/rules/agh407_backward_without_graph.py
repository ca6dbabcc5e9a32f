"""A backward is called on a tensor that has no graph.

## What it does
Reports `backward()` and `autograd.grad()` on a tensor without a graph: it was computed under `no_grad`, from data
only, from values that had lost their graph, or after gradients had been switched off elsewhere. Tensors of
`inference_mode` that are used with gradients are reported too. The finding stands at what has switched gradients off,
where that can be told, else at the backward.

## Why is this bad?
There is nothing to differentiate. The cause is often far away: a `set_grad_enabled(False)` in an imported module, a
decorator on an evaluation function, a frozen network.

## Example
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features, target = torch.randn(32, 8), torch.randn(32, 1)

with torch.no_grad():
    prediction = model(features)
loss = nn.functional.mse_loss(prediction, target)
optimizer.zero_grad()
loss.backward()
# raises: "does not require grad"
optimizer.step()
```

## Use instead
```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features, target = torch.randn(32, 8), torch.randn(32, 1)

prediction = model(features)
loss = nn.functional.mse_loss(prediction, target)
optimizer.zero_grad()
loss.backward()
optimizer.step()
```

## When torch notices
At the backward: the tensor does not require grad and has no grad_fn. Tensors made under `inference_mode` fail when an
op has to save them for a backward. Calling `backward` itself under `no_grad` is fine: only building the graph is not.

## Limits
Whether the parameters of a network from a library are frozen is not known; it is taken as trainable, so a backward
through it is not reported.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, named


def check(event: Event, tell: Teller) -> Finding | None:
    tensor, made = event.data["tensor"], event.data["made"]
    if event.kind == "inference":
        message = say(
            "{tensor} was made in inference mode and cannot take part in autograd.",
            tensor=named(tensor, say("This tensor")),
        )
        story = [
            (made, say("made in inference mode here"), "built"),
            (event.where, say("used with gradients here"), "fails"),
        ]
        if event.data["switch"] is not None:
            story.insert(0, (event.data["switch"], say("inference mode is switched on here"), "changed"))
        return tell.finding(event, event.fails, message, story, event.fails)
    if any(c.kind == "grad" for c in event.data["cuts"]) or not event.certain:
        return None  # on some paths only: conditions that cannot be told may exclude them
    bare = not event.data["cuts"] and event.data.get("switch") is None and not event.data.get("wrt")
    if bare and (event.assumed or (event.data.get("trains") and not event.known)):
        return None  # nothing cut it off: something that we do not know well enough may require grad
    story = [
        (made, say("computed here without a graph"), "built"),
        (
            event.where,
            say("its gradient is asked for here")
            if event.data.get("wrt")
            else say("this backward has nothing to go back through"),
            "fails",
        ),
    ]
    switch = event.data.get("switch")
    where = fails = event.fails
    if switch is not None:
        story.insert(0, (switch, say("gradients are switched off here"), "changed"))
        where = switch.site
    for cut in event.data["cuts"][:2]:
        story.insert(
            0,
            (cut.trace, say("gradients are off here") if cut.kind == "no_grad" else say("the graph ends here"), "cut"),
        )
        if cut.kind == "no_grad" and switch is None and not event.data.get("wrt"):
            where = cut.trace.site
    broken = [cut for cut in event.data["cuts"] if cut.kind != "no_grad"]
    if broken and switch is None and not event.data.get("wrt") and where is fails:
        where = broken[-1].trace.site
    start = named(tensor, say("This tensor"))
    message = (
        say("{start} does not require grad, so there is no gradient to retain.", start=start)
        if event.data.get("wrt") == "retain_grad"
        else say("{start} is differentiated with respect to, but does not require grad.", start=start)
        if event.data.get("wrt")
        else say("{start} does not require grad, so there is nothing to differentiate.", start=start)
    )
    return tell.finding(event, where, message, story, event.fails)


RULE = Rule("AGH407", "backward-without-graph", ERROR, ("no_grad_graph", "inference"), __doc__, check)
