"""Facts of torch.nn classes, optimizers and schedulers, probed on instances of their own."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn as nn

import torchdb_probe
import torchdb_python
import torchdb_values

_D2 = {"input": "f1,2,4,4"}
_ANY = {"input": "f3,3"}
_LOSS = {"input": "f3", "target": "f3"}

# class -> (constructor arguments, inputs of forward)
SAMPLES: dict[str, tuple[str, dict[str, str]]] = {
    **dict.fromkeys(
        """
            CELU ELU GELU Hardshrink Hardsigmoid Hardswish Hardtanh Identity LeakyReLU LogSigmoid Mish PReLU RReLU
            ReLU ReLU6 SELU SiLU Sigmoid Softplus Softshrink Softsign Tanh Tanhshrink AlphaDropout Dropout
            FeatureAlphaDropout
        """.split(),
        ("", _ANY),
    ),
    **dict.fromkeys(("LogSoftmax", "Softmax", "Softmin"), ("dim=-1", _ANY)),
    **dict.fromkeys(
        """
            BCELoss BCEWithLogitsLoss HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss MSELoss SmoothL1Loss
            SoftMarginLoss
        """.split(),
        ("", _LOSS),
    ),
    "PoissonNLLLoss": ("", {"log_input": "f3", "target": "f3"}),
    "Softmax2d": ("", _D2),
    "Flatten": ("", {"input": "f2,3,3"}),
    "Threshold": ("0.1, 0.2", _ANY),
    "GLU": ("", {"input": "f2,4"}),
    "Dropout1d": ("", {"input": "f1,2,4"}),
    "Dropout2d": ("", _D2),
    "Dropout3d": ("", {"input": "f1,2,4,4,4"}),
    "Linear": ("3, 4", {"input": "f2,3"}),
    "Bilinear": ("3, 4, 5", {"input1": "f2,3", "input2": "f2,4"}),
    "Embedding": ("4, 3", {"input": "j2,2"}),
    "EmbeddingBag": ("4, 3", {"input": "j2,2"}),
    "LayerNorm": ("3", {"input": "f2,3"}),
    "RMSNorm": ("3", {"x": "f2,3"}),
    "GroupNorm": ("2, 4", {"input": "f2,4,3"}),
    "LocalResponseNorm": ("2", _D2),
    "CrossMapLRN2d": ("2", _D2),
    "Conv1d": ("2, 3, 2", {"input": "f1,2,4"}),
    "Conv2d": ("2, 3, 2", _D2),
    "Conv3d": ("2, 3, 2", {"input": "f1,2,4,4,4"}),
    "ConvTranspose1d": ("2, 3, 2", {"input": "f1,2,4"}),
    "ConvTranspose2d": ("2, 3, 2", _D2),
    "ConvTranspose3d": ("2, 3, 2", {"input": "f1,2,4,4,4"}),
    "BatchNorm1d": ("3", {"input": "f2,3"}),
    "BatchNorm2d": ("2", {"input": "f2,2,3,3"}),
    "BatchNorm3d": ("2", {"input": "f2,2,2,2,2"}),
    "InstanceNorm1d": ("2, affine=True, track_running_stats=True", {"input": "f2,2,4"}),
    "InstanceNorm2d": ("2, affine=True, track_running_stats=True", {"input": "f2,2,3,3"}),
    "InstanceNorm3d": ("2, affine=True, track_running_stats=True", {"input": "f2,2,2,2,2"}),
    "AvgPool1d": ("2", {"input": "f1,2,4"}),
    "AvgPool2d": ("2", _D2),
    "AvgPool3d": ("2", {"input": "f1,2,4,4,4"}),
    "MaxPool1d": ("2", {"input": "f1,2,4"}),
    "MaxPool2d": ("2", _D2),
    "MaxPool3d": ("2", {"input": "f1,2,4,4,4"}),
    "LPPool1d": ("2, 2", {"input": "f1,2,4"}),
    "LPPool2d": ("2, 2", _D2),
    "LPPool3d": ("2, 2", {"input": "f1,2,4,4,4"}),
    "AdaptiveAvgPool1d": ("2", {"input": "f1,2,4"}),
    "AdaptiveAvgPool2d": ("2", _D2),
    "AdaptiveAvgPool3d": ("2", {"input": "f1,2,4,4,4"}),
    "AdaptiveMaxPool1d": ("2", {"input": "f1,2,4"}),
    "AdaptiveMaxPool2d": ("2", _D2),
    "AdaptiveMaxPool3d": ("2", {"input": "f1,2,4,4,4"}),
    "FractionalMaxPool2d": ("2, output_size=2", _D2),
    "FractionalMaxPool3d": ("2, output_size=2", {"input": "f1,2,4,4,4"}),
    "MaxUnpool1d": ("2", {"input": "f1,1,2", "indices": "torch.tensor([[[0, 2]]])"}),
    "MaxUnpool2d": ("2", {"input": "f1,1,1,1", "indices": "i1,1,1,1"}),
    "MaxUnpool3d": ("2", {"input": "f1,1,1,1,1", "indices": "i1,1,1,1,1"}),
    "ChannelShuffle": ("2", _D2),
    "PixelShuffle": ("2", {"input": "f1,4,2,2"}),
    "PixelUnshuffle": ("2", _D2),
    "Fold": ("(4, 4), (2, 2)", {"input": "f1,8,9"}),
    "Unfold": ("(2, 2)", _D2),
    "Unflatten": ("0, (2, 2)", {"input": "f4"}),
    "Upsample": ("scale_factor=2", _D2),
    "UpsamplingBilinear2d": ("scale_factor=2", _D2),
    "UpsamplingNearest2d": ("scale_factor=2", _D2),
    **{
        f"{kind}{n}d": ("1" + (", 0.5" if kind == "ConstantPad" else ""), {"input": "f1,2" + ",4" * n})
        for kind in ("CircularPad", "ConstantPad", "ReflectionPad", "ReplicationPad", "ZeroPad")
        for n in (1, 2, 3)
    },
    "CosineSimilarity": ("", {"x1": "f2,3", "x2": "f2,3"}),
    "PairwiseDistance": ("", {"x1": "f2,3", "x2": "f2,3"}),
    "CosineEmbeddingLoss": ("", {"input1": "f2,3", "input2": "f2,3", "target": "j2"}),
    "CrossEntropyLoss": ("", {"input": "f2,3", "target": "j2"}),
    "NLLLoss": ("", {"input": "f2,3", "target": "j2"}),
    "NLLLoss2d": ("", {"input": "f1,2,4,4", "target": "j1,4,4"}),
    "CTCLoss": (
        "",
        {
            "log_probs": "f4,1,3",
            "targets": "j1,2",
            "input_lengths": "torch.tensor([4])",
            "target_lengths": "torch.tensor([2])",
        },
    ),
    "GaussianNLLLoss": ("", {"input": "f3", "target": "f3", "var": "f3"}),
    "MarginRankingLoss": ("", {"input1": "f3", "input2": "f3", "target": "f3"}),
    "MultiLabelMarginLoss": ("", {"input": "f1,4", "target": "j1,4"}),
    "MultiLabelSoftMarginLoss": ("", {"input": "f1,4", "target": "f1,4"}),
    "MultiMarginLoss": ("", {"input": "f1,4", "target": "j1"}),
    "TripletMarginLoss": ("", {"anchor": "f2,3", "positive": "f2,3", "negative": "f2,3"}),
    "TripletMarginWithDistanceLoss": ("", {"anchor": "f2,3", "positive": "f2,3", "negative": "f2,3"}),
    "LinearCrossEntropyLoss": ("3, 4", {"input": "f2,3", "target": "j2"}),
    "AdaptiveLogSoftmaxWithLoss": ("3, 5, [2]", {"input_": "f2,3", "target_": "j2"}),
    "RNN": ("3, 4", {"input": "f2,1,3", "hx": "f1,1,4"}),
    "GRU": ("3, 4", {"input": "f2,1,3", "hx": "f1,1,4"}),
    "LSTM": ("3, 4", {"input": "f2,1,3", "hx": "tuple(torch.rand(1, 1, 4) for _ in 'hc')"}),
    "RNNCell": ("3, 4", {"input": "f2,3", "hx": "f2,4"}),
    "GRUCell": ("3, 4", {"input": "f2,3", "hx": "f2,4"}),
    "LSTMCell": ("3, 4", {"input": "f2,3", "hx": "tuple(torch.rand(2, 4) for _ in 'hc')"}),
    "MultiheadAttention": ("4, 2", {"query": "f3,1,4", "key": "f3,1,4", "value": "f3,1,4"}),
    "TransformerEncoderLayer": ("4, 2, 5", {"src": "f3,1,4"}),
    "TransformerDecoderLayer": ("4, 2, 5", {"tgt": "f3,1,4", "memory": "f3,1,4"}),
}

# RNNBase hides these behind `*args`.
_SIZES = "input_size:I;hidden_size:I;num_layers:I=1"
_RECURRENT = "bias:B=true;batch_first:B=false;dropout:N=0.0;bidirectional:B=false"
RECURRENT = {
    "RNN": f'{_SIZES};nonlinearity:Z="tanh";{_RECURRENT};device:X=null;dtype:D?=null',
    "GRU": f"{_SIZES};{_RECURRENT};device:X=null;dtype:D?=null",
    "LSTM": f"{_SIZES};{_RECURRENT};proj_size:I=0;device:X=null;dtype:D?=null",
}
CONTAINERS = frozenset(
    """
        Container Module ModuleDict ModuleList ParameterDict ParameterList RNNBase RNNCellBase Sequential
    """.split()
)


def _instance(name: str, arguments: str) -> nn.Module:
    torch.default_generator.manual_seed(0)
    module: nn.Module = eval(f"nn.{name}({arguments})", {"nn": nn, "torch": torch})
    return module


def _install(module: nn.Module, given: Mapping[str, Any]) -> None:
    """Put tensors where parameters and buffers are, so that a probe may choose which require grad."""
    for name, value in given.items():
        owner_name, _, leaf = name.rpartition(".")
        owner = module.get_submodule(owner_name)
        table = owner._parameters if leaf in owner._parameters else owner._buffers
        table[leaf] = value
    if isinstance(module, nn.RNNBase):
        module._flat_weights = [module._parameters[n] for n in module._flat_weights_names]


def _facts(module: nn.Module, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], torchdb_probe.Facts]:
    state = {n: p.detach().clone() for n, p in module.named_parameters()}
    state |= {n: b.detach().clone() for n, b in module.named_buffers()}
    silent: set[str] = set()

    def call(given: Mapping[str, Any]) -> Any:
        torch.default_generator.manual_seed(0)
        own = copy.deepcopy(module)
        held = {n: given[n] for n in state}
        versions = {n: t._version for n, t in held.items()}
        _install(own, held)
        result = own(**{n: given[n] for n in inputs})
        for n, tensor in held.items():
            if tensor._version == versions[n] and not torch.equal(tensor.detach(), state[n]):
                silent.add(n)
        return result

    facts = torchdb_probe.probe(call, {**state, **inputs})
    row: dict[str, Any] = {}
    if facts.saves:
        row["s"] = {k: list(v) for k, v in facts.saves.items()}
    for key, value in (
        ("o", facts.saves_out), ("d", facts.diff), ("w", facts.bumped), ("n", facts.nondiff), ("sw", sorted(silent)),
    ):  # fmt: skip
        if value:
            row[key] = list(value)
    if facts.hidden:
        row["h"] = 1
    if facts.returns != ("new",):
        row["r"] = list(facts.returns)
    return row, facts


def probe_module(name: str, arguments: str, recipe: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The JSON row of one class and what the witnesses disagreed on."""
    inputs = torchdb_values.values_of(dict(recipe))
    module = _instance(name, arguments)
    row, facts = _facts(module, inputs)
    notes = list(facts.notes)
    evaluated, _ = _facts(_instance(name, arguments).eval(), inputs)
    signature = inspect.signature(getattr(nn, name).__init__)
    if evaluated != row:
        row["eval"] = evaluated
    if "inplace" in signature.parameters:
        separator = ", " if arguments else ""
        row["inplace"], _ = _facts(_instance(name, f"{arguments}{separator}inplace=True"), inputs)
    if name == "Flatten":
        row["r"] = ["maybe_view:input"]  # a view of this sample, a copy of one that is not contiguous
    own = {"parameters": [n for n, _ in module.named_parameters()], "buffers": [n for n, _ in module.named_buffers()]}
    return {
        "params": constructor_text(getattr(nn, name)),
        **{k: v for k, v in own.items() if v},
        "inputs": list(inspect.signature(module.forward).parameters),
        **row,
    }, notes


