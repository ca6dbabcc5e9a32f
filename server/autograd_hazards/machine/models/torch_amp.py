"""Mixed precision: GradScaler and autocast."""

from __future__ import annotations

import ast

from .. import autograd
from ..core import Call, Machine
from ..frames import Trace
from ..tensor import Tensor
from ..values import Instance, NoGradWrapped, Unknown, Value
from . import torch_optim
from .registry import lib_class, method, relies_on

lib_class(
    "torch.amp.GradScaler",
    aliases=("torch.cuda.amp.GradScaler", "torch.cuda.amp.grad_scaler.GradScaler", "torch.amp.grad_scaler.GradScaler"),
)
lib_class(
    "torch.amp.autocast",
    aliases=("torch.cuda.amp.autocast", "torch.autocast", "torch.cpu.amp.autocast", "torch.amp.autocast_mode.autocast"),
)


class Scaler:
    """What one GradScaler has done since its last update."""

    def __init__(self) -> None:
        self.unscaled: dict[Instance, Trace] = {}
        self.stepped: dict[Instance, Trace] = {}
        self.updates = 0
        self.enabled: bool | None = True

    def is_unscaled(self, params: list[Tensor]) -> bool:
        if not self.enabled:
            return True
        wanted = set(params)
        return any(wanted & set(_params(o)) for o in self.unscaled)

    def note_step(self, m: Machine, optimizer: Instance, where: Trace) -> None:
        """A plain ``optimizer.step()`` with scaled gradients."""
        if self.enabled and optimizer not in self.unscaled and not m.tracks.get("scaler step"):
            m.emit("step_scaled", where, optimizer=optimizer)


def _params(optimizer: Instance) -> list[Tensor]:
    groups = optimizer.attrs.get("param_groups")
    return [
        p
        for g in (groups if isinstance(groups, list) else [])
        if isinstance(g, dict)
        for p in g.get("params", [])
        if isinstance(p, Tensor)
    ]


def _scaler(self: Instance) -> Scaler:
    if not isinstance(self.data, Scaler):
        self.data = Scaler()
    return self.data


@method("torch.amp.GradScaler", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    enabled = call.kwargs.get("enabled", True)
    own = _scaler(self)
    own.enabled = enabled if isinstance(enabled, bool) else None
    return None


@method("torch.amp.GradScaler", "scale")
def _scale(m: Machine, self: Instance, call: Call) -> Value:
    loss = call.get(0, "outputs")
    own = _scaler(self)
    if isinstance(loss, list | tuple):
        return type(loss)(_scaled(m, own, item, call.node) for item in loss) if type(loss) in (list, tuple) else loss
    return _scaled(m, own, loss, call.node)


def _scaled(m: Machine, own: Scaler, loss: Value, node: ast.AST) -> Value:
    if not isinstance(loss, Tensor) or own.enabled is False:
        return loss
    out = autograd.record(m, "mul", [loss], node, hidden=True, shape=loss.shape, dtype=loss.dtype)
    m.ledger.carry_cuts([loss], [out])
    out.facets = {"scaler": own}
    return out


@method("torch.amp.GradScaler", "unscale_")
def _unscale(m: Machine, self: Instance, call: Call) -> Value:
    own = _scaler(self)
    optimizer = call.get(0, "optimizer")
    if not isinstance(optimizer, Instance) or own.enabled is False:
        return None
    here = m.here(call.node)
    if optimizer in own.unscaled:
        if own.enabled:
            m.emit(
                "unscaled_twice",
                here,
                loud=True,
                first=own.unscaled[optimizer],
                optimizer=optimizer,
                stepped=own.stepped.get(optimizer),
            )
    elif optimizer in own.stepped and own.enabled:
        m.emit(
            "unscaled_twice",
            here,
            loud=True,
            first=own.stepped[optimizer],
            optimizer=optimizer,
            stepped=own.stepped[optimizer],
        )
    own.unscaled[optimizer] = here
    return None


@method("torch.amp.GradScaler", "step")
def _step(m: Machine, self: Instance, call: Call) -> Value:
    own = _scaler(self)
    optimizer = call.get(0, "optimizer")
    if not isinstance(optimizer, Instance):
        return None
    here = m.here(call.node)
    if own.enabled and optimizer in own.stepped:
        m.emit("scaler_stepped_twice", here, loud=True, first=own.stepped[optimizer], optimizer=optimizer)
    if own.enabled:
        own.stepped[optimizer] = here
        own.unscaled.setdefault(optimizer, here)
    m.tracks["scaler step"] = True
    try:
        from .. import attributes, calls

        target = attributes.find(m, optimizer, "step")
        if target is not None:
            calls.call(m, target, call.args[1:], call.kwargs, call.node)
        else:
            torch_optim.step(m, optimizer, call.node)
    finally:
        m.tracks["scaler step"] = False
    return None


@method("torch.amp.GradScaler", "update")
def _update(m: Machine, self: Instance, call: Call) -> Value:
    own = _scaler(self)
    own.unscaled.clear()
    own.stepped.clear()
    own.updates += 1
    return None


@method("torch.amp.GradScaler", "is_enabled")
def _is_enabled(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("enabled") if _scaler(self).enabled is None else _scaler(self).enabled


@method("torch.amp.GradScaler", "get_scale", "state_dict", "get_growth_factor")
def _get_scale(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("scale")


@method("torch.amp.GradScaler", "load_state_dict")
def _load(m: Machine, self: Instance, call: Call) -> Value:
    return None


relies_on("torch.amp.autocast", dict)


@method("torch.amp.autocast", "__init__")
def _autocast_init(m: Machine, self: Instance, call: Call) -> Value:
    enabled = call.kwargs.get("enabled", True)
    self.data = {"enabled": enabled if isinstance(enabled, bool) else None}
    return None


@method("torch.amp.autocast", "__enter__")
def _autocast_enter(m: Machine, self: Instance, call: Call) -> Value:
    if self.data["enabled"] is not False:
        m.autocast += 1
    return self


@method("torch.amp.autocast", "__exit__")
def _autocast_exit(m: Machine, self: Instance, call: Call) -> Value:
    if self.data["enabled"] is not False:
        m.autocast -= 1
    return None


@method("torch.amp.autocast", "__call__")
def _autocast_decorate(m: Machine, self: Instance, call: Call) -> Value:
    return call.get(0, "func")


__all__ = ["NoGradWrapped", "Scaler"]
