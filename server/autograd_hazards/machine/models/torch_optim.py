"""Optimizers and schedulers."""

from __future__ import annotations

import ast
from typing import Any

from ... import torchdb
from .. import attributes, autograd, calls, iteration
from ..core import Call, Machine
from ..tensor import Tensor
from ..values import Generator, Instance, LibClass, Unknown, UserClass, Value
from .registry import PROVIDERS, lib_class, method, prop

OPTIMIZER = lib_class("torch.optim.Optimizer", aliases=("torch.optim.optimizer.Optimizer",))
SCHEDULER = lib_class(
    "torch.optim.lr_scheduler.LRScheduler",
    aliases=("torch.optim.lr_scheduler._LRScheduler", "torch.optim.lr_scheduler.SequentialLR"),
)
NAMES = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "ASGD", "LBFGS", "NAdam", "RAdam", "Rprop", "SparseAdam",
         "Adafactor", "Muon")  # fmt: skip


class State:
    """What an optimizer is known to do."""

    __slots__ = ("assumed", "closure", "before", "fused", "handed", "label", "params", "steps", "trace", "zeroed")

    def __init__(self, trace: Any) -> None:
        self.trace = trace
        self.params: list[Tensor] = []
        self.steps: list[Any] = []
        self.fused = False
        self.closure = False
        self.label = ""
        self.assumed = False
        self.before = 0  # how many of the steps are assumed to lie before the program
        self.handed: list[Any] = []  # where code that cannot be read, and trains, got it
        self.zeroed = False  # its gradients are cleared somewhere: it is meant to step


def state(self: Instance, m: Machine) -> State:
    if not isinstance(self.data, State):
        self.data = State(m.here())
    return self.data


def parameters(m: Machine, self: Instance) -> list[Tensor]:
    """The tensors an optimizer holds: those of its parameter groups, as they are now."""
    groups = self.attrs.get("param_groups")
    if groups is None and isinstance(self.cls, UserClass):  # a wrapper that hands on what the optimizer inside it has
        groups = attributes.get_attribute(m, self, "param_groups", self.cls.node or ast.Pass())
    found: list[Tensor] = []
    if isinstance(groups, list):
        for group in groups:
            params = group.get("params") if isinstance(group, dict) else None
            if isinstance(params, list | tuple):
                found.extend(p for p in params if isinstance(p, Tensor))
    return list(dict.fromkeys(found))


def add_group(m: Machine, self: Instance, group: Value, defaults: dict[str, Value], node: ast.AST) -> None:
    made: dict[str, Value] = dict(defaults)
    if isinstance(group, dict):
        made.update(group)
        params = group.get("params")
    else:
        params = group
    if isinstance(params, Tensor):
        listed: list[Value] = [params]
    elif isinstance(params, Unknown):
        listed = [params]
        facet = params.facets.get("params") if params.facets else None
        if facet is not None:
            listed = [facet]
        state(self, m).assumed = True
    else:
        listed = iteration.listed(m, params, node)
        listed = [p[1] if isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], str) else p for p in listed]
    for p in listed:
        if isinstance(p, Tensor) and not p.is_leaf:
            m.emit("non_leaf_optimized", m.here(node), loud=True, tensor=p, made=p.created)
    made["params"] = listed
    self.attrs.setdefault("param_groups", []).append(made)


