"""Functions of ``torch.nn.functional`` whose effects depend on values that a table of ops cannot hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Unknown, Value
from . import torch_fresh
from . import torch_ops as ops
from .registry import FUNCTIONS, Call, function

PREFIX = "torch.nn.functional."


def functional(m: Machine, name: str, args: list[Value], kwargs: Mapping[str, Value], node: ast.AST) -> Value:
    """A function of torch.nn.functional, by its model or by the table."""
    model = FUNCTIONS.get(PREFIX + name)
    if model is not None:
        return model.model(m, Call(node, args, dict(kwargs)))
    return ops.functional(m, name, args, kwargs, node)


def also_save(m: Machine, out: Value, tensor: Value, role: str) -> None:
    """Let the node of a fresh result keep one more tensor."""
    if isinstance(out, Tensor) and out.grad_fn is not None:
        autograd.save(m, out.grad_fn, tensor, role)


# -- pooling to one value is a mean -----------------------------------------------------------------------------------
def _adaptive(n: int) -> Any:
    def model(m: Machine, call: Call) -> Value:
        x, size = call.get(0, "input"), call.get(1, "output_size")
        if not isinstance(x, Tensor):
            return ops.functional(m, f"adaptive_avg_pool{n}d", call.args, call.kwargs, call.node)
        wanted = tuple(size) if isinstance(size, list | tuple) else (size,) * n
        shape = (
            (*x.shape[: len(x.shape) - n], *(w if isinstance(w, int) else None for w in wanted))
            if x.shape is not None
            else None
        )
        if all(w == 1 for w in wanted):
            out = autograd.record(m, "mean", [x], call.node, shape=shape)
        else:
            out = autograd.record(m, f"adaptive_avg_pool{n}d", [x], call.node, saves=[(x, "self")], shape=shape)
        return torch_fresh.view_of(m, out, call.node) if n == 1 else out

    return model


for _n in (1, 2, 3):
    function(f"{PREFIX}adaptive_avg_pool{_n}d")(_adaptive(_n))


# -- padding that reads its input again -------------------------------------------------------------------------------
@function(PREFIX + "pad")
def _pad(m: Machine, call: Call) -> Value:
    out = ops.functional(m, "pad", call.args, call.kwargs, call.node)
    if call.get(2, "mode", "constant") in ("reflect", "replicate"):
        also_save(m, out, call.get(0, "input"), "self")
    return out


# -- statistics written in the forward --------------------------------------------------------------------------------
@function(PREFIX + "instance_norm")
def _instance_norm(m: Machine, call: Call) -> Value:
    x, mean, var, weight, bias = (
        call.get(i, n) for i, n in enumerate(("input", "running_mean", "running_var", "weight", "bias"))
    )
    own = call.get(5, "use_input_stats", True) is not False
    if not isinstance(x, Tensor):
        return x if isinstance(x, Unknown) else Unknown("instance_norm")
    if own:
        for buffer in (mean, var):
            if isinstance(buffer, Tensor):
                autograd.mutate(m, buffer, "buffer", "instance_norm", call.node)
    saves = [(x, "self")] if own else [(x, "self"), (mean, "running_mean"), (var, "running_var")]
    inputs = [t for t in (x, weight, bias) if t is not None]
    out = autograd.record(m, "instance_norm", inputs, call.node, saves=saves, hidden=True, shape=x.shape)
    return torch_fresh.view_of(m, out, call.node)


# -- weights renormed in the forward ----------------------------------------------------------------------------------
def _renormed(m: Machine, weight: Value, max_norm: Value, node: ast.AST) -> None:
    """With ``max_norm`` the weight is written first, and torch's counter notices."""
    if max_norm is not None and isinstance(weight, Tensor):
        autograd.mutate(m, weight, "inplace", "embedding_renorm_", node)


@function(PREFIX + "embedding")
def _embedding(m: Machine, call: Call) -> Value:
    weight = call.get(1, "weight")
    _renormed(m, weight, call.get(3, "max_norm"), call.node)
    return ops.functional(m, "embedding", [call.get(0, "input"), weight, call.get(2, "padding_idx")], {}, call.node)


@function(PREFIX + "embedding_bag")
def _embedding_bag(m: Machine, call: Call) -> Value:
    weight, offsets = call.get(1, "weight"), call.get(2, "offsets")
    _renormed(m, weight, call.get(3, "max_norm"), call.node)
    kwargs = {"mode": call.get(6, "mode", "mean"), "per_sample_weights": call.get(8, "per_sample_weights")}
    out = ops.functional(m, "embedding_bag", [call.get(0, "input"), weight, offsets], kwargs, call.node)
    also_save(m, out, offsets, "offsets")
    return out


# -- targets that are probabilities -----------------------------------------------------------------------------------
@function(PREFIX + "cross_entropy")
def _cross_entropy(m: Machine, call: Call) -> Value:
    """With class indices the op of the table; with probabilities a product, whose gradient reaches the target too."""
    scores, target = call.get(0, "input"), call.get(1, "target")
    if not (
        isinstance(scores, Tensor) and isinstance(target, Tensor) and target.dtype == "float" and target.requires_grad
    ):
        return ops.functional(m, "cross_entropy", call.args, call.kwargs, call.node)
    node = call.node
    axis = 1 if scores.shape is None or len(scores.shape) > 1 else 0
    logs = ops.functional(m, "log_softmax", [scores, axis], {}, node)
    product = ops.torch_function(m, "mul", [logs, target], {}, node)
    how = call.kwargs.get("reduction", "mean")
    if not isinstance(product, Tensor):
        return product
    total = ops.torch_function(m, "sum", [product] if how != "none" else [product, axis], {}, node)
    out = ops.torch_function(m, "neg", [total], {}, node)
    return ops.torch_function(m, "div", [out, 1.0], {}, node) if how == "mean" else out
