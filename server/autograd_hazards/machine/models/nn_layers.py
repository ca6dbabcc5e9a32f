"""Layers with weights: linear, bilinear, convolutions, embeddings, PReLU."""

from __future__ import annotations

import ast
from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Shape, Tensor
from ..values import ClassMethod, Instance, LibFunction, Unknown, Value
from . import nn_core
from . import torch_ops as ops
from .nn_core import Signature, known, new_parameter, part
from .nn_functional import functional
from .registry import Call, method


def settle(self: Instance, values: dict[str, Value], skip: str = "bias device dtype") -> None:
    """Keep a layer's settings as its attributes."""
    skipped = skip.split()
    nn_core.start(self)
    self.attrs.update({k: v for k, v in values.items() if k not in skipped})


def add_parameters(m: Machine, self: Instance, entries: list[tuple[str, Shape, Value]], node: ast.AST) -> None:
    """Register parameters under their names; those not wanted are None, as in torch."""
    for name, shape, wanted in entries:
        self.attrs[name] = new_parameter(m, name, shape, node) if wanted is not False else None


@method("torch.nn.Module", "reset_parameters", "_reset_parameters", "reset_running_stats")
def _reset(m: Machine, self: Instance, call: Call) -> Value:
    """Initialises again, which torch's counter notices."""
    for _, tensor in nn_core.own_parameters(self):
        autograd.mutate(m, tensor, "init", "reset_parameters", call.node)
    return None


# -- linear -----------------------------------------------------------------------------------------------------------
LINEAR = Signature("in_features, out_features, bias=True, device=None, dtype=None")
nn_core.declare("Linear")
nn_core.declare("NonDynamicallyQuantizableLinear", "torch.nn.Linear")


@method("torch.nn.Linear", "__init__")
def _linear_init(m: Machine, self: Instance, call: Call) -> Value:
    values = LINEAR.bind(call)
    settle(self, values)
    inside, outside = known(values["in_features"]), known(values["out_features"])
    add_parameters(m, self, [("weight", (outside, inside), True), ("bias", (outside,), values["bias"])], call.node)
    return None


@method("torch.nn.Linear", "forward")
def _linear(m: Machine, self: Instance, call: Call) -> Value:
    node = call.node
    return functional(
        m, "linear", [call.get(0, "input"), part(m, self, "weight", node), part(m, self, "bias", node)], {}, node
    )


LAZY_LINEAR = Signature("out_features, bias=True, device=None, dtype=None")
nn_core.declare("LazyLinear", "torch.nn.Linear")


@method("torch.nn.LazyLinear", "__init__")
def _lazy_linear_init(m: Machine, self: Instance, call: Call) -> Value:
    values = LAZY_LINEAR.bind(call)
    settle(self, values)
    self.attrs["in_features"] = Unknown("in_features")
    outside = known(values["out_features"])
    add_parameters(m, self, [("weight", (outside, None), True), ("bias", (outside,), values["bias"])], call.node)
    return None


BILINEAR = Signature("in1_features, in2_features, out_features, bias=True, device=None, dtype=None")
nn_core.declare("Bilinear")


@method("torch.nn.Bilinear", "__init__")
def _bilinear_init(m: Machine, self: Instance, call: Call) -> Value:
    values = BILINEAR.bind(call)
    settle(self, values)
    first, second, outside = (known(values[k]) for k in ("in1_features", "in2_features", "out_features"))
    add_parameters(
        m, self, [("weight", (outside, first, second), True), ("bias", (outside,), values["bias"])], call.node
    )
    return None


@method("torch.nn.Bilinear", "forward")
def _bilinear(m: Machine, self: Instance, call: Call) -> Value:
    node = call.node
    args = [call.get(0, "input1"), call.get(1, "input2"), part(m, self, "weight", node), part(m, self, "bias", node)]
    return functional(m, "bilinear", args, {}, node)


# -- convolutions -----------------------------------------------------------------------------------------------------
_TAIL = "dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None"
_TAIL_TRANSPOSED = "output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None"


