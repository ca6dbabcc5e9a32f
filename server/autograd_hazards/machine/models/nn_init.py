"""``torch.nn.init``: writes a tensor under no_grad and hands it back. Torch's version counter notices."""

from __future__ import annotations

from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Unknown, Value
from .registry import Call, function

NAMES = (
    "uniform",
    "normal",
    "trunc_normal",
    "constant",
    "ones",
    "zeros",
    "eye",
    "dirac",
    "xavier_uniform",
    "xavier_normal",
    "kaiming_uniform",
    "kaiming_normal",
    "orthogonal",
    "sparse",
    "_no_grad_uniform",
    "_no_grad_normal",
    "_no_grad_trunc_normal",
    "_no_grad_fill",
    "_no_grad_zero",
)
OLD = (
    "uniform",
    "normal",
    "constant",
    "xavier_uniform",
    "xavier_normal",
    "kaiming_uniform",
    "kaiming_normal",
    "orthogonal",
    "sparse",
    "eye",
    "dirac",
)


def _initialiser(name: str) -> Any:
    def model(m: Machine, call: Call) -> Value:
        tensor = call.get(0, "tensor")
        if isinstance(tensor, Tensor) and autograd.overlap_check(m, tensor, [], call.node, name):
            of = tensor.base if tensor.base is not None else tensor
            autograd.mutate(m, tensor, "init" if of.grad_fn is None else "inplace", name, call.node)
        return tensor

    return model


for _name in NAMES:
    function(f"torch.nn.init.{_name}_")(_initialiser(f"{_name}_"))
for _name in OLD:
    function(f"torch.nn.init.{_name}")(_initialiser(f"{_name}_"))


@function("torch.nn.init.calculate_gain")
def _gain(m: Machine, call: Call) -> Value:
    return Unknown("gain")
