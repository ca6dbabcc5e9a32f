"""Small programs around one layer: something changes between forward and backward, or backward runs twice."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\ntorch.manual_seed(0)\n"


@dataclass(frozen=True)
class Layer:
    """A layer, its inputs by name, how it is called, and the names of results that a program may change."""

    name: str
    make: str
    inputs: tuple[tuple[str, str], ...]
    call: str
    outputs: tuple[str, ...] = ("out",)
    parameters: tuple[str, ...] = ()
    loss: str = "out.sum()"
    integer: bool = False


def layer(
    make: str,
    x: str,
    *parameters: str,
    call: str = "layer(x)",
    others: tuple[tuple[str, str], ...] = (),
    outputs: tuple[str, ...] = ("out",),
    loss: str = "out.sum()",
    integer: bool = False,
) -> Layer:
    return Layer(make, make, (("x", x), *others), call, outputs, parameters, loss, integer)


def programs(entry: Layer) -> Iterator[tuple[str, str]]:
    """(title, text) of every program about a layer."""
    for attached in (False,) if entry.integer else (False, True):
        for change in _changes(entry):
            yield f"{entry.name} {'attached' if attached else 'plain'} {change}", _program(entry, attached, change)


def _changes(entry: Layer) -> list[str]:
    names = [*(name for name, _ in entry.inputs), *entry.outputs, *(f"layer.{p}" for p in entry.parameters)]
    return ["twice", "nothing", *names]


def _program(entry: Layer, attached: bool, change: str) -> str:
    lines = [HEAD + f"layer = {entry.make}"]
    for name, text in entry.inputs:
        grad = attached and name == "x"
        lines.append(f"{name} = {text}{'.requires_grad_()' if grad else ''}")
        if grad:
            lines.append(f"{name} = {name} * 1.0")
    target = ", ".join(entry.outputs)
    if entry.outputs[1:] == ("state", "memory"):
        target = "out, (state, memory)"
    lines.append(f"{target} = {entry.call}")
    lines.append(f"loss = {entry.loss}")
    if change in entry.outputs:
        lines.append(f"{change}.add_(1)")
    elif change not in ("twice", "nothing"):
        lines.append(f"with torch.no_grad():\n    {change}.add_({0 if entry.integer and change == 'x' else 1})")
    lines.append("loss.backward()")
    if change == "twice":
        lines.append("loss.backward()")
    return textwrap.dedent("\n".join(lines) + "\n")


A, B = "weight", "bias"
PLAIN = "(torch.rand(2, 4, 6) + 0.5)"
IMAGE = "torch.randn(2, 4, 6, 6)"
VOLUME = "torch.randn(1, 2, 4, 4, 4)"
TARGET = (("y", "torch.rand(2, 4, 6)"),)

ACTIVATIONS = [
    "ReLU()",
    "ReLU(inplace=True)",
    "ReLU6()",
    "ReLU6(True)",
    "LeakyReLU(0.2)",
    "LeakyReLU(0.2, True)",
    "ELU()",
    "ELU(inplace=True)",
    "SELU()",
    "SELU(True)",
    "CELU()",
    "CELU(inplace=True)",
    "SiLU()",
    "SiLU(True)",
    "Mish()",
    "Mish(True)",
    "Hardswish()",
    "Hardswish(True)",
    "Hardsigmoid()",
    "Hardsigmoid(True)",
    "Hardtanh()",
    "Hardtanh(inplace=True)",
    "Threshold(0.1, 20)",
    "Threshold(0.1, 20, True)",
    "GELU()",
    "GLU()",
    "Hardshrink()",
    "Softshrink()",
    "Softplus()",
    "Softmax(-1)",
    "LogSoftmax(-1)",
    "Softmin(-1)",
    "Sigmoid()",
    "Tanh()",
    "LogSigmoid()",
    "Softsign()",
    "Tanhshrink()",
    "RReLU()",
    "RReLU(inplace=True)",
    "Dropout()",
    "Dropout(0.5, True)",
    "Dropout().eval()",
    "AlphaDropout()",
    "AlphaDropout(inplace=True)",
    "FeatureAlphaDropout()",
    "Identity()",
    "Flatten()",
    "Unflatten(1, (2, 2))",
    "Dropout1d()",
    "RReLU().eval()",
]
SHAPED = [
    ("MaxPool1d(2)", PLAIN),
    ("MaxPool2d(2)", IMAGE),
    ("MaxPool3d(2)", VOLUME),
    ("AvgPool1d(2)", PLAIN),
    ("AvgPool2d(2)", IMAGE),
    ("AvgPool3d(2)", VOLUME),
    ("AdaptiveAvgPool1d(1)", PLAIN),
    ("AdaptiveAvgPool1d(2)", PLAIN),
    ("AdaptiveAvgPool2d(1)", IMAGE),
    ("AdaptiveAvgPool2d(2)", IMAGE),
    ("AdaptiveMaxPool1d(2)", PLAIN),
    ("AdaptiveMaxPool2d(2)", IMAGE),
    ("LPPool1d(2, 2)", PLAIN),
    ("LPPool2d(2, 2)", IMAGE),
    ("FractionalMaxPool2d(2, output_size=3)", IMAGE),
    ("ReflectionPad1d(1)", PLAIN),
    ("ReflectionPad2d(1)", IMAGE),
    ("ReplicationPad2d(1)", IMAGE),
    ("ZeroPad2d(1)", IMAGE),
    ("ConstantPad1d(1, 0.5)", PLAIN),
    ("CircularPad2d(1)", IMAGE),
    ("PixelShuffle(2)", IMAGE),
    ("PixelUnshuffle(2)", IMAGE),
    ("ChannelShuffle(2)", IMAGE),
    ("Unfold(2)", IMAGE),
    ("Fold((4, 5), 2)", "torch.randn(1, 12, 12)"),
    ("Upsample(scale_factor=2)", IMAGE),
    ("Upsample(scale_factor=2, mode='bilinear')", IMAGE),
    ("UpsamplingBilinear2d(scale_factor=2)", IMAGE),
    ("LocalResponseNorm(2)", IMAGE),
    ("Softmax2d()", IMAGE),
    ("Dropout2d()", IMAGE),
    ("Dropout3d()", VOLUME),
]
LOSSES = [
    ("L1Loss()", PLAIN, "torch.rand(2, 4, 6)"),
    ("MSELoss()", PLAIN, "torch.rand(2, 4, 6)"),
    ("MSELoss(reduction='sum')", PLAIN, "torch.rand(2, 4, 6)"),
    ("MSELoss(reduction='none')", PLAIN, "torch.rand(2, 4, 6)"),
    ("SmoothL1Loss()", PLAIN, "torch.rand(2, 4, 6)"),
    ("HuberLoss()", PLAIN, "torch.rand(2, 4, 6)"),
    ("BCELoss()", "torch.rand(2, 4)", "torch.rand(2, 4)"),
    ("BCEWithLogitsLoss()", PLAIN, "torch.rand(2, 4, 6)"),
    ("CrossEntropyLoss()", "torch.randn(3, 5)", "torch.tensor([1, 0, 2])"),
    ("CrossEntropyLoss(reduction='none')", "torch.randn(3, 5)", "torch.tensor([1, 0, 2])"),
    ("CrossEntropyLoss(label_smoothing=0.1)", "torch.randn(3, 5)", "torch.tensor([1, 0, 2])"),
    ("NLLLoss()", "torch.randn(3, 5)", "torch.tensor([1, 0, 2])"),
    ("KLDivLoss(reduction='batchmean')", PLAIN, "torch.rand(2, 4, 6)"),
    ("SoftMarginLoss()", PLAIN, "torch.ones(2, 4, 6)"),
    ("MultiLabelSoftMarginLoss()", "torch.randn(2, 4)", "torch.ones(2, 4)"),
    ("MultiMarginLoss()", "torch.randn(3, 5)", "torch.tensor([1, 0, 2])"),
    ("HingeEmbeddingLoss()", "torch.randn(3, 5)", "torch.ones(3, 5)"),
    ("PoissonNLLLoss()", PLAIN, "torch.rand(2, 4, 6)"),
    ("MultiLabelMarginLoss()", "torch.randn(2, 4)", "torch.tensor([[1, 0, -1, 2], [0, -1, 1, 1]])"),
]

LAYERS: list[Layer] = [
    *(layer(f"nn.{a}", PLAIN) for a in ACTIVATIONS),
    *(layer(f"nn.{a}", x) for a, x in SHAPED),
    *(layer(f"nn.{a}", x, call="layer(x, y)", others=(("y", y),)) for a, x, y in LOSSES),
    layer("nn.GaussianNLLLoss()", PLAIN, call="layer(x, y, v)", others=(*TARGET, ("v", "torch.rand(2, 4, 6) + 0.5"))),
    layer(
        "nn.CosineEmbeddingLoss()",
        "torch.randn(3, 5)",
        call="layer(x, y, t)",
        others=(("y", "torch.randn(3, 5)"), ("t", "torch.ones(3)")),
    ),
    layer(
        "nn.MarginRankingLoss()",
        "torch.randn(3)",
        call="layer(x, y, t)",
        others=(("y", "torch.randn(3)"), ("t", "torch.ones(3)")),
    ),
    layer(
        "nn.TripletMarginLoss()",
        "torch.randn(3, 5)",
        call="layer(x, p, n)",
        others=(("p", "torch.randn(3, 5)"), ("n", "torch.randn(3, 5)")),
    ),
    layer(
        "nn.LinearCrossEntropyLoss(5, 4)",
        "torch.randn(3, 5)",
        "linear.weight",
        call="layer(x, y)",
        others=(("y", "torch.tensor([1, 0, 2])"),),
    ),
    layer("nn.CosineSimilarity()", "torch.randn(3, 5)", call="layer(x, y)", others=(("y", "torch.randn(3, 5)"),)),
    layer("nn.PairwiseDistance()", "torch.randn(3, 5)", call="layer(x, y)", others=(("y", "torch.randn(3, 5)"),)),
    layer(
        "nn.CTCLoss()",
        "torch.randn(5, 2, 4).log_softmax(2)",
        call="layer(x, t, a, b)",
        others=(("t", "torch.tensor([[1, 2], [2, 3]])"), ("a", "torch.tensor([5, 5])"), ("b", "torch.tensor([2, 2])")),
    ),
    layer("nn.Linear(6, 3)", "torch.randn(2, 6)", A, B),
    layer("nn.Linear(6, 3)", PLAIN, A, B),
    layer("nn.Linear(6, 3, bias=False)", "torch.randn(2, 6)", A),
    layer("nn.Linear(6, 3).requires_grad_(False)", "torch.randn(2, 6)", A, B),
    layer("nn.LazyLinear(3)", "torch.randn(2, 6)", B),
    layer("nn.Bilinear(3, 4, 2)", "torch.randn(2, 3)", A, B, call="layer(x, y)", others=(("y", "torch.randn(2, 4)"),)),
    layer("nn.Conv1d(4, 3, 3)", PLAIN, A, B),
    layer("nn.Conv2d(4, 3, 3, padding=1)", IMAGE, A, B),
    layer("nn.Conv2d(4, 3, 3, padding=1, padding_mode='reflect')", IMAGE, A, B),
    layer("nn.Conv2d(4, 3, 3).requires_grad_(False)", IMAGE, A, B),
    layer("nn.Conv3d(2, 3, 3)", VOLUME, A, B),
    layer("nn.ConvTranspose1d(4, 3, 3)", PLAIN, A, B),
    layer("nn.ConvTranspose2d(4, 3, 3)", IMAGE, A, B),
    layer("nn.ConvTranspose3d(2, 3, 3)", VOLUME, A, B),
    layer("nn.PReLU()", PLAIN, A),
    layer("nn.BatchNorm1d(4)", PLAIN, A, B, "running_mean", "running_var"),
    layer("nn.BatchNorm1d(4).eval()", PLAIN, A, B, "running_mean", "running_var"),
    layer("nn.BatchNorm2d(4)", IMAGE, A, B, "running_mean", "running_var", "num_batches_tracked"),
    layer("nn.BatchNorm2d(4, affine=False)", IMAGE, "running_mean"),
    layer("nn.BatchNorm2d(4, track_running_stats=False)", IMAGE, A, B),
    layer("nn.BatchNorm3d(2)", VOLUME, A, B, "running_mean"),
    layer("nn.InstanceNorm1d(4)", PLAIN),
    layer("nn.InstanceNorm2d(4, affine=True)", IMAGE, A, B),
    layer("nn.InstanceNorm2d(4, affine=True, track_running_stats=True)", IMAGE, A, B, "running_mean"),
    layer("nn.LayerNorm(6)", PLAIN, A, B),
    layer("nn.LayerNorm(6, elementwise_affine=False)", PLAIN),
    layer("nn.RMSNorm(6)", PLAIN, A),
    layer("nn.GroupNorm(2, 4)", IMAGE, A, B),
    layer("nn.Embedding(5, 3)", "torch.tensor([1, 2])", A, integer=True),
    layer("nn.Embedding(5, 3, padding_idx=0)", "torch.tensor([1, 2])", A, integer=True),
    layer("nn.EmbeddingBag(5, 3)", "torch.tensor([[1, 2]])", A, integer=True),
    layer(
        "nn.EmbeddingBag(5, 3, mode='sum')",
        "torch.tensor([1, 2, 3])",
        A,
        integer=True,
        call="layer(x, o)",
        others=(("o", "torch.tensor([0, 2])"),),
    ),
    layer(
        "nn.MultiheadAttention(6, 2)",
        PLAIN,
        "in_proj_weight",
        "in_proj_bias",
        "out_proj.weight",
        "out_proj.bias",
        call="layer(x, x, x)",
        outputs=("out", "att"),
    ),
    layer(
        "nn.MultiheadAttention(6, 2)",
        PLAIN,
        "in_proj_weight",
        "out_proj.weight",
        call="layer(x, x, x, need_weights=False)[0]",
    ),
    layer(
        "nn.MultiheadAttention(6, 2, batch_first=True)",
        PLAIN,
        "in_proj_weight",
        "out_proj.weight",
        call="layer(x, x, x)",
        outputs=("out", "att"),
    ),
    layer(
        "nn.MultiheadAttention(6, 2)",
        PLAIN,
        "in_proj_weight",
        call="layer(x, k, k)",
        outputs=("out", "att"),
        others=(("k", "torch.randn(3, 4, 6)"),),
    ),
    layer(
        "nn.TransformerEncoderLayer(6, 2, 8)",
        PLAIN,
        "self_attn.in_proj_weight",
        "linear1.weight",
        "linear2.bias",
        "norm1.weight",
        "norm2.bias",
    ),
    layer(
        "nn.TransformerEncoderLayer(6, 2, 8, norm_first=True, activation='gelu', batch_first=True)",
        PLAIN,
        "linear1.weight",
        "norm1.weight",
    ),
    layer(
        "nn.TransformerDecoderLayer(6, 2, 8)",
        PLAIN,
        "multihead_attn.in_proj_weight",
        "linear1.weight",
        call="layer(x, k)",
        others=(("k", "torch.randn(3, 4, 6)"),),
    ),
    layer(
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(6, 2, 8), 2)",
        PLAIN,
        "layers[0].linear1.weight",
        "layers[1].norm2.bias",
    ),
    layer(
        "nn.Transformer(6, 2, 1, 1, 8)",
        PLAIN,
        "encoder.layers[0].linear1.weight",
        "decoder.norm.weight",
        call="layer(x, k)",
        others=(("k", "torch.randn(3, 4, 6)"),),
    ),
    layer(
        "nn.Sequential(nn.Linear(6, 3), nn.ReLU(), nn.Linear(3, 2))",
        PLAIN,
        "[0].weight".replace("[0]", "get_submodule('0')"),
        "get_submodule('2').weight",
    ),
]

_RNN = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
_CELL = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
SEQUENCE = "torch.randn(4, 2, 3)"
for _name in ("LSTM", "GRU", "RNN"):
    _two = _name == "LSTM"
    _outs = ("out", "state", "memory") if _two else ("out", "state")
    for _make, _names in (
        (f"nn.{_name}(3, 5)", _RNN),
        (f"nn.{_name}(3, 5, 2)", ("weight_ih_l1", "weight_hh_l1", "bias_hh_l1")),
        (f"nn.{_name}(3, 5, batch_first=True)", _RNN[:2]),
        (f"nn.{_name}(3, 5, bidirectional=True)", ("weight_hh_l0_reverse", "bias_ih_l0_reverse")),
    ):
        LAYERS.append(layer(_make, SEQUENCE, *_names, call="layer(x)", outputs=_outs))
    _given = (("h", "torch.randn(1, 2, 5)"), *((("c", "torch.randn(1, 2, 5)"),) if _two else ()))
    _state = "(h, c)" if _two else "h"
    LAYERS.append(layer(f"nn.{_name}(3, 5)", SEQUENCE, *_RNN, call=f"layer(x, {_state})", outputs=_outs, others=_given))
    _given = (("h", "torch.randn(2, 5)"), *((("c", "torch.randn(2, 5)"),) if _two else ()))
    _outs = ("out", "memory") if _two else ("out",)
    LAYERS.append(
        layer(
            f"nn.{_name}Cell(3, 5)",
            "torch.randn(2, 3)",
            *_CELL,
            call=f"layer(x, {_state})",
            outputs=_outs,
            others=_given,
        )
    )
    LAYERS.append(layer(f"nn.{_name}Cell(3, 5)", "torch.randn(2, 3)", *_CELL, call="layer(x)", outputs=_outs))
LAYERS.append(layer("nn.LSTM(3, 5, proj_size=2)", SEQUENCE, *_RNN, "weight_hr_l0", outputs=("out", "state", "memory")))
LAYERS.append(
    layer(
        "nn.GRU(3, 5)",
        "torch.randn(1, 2, 3)",
        *_RNN,
        call="layer(x, h)",
        outputs=("out", "state"),
        others=(("h", "torch.randn(1, 2, 5)"),),
    )
)
