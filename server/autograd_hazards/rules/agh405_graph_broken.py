"""A computation leaves the graph, so what lies before it does not train.

## What it does
Reports a step in a computation that leaves the graph, such as `torch.tensor([a, b])` of tensors, `.item()`, `.data`,
`.detach()`, numpy, or a cast to an integer type, when parameters before it are stepped and never get a gradient, when
the term that comes of it is added to a loss, or when `autograd.grad` is asked for an input that is not in the graph.
A number that came of `.item()` and is asked for its `backward()` is reported as well.

## Why is this bad?
What lies before the cut does not train. If anything else in the loss has a graph, nothing fails: the loss even falls.

## Example
```python
import torch
from torch import nn

experts = nn.ModuleList([nn.Linear(8, 8) for _ in range(2)])
optimizer = torch.optim.SGD(experts.parameters(), lr=0.1)
features, target = torch.randn(32, 8), torch.randn(32, 8)

outputs = [expert(features) for expert in experts]
task_loss = nn.functional.mse_loss(outputs[0] + outputs[1], target)
sizes = torch.tensor([output.square().mean() for output in outputs])
# warns: "requires_grad=True to a scalar"
loss = task_loss + 0.1 * sizes.var()
optimizer.zero_grad()
loss.backward()
optimizer.step()
print("the second term trains:", sizes.requires_grad)
# prints: the second term trains: False
```

## Use instead
```python
import torch
from torch import nn

experts = nn.ModuleList([nn.Linear(8, 8) for _ in range(2)])
optimizer = torch.optim.SGD(experts.parameters(), lr=0.1)
features, target = torch.randn(32, 8), torch.randn(32, 8)

outputs = [expert(features) for expert in experts]
task_loss = nn.functional.mse_loss(outputs[0] + outputs[1], target)
sizes = torch.stack([output.square().mean() for output in outputs])
loss = task_loss + 0.1 * sizes.var()
optimizer.zero_grad()
loss.backward()
optimizer.step()
print("the second term trains:", sizes.requires_grad)
# prints: the second term trains: True
```

## When torch notices
Never at the cut. `autograd.grad` of an input that is not in the graph complains that a differentiated tensor appears
not to have been used (an error). When nothing in the loss has a graph, the backward fails (AGH407). `torch.tensor(t)`
of a single tensor warns; newer versions (2.13 among them) also warn once in a run when a tensor inside a list is
turned into a number; `torch.Tensor([t])` and `torch.FloatTensor([t])` do not. `torch.as_tensor(t)` keeps the graph of
a tensor and loses that of a list.

## Limits
A `detach()` alone is no finding as long as the parameters behind it are trained by other ways; a term of a loss that is
all detached, or computed without gradients, is information, and so are stepped parameters whose network runs only
under `no_grad`. Values that are only logged are not reported. Parameters that are handed to code outside the project
are taken as trained there.
"""

from __future__ import annotations

from ..findings import Finding
from ..machine.events import Event
from ..messages import say
from .base import WARNING, Rule, Teller, named

BREAKING = frozenset(
    {"tensor()", "item", "data", "numpy", "long", "int", "to", "short", "byte", "bool", "argmax", "argmin"}
)
QUIET = frozenset({"detach", "no_grad"})  # often meant: information


def check(event: Event, tell: Teller) -> Finding | None:
    if event.kind == "unused":
        tensor = event.data["tensor"]
        message = say(
            "{tensor} is not in the graph of what is differentiated here.", tensor=named(tensor, say("An input"))
        )
        story = [
            (event.data["made"], say("{tensor} is made here", tensor=named(tensor, say("the input"))), "built"),
            (event.data["built"], say("the result is computed here"), "built"),
            (event.where, say("differentiated here"), "fails"),
        ]
        broken = event.data.get("broken")
        if broken is not None:
            return tell.finding(
                event,
                broken.site,
                message,
                [(broken, say("the new value is not used"), "cut"), *story],
                event.fails,
                "error",
            )
        return tell.finding(event, event.fails, message, story, event.fails, "error")
    if event.kind == "number_backward":
        if not event.certain:
            return None  # on some paths only: conditions that cannot be told may exclude them
        cut = event.data["cut"]
        return tell.finding(
            event,
            cut.site,
            say("The loss becomes a plain number here, which has no graph and no backward()."),
            [
                (cut, say("the graph ends here"), "cut"),
                (event.where, say("a number has no backward(): Python raises AttributeError"), "fails"),
            ],
            event.fails,
            "error",
        )
    kind = event.data["cut_kind"]
    if event.kind == "parameters_cut_off" and not event.certain:
        return None  # other answers to conditions that cannot be told let the gradient through
    if kind in ("grad",) or (event.kind == "dead_term" and kind not in BREAKING and kind not in QUIET):
        return None
    words = {
        "tensor()": say("torch.tensor(...) copies the values without their graph"),
        "item": say(".item() gives a number without a graph"),
        "data": say(".data has no graph"),
        "detach": say(".detach() has no graph"),
        "no_grad": say("gradients are off"),
        "numpy": say("numpy has no graph"),
        "comparison": say("a comparison has no gradient"),
        "Parameter": say("nn.Parameter(...) is a new leaf"),
    }.get(kind) or say("`{kind}` has no gradient", kind=kind)
    if event.kind == "dead_term":
        cut = event.data["cut"]
        message = say(
            "This leaves the graph ({words}), so the term it is added to the loss with trains nothing.", words=words
        )
        return tell.finding(
            event,
            cut.site,
            message,
            [
                (cut, say("the graph ends here"), "cut"),
                (event.where, say("the term is added to the loss here"), "used"),
                (event.data["backward"], say("this backward does not reach it"), "fails"),
            ],
            level="information" if kind in QUIET else None,
        )
    message = say(
        "This leaves the graph ({words}), so {tensor} before it never gets a gradient.",
        words=words,
        tensor=named(event.data["tensor"], say("the parameters")),
    )
    return tell.finding(
        event,
        event.fails,
        message,
        [
            (event.where, say("the graph ends here"), "cut"),
            (event.data["step"], say("this step never changes the parameters before it"), "fails"),
        ],
        level="information" if kind == "no_grad" else None,
    )


RULE = Rule(
    "AGH405", "graph-broken", WARNING, ("dead_term", "parameters_cut_off", "unused", "number_backward"), __doc__, check
)
