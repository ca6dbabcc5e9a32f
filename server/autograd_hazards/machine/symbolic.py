"""What is assumed of values that come from outside: arguments of functions that nobody calls, unknown modules.

Roles are inferred from use (``.parameters()``, ``.step()`` and ``.zero_grad()``, ``.backward()``). Everything built on
them is an assumption, so at most a warning follows.
"""

from __future__ import annotations

import ast
from typing import Any

from . import autograd
from .core import Call, Machine
from .models.registry import CLASSES, unknown_method
from .records import cuts_of
from .syntax import walk
from .tensor import Node, Tensor
from .unread import is_scheduler
from .values import Instance, LibFunction, Unknown, Value

MODULE_USES = frozenset(
    {
        "parameters",
        "named_parameters",
        "train",
        "eval",
        "state_dict",
        "load_state_dict",
        "requires_grad_",
        "children",
        "modules",
    }
)
ITEMS = "[]="  # items are assigned by a name alone
OPTIMIZER_USES = frozenset({"zero_grad", "param_groups", "add_param_group"})


def uses(function: ast.AST) -> dict[str, set[str]]:
    """Which attributes are used of which names (and of ``self.x`` as ``self.x``); ``()`` when called."""
    found: dict[str, set[str]] | None = getattr(function, "_uses", None)
    if found is None:
        found = {}
        for node in walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                owner = _path(node.value)
                if owner and isinstance(node.slice, ast.Name):
                    found.setdefault(owner, set()).add(ITEMS)
            elif isinstance(node, ast.Attribute):
                owner = _path(node.value)
                if owner:
                    found.setdefault(owner, set()).add(node.attr)
            elif isinstance(node, ast.Call):
                owner = _path(node.func)
                if owner:
                    found.setdefault(owner, set()).add("()")
        function._uses = found  # type: ignore[attr-defined]
    return found


def _path(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return ""


def role_of(name: str, used: set[str], annotation: str = "") -> str:
    if annotation.endswith(("Module", "Model")) or (used & MODULE_USES and "zero_grad" not in used):
        return "module"
    if (
        annotation.endswith("Optimizer")
        or ("step" in used and used & OPTIMIZER_USES)
        or (name.startswith("opt") and "step" in used)
    ):
        return "optimizer"
    if used & MODULE_USES:
        return "module"
    if "backward" in used:
        return "loss"
    if annotation.endswith("Tensor"):
        return "tensor"
    if "()" in used and name.lower() in (
        "model",
        "net",
        "network",
        "netd",
        "netg",
        "generator",
        "discriminator",
        "encoder",
        "decoder",
        "actor",
        "critic",
    ):
        return "module"
    return ""


def argument(m: Machine, name: str, used: set[str], annotation: str, node: ast.AST, tensor: bool) -> Value:
    """The value of a parameter that nobody passes."""
    role = role_of(name, used, annotation)
    if role == "loss":
        return Unknown(name, "loss")
    if tensor and ITEMS in used and not annotation.endswith("Tensor"):
        return Unknown(name)  # a list, whose items are replaced
    if role == "tensor" or (tensor and not role):
        made = Tensor(m.here(node), None, None, None)
        made.label = name
        return made
    return Unknown(name, role)


def parameter_of(m: Machine, module: Unknown) -> Tensor:
    """One tensor that stands for all parameters of an unknown module."""

    def make() -> Tensor:
        made = Tensor(m.here(), True, None, "float")
        made.is_param = True
        made.label = f"{module.why}'s parameters"
        made.attrs = {"opaque": "some"}
        return made

    made: Tensor = module.facet("params", make)
    return made


def call_unknown(
    m: Machine, func: Unknown, args: list[Value], kwargs: dict[str, Value], node: ast.AST
) -> tuple[Value] | None:
    """Calling an unknown module: its output depends on its parameters and its inputs, and its backward needs them."""
    if func.role != "module":
        return None
    return (opaque_call(m, func.why, parameter_of(m, func), [*args, *kwargs.values()], node),)


DRAWN = ("sample", "sample_n")  # methods of a distribution that give values without a graph


def opaque_call(m: Machine, name: str, parameter: Tensor, args: list[Value], node: ast.AST) -> Value:
    inputs = [a for a in args if isinstance(a, Tensor)]
    for value in args:
        if isinstance(value, list | tuple):
            inputs.extend(v for v in value if isinstance(v, Tensor))
        elif isinstance(value, dict):
            inputs.extend(v for v in value.values() if isinstance(v, Tensor))
    out = autograd.record(
        m,
        name or "network",
        [parameter, *inputs],
        node,
        saves=[(parameter, "weight")],
        hidden=True,
        shape=None,
        kind="opaque",
    )
    m.ledger.carry_cuts(inputs, [out])
    made = out.grad_fn
    if made is not None:
        made.assumed = True
        made.open = made.open or any(isinstance(v, Unknown) for v in args)

    def part(m: Machine, key: Any) -> Value:
        if made is None:
            return autograd.result(m, out.requires_grad, None, None, None, node)
        if key in DRAWN:
            return LibFunction(key, lambda m, call: autograd.result(m, False, None, None, None, call.node))
        found = autograd.result(m, None, made, None, "float", node)
        found.facets = {"opaque": part}
        found.cuts = out.cuts
        return found

    out.facets = {"opaque": part}
    return out


def all_parameters(m: Machine, roots: list[Value]) -> list[Tensor]:
    """Every parameter reachable from some values: what a loss from outside may depend on."""
    found: dict[Tensor, None] = {}
    seen: set[int] = set()
    stack = list(roots)
    while stack and len(seen) < 2000:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Tensor):
            if value.is_param and value.requires_grad:
                found[value] = None
        elif isinstance(value, Instance):
            stack.extend(value.attrs.values())
        elif isinstance(value, list | tuple):
            stack.extend(value)
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, Unknown) and value.role == "module":
            found[parameter_of(m, value)] = None
    return list(found)


