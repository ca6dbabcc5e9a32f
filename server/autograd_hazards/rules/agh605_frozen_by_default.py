"""An optimizer holds tensors that take no gradients, since nobody said that they should.

## What it does
Reports embeddings made by `from_pretrained` without a word on `freeze` whose weight an optimizer holds, and parameter
groups of plain tensors of which none requires grad.

## Why is this bad?
`Embedding.from_pretrained` freezes the weight unless it is told `freeze=False`, and a tensor takes gradients only with
`requires_grad=True`. The optimizer accepts both and skips them at every step: they never train.

## Example
```python
import torch
from torch import nn

vectors = torch.randn(20, 4)
embedding = nn.Embedding.from_pretrained(vectors)
head = nn.Linear(4, 2)
optimizer = torch.optim.SGD([{"params": embedding.parameters()}, {"params": head.parameters()}], lr=0.1)
before = embedding.weight.clone()
for step in range(3):
    loss = head(embedding(torch.randint(20, (8,)))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, embedding.weight))
# prints: True
```

## Use instead
```python
import torch
from torch import nn

vectors = torch.randn(20, 4)
embedding = nn.Embedding.from_pretrained(vectors, freeze=False)
head = nn.Linear(4, 2)
optimizer = torch.optim.SGD([{"params": embedding.parameters()}, {"params": head.parameters()}], lr=0.1)
before = embedding.weight.clone()
for step in range(3):
    loss = head(embedding(torch.randint(20, (8,)))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, embedding.weight))
```

## When torch notices
Never, as long as anything else that the loss reaches requires grad.

## Limits
Frozen vectors may be meant: where the embedding is only one of the parameters of a model, the finding is information.
`freeze=True` says that it is meant and silences it. It is a warning where the frozen weight has a parameter group of
its own, or is random.
"""

from __future__ import annotations

import ast

from ..findings import Finding
from ..machine.events import Event
from ..machine.tensor import Tensor
from ..messages import say
from .base import INFORMATION, WARNING, Rule, Teller, named

RANDOM = frozenset({"randn", "rand", "empty", "zeros", "ones", "normal", "uniform", "xavier_uniform_", "xavier_normal_",
                    "kaiming_uniform_", "kaiming_normal_", "normal_", "uniform_", "randn_like", "rand_like", "full"})  # fmt: skip


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    data = event.data
    if event.kind == "never_requires_grad":
        message = say(
            "Nothing in this parameter group requires grad ({name} does not), so the optimizer never changes it.",
            name=named(data["tensor"], say("a tensor")),
        )
        story = [
            (data["made"], say("made without requires_grad=True"), "built"),
            (data["step"], say("this step skips it"), "fails"),
        ]
        return tell.finding(event, event.fails, message, story)
    given = data["given"]
    fresh = isinstance(given, Tensor) and _random(given)
    message = say(
        "from_pretrained freezes this embedding unless it gets freeze=False, so the optimizer that holds it never "
        "changes it."
    )
    story = [
        (data["held"], say("the optimizer takes it here"), "built"),
        (data["step"], say("this step skips it"), "fails"),
    ]
    return tell.finding(event, event.fails, message, story, level=WARNING if data["whole"] or fresh else INFORMATION)


def _random(tensor: Tensor) -> bool:
    """Whether the vectors were not learned anywhere."""
    node = tensor.created.node
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in RANDOM


RULE = Rule("AGH605", "frozen-by-default", WARNING, ("frozen_by_default", "never_requires_grad"), __doc__, check)
