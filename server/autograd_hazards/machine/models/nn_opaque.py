"""Networks whose source is not there: one parameter stands for all, the output depends on it and on every input.

Everything that follows from them rests on an assumption, so their nodes are marked ``assumed``.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from .. import autograd
from ..core import Machine
from ..symbolic import DRAWN
from ..tensor import Node, Tensor
from ..values import ClassMethod, Instance, LibClass, LibFunction, Unknown, Value
from . import nn_core
from .nn_core import MODULE, OPAQUE, state
from .registry import CLASSES, PROVIDERS, Call, lib_class, method

NETWORK = lib_class("opaque.Network", MODULE.qualname)
# attributes of third-party modules that are plain numbers or settings, not parts with parameters
PLAIN = frozenset(
    "in_features out_features in_channels out_channels num_features embed_dim embedding_dim num_embeddings "
    "hidden_size hidden_dim config device dtype "
    "name_or_path num_classes num_channels generation_config default_cfg pretrained_cfg kernel_size stride "
    "padding dilation groups feature_info "
    "base_model_prefix dim image_size patch_size in_planes d_model vocab_size max_length hparams name version"
    " is_training transform preprocess "
    "tokenizer processor feature_extractor".split()
)


def make(m: Machine, name: str, node: ast.AST, cls: LibClass = NETWORK) -> Instance:
    """An instance of an unknown network called ``name``."""
    made = Instance(cls, m.here(node))
    fill(m, made, name, node)
    return made


OWN = "weight*"  # the attribute that holds the parameter of an unknown network: no name of Python's


def fill(m: Machine, module: Instance, name: str, node: ast.AST) -> None:
    data = nn_core.start(module)
    data[OPAQUE] = name
    parameter = nn_core.new_parameter(m, f"parameters of {name}", None, node)
    parameter.attrs = {OPAQUE: "all"}
    module.attrs.setdefault(OWN, parameter)


def part_of(whole: Instance, name: str) -> Instance:
    """A part of an unknown network: its parameters are among those of the whole."""
    part = Instance(NETWORK, whole.site)
    data = nn_core.start(part)
    data[OPAQUE] = f"{state(whole).get(OPAQUE, whole.cls.name)}.{name}"
    data["part"] = True
    part.attrs["training"] = whole.attrs.get("training", True)
    if OWN in whole.attrs:
        part.attrs[OWN] = whole.attrs[OWN]
    whole.attrs[name] = part
    return part


def show_children(whole: Instance) -> None:
    """Give an unknown network children to be listed: some before those that the program has put in."""
    data = state(whole)
    if data.get("listed") or OWN not in whole.attrs:
        return
    data["listed"] = True
    given = {k: whole.attrs.pop(k) for k, _ in nn_core.own_children(whole)}
    for i in range(2 if given else 3):
        state(part_of(whole, f"part*{i}"))["listed"] = True  # else there were parts of parts without end
    whole.attrs.update(given)


def opaque_call(m: Machine, module: Instance, call: Call, op: str = "opaque") -> Value:
    """Call a module that cannot be followed."""
    given = [*call.args, *call.kwargs.values()]
    out = output(m, [*_tensors(given), *nn_core.parameters(module)], call.node, op)
    if out.grad_fn is not None and _unknown_in(given):
        out.grad_fn.open = True
    return out


def output(m: Machine, inputs: list[Tensor], node: ast.AST, op: str = "opaque") -> Tensor:
    """A result that depends on all of ``inputs`` in an unknown way and whose backward needs them all."""
    out = autograd.record(
        m, op, inputs, node, saves=[(t, "weight" if t.is_param else "self") for t in inputs], kind="opaque", hidden=True
    )
    if out.grad_fn is not None:
        out.grad_fn.assumed = True
    _parts(out, out.grad_fn, {})
    return out


def _parts(tensor: Tensor, made_by: Node | None, cache: dict[Any, Tensor]) -> None:
    """Items and attributes of an unknown result are results of the same node."""

    def part(m: Machine, key: Any) -> Tensor:
        known = key if isinstance(key, str | int) else id(key)
        found = cache.get(known)
        if found is None:
            maker = None if key in DRAWN else made_by
            found = Tensor(tensor.created, tensor._requires_grad if key not in DRAWN else False, None, "float")
            found.grad_fn = maker
            found.inference = tensor.inference
            if maker is not None:
                maker.outputs.append(found)
            _parts(found, maker, {})
            cache[known] = found
        return found

    tensor.facets = {"opaque": part}


def _tensors(values: Any, depth: int = 0) -> list[Tensor]:
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple) and depth < 3:
            found += _tensors(value[:50], depth + 1)
        elif isinstance(value, dict) and depth < 3:
            found += _tensors(list(value.values())[:50], depth + 1)
    return found


def _unknown_in(values: Any, depth: int = 0) -> bool:
    """Whether something among the values may be a tensor that is not known."""
    return any(
        isinstance(v, Unknown)
        or (isinstance(v, list | tuple) and depth < 3 and _unknown_in(v[:50], depth + 1))
        or (isinstance(v, dict) and depth < 3 and _unknown_in(list(v.values())[:50], depth + 1))
        for v in values
    )


@method(NETWORK.qualname, "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    fill(m, self, self.cls.name, call.node)
    if call.args and "config" not in self.attrs:
        self.attrs["config"] = call.args[0]
    return None


@method(NETWORK.qualname, "forward")
def _forward(m: Machine, self: Instance, call: Call) -> Value:
    return opaque_call(m, self, call)


@method(NETWORK.qualname, "__getattr__")
def _getattr(m: Machine, self: Instance, call: Call) -> Value:
    name = call.get(0, "name")
    if not isinstance(name, str) or name in PLAIN or name.startswith(("num_", "is_", "n_", "has_", "_")):
        made: Value = Unknown(str(name))
    elif name in ("weight", "bias"):
        made = nn_core.new_parameter(m, name, None, call.node)
    else:
        return part_of(self, name)
    if isinstance(name, str):
        self.attrs[name] = made
    return made


@method(NETWORK.qualname, "__getitem__")
def _getitem(m: Machine, self: Instance, call: Call) -> Value:
    index = call.get(0, "index")
    if isinstance(index, slice):
        return self
    key = f"[{index}]" if isinstance(index, int | str) else "[?]"
    found = self.attrs.get(key)
    return part_of(self, key) if found is None else found


@method(NETWORK.qualname, "__setitem__")
def _setitem(m: Machine, self: Instance, call: Call) -> Value:
    index = call.get(0, "index")
    self.attrs[f"[{index}]" if isinstance(index, int | str) else "[?]"] = call.get(1, "value")
    return None


@method(NETWORK.qualname, "__iter__")
def _iter(m: Machine, self: Instance, call: Call) -> Value:
    return [_getitem(m, self, Call(call.node, [i], {})) for i in range(2)]


@method(NETWORK.qualname, "__len__")
def _len(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("length")


@method(
    NETWORK.qualname,
    "gradient_checkpointing_enable",
    "gradient_checkpointing_disable",
    "enable_input_require_grads",
    "resize_token_embeddings",
    "save_pretrained",
    "post_init",
    "init_weights",
    "enable_xformers_memory_efficient_attention",
    "tie_weights",
    "print_trainable_parameters",
    "reset_classifier",
    "set_grad_checkpointing",
)
def _quiet(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("setting")


# -- names that give such networks ------------------------------------------------------------------------------------
FACTORIES = (
    re.compile(r"torchvision\.models\.(?:\w+\.)*[a-z][a-z0-9_]*$"),
    re.compile(r"timm(?:\.models)?\.create_model$"),
    re.compile(r"segmentation_models_pytorch\.create_model$"),
    re.compile(r"torch\.hub\.load$"),
)
NETWORKS = (
    re.compile(r"torchvision\.models\.(?:\w+\.)*[A-Z](?!\w*_Weights$)\w*$"),
    re.compile(r"transformers\.(?:[\w]+\.)*(?:\w+(?:Model|For[A-Z]\w+)|\w*AutoModel\w*|AutoBackbone)$"),
    re.compile(r"diffusers\.(?:[\w]+\.)*(?:\w+Model|AutoencoderKL|ControlNet\w*)$"),
    re.compile(r"segmentation_models_pytorch\.(?:[\w]+\.)*[A-Z]\w*$"),
    re.compile(r"timm\.(?:[\w]+\.)*(?:VisionTransformer|ResNet|EfficientNet|SwinTransformer|ConvNeXt)$"),
    re.compile(r"efficientnet_pytorch\.EfficientNet$"),
    re.compile(r"lpips\.LPIPS$"),
    re.compile(r"sentence_transformers\.SentenceTransformer$"),
    re.compile(r"torch_geometric\.nn\.(?:[\w]+\.)*[A-Z]\w*(?:Conv|Net|GCN|GAT|GIN|SAGE)$"),
    re.compile(r"monai\.networks\.nets\.(?:\w+\.)*[A-Z]\w*$"),
)
SKELETONS = re.compile(
    r"(?:transformers|diffusers)\.(?:[\w]+\.)*(?:\w*PreTrainedModel|ModelMixin|GenerationMixin|\w+Mixin)$"
)
LIBRARIES = frozenset(
    {
        "torchvision",
        "transformers",
        "diffusers",
        "timm",
        "segmentation_models_pytorch",
        "efficientnet_pytorch",
        "lpips",
        "sentence_transformers",
        "torch_geometric",
        "monai",
        "torch",
    }
)
SKELETON = lib_class("opaque.Skeleton", MODULE.qualname)


@method(SKELETON.qualname, "__init__")
def _skeleton_init(m: Machine, self: Instance, call: Call) -> Value:
    nn_core.start(self)[OPAQUE] = self.cls.name
    self.attrs["config"] = call.get(0, "config", Unknown("config"))
    return None


@method(
    SKELETON.qualname,
    "post_init",
    "init_weights",
    "tie_weights",
    "save_pretrained",
    "gradient_checkpointing_enable",
    "register_to_config",
)
def _skeleton_quiet(m: Machine, self: Instance, call: Call) -> Value:
    return None


def _from_pretrained(m: Machine, call: Call) -> Value:
    from .. import calls

    cls = call.args[0]
    if isinstance(cls, LibClass):
        made = make(m, cls.name, call.node, cls)
    else:
        made = calls.instantiate(m, cls, [Unknown("config")], {}, call.node)
        if not isinstance(made, Instance):
            return made
    made.attrs.setdefault("config", Unknown("config"))
    if call.kwargs.get("output_loading_info") is True:
        return (made, Unknown("loading info"))
    return made


CONSTRUCTORS = ("from_pretrained", "from_config", "from_name", "_from_config", "from_single_file")
for _cls in (NETWORK, SKELETON):
    for _name in CONSTRUCTORS:
        _cls.attrs[_name] = ClassMethod(LibFunction(_name, _from_pretrained))


def _factory(name: str) -> Any:
    short = name.rpartition(".")[2]

    def model(m: Machine, call: Call) -> Value:
        if short in ("create_model", "load"):
            given = call.get(1 if short == "load" else 0, "model" if short == "load" else "model_name", short)
            return make(m, given if isinstance(given, str) else short, call.node)
        return make(m, short, call.node)

    return LibFunction(name, model)


def provide(name: str) -> Value:
    """The model of a third-party network or of a function that makes one; None for other names."""
    if name.partition(".")[0] not in LIBRARIES or len(name) > 200:
        return None
    if SKELETONS.match(name):
        return CLASSES.get(name) or lib_class(name, SKELETON.qualname)
    if any(p.match(name) for p in NETWORKS):
        return CLASSES.get(name) or lib_class(name, NETWORK.qualname)
    if any(p.match(name) for p in FACTORIES):
        return _factory(name)
    return None


PROVIDERS.append(provide)
