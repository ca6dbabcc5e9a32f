"""Rows of facts: from a probe where a sample call exists, from schema and formulas where none does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torchgen.model import NativeFunction

import torchdb_native
import torchdb_probe
import torchdb_search
import torchdb_values


@dataclass
class Row:
    """The facts of one op, by its own argument names; the JSON form leaves out what is empty."""

    op: str
    saves: dict[str, tuple[str, ...]] = field(default_factory=dict)
    saves_out: tuple[int, ...] = ()
    hidden: bool = False
    hidden_if_scalar: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    returns: tuple[str, ...] = ("new",)
    nondiff: tuple[int, ...] = ()
    clones_self: bool = False
    shape: str = "unknown"
    probed: bool = False

    def as_json(self) -> dict[str, Any]:
        """The compact form; keys are the first letters the loader knows."""
        result: dict[str, Any] = {"op": self.op}
        if self.saves:
            result["s"] = {k: list(v) for k, v in self.saves.items()}
        if self.saves_out:
            result["o"] = list(self.saves_out)
        if self.hidden:
            result["h"] = 1
        if self.hidden_if_scalar:
            result["hs"] = list(self.hidden_if_scalar)
        if self.diff:
            result["d"] = list(self.diff)
        if self.writes:
            result["w"] = list(self.writes)
        if self.returns != ("new",):
            result["r"] = list(self.returns)
        if self.nondiff:
            result["n"] = list(self.nondiff)
        if self.clones_self:
            result["c"] = 1
        if self.shape != "unknown":
            result["f"] = self.shape
        return result


MATMULS = frozenset(
    """
    matmul mm bmm mv dot vdot inner outer ger linear bilinear addmm addbmm baddbmm addmv addr einsum tensordot
    linalg_matmul linalg_multi_dot chain_matmul kron linalg_vecdot cdist multi_dot
    """.split()
)
SAME = frozenset(
    """
    softmax log_softmax cumsum cumprod cummax cummin logcumsumexp dropout alpha_dropout feature_dropout flip roll
    sort argsort tril triu layer_norm group_norm batch_norm instance_norm rms_norm clone detach contiguous
    masked_fill index_add index_copy index_fill scatter scatter_add scatter_reduce masked_scatter renorm fill zero
    to float double half bfloat16 int long bool copy relu gelu silu mish elu selu celu leaky_relu hardswish
    hardsigmoid hardtanh relu6 rrelu prelu sigmoid tanh logsigmoid softplus softsign tanhshrink softshrink
    hardshrink threshold normalize softmin gumbel_softmax type type_as cpu cuda
    """.split()
)
REDUCTIONS = frozenset(
    "sum mean prod std var max min amax amin norm logsumexp argmax argmin all any median nanmedian mode nansum nanmean "
    """
        std_mean var_mean aminmax count_nonzero dist linalg_norm linalg_vector_norm linalg_matrix_norm trace
    """.split()
)
CREATIONS = frozenset(
    """
    zeros ones empty full rand randn randint randperm arange linspace logspace eye tensor as_tensor scalar_tensor
    range zeros_like ones_like empty_like full_like rand_like randn_like randint_like new_zeros new_ones new_empty
    new_full new_tensor empty_strided new_empty_strided tril_indices triu_indices hann_window hamming_window
    blackman_window bartlett_window kaiser_window normal bernoulli poisson multinomial from_numpy
    """.split()
)


def base_name(name: str) -> str:
    """`mul_.Tensor` to `mul`; names that start with an underscore keep it."""
    base = name.split(".")[0]
    return base[:-1] if base.endswith("_") and not base.endswith("__") else base


def shape_of(op: str, returns: tuple[str, ...], tags: frozenset[str] = frozenset()) -> str:
    """A word for how the shape of the result follows from the inputs; "unknown" where no table says so."""
    bare = op.removeprefix("linalg_") if op not in MATMULS and op not in REDUCTIONS else op
    if op in MATMULS:
        return "matmul"
    if op in REDUCTIONS:
        return "reduce"
    if op in CREATIONS or bare in CREATIONS:
        return "creation"
    if returns and returns[0].split(":")[0] in ("view", "multiview", "maybe_view") and op not in SAME:
        return "view"
    if op in SAME or bare in SAME:
        return "same"
    if "pointwise" in tags:
        return "pointwise"
    return "reduce" if "reduction" in tags else "unknown"


def from_formulas(native: torchdb_native.Native, name: str) -> Row:
    """The row that schema and derivatives.yaml give, without a call."""
    function = native.functions[name]
    row = Row(base_name(name))
    row.writes = tuple(torchdb_native.writes_of(function))
    row.returns = tuple(torchdb_native.returns_of(function))
    source = name
    if name not in native.saved and row.writes:
        source = torchdb_native.functional_of(native, name) or name
    saved = native.saved.get(source)
    returns = function.func.returns
    if saved is not None:
        row.diff = tuple(saved.diff)
        row.saves = {
            k: (() if set(v) >= set(saved.diff) else v) for k, v in saved.inputs.items() if k not in row.writes
        }
        row.clones_self = bool(row.writes) and any(k in row.writes for k in saved.inputs)
        row.hidden = row.clones_self
        row.saves_out = tuple(sorted({torchdb_native.output_index(function, o) for o in saved.outputs}))
        if row.saves_out and max(row.saves_out) >= len(returns):
            row.hidden = True
            row.saves_out = tuple(i for i in row.saves_out if i < len(returns))
        row.nondiff = tuple(saved.nondiff)
    elif not function.has_composite_implicit_autograd_kernel and row.returns == ("new",) * len(returns):
        row.nondiff = tuple(range(len(returns)))
    row.shape = shape_of(row.op, row.returns, frozenset(function.tags))
    return row


def from_probe(
    op: str, facts: torchdb_probe.Facts, writes: tuple[str, ...], returns: tuple[str, ...], tags: frozenset[str]
) -> Row:
    """The row that a probe gives; the schema keeps the word on views that may be copies."""
    row = Row(op, dict(facts.saves), facts.saves_out, facts.hidden, (), facts.diff)
    row.writes = facts.bumped
    row.returns = facts.returns
    if len(returns) == len(facts.returns):
        row.returns = tuple(
            s if s.startswith(("maybe", "alias")) else p for s, p in zip(returns, facts.returns, strict=True)
        )
    row.nondiff = facts.nondiff
    row.clones_self = facts.clones_self and bool(writes or row.writes)
    row.probed = True
    row.shape = shape_of(op, row.returns, tags)
    return row


def probe_native(function: NativeFunction, recipe: torchdb_values.Recipe) -> torchdb_probe.Facts:
    """Probe one ATen overload with its sample call."""
    return torchdb_probe.probe(
        torchdb_search.native_call(function),
        torchdb_values.values_of(recipe),
        torchdb_native.writes_of(function),
        torchdb_search.is_listed(function),
    )