def loss_tensor(m: Machine, unknown: Unknown, node: ast.AST) -> Tensor:
    """A loss whose graph was built before entry: it may depend on every network in sight."""

    def make() -> Tensor:
        params = all_parameters(m, m.tracks.get("in sight", []))
        made = Tensor(m.here(node), None if params else True, (), "float")
        made.label = unknown.why
        if params:
            graph = Node(unknown.why, m.here(node), m.next_seq(), list(params), True)
            graph.kind = "opaque"
            graph.assumed = True
            for p in params:
                autograd.save(m, graph, p, "weight")
            made.grad_fn = graph
            graph.outputs.append(made)
        else:
            made._requires_grad = None
        return made

    made: Tensor = unknown.facet("loss", make)
    return made


# -- methods that say what an unknown is ------------------------------------------------------------------------------
@unknown_method("parameters")
def _parameters(m: Machine, call: Call) -> Value:
    self = call.args[0]
    if isinstance(self, Unknown):
        self.role = self.role or "module"
        return [parameter_of(m, self)]
    return Unknown("parameters")


@unknown_method("named_parameters")
def _named_parameters(m: Machine, call: Call) -> Value:
    self = call.args[0]
    if isinstance(self, Unknown):
        self.role = self.role or "module"
        return [("weight", parameter_of(m, self))]
    return Unknown("parameters")


@unknown_method("train", "eval", "cuda", "to", "cpu", "half", "float", "double", "requires_grad_", "contiguous")
def _same(m: Machine, call: Call) -> Value:
    return call.args[0]


@unknown_method("zero_grad")
def _zero_grad(m: Machine, call: Call) -> Value:
    self = call.args[0]
    if isinstance(self, Unknown) and self.role == "module":
        m.ledger.zeroed([parameter_of(m, self)], call.node, self)
    else:
        m.ledger.unknown_gradients()
        m.ledger.cleared()
    return None


