"""Layers that only call their functional with their settings: activations, pooling, padding, …"""

from __future__ import annotations

from typing import Any

from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, Unknown, Value
from . import nn_core
from . import torch_ops as ops
from .nn_core import Signature
from .nn_functional import functional
from .registry import Call

IGNORED = ("device", "dtype", "size_average", "reduce")


def simple(
    name: str,
    function: str,
    signature: str,
    *,
    inputs: str = "input",
    passes: str | None = None,
    fixed: dict[str, Value] | None = None,
) -> None:
    """Declare ``torch.nn.<name>``: its constructor's signature and the functional it calls with ``inputs``.

    ``passes`` names the settings handed on (all by default; ``a:b`` hands ``a`` on as ``b``), ``fixed`` adds constants.
    """
    cls = nn_core.declare(name)
    spec = Signature(signature)
    settings = [n for n, _, _ in spec.entries if n not in IGNORED]
    handed = [tuple((p + ":" + p).split(":")[:2]) for p in (settings if passes is None else passes.split())]
    names = inputs.split()

    def init(m: Machine, self: Instance, call: Call) -> Value:
        nn_core.start(self)
        for key, value in spec.bind(call).items():
            if key not in IGNORED:
                self.attrs[key] = value
        return None

    def forward(m: Machine, self: Instance, call: Call) -> Value:
        kwargs: dict[str, Any] = dict(fixed or {})
        kwargs.update({target: self.attrs.get(key) for key, target in handed})
        args = [call.get(i, key) for i, key in enumerate(names) if call.has(i, key)]
        return functional(m, function, args, kwargs, call.node)

    cls.methods["__init__"] = init
    cls.methods["forward"] = forward


# -- activations ------------------------------------------------------------------------------------------------------
simple("ReLU", "relu", "inplace=False")
simple("ReLU6", "relu6", "inplace=False")
simple("LeakyReLU", "leaky_relu", "negative_slope=0.01, inplace=False")
simple("ELU", "elu", "alpha=1.0, inplace=False")
simple("SELU", "selu", "inplace=False")
simple("CELU", "celu", "alpha=1.0, inplace=False")
simple("SiLU", "silu", "inplace=False")
simple("Mish", "mish", "inplace=False")
simple("Hardswish", "hardswish", "inplace=False")
simple("Hardsigmoid", "hardsigmoid", "inplace=False")
simple("Hardtanh", "hardtanh", "min_val=-1.0, max_val=1.0, inplace=False")
simple("Threshold", "threshold", "threshold, value, inplace=False")
simple("GELU", "gelu", "approximate='none'")
simple("GLU", "glu", "dim=-1")
simple("Hardshrink", "hardshrink", "lambd=0.5")
simple("Softshrink", "softshrink", "lambd=0.5")
simple("Softplus", "softplus", "beta=1.0, threshold=20.0")
simple("Softmax", "softmax", "dim=None")
simple("LogSoftmax", "log_softmax", "dim=None")
simple("Softmin", "softmin", "dim=None")
simple("Softmax2d", "softmax", "", fixed={"dim": -3})
simple("Sigmoid", "sigmoid", "")
simple("Tanh", "tanh", "")
simple("LogSigmoid", "logsigmoid", "")
simple("Softsign", "softsign", "")
simple("Tanhshrink", "tanhshrink", "")

# -- pooling ----------------------------------------------------------------------------------------------------------
for _n in (1, 2, 3):
    simple(
        f"MaxPool{_n}d",
        f"max_pool{_n}d",
        "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False",
    )
    simple(f"AdaptiveAvgPool{_n}d", f"adaptive_avg_pool{_n}d", "output_size")
    simple(f"AdaptiveMaxPool{_n}d", f"adaptive_max_pool{_n}d", "output_size, return_indices=False")
    simple(f"LPPool{_n}d", f"lp_pool{_n}d", "norm_type, kernel_size, stride=None, ceil_mode=False")
    simple(
        f"MaxUnpool{_n}d", f"max_unpool{_n}d", "kernel_size, stride=None, padding=0", inputs="input indices output_size"
    )
simple("AvgPool1d", "avg_pool1d", "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True")
for _n in (2, 3):
    simple(
        f"AvgPool{_n}d",
        f"avg_pool{_n}d",
        "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None",
    )
    simple(
        f"FractionalMaxPool{_n}d",
        f"fractional_max_pool{_n}d",
        "kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None",
    )