def _convolution(n: int, transposed: bool, lazy: bool) -> None:
    head = "out_channels" if lazy else "in_channels, out_channels"
    spec = Signature(f"{head}, kernel_size, stride=1, padding=0, {_TAIL_TRANSPOSED if transposed else _TAIL}")
    plain = f"Conv{'Transpose' if transposed else ''}{n}d"
    name = f"Lazy{plain}" if lazy else plain
    cls = nn_core.declare(name, *([f"torch.nn.{plain}"] if lazy else []))
    function = f"conv_transpose{n}d" if transposed else f"conv{n}d"

    def init(m: Machine, self: Instance, call: Call) -> Value:
        values = spec.bind(call)
        settle(self, values)
        if lazy:
            self.attrs["in_channels"] = Unknown("in_channels")
        kernel = nn_core.sizes(values["kernel_size"], n)
        for key in ("kernel_size", "stride", "padding", "dilation", "output_padding"):
            if isinstance(values.get(key), int):
                self.attrs[key] = (values[key],) * n
        inside, outside, groups = (
            known(values.get("in_channels")),
            known(values["out_channels"]),
            known(values["groups"]),
        )

        def per_group(channels: int | None) -> int | None:
            return channels // groups if channels is not None and groups else None

        shape = (inside, per_group(outside), *kernel) if transposed else (outside, per_group(inside), *kernel)
        add_parameters(m, self, [("weight", shape, True), ("bias", (outside,), values["bias"])], call.node)
        return None

    def forward(m: Machine, self: Instance, call: Call) -> Value:
        node = call.node
        x = call.get(0, "input")
        padding = self.attrs.get("padding", 0)
        if not transposed and self.attrs.get("padding_mode", "zeros") != "zeros":
            amounts = [p for p in reversed(padding if isinstance(padding, tuple) else (padding,)) for _ in range(2)]
            x = functional(m, "pad", [x, tuple(amounts)], {"mode": self.attrs["padding_mode"]}, node)
            padding = (0,) * n
        kwargs: dict[str, Any] = {k: self.attrs.get(k) for k in ("stride", "dilation", "groups")}
        kwargs["padding"] = padding
        if transposed:
            kwargs["output_padding"] = self.attrs.get("output_padding", 0)
        return functional(m, function, [x, part(m, self, "weight", node), part(m, self, "bias", node)], kwargs, node)

    cls.methods["__init__"] = init
    if not lazy:
        cls.methods["forward"] = forward


for _lazy in (False, True):
    for _n in (1, 2, 3):
        for _transposed in (False, True):
            _convolution(_n, _transposed, _lazy)


# -- embeddings -------------------------------------------------------------------------------------------------------
EMBEDDING = Signature(
    "num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,"
    " sparse=False, _weight=None, "
    "_freeze=False, device=None, dtype=None"
)
BAG = Signature(
    "num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', "
    "sparse=False, _weight=None, "
    "include_last_offset=False, padding_idx=None, device=None, dtype=None"
)
nn_core.declare("Embedding")
nn_core.declare("EmbeddingBag")


def _embedding_weight(m: Machine, self: Instance, values: dict[str, Value], node: ast.AST) -> None:
    frozen = values.get("_freeze", False)
    requires_grad = (not frozen) if isinstance(frozen, bool) else None
    given = values.get("_weight")
    if isinstance(given, Tensor):
        self.attrs["weight"] = nn_core.as_parameter(m, given, requires_grad, node)
        self.attrs["weight"].assigned = "weight"
    else:
        shape = (known(values["num_embeddings"]), known(values["embedding_dim"]))
        self.attrs["weight"] = new_parameter(m, "weight", shape, node, requires_grad)