@method("torch.optim.Optimizer", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    params = call.get(0, "params")
    defaults = {k: v for k, v in call.kwargs.items() if k != "params"}
    if len(call.args) > 1:
        if isinstance(call.args[1], dict):
            defaults.update(call.args[1])
        else:
            defaults["lr"] = call.args[1]
    own = state(self, m)
    own.trace = m.here(call.node)
    if len(call.args) > 2 and any(isinstance(c, LibClass) and c.name == "LBFGS" for c in self.cls.mro()):
        defaults["max_iter"] = call.args[2]
    own.fused = defaults.get("fused") is True
    own.closure = any(isinstance(c, LibClass) and c.name == "LBFGS" for c in self.cls.mro())
    self.attrs["param_groups"] = []
    self.attrs["state"] = {}
    self.attrs["defaults"] = defaults
    defaults.setdefault("lr", Unknown("lr"))
    if isinstance(params, Unknown):
        add_group(m, self, params, defaults, call.node)
    elif isinstance(params, Tensor):
        m.emit(
            "other",
            m.here(call.node),
            loud=True,
            message="params argument given to the optimizer should be an iterable of Tensors",
            tensor=params,
        )
    else:
        listed = iteration.listed(m, params, call.node)
        if listed and any(isinstance(p, dict) for p in listed):
            for group in listed:
                add_group(m, self, group, defaults, call.node)
        else:
            add_group(m, self, listed, defaults, call.node)
        if not listed and isinstance(params, Generator) and params.source is not None and not params.gave:
            m.ledger.without_parameters(params.source, call.node)
    m.ledger.optimizer_made(self, call.node)
    return None


@method("torch.optim.Optimizer", "add_param_group")
def _add_param_group(m: Machine, self: Instance, call: Call) -> Value:
    add_group(m, self, call.get(0, "param_group"), self.attrs.get("defaults", {}), call.node)
    return None


@method("torch.optim.Optimizer", "zero_grad")
def _zero_grad(m: Machine, self: Instance, call: Call) -> Value:
    m.ledger.zeroed(parameters(m, self), call.node, self, call.get(0, "set_to_none", True) is not False)
    return None


def step(m: Machine, self: Instance, node: ast.AST, update: bool = True) -> None:
    """One step: every parameter that has a gradient is changed (a fused step does not move the version counter).

    Without ``update`` the gradients are used, and nothing is changed by them any more.
    """
    own = state(self, m)
    params = parameters(m, self)
    m.ledger.stepping(self, own, params, node)
    for p in params:
        if update and p.grad is not None:
            autograd.mutate(m, p, "step", "step", node, bump=not own.fused, optimizer=self)
    own.steps.append(m.here(node))
    m.ledger.stepped(self, own, params, node)
    if m.ledger.losses:
        m.ledger.passed_by(self, m.here(node))


@method("torch.optim.Optimizer", "step")
def _step(m: Machine, self: Instance, call: Call) -> Value:
    own = state(self, m)
    closure = call.get(0, "closure")
    result: Value = None
    if closure is not None and not isinstance(closure, Unknown | Tensor):
        limit = self.attrs.get("defaults", {}).get("max_iter", 20)
        times = min(2, limit) if own.closure and isinstance(limit, int) and limit > 0 else 2 if own.closure else 1
        for evaluation in range(times):
            with m.grad_mode("on"):
                result = calls.call(m, closure, [], {}, call.node)
            if own.closure:
                step(m, self, call.node, update=not (evaluation and _ends_with_an_evaluation(self)))
        if own.closure:
            return result
    step(m, self, call.node)
    return result


def _ends_with_an_evaluation(lbfgs: Instance) -> bool:
    """Whether LBFGS may evaluate no more often than it iterates: then it stops after an evaluation, before an update."""
    defaults = lbfgs.attrs.get("defaults", {})
    iterations = defaults.get("max_iter", 20)
    evaluations = defaults.get("max_eval")
    if not isinstance(iterations, int):
        return False
    if evaluations is None:
        evaluations = iterations * 5 // 4
    return isinstance(evaluations, int) and 2 <= evaluations <= iterations


@method("torch.optim.Optimizer", "state_dict")
def _state_dict(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("state_dict")


@method(
    "torch.optim.Optimizer", "load_state_dict", "register_step_pre_hook", "register_step_post_hook", "train", "eval"
)
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return None


for _name in NAMES:
    lib_class(f"torch.optim.{_name}", "torch.optim.Optimizer", aliases=(f"torch.optim.{_name.lower()}.{_name}",))

# optimizers of other packages behave like torch's own
FOREIGN = {"apex.optimizers.FusedAdam", "transformers.AdamW", "transformers.optimization.AdamW", "transformers.Adafactor", "timm.optim.AdamP",
           "torch_optimizer.RAdam", "adabound.AdaBound", "lion_pytorch.Lion", "bitsandbytes.optim.AdamW8bit", "bitsandbytes.optim.Adam8bit",
           "apex.optimizers.FusedSGD", "apex.optimizers.FusedLAMB"}  # fmt: skip
for _name in FOREIGN:
    lib_class(_name, "torch.optim.Optimizer")


# -- schedulers -------------------------------------------------------------------------------------------------------
METRIC = {"ReduceLROnPlateau"}


@method("torch.optim.lr_scheduler.LRScheduler", "__init__")
def _scheduler_init(m: Machine, self: Instance, call: Call) -> Value:
    optimizer = call.get(0, "optimizer")
    self.attrs["optimizer"] = optimizer
    self.attrs["last_epoch"] = Unknown("last_epoch")
    self.attrs["base_lrs"] = Unknown("base_lrs")
    self.data = {
        "warned": False,
        "built_after": len(optimizer.data.steps)
        if isinstance(optimizer, Instance) and isinstance(optimizer.data, State)
        else 0,
    }
    return None


@method("torch.optim.lr_scheduler.LRScheduler", "step")
def _scheduler_step(m: Machine, self: Instance, call: Call) -> Value:
    if call.has(0, "epoch"):
        return None  # it is told where in the schedule it is (or what has been measured)
    metric = any(isinstance(c, LibClass) and c.name in METRIC for c in self.cls.mro())
    if not metric:
        m.ledger.scheduled(self, self.attrs.get("optimizer"), call.node)
    return None


@method("torch.optim.lr_scheduler.LRScheduler", "get_last_lr", "get_lr", "state_dict")
def _scheduler_unknown(m: Machine, self: Instance, call: Call) -> Value:
    return [Unknown("lr")]


@method("torch.optim.lr_scheduler.LRScheduler", "load_state_dict", "print_lr")
def _scheduler_none(m: Machine, self: Instance, call: Call) -> Value:
    return None


SCHEDULERS = ("StepLR", "MultiStepLR", "ExponentialLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR", "LambdaLR",
              "MultiplicativeLR", "ConstantLR", "LinearLR", "PolynomialLR", "ReduceLROnPlateau")  # fmt: skip
for _name in SCHEDULERS:
    lib_class(f"torch.optim.lr_scheduler.{_name}", "torch.optim.lr_scheduler.LRScheduler")


@prop("torch.optim.Optimizer", "_step_count")
def _step_count(m: Machine, self: Instance, node: ast.AST) -> Value:
    return Unknown("count")


def _provide(name: str) -> Value:
    """Optimizers of the installed torch that this file does not list."""
    if (
        name.startswith("torch.optim.")
        and name.count(".") == 2
        and name[12:13].isupper()
        and torchdb.optimizer_facts(name[12:]) is not None
    ):
        return lib_class(name, "torch.optim.Optimizer")
    return None


PROVIDERS.append(_provide)
__all__ = ["attributes", "parameters", "state", "step"]
