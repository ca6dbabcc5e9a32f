"""Recurrent layers, their cells, and packed sequences. What is saved is what the CPU kernels save."""

from __future__ import annotations

import ast
from typing import Any

from .. import autograd
from ..core import Machine
from ..tensor import Shape, Tensor
from ..values import Instance, Unknown, Value
from . import nn_core, torch_autocast, torch_fresh
from . import torch_ops as ops
from .nn_core import Signature, known, part
from .nn_functional import functional
from .nn_layers import add_parameters, settle
from .registry import Call, function, lib_class, method

LAYER = Signature(
    "input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, "
    "proj_size=0, device=None, dtype=None"
)
PLAIN = Signature(
    "input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, "
    "bidirectional=False, device=None, "
    "dtype=None"
)
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
PACKED = lib_class("torch.nn.utils.rnn.PackedSequence")
nn_core.declare("RNNBase")
for _name in GATES:
    nn_core.declare(_name, "torch.nn.RNNBase")


def _mode(self: Instance) -> str:
    return next((name for name in GATES if self.is_a(f"torch.nn.{name}")), "RNN")


@method("torch.nn.RNNBase", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    mode = _mode(self)
    values = (PLAIN if mode == "RNN" else LAYER).bind(call)
    settle(self, values, "device dtype")
    self.attrs.setdefault("proj_size", 0)
    gates, hidden, inside, proj = (
        GATES[mode],
        known(values["hidden_size"]),
        known(values["input_size"]),
        known(self.attrs["proj_size"]) or 0,
    )
    layers = known(values["num_layers"]) or 1
    wide = gates * hidden if hidden is not None else None
    carried = proj or hidden
    entries: list[tuple[str, Shape, Value]] = []
    for layer in range(min(layers, 12)):
        for direction in ("", "_reverse") if values["bidirectional"] is True else ("",):
            both = 2 if values["bidirectional"] is True else 1
            width = inside if layer == 0 else carried * both if carried is not None else None
            suffix = f"_l{layer}{direction}"
            entries += [(f"weight_ih{suffix}", (wide, width), True), (f"weight_hh{suffix}", (wide, carried), True)]
            if values["bias"] is not False:
                entries += [(f"bias_ih{suffix}", (wide,), True), (f"bias_hh{suffix}", (wide,), True)]
            if proj:
                entries.append((f"weight_hr{suffix}", (proj, hidden), True))
    add_parameters(m, self, entries, call.node)
    nn_core.state(self)["weights"] = [name for name, _, _ in entries]
    return None


@method("torch.nn.RNNBase", "flatten_parameters")
def _flatten(m: Machine, self: Instance, call: Call) -> Value:
    return None


@method("torch.nn.RNNBase", "forward")
def _forward(m: Machine, self: Instance, call: Call) -> Value:
    node = call.node
    source, hx = call.get(0, "input"), call.get(1, "hx")
    packed = isinstance(source, Instance) and source.is_a(PACKED.qualname)
    x = source.attrs.get("data") if packed else source
    mode = _mode(self)
    weights = {n: part(m, self, n, node) for n in nn_core.state(self).get("weights", ())}
    states = _states(m, hx, 2 if mode == "LSTM" else 1)
    before = x
    if mode == "GRU":  # its result is a mean with the state, which has full precision
        x = torch_autocast.lowered(m, [x], node)[0]
    else:
        x, *states = torch_autocast.lowered(m, [x, *states], node)
    weights = dict(zip(weights, torch_autocast.lowered(m, weights.values(), node), strict=True))
    fused = mode == "LSTM" and not packed and not (known(self.attrs.get("proj_size")) or 0)
    shapes = _shapes(self, x, packed)
    saves = _saves(self, x, states, weights, fused, packed)
    inputs = [x, *states, *weights.values()]
    both = self.attrs.get("bidirectional") is True
    count = 3 if mode == "LSTM" else 2
    outs = nn_core.record_many(
        m,
        mode.lower(),
        inputs,
        node,
        [shapes[0], *[shapes[1]] * (count - 1)],
        saves,
        (0,) if fused and not both else (),
    )
    if mode == "GRU" and m.autocast:
        for out in outs:
            out.precision = autograd.precision_of([before])
    if (
        isinstance(x, Tensor)
        and x.shape is not None
        and not packed
        and (len(x.shape) == 2 or self.attrs.get("batch_first") is True)
    ):
        if len(x.shape) == 2:  # torch adds a batch dimension and takes it away
            outs = [torch_fresh.view_of(m, t, node) for t in outs]
        else:
            outs = [_turned(m, outs[0], mode == "LSTM", node), *outs[1:]]
    first: Value = outs[0]
    if packed:
        first = repack(m, source, outs[0], node)
    return (first, (outs[1], outs[2])) if mode == "LSTM" else (first, outs[1])


def _turned(m: Machine, out: Tensor, fused: bool, node: ast.AST) -> Tensor:
    """The output with the batch first: its memory has the time first. The fused LSTM's is a view in autograd's eyes."""
    shape = out.shape
    turned = torch_fresh.view_of(m, out, node) if fused else out
    if shape is not None and len(shape) == 3:
        batch, _, width = shape
        if batch is not None and width is not None:
            turned.layout = (0, (width, batch * width, 1))
    return turned


def _states(m: Machine, hx: Value, count: int) -> list[Value]:
    if hx is None:
        return []
    if count == 2:
        return [v for v in hx if isinstance(v, Tensor | Unknown)] if isinstance(hx, tuple | list) else [hx]
    return [hx] if isinstance(hx, Tensor | Unknown) else []


def _saves(
    self: Instance, x: Value, states: list[Value], weights: dict[str, Value], fused: bool, packed: bool
) -> list[tuple[Any, str]]:
    """The fused LSTM keeps everything; the others are made of linear layers and keep what those keep."""
    copied = (
        self.attrs.get("batch_first") is True and not packed and not _unit(x)
    )  # the transposed input is copied first
    saves: list[tuple[Any, str]] = [] if copied else [(x, "input")]
    saves += [(s, "hx") for s in states]
    if fused:
        return saves + [(w, "weight") for w in weights.values()]
    attached = isinstance(x, Tensor) and bool(x.requires_grad)
    carried = any(isinstance(s, Tensor) and s.requires_grad for s in states)
    single = (
        isinstance(x, Tensor)
        and x.shape is not None
        and len(x.shape) == 3
        and x.shape[1 if self.attrs.get("batch_first") is True else 0] == 1
    )
    for name, weight in weights.items():
        if name.startswith("weight_ih_l0"):
            wanted = attached
        elif name.startswith("weight_hh"):
            wanted = carried or not single
        else:
            wanted = name.startswith("weight")
        if wanted:
            saves.append((weight, "weight"))
    return saves


def _unit(x: Value) -> bool:
    """Whether transposing batch and time gives contiguous memory."""
    return isinstance(x, Tensor) and x.shape is not None and (len(x.shape) != 3 or x.shape[0] == 1 or x.shape[1] == 1)


def _shapes(self: Instance, x: Value, packed: bool) -> tuple[Shape, Shape]:
    carried = known(self.attrs.get("proj_size")) or known(self.attrs.get("hidden_size"))
    directions = 2 if self.attrs.get("bidirectional") is True else 1
    wide = carried * directions if carried is not None else None
    layers = known(self.attrs.get("num_layers"))
    depth = layers * directions if layers is not None else None
    if not isinstance(x, Tensor) or x.shape is None or packed:
        return None, None
    if len(x.shape) == 2:
        return (x.shape[0], wide), (depth, carried)
    batch = x.shape[0 if self.attrs.get("batch_first") is True else 1] if len(x.shape) == 3 else None
    return (*x.shape[:-1], wide), (depth, batch, carried)


# -- cells ------------------------------------------------------------------------------------------------------------
CELL = Signature("input_size, hidden_size, bias=True, device=None, dtype=None")
PLAIN_CELL = Signature("input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None")
CELLS = {"LSTMCell": 4, "GRUCell": 3, "RNNCell": 1}
nn_core.declare("RNNCellBase")


def _cell(name: str, gates: int) -> None:
    cls = nn_core.declare(name, "torch.nn.RNNCellBase")
    spec = PLAIN_CELL if name == "RNNCell" else CELL

    def init(m: Machine, self: Instance, call: Call) -> Value:
        values = spec.bind(call)
        settle(self, values, "device dtype")
        hidden, inside = known(values["hidden_size"]), known(values["input_size"])
        wide = gates * hidden if hidden is not None else None
        bias = values["bias"]
        entries: list[tuple[str, Shape, Value]] = [
            ("weight_ih", (wide, inside), True),
            ("weight_hh", (wide, hidden), True),
            ("bias_ih", (wide,), bias),
            ("bias_hh", (wide,), bias),
        ]
        add_parameters(m, self, entries, call.node)
        return None

    def forward(m: Machine, self: Instance, call: Call) -> Value:
        """Two linear layers and a pointwise kernel that keeps its own workspace; RNNCell keeps its result."""
        node = call.node
        x, hx = call.get(0, "input"), call.get(1, "hx")
        w_ih, w_hh, b_ih, b_hh = (part(m, self, n, node) for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        states = _states(m, hx, 2 if name == "LSTMCell" else 1)
        hidden = known(self.attrs.get("hidden_size"))
        shape = (*x.shape[:-1], hidden) if isinstance(x, Tensor) and x.shape is not None else None
        gates_in = functional(m, "linear", [x, w_ih, b_ih], {}, node)
        before = states[0] if states else ops.new_tensor(m, node, shape)
        gates_hidden = functional(m, "linear", [before, w_hh, b_hh], {}, node)
        saves = [(s, "hx") for s in (states[1:] if name == "LSTMCell" else states if name == "GRUCell" else [])]
        count = 2 if name == "LSTMCell" else 1
        pointwise = {"LSTMCell": "lstm_cell", "GRUCell": "gru_cell", "RNNCell": "rnn_cell"}[name]
        carried = states[1:] if name == "LSTMCell" else states if name == "GRUCell" else []
        outs = nn_core.record_many(
            m,
            pointwise,
            [gates_in, gates_hidden, *carried],
            node,
            [shape] * count,
            saves,
            (0,) if name == "RNNCell" else (),
        )
        if m.autocast and name != "RNNCell":
            for out in outs:
                out.precision = autograd.precision_of(states[-1:] or [x])  # a mean with the state, which is not cast
        if shape is not None and len(shape) == 1:
            outs = [torch_fresh.view_of(m, t, node) for t in outs]
        return tuple(outs) if count == 2 else outs[0]

    cls.methods.update(__init__=init, forward=forward)


for _name, _gates in CELLS.items():
    _cell(_name, _gates)


# -- packed sequences -------------------------------------------------------------------------------------------------
def repack(m: Machine, like: Instance | None, data: Value, node: ast.AST, lengths: Value = None) -> Instance:
    """A PackedSequence of ``data`` with the layout of another one."""
    made = Instance(PACKED, m.here(node))
    made.attrs["data"] = data
    for name in ("batch_sizes", "sorted_indices", "unsorted_indices", "lengths", "batch_first"):
        made.attrs[name] = like.attrs.get(name) if like is not None else Unknown(name)
    if like is None:
        made.attrs["lengths"] = lengths
    return made


@method(PACKED.qualname, "__init__")
def _packed_init(m: Machine, self: Instance, call: Call) -> Value:
    for i, name in enumerate(("data", "batch_sizes", "sorted_indices", "unsorted_indices")):
        self.attrs[name] = call.get(i, name)
    return None


@method(PACKED.qualname, "to", "cuda", "cpu", "float", "pin_memory")
def _packed_to(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method(PACKED.qualname, "__iter__")
def _packed_iter(m: Machine, self: Instance, call: Call) -> Value:
    return [self.attrs.get(n) for n in ("data", "batch_sizes", "sorted_indices", "unsorted_indices")]


RNN_UTILS = "torch.nn.utils.rnn."


@function(RNN_UTILS + "pack_padded_sequence")
def _pack(m: Machine, call: Call) -> Value:
    """Copies the used parts of the input into new memory."""
    x = call.get(0, "input")
    lengths = call.get(1, "lengths")
    width = x.shape[-1] if isinstance(x, Tensor) and x.shape else None
    data = autograd.record(
        m,
        "_pack_padded_sequence",
        [x],
        call.node,
        shape=(None, width),
        dtype=x.dtype if isinstance(x, Tensor) else "float",
        hidden=True,
    )
    made = repack(m, None, data, call.node, lengths)
    made.attrs["batch_first"] = call.get(2, "batch_first", False)
    made.attrs["shape"] = x.shape if isinstance(x, Tensor) else None
    return made


@function(RNN_UTILS + "pad_packed_sequence")
def _pad(m: Machine, call: Call) -> Value:
    sequence = call.get(0, "sequence")
    if not (isinstance(sequence, Instance) and sequence.is_a(PACKED.qualname)):
        return (Unknown("padded"), Unknown("lengths"))
    data = sequence.attrs.get("data")
    width = data.shape[-1] if isinstance(data, Tensor) and data.shape else None
    out = autograd.record(m, "_pad_packed_sequence", [data], call.node, shape=(None, None, width))
    return (out, ops.new_tensor(m, call.node, (None,), "int"))


@function(RNN_UTILS + "pad_sequence")
def _pad_sequence(m: Machine, call: Call) -> Value:
    sequences = call.get(0, "sequences")
    tensors = [t for t in sequences if isinstance(t, Tensor)] if isinstance(sequences, list | tuple) else []
    if not tensors:
        return Unknown("pad_sequence")
    first = tensors[0]
    shape = (None, None, *first.shape[1:]) if first.shape else None
    return autograd.record(m, "pad_sequence", tensors, call.node, hidden=True, shape=shape, dtype=first.dtype)


@function(RNN_UTILS + "pack_sequence")
def _pack_sequence(m: Machine, call: Call) -> Value:
    sequences = call.get(0, "sequences")
    tensors = [t for t in sequences if isinstance(t, Tensor)] if isinstance(sequences, list | tuple) else []
    data = autograd.record(m, "pack_sequence", tensors, call.node, hidden=True) if tensors else Unknown("packed")
    return repack(m, None, data, call.node)


@function(RNN_UTILS + "unpad_sequence", RNN_UTILS + "unpack_sequence")
def _unpad(m: Machine, call: Call) -> Value:
    return Unknown("sequences")