def _embedding_class(name: str, spec: Signature) -> None:
    cls = nn_core.declare(name)

    def init(m: Machine, self: Instance, call: Call) -> Value:
        values = spec.bind(call)
        settle(self, values, "_weight _freeze device dtype")
        _embedding_weight(m, self, values, call.node)
        return None

    def from_pretrained(m: Machine, call: Call) -> Value:
        """Frozen unless asked otherwise."""
        from .. import calls

        given = call.get(1, "embeddings")
        freeze = call.get(2, "freeze", True)
        shape = (
            given.shape
            if isinstance(given, Tensor) and given.shape is not None and len(given.shape) == 2
            else (Unknown("rows"), Unknown("columns"))
        )
        names = (
            ["padding_idx", "max_norm", "norm_type", "scale_grad_by_freq"]
            if name == "Embedding"
            else ["max_norm", "norm_type", "scale_grad_by_freq"]
        )
        settings = {
            k: call.get(i, k, d) for i, (k, d) in enumerate(zip(names, (None, None, 2.0, False), strict=False), 3)
        }
        if name == "EmbeddingBag":
            settings["mode"] = call.get(6, "mode", "mean")
        made = calls.instantiate(m, call.args[0], list(shape), {**settings, "_weight": given}, call.node)
        if isinstance(made, Instance):
            weight = made.attrs.get("weight")
            if isinstance(weight, Tensor):
                weight._requires_grad = (not freeze) if isinstance(freeze, bool) else None
                if not call.has(2, "freeze"):
                    m.ledger.frozen_by_default(weight, given, call.node)
        return made

    cls.methods["__init__"] = init
    cls.attrs["from_pretrained"] = ClassMethod(LibFunction("from_pretrained", from_pretrained))


_embedding_class("Embedding", EMBEDDING)
_embedding_class("EmbeddingBag", BAG)


@method("torch.nn.Embedding", "forward")
def _embedding(m: Machine, self: Instance, call: Call) -> Value:
    args = [
        call.get(0, "input"),
        part(m, self, "weight", call.node),
        self.attrs.get("padding_idx"),
        self.attrs.get("max_norm"),
    ]
    return functional(m, "embedding", args, {}, call.node)


@method("torch.nn.EmbeddingBag", "forward")
def _embedding_bag(m: Machine, self: Instance, call: Call) -> Value:
    kwargs = {
        "mode": self.attrs.get("mode", "mean"),
        "max_norm": self.attrs.get("max_norm"),
        "per_sample_weights": call.get(2, "per_sample_weights"),
    }
    return functional(
        m,
        "embedding_bag",
        [call.get(0, "input"), part(m, self, "weight", call.node), call.get(1, "offsets")],
        kwargs,
        call.node,
    )


# -- PReLU ------------------------------------------------------------------------------------------------------------
PRELU = Signature("num_parameters=1, init=0.25, device=None, dtype=None")
nn_core.declare("PReLU")


@method("torch.nn.PReLU", "__init__")
def _prelu_init(m: Machine, self: Instance, call: Call) -> Value:
    values = PRELU.bind(call)
    settle(self, values)
    add_parameters(m, self, [("weight", (known(values["num_parameters"]),), True)], call.node)
    return None


@method("torch.nn.PReLU", "forward")
def _prelu(m: Machine, self: Instance, call: Call) -> Value:
    return functional(m, "prelu", [call.get(0, "input"), part(m, self, "weight", call.node)], {}, call.node)


# -- adaptive softmax -------------------------------------------------------------------------------------------------
ADAPTIVE = Signature("in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None")
nn_core.declare("AdaptiveLogSoftmaxWithLoss")


@method("torch.nn.AdaptiveLogSoftmaxWithLoss", "__init__")
def _adaptive_init(m: Machine, self: Instance, call: Call) -> Value:
    values = ADAPTIVE.bind(call)
    settle(self, values)
    width = known(values["in_features"])
    add_parameters(m, self, [("head.weight", (None, width), True), ("tail.weight", (None, width), True)], call.node)
    return None


@method("torch.nn.AdaptiveLogSoftmaxWithLoss", "forward")
def _adaptive(m: Machine, self: Instance, call: Call) -> Value:
    x, target = call.get(0, "input"), call.get(1, "target")
    weights = nn_core.parameters(self)
    saves = [(x, "self"), (target, "target"), *((w, "weight") for w in weights)]
    outs = nn_core.record_many(m, "adaptive_log_softmax", [x, *weights], call.node, [None, ()], saves)
    return ops.NamedResult(outs, ("output", "loss"))


@method("torch.nn.AdaptiveLogSoftmaxWithLoss", "log_prob")
def _adaptive_log_prob(m: Machine, self: Instance, call: Call) -> Value:
    weights = nn_core.parameters(self)
    saves = [(call.get(0, "input"), "self"), *((w, "weight") for w in weights)]
    return nn_core.record_many(m, "adaptive_log_softmax", [call.get(0, "input"), *weights], call.node, [None], saves)[0]
