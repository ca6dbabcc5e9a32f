"""A target that a loss compares with still carries the graph it was computed with.

## What it does
Reports a target (labels, a teacher's output, features of a reference image, a bootstrapped value) that was computed
by a network with its graph and is then used by the loss of several iterations. The finding stands where the target is
kept.

## Why is this bad?
The loss should treat the target as a constant. With its graph attached, the first backward runs on into the network
that made it and frees that graph, the second one fails there. Where only one backward comes, nothing fails, and the
network is trained to move the target towards its prediction.

## Example
```python
import torch
from torch import nn

teacher, student = nn.Linear(8, 2), nn.Linear(8, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
features = torch.randn(32, 8)

target = torch.tanh(teacher(features))
for epoch in range(3):
    loss = nn.functional.mse_loss(student(features), target)
    optimizer.zero_grad()
    loss.backward()
    # raises: "Trying to backward through the graph a second time"
    optimizer.step()
```

## Use instead
```python
import torch
from torch import nn

teacher, student = nn.Linear(8, 2), nn.Linear(8, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
features = torch.randn(32, 8)

with torch.no_grad():
    target = torch.tanh(teacher(features))
for epoch in range(3):
    loss = nn.functional.mse_loss(student(features), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```
`target = torch.tanh(teacher(features)).detach()` is as right, and keeps no graph either.

## When torch notices
At the second backward: the graph is walked a second time. With `retain_graph=True`, or when the target is made by the
network that is trained, it may instead be that a variable needed for the gradient was modified in place, by the step.
The words have changed between versions: torch 1.x says the latter where 2.x says the former.

## Limits
A target is known by its name (`target`, `label`, `y`, `teacher`, …) among the tensors that are carried into the loop;
with another name the same error is reported as AGH103 or AGH106. Targets that pass through a `DataLoader`, a list or
a dataset of the project are followed.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, lifted, named
from .causes import carrier, code_of, kept_at


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH401":
        return None
    tensor, node, user = carrier(event)
    what = named(tensor, say("the target"))
    start = named(tensor, say("The target"))
    where = kept_at(tensor, node)
    story = [
        (node.trace, say("{what} is computed with its graph here", what=what), "built"),
        (where, say("and kept"), "kept"),
    ]
    if user is not None:
        story.append((user.trace, say("it is used again here"), "used"))
    story.append(
        (event.data["first"], say("the first backward frees its graph"), "freed")
        if event.kind == "freed"
        else (event.data["changed"], say("parameters it needs are changed here"), "changed")
    )
    story.append((event.where, say("a later backward goes through it again"), "fails"))
    message = say("{start} is used as a target but still carries its graph; detach it.", start=start)
    return tell.finding(
        event,
        lifted(where, event.where) if where.site.path != event.fails.path else where.site,
        message,
        story,
        event.fails,
    )


RULE = Rule("AGH401", "target-not-detached", ERROR, ("freed", "version"), __doc__, check)
