"""Functions that torch writes in Python: signatures by inspection, facts by probes of the public function itself."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

import torchdb_native
import torchdb_probe
import torchdb_rows
import torchdb_values

PROBED_IN_PYTHON = {
    "torch": (
        "atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod cdist chain_matmul einsum lu "
        "meshgrid norm pca_lowrank split stft svd_lowrank tensordot unique unique_consecutive unravel_index lobpcg"
    ).split(),
    "method": "norm split lu stft istft unique unique_consecutive unflatten".split(),
}

# One sample call per function; `*name` recipes are given as positional arguments.
RECIPES: dict[str, dict[str, str]] = {
    "torch.atleast_1d": {"*tensors": "[f]"},
    "torch.atleast_2d": {"*tensors": "[f]"},
    "torch.atleast_3d": {"*tensors": "[f]"},
    "torch.block_diag": {"*tensors": "[f2,2;f3,3]"},
    "torch.broadcast_tensors": {"*tensors": "[f3;f3,3]"},
    "torch.cartesian_prod": {"*tensors": "[f3;f2]"},
    "torch.cdist": {"x1": "f3,3", "x2": "f2,3"},
    "torch.chain_matmul": {"*matrices": "[f2,3;f3,4]"},
    "torch.einsum": {"equation": "'ij,jk->ik'", "*operands": "[f2,3;f3,4]"},
    "torch.lu": {"A": "f3,3"},
    "torch.meshgrid": {"*tensors": "[f3;f2]", "indexing": "'ij'"},
    "torch.norm": {"input": "f3,3"},
    "torch.pca_lowrank": {"A": "f3,3", "q": "2"},
    "torch.svd_lowrank": {"A": "f3,3", "q": "2"},
    "torch.split": {"tensor": "f4", "split_size_or_sections": "2"},
    "torch.stft": {"input": "f8", "n_fft": "4", "window": "f4", "return_complex": "True"},
    "torch.tensordot": {"a": "f2,3", "b": "f3,4", "dims": "1"},
    "torch.unique": {"input": "f3"},
    "torch.unique_consecutive": {"input": "f3"},
    "torch.unravel_index": {"indices": "i3", "shape": "(3,)"},
    "torch.lobpcg": {"A": "f9,9", "k": "1"},
    "method.norm": {"self": "f3,3"},
    "method.split": {"self": "f4", "split_size": "2"},
    "method.lu": {"self": "f3,3"},
    "method.stft": {"self": "f8", "n_fft": "4", "window": "f4", "return_complex": "True"},
    "method.istft": {
        "self": "torch.stft(torch.rand(8), 4, window=torch.ones(4), return_complex=True)",
        "n_fft": "4",
        "window": "f4",
    },
    "method.unique": {"self": "f3"},
    "method.unique_consecutive": {"self": "f3"},
    "method.unflatten": {"self": "f4", "dim": "0", "sizes": "(2,2)"},
    "F.adaptive_max_pool1d": {"input": "f1,2,4", "output_size": "2"},
    "F.adaptive_max_pool2d": {"input": "f1,2,4,4", "output_size": "2"},
    "F.adaptive_max_pool3d": {"input": "f1,2,4,4,4", "output_size": "2"},
    "F.adaptive_avg_pool2d": {"input": "f1,2,4,4", "output_size": "2"},
    "F.adaptive_avg_pool3d": {"input": "f1,2,4,4,4", "output_size": "2"},
    "F.affine_grid": {"theta": "f1,2,3", "size": "[1,2,3,3]", "align_corners": "False"},
    "F.alpha_dropout": {"input": "f3,3", "training": "True"},
    "F.feature_alpha_dropout": {"input": "f1,2,4", "training": "True"},
    "F.batch_norm": {
        "input": "f2,3,4",
        "running_mean": "f3",
        "running_var": "f3",
        "weight": "f3",
        "bias": "f3",
        "training": "True",
    },
    "F.binary_cross_entropy": {"input": "f3", "target": "f3", "weight": "f3"},
    "F.binary_cross_entropy_with_logits": {"input": "f3", "target": "f3", "weight": "f3", "pos_weight": "f3"},
    "F.cosine_embedding_loss": {"input1": "f2,3", "input2": "f2,3", "target": "j2"},
    "F.cross_entropy": {"input": "f2,3", "target": "j2", "weight": "f3"},
    "F.ctc_loss": {
        "log_probs": "f4,1,3",
        "targets": "j1,2",
        "input_lengths": "torch.tensor([4])",
        "target_lengths": "torch.tensor([2])",
    },
    "F.dropout": {"input": "f3,3"},
    "F.dropout1d": {"input": "f1,2,4"},
    "F.dropout2d": {"input": "f1,2,4,4"},
    "F.dropout3d": {"input": "f1,2,4,4,4"},
    "F.embedding": {"input": "j2,2", "weight": "f4,3"},
    "F.embedding_bag": {"input": "j2,2", "weight": "f4,3", "per_sample_weights": "f2,2", "mode": "'sum'"},
    "F.fold": {"input": "f1,8,9", "output_size": "(4,4)", "kernel_size": "(2,2)"},
    "F.unfold": {"input": "f1,2,4,4", "kernel_size": "(2,2)"},
    "F.fractional_max_pool2d": {
        "input": "f1,1,4,4",
        "kernel_size": "2",
        "output_size": "2",
        "_random_samples": "f1,1,2",
    },
    "F.fractional_max_pool3d": {
        "input": "f1,1,4,4,4",
        "kernel_size": "2",
        "output_size": "2",
        "_random_samples": "f1,1,3",
    },
    "F.gaussian_nll_loss": {"input": "f3", "target": "f3", "var": "f3"},
    "F.grid_sample": {"input": "f1,2,4,4", "grid": "f1,3,3,2", "align_corners": "False"},
    "F.group_norm": {"input": "f2,4,3", "num_groups": "2", "weight": "f4", "bias": "f4"},
    "F.instance_norm": {"input": "f2,3,4", "running_mean": "f3", "running_var": "f3", "weight": "f3", "bias": "f3"},
    "F.interpolate": {"input": "f1,2,4,4", "scale_factor": "2"},
    "F.upsample": {"input": "f1,2,4,4", "scale_factor": "2"},
    "F.upsample_bilinear": {"input": "f1,2,4,4", "scale_factor": "2"},
    "F.upsample_nearest": {"input": "f1,2,4,4", "scale_factor": "2"},
    "F.layer_norm": {"input": "f2,3", "normalized_shape": "(3,)", "weight": "f3", "bias": "f3"},
    "F.rms_norm": {"input": "f2,3", "normalized_shape": "(3,)", "weight": "f3"},
    "F.linear_cross_entropy": {"input": "f2,3", "linear_weight": "f4,3", "target": "j2", "linear_bias": "f4"},
    "F.local_response_norm": {"input": "f1,2,4,4", "size": "2"},
    "F.lp_pool1d": {"input": "f1,2,4", "norm_type": "2.0", "kernel_size": "2"},
    "F.lp_pool2d": {"input": "f1,2,4,4", "norm_type": "2.0", "kernel_size": "2"},
    "F.lp_pool3d": {"input": "f1,2,4,4,4", "norm_type": "2.0", "kernel_size": "2"},
    "F.margin_ranking_loss": {"input1": "f3", "input2": "f3", "target": "f3"},
    "F.max_pool1d": {"input": "f1,2,4", "kernel_size": "2"},
    "F.max_pool2d": {"input": "f1,2,4,4", "kernel_size": "2"},
    "F.max_pool3d": {"input": "f1,2,4,4,4", "kernel_size": "2"},
    "F.max_unpool1d": {"input": "f1,1,2", "indices": "torch.tensor([[[0,2]]])", "kernel_size": "2"},
    "F.max_unpool2d": {"input": "f1,1,1,1", "indices": "i1,1,1,1", "kernel_size": "2"},
    "F.max_unpool3d": {"input": "f1,1,1,1,1", "indices": "i1,1,1,1,1", "kernel_size": "2"},
    "F.multi_head_attention_forward": {
        "query": "f3,1,4",
        "key": "f3,1,4",
        "value": "f3,1,4",
        "embed_dim_to_check": "4",
        "num_heads": "2",
        "in_proj_weight": "f12,4",
        "in_proj_bias": "f12",
        "bias_k": "None",
        "bias_v": "None",
        "add_zero_attn": "False",
        "dropout_p": "0.0",
        "out_proj_weight": "f4,4",
        "out_proj_bias": "f4",
    },
    "F.multi_margin_loss": {"input": "f1,4", "target": "j1", "weight": "f4"},
    "F.multilabel_margin_loss": {"input": "f1,4", "target": "j1,4"},
    "F.multilabel_soft_margin_loss": {"input": "f1,4", "target": "f1,4", "weight": "f4"},
    "F.nll_loss": {"input": "f2,3", "target": "j2", "weight": "f3"},
    "F.pad": {"input": "f3,3", "pad": "(1,1)"},
    "F.rrelu": {"input": "f3", "training": "True"},
    "F.softmax": {"input": "f3,3", "dim": "-1"},
    "F.log_softmax": {"input": "f3,3", "dim": "-1"},
    "F.softmin": {"input": "f3,3", "dim": "-1"},
    "F.threshold": {"input": "f3", "threshold": "0.3", "value": "0.1"},
    "F.triplet_margin_loss": {"anchor": "f2,3", "positive": "f2,3", "negative": "f2,3"},
    "F.triplet_margin_with_distance_loss": {"anchor": "f2,3", "positive": "f2,3", "negative": "f2,3"},
    "F.mse_loss": {"input": "f3", "target": "f3"},
    "F.l1_loss": {"input": "f3", "target": "f3"},
    "F.huber_loss": {"input": "f3", "target": "f3"},
    "F.kl_div": {"input": "f3", "target": "f3"},
    "F.smooth_l1_loss": {"input": "f3", "target": "f3"},
    "F.poisson_nll_loss": {"input": "f3", "target": "f3"},
    "F.hinge_embedding_loss": {"input": "f3", "target": "f3"},
    "F.soft_margin_loss": {"input": "f3", "target": "f3"},
    "F.glu": {"input": "f2,4"},
    "F.normalize": {"input": "f3,3"},
    "F.gumbel_softmax": {"logits": "f3,3"},
}
for _pool in (1, 2, 3):
    for _prefix in ("max_pool", "adaptive_max_pool", "fractional_max_pool"):
        _known = RECIPES.get(f"F.{_prefix}{_pool}d")
        if _known is not None:
            RECIPES[f"F.{_prefix}{_pool}d_with_indices"] = _known
for _name in """
    celu elu hardsigmoid hardswish hardtanh leaky_relu mish relu relu6 selu silu sigmoid softsign tanh tanhshrink
