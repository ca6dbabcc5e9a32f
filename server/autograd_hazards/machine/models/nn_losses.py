"""Loss modules: a functional, its reduction and, for some, weights kept as buffers."""

from __future__ import annotations

from typing import Any

from .. import calls
from ..core import Machine
from ..values import Instance, Unknown, Value
from . import nn_core
from . import torch_ops as ops
from .nn_core import Signature
from .nn_functional import functional
from .nn_simple import IGNORED
from .registry import CLASSES, Call, method

BUFFERS = ("weight", "pos_weight")
OLD = "size_average=None, "


def reduction(values: dict[str, Value]) -> Value:
    """The reduction, from the old flags when they are given."""
    if values.get("reduce") is False:
        return "none"
    if values.get("reduce") is True or isinstance(values.get("size_average"), bool):
        return "sum" if values.get("size_average") is False else "mean"
    return values.get("reduction", "mean")


def loss(name: str, function: str, signature: str, inputs: str = "input target", passes: str | None = None) -> None:
    cls = nn_core.declare(name)
    spec = Signature(signature)
    handed = [n for n, _, _ in spec.entries if n not in IGNORED] if passes is None else passes.split()
    names = inputs.split()

    def init(m: Machine, self: Instance, call: Call) -> Value:
        nn_core.start(self)
        values = spec.bind(call)
        values["reduction"] = reduction(values)
        for key, value in values.items():
            if key in BUFFERS:
                nn_core.set_buffer(self, key, value)
            elif key not in IGNORED:
                self.attrs[key] = value
        return None

    def forward(m: Machine, self: Instance, call: Call) -> Value:
        kwargs: dict[str, Any] = {key: self.attrs.get(key) for key in handed}
        args = [call.get(i, key) for i, key in enumerate(names) if call.has(i, key)]
        return functional(m, function, args, kwargs, call.node)

    cls.methods.update(__init__=init, forward=forward)


loss("L1Loss", "l1_loss", f"{OLD} reduce=None, reduction='mean'")
loss("MSELoss", "mse_loss", f"{OLD} reduce=None, reduction='mean'")
loss("SmoothL1Loss", "smooth_l1_loss", f"{OLD} reduce=None, reduction='mean', beta=1.0")
loss("HuberLoss", "huber_loss", "reduction='mean', delta=1.0")
loss("BCELoss", "binary_cross_entropy", f"weight=None, {OLD} reduce=None, reduction='mean'")
loss(
    "BCEWithLogitsLoss",
    "binary_cross_entropy_with_logits",
    f"weight=None, {OLD} reduce=None, reduction='mean', pos_weight=None",
)
loss(
    "CrossEntropyLoss",
    "cross_entropy",
    f"weight=None, {OLD} ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0",
)
loss("NLLLoss", "nll_loss", f"weight=None, {OLD} ignore_index=-100, reduce=None, reduction='mean'")
loss("NLLLoss2d", "nll_loss", f"weight=None, {OLD} ignore_index=-100, reduce=None, reduction='mean'")
loss("KLDivLoss", "kl_div", f"{OLD} reduce=None, reduction='mean', log_target=False")
loss("SoftMarginLoss", "soft_margin_loss", f"{OLD} reduce=None, reduction='mean'")
loss("MultiLabelMarginLoss", "multilabel_margin_loss", f"{OLD} reduce=None, reduction='mean'")
loss("MultiLabelSoftMarginLoss", "multilabel_soft_margin_loss", f"weight=None, {OLD} reduce=None, reduction='mean'")
loss("MultiMarginLoss", "multi_margin_loss", f"p=1, margin=1.0, weight=None, {OLD} reduce=None, reduction='mean'")
loss("HingeEmbeddingLoss", "hinge_embedding_loss", f"margin=1.0, {OLD} reduce=None, reduction='mean'")
loss("PoissonNLLLoss", "poisson_nll_loss", f"log_input=True, full=False, {OLD} eps=1e-8, reduce=None, reduction='mean'")
loss("GaussianNLLLoss", "gaussian_nll_loss", "*, full=False, eps=1e-6, reduction='mean'", "input target var")
loss(
    "CosineEmbeddingLoss",
    "cosine_embedding_loss",
    f"margin=0.0, {OLD} reduce=None, reduction='mean'",
    "input1 input2 target",
)
loss(
    "MarginRankingLoss",
    "margin_ranking_loss",
    f"margin=0.0, {OLD} reduce=None, reduction='mean'",
    "input1 input2 target",
)
loss(
    "TripletMarginLoss",
    "triplet_margin_loss",
    f"margin=1.0, p=2.0, eps=1e-6, swap=False, {OLD} reduce=None, reduction='mean'",
    "anchor positive negative",
)
loss(
    "CTCLoss",
    "ctc_loss",
    "blank=0, reduction='mean', zero_infinity=False",
    "log_probs targets input_lengths target_lengths",
)
loss(
    "TripletMarginWithDistanceLoss",
    "triplet_margin_with_distance_loss",
    "*, distance_function=None, margin=1.0, swap=False, reduction='mean'",
    "anchor positive negative",
)


def _triplet_with_distance(m: Machine, self: Instance, call: Call) -> Value:
    """``relu(margin + d(a, p) - d(a, n))`` with a distance of the user's own."""
    anchor, positive, negative = (call.get(i, n) for i, n in enumerate(("anchor", "positive", "negative")))
    node = call.node
    distance = self.attrs.get("distance_function")

    def apart(a: Value, b: Value) -> Value:
        if distance is None:
            return functional(m, "pairwise_distance", [a, b], {}, node)
        return calls.call(m, distance, [a, b], {}, node)

    near, far = apart(anchor, positive), apart(anchor, negative)
    gap = ops.torch_function(
        m, "sub", [ops.torch_function(m, "add", [near, self.attrs.get("margin", 1.0)], {}, node), far], {}, node
    )
    out = ops.torch_function(m, "clamp_min", [gap, 0], {}, node)
    how = self.attrs.get("reduction")
    return out if how == "none" else ops.torch_function(m, "sum" if how == "sum" else "mean", [out], {}, node)


nn_core.declare("TripletMarginWithDistanceLoss").methods["forward"] = _triplet_with_distance


# -- a classifier and its loss in one ---------------------------------------------------------------------------------
FUSED = Signature(
    "in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None, reduction='mean', weight=None, "
    "ignore_index=None, label_smoothing=0.0, options=None"
)
nn_core.declare("LinearCrossEntropyLoss")


@method("torch.nn.LinearCrossEntropyLoss", "__init__")
def _fused_init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)
    values = FUSED.bind(call)
    nn_core.set_buffer(self, "weight", values["weight"])
    self.attrs.update(
        {k: values[k] for k in ("num_classes", "out_features", "reduction", "ignore_index", "label_smoothing")}
    )
    sizes = [values["in_features"], values["num_classes"], values["bias"]]
    self.attrs["linear"] = calls.instantiate(m, CLASSES["torch.nn.Linear"], sizes, {}, call.node)
    return None


@method("torch.nn.LinearCrossEntropyLoss", "forward")
def _fused(m: Machine, self: Instance, call: Call) -> Value:
    linear = self.attrs.get("linear")
    if not isinstance(linear, Instance):
        return Unknown("loss")
    weight, bias = (nn_core.part(m, linear, n, call.node) for n in ("weight", "bias"))
    settings = {k: self.attrs.get(k) for k in ("weight", "reduction", "ignore_index", "label_smoothing")}
    args = [call.get(0, "input"), weight, call.get(1, "target"), bias]
    return functional(m, "linear_cross_entropy", args, settings, call.node)