@unknown_method("backward")
def _backward(m: Machine, call: Call) -> Value:
    self = call.args[0]
    if isinstance(self, Unknown) and self.is_number and cuts_of(self):
        m.emit("number_backward", m.here(call.node), loud=True, cut=cuts_of(self)[-1].trace)
        return None
    if isinstance(self, Unknown) and self.role == "loss":
        from .models import torch_ops

        tensor = loss_tensor(m, self, call.node)
        return torch_ops.tensor_method(m, tensor, "backward", call.args[1:], call.kwargs, call.node)
    for value in call.args[1:]:
        if isinstance(value, Tensor) and value.requires_grad:  # accelerator.backward(loss), fabric.backward(loss)
            from .models import torch_ops

            kwargs = {k: v for k, v in call.kwargs.items() if k == "retain_graph"}
            return torch_ops.tensor_method(m, value, "backward", [], kwargs, call.node)
    m.ledger.unread_backward(call.node)
    m.ledger.unknown_gradients()
    return None


@unknown_method("step")
def _step(m: Machine, call: Call) -> Value:
    if len(call.args) == 1 and not call.kwargs:
        m.ledger.unknown_gradients()  # it may be an optimizer's, with any parameters
        if isinstance(call.args[0], Unknown):
            m.ledger.unread_step(call.args[0], call.node)
    return Unknown("step")


def own_optimizers(m: Machine, names: dict[str, Value], node: ast.AST) -> None:
    """Give optimizers of unknown ownership the modules they travel with: by name, or the only one there is."""
    modules = {n: v for n, v in names.items() if (isinstance(v, Unknown) and v.role == "module") or _is_module(v)}
    for name, value in list(names.items()):
        if isinstance(value, Unknown) and value.role == "optimizer":
            owner = _owner(name, modules)
            if owner is None:
                continue
            from .models import torch_optim

            made = Instance(CLASSES["torch.optim.Optimizer"], m.here(node))
            params = [parameter_of(m, owner)] if isinstance(owner, Unknown) else all_parameters(m, [owner])
            torch_optim.state(made, m).assumed = True
            made.attrs["param_groups"] = [{"params": list(params), "lr": Unknown("lr")}]
            made.attrs["defaults"] = {}
            made.attrs["state"] = {}
            torch_optim.state(made, m).steps.append(m.here(node))  # it may have stepped before
            torch_optim.state(made, m).before = 1
            m.ledger.optimizers.append(made)
            names[name] = made


def own_schedulers(m: Machine, names: dict[str, Value], used: dict[str, set[str]], node: ast.AST) -> None:
    """Give schedulers the only optimizer that they travel with."""
    optimizers = [v for v in names.values() if isinstance(v, Instance) and v.is_a("torch.optim.Optimizer")]
    if len(optimizers) != 1:
        return
    for name, value in list(names.items()):
        if isinstance(value, Unknown) and not value.role and is_scheduler(name, used.get(name, set())):
            made = Instance(CLASSES["torch.optim.lr_scheduler.LRScheduler"], m.here(node))
            made.attrs["optimizer"] = optimizers[0]
            made.data = {"assumed": True}
            names[name] = made


def _is_module(value: Value) -> bool:
    return isinstance(value, Instance) and value.is_a("torch.nn.Module")


def _owner(optimizer: str, modules: dict[str, Value]) -> Value:
    if len(modules) == 1:
        return next(iter(modules.values()))
    stem = _stem(optimizer)
    matches = [
        v
        for n, v in modules.items()
        if stem and (_stem(n) == stem or _stem(n).startswith(stem) or stem.startswith(_stem(n)))
    ]
    return matches[0] if len(matches) == 1 else None


def _stem(name: str) -> str:
    text = name.lower().replace("self.", "")
    for word in ("optimizer", "optimiser", "optim", "opt", "network", "net", "model", "module"):
        text = text.replace(word, "")
    return text.strip("_")