""".split():
    RECIPES[f"F.{_name}"] = {"input": "f3,3"}

# Signatures that inspection cannot see behind `*args`.
SIGNATURES = {"torch.einsum": "equation:X;*operands:L"}

# The values besides booleans that change what a function saves.
EXTRA_FLAGS: dict[str, dict[str, str]] = {
    "F.embedding": {"max_norm=1.0": "1.0"},
    "F.embedding_bag": {"max_norm=1.0": "1.0"},
}

NOT_OPS = frozenset(
    """
    Optional assert_int_or_pair boolean_dispatch handle_torch_function has_torch_function has_torch_function_unary
    has_torch_function_variadic grouped_mm scaled_grouped_mm scaled_mm
    """.split()
)


@dataclass
class PythonFunction:
    """One public function: the key of its row, its signature and how to call it with arguments by name."""

    key: str
    space: str
    name: str
    signature: str
    call: torchdb_probe.Call
    inspected: Callable[..., Any]


def _code(parameter: inspect.Parameter) -> str:
    annotation = parameter.annotation
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = text.replace("torch.", "").replace("typing.", "")
    nullable = ("None" in text and text != "None") or parameter.default is None
    core = re.sub(r"\s*\|\s*None|Optional\[(.*)\]$", r"\1", text)
    if parameter.name in ("tensors", "operands", "matrices"):
        return "L"
    if core in ("Tensor", "_tensor.Tensor"):
        return "O" if nullable else "T"
    if annotation is inspect.Parameter.empty and parameter.name in ("input", "self", "tensor", "other"):
        return "T"
    simple = {"float": "N", "int": "I", "bool": "B", "str": "Z", "list[int]": "S", "list[Tensor]": "L", "None": "s"}
    code = simple.get(core, "X")
    if code == "X" and "Tensor" in core and "float" in core:
        code = "X"
    if parameter.name in ("kernel_size", "stride", "padding", "dilation", "output_size", "size") and code in "IsX":
        code = "s"
    if parameter.name == "dtype":
        code = "D"
    return code + ("?" if nullable else "")


def signature_text(function: Callable[..., Any], method: bool = False) -> str:
    """The parameters of a Python function in the loader's notation."""
    parts: list[str] = []
    keyword = False
    for position, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            parts.append(f"*{parameter.name}:{_code(parameter)}")
            keyword = True
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keyword:
            parts.append("*")
            keyword = True
        code = "T" if method and position == 0 else _code(parameter)
        default = None
        if parameter.default is not inspect.Parameter.empty:
            try:
                default = json.dumps(parameter.default)
            except TypeError:  # a function or class: its name stands for it
                default = json.dumps(getattr(parameter.default, "__name__", None) or type(parameter.default).__name__)
        parts.append(torchdb_native.parameter_text(parameter.name, code, default))
    return ";".join(parts)


