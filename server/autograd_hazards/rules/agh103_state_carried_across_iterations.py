"""A tensor carried from one iteration to the next still hangs on the previous iteration's graph.

## What it does
Reports a tensor that is computed in one iteration, kept in a variable, attribute, list or dictionary, and computed
with in the next one, so that the next backward runs on into the graph of the iteration before. The finding stands
where the state is kept, which is the place to detach.

## Why is this bad?
The earlier backward has freed that part of the graph, and the earlier step has changed the weights that it needs.
With `retain_graph=True` it seems to work for a while: every backward goes through all iterations so far, each step is
slower than the last, and memory runs out.

## Example
```python
import torch
from torch import nn

cell, head = nn.GRUCell(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()])

state = torch.zeros(16, 8)
for step in range(3):
    frames, target = torch.randn(16, 4), torch.randn(16, 1)
    state = cell(frames, state)
    loss = nn.functional.mse_loss(head(state), target)
    optimizer.zero_grad()
    loss.backward()
    # raises: "Trying to backward through the graph a second time"
    optimizer.step()
```

## Use instead
```python
import torch
from torch import nn

cell, head = nn.GRUCell(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()])

state = torch.zeros(16, 8)
for step in range(3):
    frames, target = torch.randn(16, 4), torch.randn(16, 1)
    state = cell(frames, state.detach())
    loss = nn.functional.mse_loss(head(state), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

## When torch notices
In the second iteration: the graph is walked a second time, or (with `retain_graph=True`) a variable needed for the
gradient was modified in place, namely by the step. Which of the two comes first depends on the order of the ops.
Nothing is raised for a state that is carried through ops which save nothing, such as `state = state + delta`: then it
only grows. A `state.detach()` whose result is not kept, `state[:] = 0` under `no_grad`, and `0 * state` do not cut
the graph.

## Limits
A loop is followed for a few iterations. A state held by a module of a library, or handed to code that is not in the
project, is not followed.
"""

from __future__ import annotations

from typing import Any

from ..findings import Finding
from ..machine.events import Event
from ..machine.tensor import Node
from ..messages import say
from .base import ERROR, Rule, Teller, named
from .causes import carrier, code_of, crossing, kept_at


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH103":
        return None
    if any(_unread(node) for node in crossing(event)):
        return None  # a network that cannot be read may cut its state itself
    tensor, node, user = carrier(event)
    where = kept_at(tensor, node)
    what = named(tensor, say("the result of `{op}`", op=node.op))
    start = named(tensor, say("The result of `{op}`", op=node.op))
    story = [
        (node.trace, say("{what} is computed here", what=what), "built"),
        (where, say("kept for the next iteration"), "kept"),
    ]
    if user is not None:
        story.append((user.trace, say("the next iteration computes with it"), "used"))
    if event.kind == "freed":
        story.append((event.data["first"], say("this backward frees the graph of its iteration"), "freed"))
        outcome = say("the backward of a later iteration goes through it a second time")
        message = say(
            "{start} carries the graph of one iteration into the next, so the next backward goes through it a second time.",
            start=start,
        )
    else:
        story.append((event.data["changed"], say("the parameters it was computed with are changed here"), "changed"))
        outcome = say("the backward of a later iteration needs parameters that have been changed since")
        message = say(
            "{start} carries the graph of one iteration into the next, so the next backward needs parameters that have been changed since.",
            start=start,
        )
    story.append((event.where, outcome, "fails"))
    return tell.finding(event, where.site, message, story, event.fails)


def _unread(node: Any) -> bool:
    """Whether a node, or what it shows a part of, is a network that cannot be read."""
    while isinstance(node, Node) and node.kind == "view" and len(node.edges) == 1:
        node = node.edges[0]
    return isinstance(node, Node) and (node.assumed or node.kind == "opaque")


RULE = Rule("AGH103", "state-carried-across-iterations", ERROR, ("freed", "version"), __doc__, check)
