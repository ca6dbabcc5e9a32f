"""A backward walks through a graph that an earlier backward has freed.

## What it does
Reports a `backward()` or `autograd.grad()` that reaches an op whose saved tensors an earlier backward has freed. The
finding stands at the second backward (or at the call that leads to it) and names the op and the backward that freed
it.

## Why is this bad?
A backward frees what the forward kept for it, since that is most of the memory of a training step. Two losses that
share a part of the network share that part's graph, so the second backward finds it gone. `retain_graph=True`
silences the error, but walks the shared part twice; one backward of the sum gives the same gradients in less time and
memory.

## Example
```python
import torch
from torch import nn

encoder, classifier, decoder = nn.Linear(8, 4), nn.Linear(4, 2), nn.Linear(4, 8)
images, labels = torch.randn(16, 8), torch.randint(0, 2, (16,))

code = torch.tanh(encoder(images))
class_loss = nn.functional.cross_entropy(classifier(code), labels)
rebuild_loss = nn.functional.mse_loss(decoder(code), images)
class_loss.backward()
rebuild_loss.backward()
# raises: "Trying to backward through the graph a second time"
```

## Use instead
```python
import torch
from torch import nn

encoder, classifier, decoder = nn.Linear(8, 4), nn.Linear(4, 2), nn.Linear(4, 8)
images, labels = torch.randn(16, 8), torch.randint(0, 2, (16,))

code = torch.tanh(encoder(images))
class_loss = nn.functional.cross_entropy(classifier(code), labels)
rebuild_loss = nn.functional.mse_loss(decoder(code), images)
(class_loss + rebuild_loss).backward()
```
Where the second loss is not meant to train the shared part, give it `code.detach()`. Where both gradients are needed
one by one, pass `retain_graph=True` to the first backward.

## When torch notices
At the second backward: it complains about a graph that is walked a second time, or whose saved tensors are read after
they were freed. It does so only where an op on the shared way has saved something: `exp`, `matmul`, every layer, and
also `2 * x`, since the number is saved. Additions, sums, means, `cat`, `clone`, views and slices by number save
nothing, and a way made only of them may be walked as often as wanted: no error, and no finding. `x.mean()` is among
them since torch 2.3.

## Limits
A network whose source is not in the project is taken to save something for its backward, and a finding that rests on
it is a warning. An error inside a loop that runs an unknown number of times is reported from its second iteration.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import ERROR, Rule, Teller, lifted, source_text
from .causes import code_of


def check(event: Event, tell: Teller) -> Finding | None:
    if code_of(event) != "AGH101":
        return None
    node, first = event.data["node"], event.data["first"]
    story = [
        (event.data["built"], say("`{op}` keeps tensors for its backward", op=node.op), "built"),
        (first, say("this backward frees the graph"), "freed"),
        (event.where, say("this backward needs it again"), "fails"),
    ]
    message = say(
        "This backward goes through the graph of `{op}` a second time, after {code} freed it.",
        op=node.op,
        code=source_text(first.site),
    )
    return tell.finding(event, lifted(event.where, first), message, story, event.fails)


RULE = Rule("AGH101", "backward-through-freed-graph", ERROR, ("freed",), __doc__, check)