# -- padding, shapes --------------------------------------------------------------------------------------------------
for _n in (1, 2, 3):
    simple(f"ReflectionPad{_n}d", "pad", "padding", passes="padding:pad", fixed={"mode": "reflect"})
    simple(f"ReplicationPad{_n}d", "pad", "padding", passes="padding:pad", fixed={"mode": "replicate"})
    simple(f"CircularPad{_n}d", "pad", "padding", passes="padding:pad", fixed={"mode": "circular"})
    simple(f"ZeroPad{_n}d", "pad", "padding", passes="padding:pad", fixed={"mode": "constant", "value": 0.0})
    simple(f"ConstantPad{_n}d", "pad", "padding, value", passes="padding:pad value", fixed={"mode": "constant"})
simple("PixelShuffle", "pixel_shuffle", "upscale_factor")
simple("PixelUnshuffle", "pixel_unshuffle", "downscale_factor")
simple("ChannelShuffle", "channel_shuffle", "groups")
simple("Fold", "fold", "output_size, kernel_size, dilation=1, padding=0, stride=1")
simple("Unfold", "unfold", "kernel_size, dilation=1, padding=0, stride=1")
simple(
    "Upsample",
    "interpolate",
    "size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None",
)
simple("UpsamplingNearest2d", "interpolate", "size=None, scale_factor=None", fixed={"mode": "nearest"})
simple(
    "UpsamplingBilinear2d",
    "interpolate",
    "size=None, scale_factor=None",
    fixed={"mode": "bilinear", "align_corners": True},
)
simple("LocalResponseNorm", "local_response_norm", "size, alpha=0.0001, beta=0.75, k=1.0")
simple("CrossMapLRN2d", "local_response_norm", "size, alpha=0.0001, beta=0.75, k=1")
simple("CosineSimilarity", "cosine_similarity", "dim=1, eps=1e-8", inputs="x1 x2")
simple(
    "PairwiseDistance",
    "pairwise_distance",
    "p=2.0, eps=1e-6, keepdim=False",
    inputs="x1 x2",
    passes="p:p eps:eps keepdim:keepdim",
)


# -- those that depend on the training mode ---------------------------------------------------------------------------
def _by_mode(name: str, function: str, signature: str) -> None:
    simple(name, function, signature)
    passes = [n for n, _, _ in Signature(signature).entries]

    def forward(m: Machine, self: Instance, call: Call) -> Value:
        kwargs = {key: self.attrs.get(key) for key in passes}
        kwargs["training"] = training = self.attrs.get("training", True)
        if training is False and function != "rrelu":
            return call.get(0, "input")
        if function.endswith("alpha_dropout"):
            kwargs["inplace"] = False  # torch ignores the flag: the result is always new
        return functional(m, function, [call.get(0, "input")], kwargs, call.node)

    nn_core.declare(name).methods["forward"] = forward


for _name, _function in (
    ("Dropout", "dropout"),
    ("Dropout1d", "dropout1d"),
    ("Dropout2d", "dropout2d"),
    ("Dropout3d", "dropout3d"),
    ("AlphaDropout", "alpha_dropout"),
    ("FeatureAlphaDropout", "feature_alpha_dropout"),
):
    _by_mode(_name, _function, "p=0.5, inplace=False")
_by_mode("RReLU", "rrelu", "lower=0.125, upper=0.3333333333333333, inplace=False")


# -- those that are no functional -------------------------------------------------------------------------------------
def _identity_init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    return None


def _identity(m: Machine, self: Instance, call: Call) -> Value:
    return call.get(0, "input")


IDENTITY = nn_core.declare("Identity")
IDENTITY.methods.update(__init__=_identity_init, forward=_identity)


def _method_layer(name: str, method: str, signature: str, attrs: str) -> None:
    cls = nn_core.declare(name)
    spec = Signature(signature)

    def init(m: Machine, self: Instance, call: Call) -> Value:
        nn_core.start(self)
        self.attrs.update(spec.bind(call))
        return None

    def forward(m: Machine, self: Instance, call: Call) -> Value:
        x = call.get(0, "input")
        if not isinstance(x, Tensor):
            return x if isinstance(x, Unknown) else Unknown(name)
        return ops.tensor_method(m, x, method, [self.attrs.get(a) for a in attrs.split()], {}, call.node)

    cls.methods.update(__init__=init, forward=forward)


_method_layer("Flatten", "flatten", "start_dim=1, end_dim=-1", "start_dim end_dim")
_method_layer("Unflatten", "unflatten", "dim, unflattened_size", "dim unflattened_size")