def caller(function: Callable[..., Any]) -> torchdb_probe.Call:
    """A call with arguments by name; a name with a star gives a list as positional arguments."""

    def call(given: Mapping[str, Any]) -> Any:
        first = [v for k, v in given.items() if not k.startswith("*")]
        rest = [v for k, values in given.items() if k.startswith("*") for v in values]
        if rest:
            names = [k for k in given if not k.startswith("*")]
            before = list(given).index(next(k for k in given if k.startswith("*")))
            return function(*first[:before], *rest, **{k: given[k] for k in names[before:]})
        return (
            function(**given)
            if "self" not in given
            else function(given["self"], **{k: v for k, v in given.items() if k != "self"})
        )

    return call


def functions() -> list[PythonFunction]:
    """Every public Python function of torch, Tensor and torch.nn.functional that has a row of its own."""
    result = []
    for name in PROBED_IN_PYTHON["torch"]:
        item = getattr(torch, name)
        text = SIGNATURES.get(f"torch.{name}") or signature_text(item)
        result.append(PythonFunction(f"torch.{name}", "torch", name, text, caller(item), item))
    for name in PROBED_IN_PYTHON["method"]:
        item = getattr(torch.Tensor, name)
        result.append(PythonFunction(f"method.{name}", "method", name, signature_text(item, True), caller(item), item))
    for name in dir(F):
        item = getattr(F, name)
        if name.startswith("_") or name in NOT_OPS or not inspect.isfunction(item):
            continue
        shown = getattr(F, f"{name}_with_indices", item)
        result.append(PythonFunction(f"F.{name}", "functional", name, signature_text(shown), caller(item), shown))
    return result


