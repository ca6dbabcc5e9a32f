"""A value computed once from parameters is reused after its graph was freed or its parameters changed.

## What it does
Reports a tensor that is computed once from parameters, before the loop, in `__init__` or in a cache, and then used by
the loss of every iteration.

## Why is this bad?
Its graph serves one backward. The second one finds it freed, and even if it were kept, the value would be that of the
old parameters: after a step it has to be computed again from the new ones.

## Example
```python
import torch
from torch import nn

log_scale = nn.Parameter(torch.zeros(4))
optimizer = torch.optim.SGD([log_scale], lr=0.1)

scale = log_scale.exp()
for step in range(3):
    noise = torch.randn(32, 4)
    loss = (scale * noise).square().mean()
    optimizer.zero_grad()
    loss.backward()
    # raises: "Trying to backward through the graph a second time"
    optimizer.step()
```

## Use instead
```python
import torch
from torch import nn

log_scale = nn.Parameter(torch.zeros(4))
optimizer = torch.optim.SGD([log_scale], lr=0.1)

for step in range(3):
    scale = log_scale.exp()
    noise = torch.randn(32, 4)
    loss = (scale * noise).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

## When torch notices
At the second backward, when an op between the parameter and the cached value saved something (`exp`, `sin`, a
product, a layer): the graph was freed, or with `retain_graph=True` the parameter was modified in place by the step. A
value made only of additions, views or `cat` raises nothing and silently stays that of the first iteration.

## Limits
Reported where torch would raise; a cached value whose ops save nothing is not reported yet. Caches inside functions
of a library are not seen.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..machine.frames import Trace
from ..messages import say
from .base import ERROR, Rule, Teller, named
from .causes import carrier, code_of, kept_at


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH106":
        return None
    tensor, node, user = carrier(event)
    what = named(tensor, say("the result of `{op}`", op=node.op))
    start = named(tensor, say("The result of `{op}`", op=node.op))
    story = [(node.trace, say("{what} is computed once, before the loop", what=what), "built")]
    if user is not None:
        story.append((user.trace, say("every iteration uses it again"), "used"))
    if event.kind == "freed":
        story.append((event.data["first"], say("the first backward frees its graph"), "freed"))
    else:
        story.append((event.data["changed"], say("the parameters it was computed from are changed here"), "changed"))
    story.append((event.where, say("a later backward needs it again"), "fails"))
    message = say(
        "{start} is computed once and used in every iteration, but its graph serves only one backward.", start=start
    )
    where = kept_at(tensor, node)
    if _inside(where, node.trace, event.where):
        where = node.trace
    return tell.finding(event, where.site, message, story, event.fails)


def _inside(kept: Trace, built: Trace, now: Trace) -> bool:
    """Whether the value got the place or name only in the loop that uses what was computed before it."""
    depth = next((i for i, (a, b) in enumerate(zip(built.loops, now.loops, strict=False)) if a != b), len(built.loops))
    return (
        depth < min(len(kept.loops), len(now.loops))
        and kept.loops[depth][0] == now.loops[depth][0]
        and (depth >= len(built.loops) or built.loops[depth][0] != now.loops[depth][0])
    )


RULE = Rule("AGH106", "stale-cached-value", ERROR, ("freed", "version"), __doc__, check)