def constructor_text(cls: type) -> str:
    """The constructor's parameters without self in the loader's notation."""
    return RECURRENT.get(cls.__name__) or torchdb_python.signature_text(cls.__init__).partition(";")[2]


def modules(agreed: Callable[[str, list[str]], None]) -> dict[str, dict[str, Any]]:
    """A row for every class of torch.nn; `agreed(name, notes)` raises on notes it does not know."""
    result: dict[str, dict[str, Any]] = {}
    for name in sorted(dir(nn)):
        cls = getattr(nn, name)
        if not inspect.isclass(cls) or not issubclass(cls, nn.Module):
            continue
        base = name.removeprefix("Lazy")
        if base in SAMPLES:
            row, notes = probe_module(base, *SAMPLES[base])
            agreed(base, notes)
            result[name] = {**row, "params": constructor_text(cls)}
        else:
            inputs = [] if name in CONTAINERS else [p for p in inspect.signature(cls.forward).parameters if p != "self"]
            result[name] = {"params": constructor_text(cls), "inputs": inputs, "u": 1}
    return result


def bumps(cls: type, options: Mapping[str, Any]) -> bool | None:
    """Whether one step moves the parameter's version counter; None where torch refuses the variant here."""
    parameter = nn.Parameter(torch.ones(3, 3))
    gradient = torch.ones(3, 3)
    parameter.grad = gradient.to_sparse() if cls is torch.optim.SparseAdam else gradient

    def closure() -> torch.Tensor:
        parameter.grad = torch.ones(3, 3)
        return torch.tensor(1.0)

    try:
        optimizer = cls([parameter], **options)
        before = parameter.detach().clone()
        version = parameter._version
        optimizer.step(closure) if cls is torch.optim.LBFGS else optimizer.step()
    except (RuntimeError, ValueError, TypeError, AssertionError):
        return None
    if torch.equal(before, parameter.detach()):
        raise RuntimeError(f"{cls.__name__}({options}) changed nothing")
    return parameter._version != version


