"""Attention and Transformer layers, put together from the parts that torch puts them together from."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .. import attributes, autograd, calls
from ..core import Machine
from ..tensor import Shape, Tensor
from ..values import Instance, LibFunction, LibValue, Unknown, Value
from . import nn_containers, nn_core, torch_fresh
from . import torch_ops as ops
from .nn_core import Signature, call_part, known, part
from .nn_functional import functional
from .nn_layers import add_parameters, settle
from .registry import CLASSES, Call, method, relies_on
from .stdlib_copy import Copier


def _make(m: Machine, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Instance:
    """A layer of torch as a part of another one."""
    made = Instance(CLASSES[f"torch.nn.{name}"], m.here(node))
    init = attributes.find(m, made, "__init__")
    calls.call(m, init, args, kwargs, node)
    return made


# -- attention --------------------------------------------------------------------------------------------------------
ATTENTION = Signature(
    "embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, "
    "vdim=None, batch_first=False, device=None, "
    "dtype=None"
)
nn_core.declare("MultiheadAttention")


@method("torch.nn.MultiheadAttention", "__init__")
def _attention_init(m: Machine, self: Instance, call: Call) -> Value:
    values = ATTENTION.bind(call)
    settle(self, values)
    width = known(values["embed_dim"])
    key = width if values["kdim"] is None else known(values["kdim"])
    value = width if values["vdim"] is None else known(values["vdim"])
    same = key == width and value == width
    self.attrs["_qkv_same_embed_dim"] = same
    triple = 3 * width if width is not None else None
    separate: list[tuple[str, Shape]] = [
        ("q_proj_weight", (width, width)),
        ("k_proj_weight", (width, key)),
        ("v_proj_weight", (width, value)),
    ]
    if same:
        add_parameters(
            m, self, [("in_proj_weight", (triple, width), True), *((n, s, False) for n, s in separate)], call.node
        )
    else:
        add_parameters(m, self, [*((n, s, True) for n, s in separate), ("in_proj_weight", None, False)], call.node)
    add_parameters(m, self, [("in_proj_bias", (triple,), values["bias"])], call.node)
    self.attrs["out_proj"] = _make(
        m, "NonDynamicallyQuantizableLinear", [values["embed_dim"], values["embed_dim"], values["bias"]], {}, call.node
    )
    extra = values["add_bias_kv"]
    add_parameters(m, self, [("bias_k", (1, 1, width), extra), ("bias_v", (1, 1, width), extra)], call.node)
    if isinstance(width, int) and isinstance(values["num_heads"], int) and values["num_heads"]:
        self.attrs["head_dim"] = width // values["num_heads"]
    return None


@method("torch.nn.MultiheadAttention", "forward")
def _attention(m: Machine, self: Instance, call: Call) -> Value:
    """Three projections, an attention whose workings nobody else holds, and the output projection."""
    node = call.node
    query, key, value = call.get(0, "query"), call.get(1, "key"), call.get(2, "value")
    need_weights = call.get(4, "need_weights", True)
    if self.attrs.get("batch_first") is True:
        query, key, value = _transposed(m, [query, key, value], node)
    bias = part(m, self, "in_proj_bias", node)
    if self.attrs.get("_qkv_same_embed_dim") is not False:
        weights = [part(m, self, "in_proj_weight", node)] * 3
    else:
        weights = [part(m, self, f"{n}_proj_weight", node) for n in "qkv"]
    inputs = [query, key, value]
    if query is key is value:
        projected = [functional(m, "linear", [query, weights[0], bias], {}, node)]
    else:
        projected = [functional(m, "linear", [x, w, bias], {}, node) for x, w in zip(inputs, weights, strict=True)]
    extras = [b for n in ("bias_k", "bias_v") if isinstance(b := self.attrs.get(n), Tensor)]
    mask = call.get(5, "attn_mask")
    core = autograd.record(
        m, "scaled_dot_product_attention", [*projected, *extras], node, hidden=True, shape=_shape_of(query)
    )
    if isinstance(mask, Tensor) and mask.requires_grad:
        core = autograd.record(m, "baddbmm", [core, mask], node, hidden=True, shape=core.shape)
    out_layer = self.attrs.get("out_proj")
    out = (
        functional(m, "linear", [core, part(m, out_layer, "weight", node), part(m, out_layer, "bias", node)], {}, node)
        if isinstance(out_layer, Instance)
        else Unknown("attention")
    )
    if isinstance(out, Tensor):
        out.shape = _shape_of(query)
        out = torch_fresh.view_of(m, out, node)
        out.label = ""
    averaged: Value = None
    if need_weights is not False:
        averaged = autograd.record(m, "mean", projected, node, hidden=True, shape=_weights_shape(self, query, key))
        if averaged.shape is not None and len(averaged.shape) == 2:
            averaged = torch_fresh.view_of(m, averaged, node)
    return (out, averaged)


def _weights_shape(self: Instance, query: Value, key: Value) -> Shape:
    """The shape of the weights, averaged over the heads; ``batch_first`` inputs are given with their own shapes."""
    q, k = _shape_of(query), _shape_of(key)
    if q is None or k is None or len(q) != len(k) or len(q) not in (2, 3):
        return None
    if len(q) == 2:
        return q[0], k[0]
    return (q[0], q[1], k[1]) if self.attrs.get("batch_first") is True else (q[1], q[0], k[0])


def _transposed(m: Machine, inputs: list[Value], node: ast.AST) -> list[Value]:
    """Inputs whose batch comes first: a projection of the transposed ones copies them, unless a side is 1."""
    made: dict[int, Value] = {}
    for x in inputs:
        if isinstance(x, Tensor) and id(x) not in made:
            flat = x.shape is not None and (len(x.shape) != 3 or 1 in x.shape[:2])
            made[id(x)] = x if flat else autograd.record(m, "transpose", [x], node, shape=x.shape)
    return [made.get(id(x), x) for x in inputs]


def _shape_of(value: Value) -> Shape:
    return value.shape if isinstance(value, Tensor) else None


# -- Transformer layers -----------------------------------------------------------------------------------------------
_LAYER = (
    "d_model, nhead, dim_feedforward=2048, dropout=0.1, activation='relu', layer_norm_eps=1e-5, "
    "batch_first=False, norm_first=False, bias=True, "
    "device=None, dtype=None"
)
LAYER = Signature(_LAYER)
for _name in (
    "TransformerEncoderLayer",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerDecoder",
    "Transformer",
):
    nn_core.declare(_name)


def _layer_init(m: Machine, self: Instance, call: Call, decoder: bool) -> None:
    values = LAYER.bind(call)
    nn_core.start(self)
    node = call.node
    width, inner, drop, bias = values["d_model"], values["dim_feedforward"], values["dropout"], values["bias"]
    attention = {"dropout": drop, "bias": bias, "batch_first": values["batch_first"]}
    attrs = self.attrs
    attrs["self_attn"] = _make(m, "MultiheadAttention", [width, values["nhead"]], attention, node)
    if decoder:
        attrs["multihead_attn"] = _make(m, "MultiheadAttention", [width, values["nhead"]], attention, node)
    attrs["linear1"] = _make(m, "Linear", [width, inner, bias], {}, node)
    attrs["dropout"] = _make(m, "Dropout", [drop], {}, node)
    attrs["linear2"] = _make(m, "Linear", [inner, width, bias], {}, node)
    attrs["norm_first"] = values["norm_first"]
    count = 3 if decoder else 2
    for i in range(1, count + 1):
        attrs[f"norm{i}"] = _make(m, "LayerNorm", [width], {"bias": bias}, node)
    for i in range(1, count + 1):
        attrs[f"dropout{i}"] = _make(m, "Dropout", [drop], {}, node)
    attrs["activation"] = values["activation"]


def _activate(m: Machine, self: Instance, x: Value, node: ast.AST) -> Value:
    activation = self.attrs.get("activation")
    if activation == "gelu" or (isinstance(activation, LibValue | LibFunction) and activation.name.endswith("gelu")):
        return functional(m, "gelu", [x], {}, node)
    if activation == "relu" or (isinstance(activation, LibValue | LibFunction) and activation.name.endswith("relu")):
        return functional(m, "relu", [x], {}, node)
    return call_part(m, activation, [x], node)


def _attend(
    m: Machine, self: Instance, name: str, drop: str, query: Value, memory: Value, mask: Value, node: ast.AST
) -> Value:
    attention = self.attrs[name]
    kwargs = {"need_weights": False, "attn_mask": mask}
    result = calls.call(m, attention, [query, memory, memory], kwargs, node)
    return call_part(m, self.attrs[drop], [result[0] if isinstance(result, tuple) and result else result], node)


def _feed(m: Machine, self: Instance, x: Value, drop: str, node: ast.AST) -> Value:
    attrs = self.attrs
    x = _activate(m, self, call_part(m, attrs["linear1"], [x], node), node)
    x = call_part(m, attrs["linear2"], [call_part(m, attrs["dropout"], [x], node)], node)
    return call_part(m, attrs[drop], [x], node)


def _plus(m: Machine, x: Value, y: Value, node: ast.AST) -> Value:
    return ops.torch_function(m, "add", [x, y], {}, node)


def _block(m: Machine, self: Instance, x: Value, norm: str, inner: Callable[[Value], Value], node: ast.AST) -> Value:
    """A residual block, with its norm before or after."""
    if self.attrs.get("norm_first") is True:
        return _plus(m, x, inner(call_part(m, self.attrs[norm], [x], node)), node)
    return call_part(m, self.attrs[norm], [_plus(m, x, inner(x), node)], node)


OF_LAYERS = ("self_attn", "linear1", "linear2", "dropout", "dropout1", "dropout2", "norm1", "norm2")
relies_on("torch.nn.TransformerEncoderLayer", None, *OF_LAYERS)
relies_on("torch.nn.TransformerDecoderLayer", None, *OF_LAYERS, "multihead_attn", "dropout3", "norm3")
relies_on("torch.nn.TransformerEncoder", None, "layers")
relies_on("torch.nn.TransformerDecoder", None, "layers")
relies_on("torch.nn.Transformer", None, "encoder", "decoder")


@method("torch.nn.TransformerEncoderLayer", "__init__")
def _encoder_layer_init(m: Machine, self: Instance, call: Call) -> Value:
    _layer_init(m, self, call, False)
    return None


@method("torch.nn.TransformerEncoderLayer", "forward")
def _encoder_layer(m: Machine, self: Instance, call: Call) -> Value:
    node, mask = call.node, call.get(1, "src_mask")
    x = _block(
        m,
        self,
        call.get(0, "src"),
        "norm1",
        lambda y: _attend(m, self, "self_attn", "dropout1", y, y, mask, node),
        node,
    )
    return _block(m, self, x, "norm2", lambda y: _feed(m, self, y, "dropout2", node), node)


@method("torch.nn.TransformerDecoderLayer", "__init__")
def _decoder_layer_init(m: Machine, self: Instance, call: Call) -> Value:
    _layer_init(m, self, call, True)
    return None


@method("torch.nn.TransformerDecoderLayer", "forward")
def _decoder_layer(m: Machine, self: Instance, call: Call) -> Value:
    node, memory = call.node, call.get(1, "memory")
    mask, memory_mask = call.get(2, "tgt_mask"), call.get(3, "memory_mask")
    x = _block(
        m,
        self,
        call.get(0, "tgt"),
        "norm1",
        lambda y: _attend(m, self, "self_attn", "dropout1", y, y, mask, node),
        node,
    )
    x = _block(
        m,
        self,
        x,
        "norm2",
        lambda y: _attend(m, self, "multihead_attn", "dropout2", y, memory, memory_mask, node),
        node,
    )
    return _block(m, self, x, "norm3", lambda y: _feed(m, self, y, "dropout3", node), node)


# -- stacks -----------------------------------------------------------------------------------------------------------
def _stack_init(m: Machine, self: Instance, layer: Value, count: Value, norm: Value, node: ast.AST) -> None:
    nn_core.start(self)
    number = count if isinstance(count, int) else 2
    copies = [Copier(m, node).copy(layer) for _ in range(max(1, min(number, 12)))]
    self.attrs["layers"] = nn_containers.build(m, "ModuleList", copies, node)
    self.attrs["num_layers"] = count
    self.attrs["norm"] = norm


@method("torch.nn.TransformerEncoder", "__init__")
def _encoder_init(m: Machine, self: Instance, call: Call) -> Value:
    _stack_init(m, self, call.get(0, "encoder_layer"), call.get(1, "num_layers"), call.get(2, "norm"), call.node)
    return None


@method("torch.nn.TransformerDecoder", "__init__")
def _decoder_init(m: Machine, self: Instance, call: Call) -> Value:
    _stack_init(m, self, call.get(0, "decoder_layer"), call.get(1, "num_layers"), call.get(2, "norm"), call.node)
    return None


@method("torch.nn.TransformerEncoder", "forward")
def _encoder(m: Machine, self: Instance, call: Call) -> Value:
    x = call.get(0, "src")
    for layer in nn_containers.items(self.attrs["layers"]):
        x = calls.call(m, layer, [x], {"src_mask": call.get(1, "mask")}, call.node)
    norm = self.attrs.get("norm")
    return call_part(m, norm, [x], call.node) if norm is not None else x


@method("torch.nn.TransformerDecoder", "forward")
def _decoder(m: Machine, self: Instance, call: Call) -> Value:
    x, memory = call.get(0, "tgt"), call.get(1, "memory")
    kwargs = {"tgt_mask": call.get(2, "tgt_mask"), "memory_mask": call.get(3, "memory_mask")}
    for layer in nn_containers.items(self.attrs["layers"]):
        x = calls.call(m, layer, [x, memory], kwargs, call.node)
    norm = self.attrs.get("norm")
    return call_part(m, norm, [x], call.node) if norm is not None else x


TRANSFORMER = Signature(
    "d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, "
    "activation='relu', custom_encoder=None, "
    "custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None"
)


@method("torch.nn.Transformer", "__init__")
def _transformer_init(m: Machine, self: Instance, call: Call) -> Value:
    values = TRANSFORMER.bind(call)
    nn_core.start(self)
    node = call.node
    settings = {k: values[k] for k in ("dim_feedforward", "dropout", "activation", "batch_first", "norm_first", "bias")}
    for side, other in (("encoder", "Encoder"), ("decoder", "Decoder")):
        if values[f"custom_{side}"] is not None:
            self.attrs[side] = values[f"custom_{side}"]
            continue
        layer = _make(m, f"Transformer{other}Layer", [values["d_model"], values["nhead"]], settings, node)
        norm = _make(m, "LayerNorm", [values["d_model"]], {}, node)
        self.attrs[side] = _make(m, f"Transformer{other}", [layer, values[f"num_{side}_layers"], norm], {}, node)
    self.attrs.update(d_model=values["d_model"], nhead=values["nhead"], batch_first=values["batch_first"])
    return None


@method("torch.nn.Transformer", "forward")
def _transformer(m: Machine, self: Instance, call: Call) -> Value:
    memory = calls.call(m, self.attrs["encoder"], [call.get(0, "src")], {"mask": call.get(2, "src_mask")}, call.node)
    kwargs = {"tgt_mask": call.get(3, "tgt_mask"), "memory_mask": call.get(4, "memory_mask")}
    return calls.call(m, self.attrs["decoder"], [call.get(1, "tgt"), memory], kwargs, call.node)


@method("torch.nn.Transformer", "generate_square_subsequent_mask")
def _mask(m: Machine, self: Value, call: Call) -> Value:
    size = self if isinstance(self, int) else call.get(0, "sz")
    side = size if isinstance(size, int) else None
    return ops.new_tensor(m, call.node, (side, side))