def row_of(
    function: PythonFunction, recipe: torchdb_values.Recipe, flags: Mapping[str, str] | None = None
) -> tuple[torchdb_rows.Row, list[str]]:
    """Probe one sample call, some arguments changed by `flags`; also gives what the witnesses disagree on."""
    values = torchdb_values.values_of({**recipe, **(flags or {})})
    facts = torchdb_probe.probe(function.call, values, (), function.name in ("split", "meshgrid", "broadcast_tensors"))
    row = torchdb_rows.from_probe(function.name, facts, (), (), frozenset())
    row.saves = {k.lstrip("*"): tuple(c.lstrip("*") for c in v) for k, v in row.saves.items()}
    row.diff = tuple(d.lstrip("*") for d in row.diff)
    row.writes = tuple(d.lstrip("*") for d in row.writes)
    row.returns = tuple(r.replace("*", "") for r in row.returns)
    return row, facts.notes


def flags_of(function: PythonFunction, recipe: torchdb_values.Recipe) -> dict[str, dict[str, str]]:
    """The other settings worth a probe: every boolean turned round, and the extra ones."""
    result: dict[str, dict[str, str]] = {}
    for part in function.signature.split(";"):
        found = re.fullmatch(r"(\w+):B\??=(true|false)", part)
        if not found or found.group(1) in ("size_average", "reduce"):
            continue
        name = found.group(1)
        now = recipe.get(name, found.group(2).capitalize())
        other = "False" if now == "True" else "True"
        result[f"{name}={other}"] = {name: other}
    if "reduction" in inspect.signature(function.inspected).parameters:
        result |= {f"reduction={value}": {"reduction": value} for value in ("'none'", "'sum'")}
    for flag, value in EXTRA_FLAGS.get(function.key, {}).items():
        result[flag] = {flag.split("=")[0]: value}
    return result