def optimizers() -> dict[str, dict[str, Any]]:
    """A row for every optimizer of torch.optim."""
    result = {}
    for name in sorted(dir(torch.optim)):
        cls = getattr(torch.optim, name)
        if not inspect.isclass(cls) or not issubclass(cls, torch.optim.Optimizer) or cls is torch.optim.Optimizer:
            continue
        known = inspect.signature(cls.__init__).parameters
        needed = {"lr": 0.1} if "lr" in known else {}
        seen = {"default": bumps(cls, needed)}
        for variant in ("foreach", "fused", "capturable", "differentiable"):
            if variant in known:
                seen[variant] = bumps(cls, {**needed, variant: True})
        result[name] = {
            "params": constructor_text(cls),
            "bumps": {k: v for k, v in seen.items() if v is not None},
            "closure": "required" if name == "LBFGS" else "optional",
        }
    return result


def schedulers() -> dict[str, dict[str, Any]]:
    """A row for every scheduler of torch.optim.lr_scheduler."""
    space = torch.optim.lr_scheduler
    result = {}
    for name in sorted(dir(space)):
        cls = getattr(space, name)
        if name.startswith("_") or not inspect.isclass(cls) or not issubclass(cls, space.LRScheduler):
            continue
        row: dict[str, Any] = {"params": constructor_text(cls)}
        step = inspect.signature(cls.step).parameters
        if any(p.default is inspect.Parameter.empty for n, p in step.items() if n != "self"):
            row["metric"] = 1
        result[name] = row
    return result
