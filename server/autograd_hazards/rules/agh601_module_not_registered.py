"""Layers or parameters that their module does not register: no optimizer gets them, so they never train.

## What it does
Reports trainable layers and parameters that a module keeps in a plain list, tuple, dict or set, in a plain tensor with
`requires_grad=True`, or that its `forward` builds anew at each call, when the loss reaches them and no optimizer holds
them.

## Why is this bad?
`parameters()` sees only modules and parameters that are attributes themselves, or in an `nn.ModuleList`,
`nn.ModuleDict`, `nn.ParameterList` or `nn.ParameterDict`. What lies in a plain container is in no optimizer, does not
follow `.to(device)` and is not in the state dict. The rest of the network trains, so the loss even falls.

## Example
```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(4, 4) for _ in range(2)]
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.head(x)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
before = model.hidden[0].weight.detach().clone()
for step in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, model.hidden[0].weight))
# prints: True
```

## Use instead
```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.head(x)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
before = model.hidden[0].weight.detach().clone()
for step in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(before, model.hidden[0].weight))
```

## When torch notices
Only when nothing at all is registered: the optimizer then got an empty parameter list.

## Limits
Parts that are registered under another name as well, that an optimizer gets by hand, or that are frozen are left alone.
Where no optimizer is in sight only layers that the module makes itself are reported.
"""

from __future__ import annotations

import ast

from ..findings import Finding
from ..machine.events import Event
from ..machine.frames import Site
from ..machine.values import Instance, UserClass
from ..messages import say
from .base import ERROR, WARNING, Rule, Teller, named

CONTAINERS = {"list": "ModuleList", "tuple": "ModuleList", "dict": "ModuleDict", "set": "ModuleList"}


def check(event: Event, tell: Teller) -> Finding | None:
    if not event.certain:
        return None
    if event.kind == "no_parameters":
        return _nothing_registered(event, tell)
    owner: Instance = event.data["owner"]
    module = owner.cls.name
    if event.kind == "module_made_in_forward":
        message = say(
            "The forward of {module} makes this layer anew at each call, so its weights are random every time and never "
            "train; make it in __init__.",
            module=module,
        )
        story = [(event.data["backward"], say("gradients are computed for it here, and lost"), "used")]
        return tell.finding(event, event.fails, message, story, level=WARNING)
    name, holder = event.data["attribute"], event.data["holder"]
    where = assignment(owner, name) or event.fails
    story = [
        (event.where, say("a parameter that is in no optimizer is made here"), "built"),
        (event.data["backward"], say("gradients are computed for it here"), "used"),
    ]
    if event.data["step"] is not None:
        story.append((event.data["step"], say("and this step does not know of it"), "fails"))
    if isinstance(holder, list | tuple | dict | set):
        kind = type(holder).__name__
        message = say(
            "`{name}` is a plain {kind}, so {module} does not register what is in it: {tensor} gets gradients but is in "
            "no optimizer; use nn.{better}.",
            name=name,
            kind=kind,
            module=module,
            tensor=named(event.data["tensor"], say("a parameter")),
            better=CONTAINERS[kind],
        )
    else:
        message = say(
            "`{name}` is a plain tensor, so {module} does not register it: it gets gradients but is in no optimizer; make "
            "it an nn.Parameter.",
            name=name,
            module=module,
        )
    return tell.finding(event, where, message, story, level=WARNING)


def _nothing_registered(event: Event, tell: Teller) -> Finding:
    owner: Instance = event.data["owner"]
    hidden: str | None = event.data["attribute"]
    where = (assignment(owner, hidden) if hidden else None) or event.fails
    message = (
        say(
            "{module} registers no parameters, so the optimizer gets an empty list: `{name}` is a plain container; use "
            "nn.ModuleList, nn.ModuleDict or nn.ParameterList.",
            module=owner.cls.name,
            name=hidden,
        )
        if hidden
        else say("{module} registers no parameters, so the optimizer gets an empty list.", module=owner.cls.name)
    )
    story = [(event.where, say("the optimizer asks for parameters here"), "fails")]
    return tell.finding(event, where, message, story, event.fails)


def assignment(owner: Instance, name: str) -> Site | None:
    """The statement in the class of ``owner`` that first gives ``self.<name>`` a value."""
    for cls in owner.cls.mro():
        if not isinstance(cls, UserClass) or cls.node is None or cls.module is None:
            continue
        for node in ast.walk(cls.node):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, ast.Assign | ast.AnnAssign) and any(
                isinstance(part, ast.Attribute) and part.attr == name
                for target in targets
                if target is not None
                for part in ast.walk(target)
            ):
                return Site(cls.module.path, node)
    return None


RULE = Rule(
    "AGH601",
    "module-not-registered",
    ERROR,
    ("module_not_registered", "module_made_in_forward", "no_parameters"),
    __doc__,
    check,
)
