"""Lightning's modules: a ``torch.nn.Module`` whose loop is elsewhere."""

from __future__ import annotations

import ast
from typing import Any

from .. import attributes, calls
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, LibClass, Unknown, Value
from .nn_core import MODULE
from .registry import Call, lib_class

NAME = MODULE.qualname
LIGHTNING = ("pytorch_lightning.LightningModule", "lightning.LightningModule", "lightning.pytorch.LightningModule")


def _lightning(qualname: str) -> LibClass:
    cls = lib_class(qualname, NAME)

    def quiet(m: Machine, self: Instance, call: Call) -> Value:
        return None

    for name in ("log", "log_dict", "print", "toggle_optimizer", "untoggle_optimizer"):
        cls.methods[name] = quiet

    def hyperparameters(m: Machine, self: Instance, call: Call) -> Value:
        self.attrs.setdefault("hparams", Unknown("hparams"))
        return None

    def manual_backward(m: Machine, self: Instance, call: Call) -> Value:
        loss = call.get(0, "loss")
        if isinstance(loss, Tensor | Unknown):
            back = attributes.get_attribute(m, loss, "backward", call.node)
            calls.call(m, back, call.args[1:], {k: v for k, v in call.kwargs.items() if k != "loss"}, call.node)
        return None

    def unknown(name: str, role: str = "") -> Any:
        def model(m: Machine, self: Instance, node: ast.AST) -> Value:
            return self.attrs.setdefault(name, Unknown(name, role))

        return model

    cls.methods["save_hyperparameters"] = hyperparameters
    cls.methods["manual_backward"] = manual_backward
    for name in (
        "device",
        "trainer",
        "hparams",
        "logger",
        "current_epoch",
        "global_step",
        "global_rank",
        "local_rank",
        "dtype",
        "fabric",
    ):
        cls.props[name] = unknown(name)
    return cls


for _qualname in LIGHTNING:
    _lightning(_qualname)
lib_class(
    "pytorch_lightning.LightningModule",
    aliases=("pytorch_lightning.core.LightningModule", "pytorch_lightning.core.lightning.LightningModule"),
)
