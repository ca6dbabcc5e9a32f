"""Distributions made of others: independent batches, transformed ones; transforms; divergences between two."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .. import attributes, calls, iteration
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, LibFunction, Unknown, Value
from . import nn_opaque
from . import torch_ops as ops
from .distributions import BASE, PREFIX, Body, method_of
from .distributions_discrete import inside
from .distributions_matrix import half_log_det, mahalanobis
from .nn_terms import Term, plain
from .registry import Call, function, lib_class, method, relies_on

# -- independent ------------------------------------------------------------------------------------------------------
INDEPENDENT = lib_class(f"{PREFIX}Independent", BASE.qualname)


@method(INDEPENDENT.qualname, "__init__")
def _independent_init(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs["base_dist"] = call.get(0, "base_distribution")
    self.attrs["reinterpreted_batch_ndims"] = call.get(1, "reinterpreted_batch_ndims", 1)
    return None


def _summed(m: Machine, self: Instance, value: Value, node: ast.AST) -> Value:
    """Sums over the last dimensions, which became one event."""
    count = self.attrs.get("reinterpreted_batch_ndims")
    if count == 0:
        return value
    dims: Value = -1 if count == 1 else tuple(range(-count, 0)) if isinstance(count, int) and 0 < count < 10 else None
    if not isinstance(value, Tensor):
        return Unknown("sum")
    return ops.tensor_method(m, value, "sum", [dims] if dims is not None else [], {}, node)


def _base(m: Machine, self: Instance, name: str, call: Call) -> Value:
    base = self.attrs.get("base_dist")
    return calls.call(m, attributes.get_attribute(m, base, name, call.node), call.args, call.kwargs, call.node)


@method(INDEPENDENT.qualname, "log_prob")
def _independent_log_prob(m: Machine, self: Instance, call: Call) -> Value:
    return _summed(m, self, _base(m, self, "log_prob", call), call.node)


@method(INDEPENDENT.qualname, "entropy")
def _independent_entropy(m: Machine, self: Instance, call: Call) -> Value:
    return _summed(m, self, _base(m, self, "entropy", call), call.node)


@method(INDEPENDENT.qualname, "sample")
def _independent_sample(m: Machine, self: Instance, call: Call) -> Value:
    return _base(m, self, "sample", call)


@method(INDEPENDENT.qualname, "rsample")
def _independent_rsample(m: Machine, self: Instance, call: Call) -> Value:
    return _base(m, self, "rsample", call)


def _delegate(name: str) -> Any:
    return lambda m, self, node: attributes.get_attribute(m, self.attrs.get("base_dist"), name, node)


INDEPENDENT.props.update({n: _delegate(n) for n in ("mean", "variance", "mode", "stddev", "support", "has_rsample")})

# -- transforms -------------------------------------------------------------------------------------------------------
TRANSFORM = lib_class(f"{PREFIX}Transform")
Step = Callable[[Term, Instance], Term]


def _forget_inverse(x: Term, self: Instance) -> Term:
    return Term(
        x.m,
        x.node,
        nn_opaque.output(x.m, [x.value], x.node, "transform") if isinstance(x.value, Tensor) else Unknown("transform"),
    )


FORWARD: dict[str, Step] = {
    "TanhTransform": lambda x, s: x.do("tanh"),
    "SigmoidTransform": lambda x, s: x.do("sigmoid"),
    "ExpTransform": lambda x, s: x.exp(),
    "AffineTransform": lambda x, s: s.attrs.get("loc", 0.0) + s.attrs.get("scale", 1.0) * x,
    "SoftplusTransform": lambda x, s: x.f("softplus"),
    "AbsTransform": lambda x, s: x.do("abs"),
    "PowerTransform": lambda x, s: x.do("pow", s.attrs.get("exponent", 1.0)),
    "SoftmaxTransform": lambda x, s: x.f("softmax", -1),
}
INVERSE: dict[str, Step] = {
    "TanhTransform": lambda y, s: y.do("atanh"),
    "SigmoidTransform": lambda y, s: y.do("clamp", min=1e-7, max=1.0).log() - (-y).do("log1p"),
    "ExpTransform": lambda y, s: y.log(),
    "AffineTransform": lambda y, s: (y - s.attrs.get("loc", 0.0)) / s.attrs.get("scale", 1.0),
}
DETERMINANT: dict[str, Callable[[Term, Term, Instance], Term]] = {
    "TanhTransform": lambda x, y, s: 2.0 * (0.69 - x - (-2.0 * x).f("softplus")),
    "SigmoidTransform": lambda x, y, s: -(-x).f("softplus") - x.f("softplus"),
    "ExpTransform": lambda x, y, s: x,
    "AffineTransform": lambda x, y, s: Term(x.m, x.node, s.attrs.get("scale", 1.0)).do("abs").log(),
}
SETTINGS = {"AffineTransform": ("loc", "scale"), "PowerTransform": ("exponent",)}


def _transform_class(name: str) -> None:
    cls = lib_class(PREFIX + name, TRANSFORM.qualname)
    names = SETTINGS.get(name, ())

    def init(m: Machine, self: Instance, call: Call) -> Value:
        for i, key in enumerate(names):
            self.attrs[key] = call.get(i, key)
        self.data = {
            "kind": name,
            "cache": call.get(len(names) + (name == "AffineTransform"), "cache_size", 0),
            "last": None,
        }
        return None

    cls.methods["__init__"] = init


for _name in (
    *FORWARD,
    "ComposeTransform",
    "IndependentTransform",
    "ReshapeTransform",
    "StickBreakingTransform",
    "LowerCholeskyTransform",
    "CorrCholeskyTransform",
    "CatTransform",
    "StackTransform",
    "CumulativeDistributionTransform",
    "PositiveDefiniteTransform",
):
    _transform_class(_name)


def forward(m: Machine, self: Value, x: Value, node: ast.AST) -> Value:
    """Apply a transform; with a cache the last pair is remembered."""
    if not (isinstance(self, Instance) and isinstance(self.data, dict)):
        return calls.call(m, self, [x], {}, node) if self is not None else x
    last = self.data.get("last")
    if self.data.get("cache") == 1 and last is not None and last[0] is x:
        return last[1]
    step = FORWARD.get(self.data.get("kind", ""), _forget_inverse)
    y = plain(step(Term(m, node, x), self))
    if self.data.get("cache") == 1:
        self.data["last"] = (x, y)
    return y


def inverse(m: Machine, self: Value, y: Value, node: ast.AST) -> Value:
    if not (isinstance(self, Instance) and isinstance(self.data, dict)):
        return Unknown("inverse")
    last = self.data.get("last")
    if self.data.get("cache") == 1 and last is not None and last[1] is y:
        return last[0]
    x = plain(INVERSE.get(self.data.get("kind", ""), _forget_inverse)(Term(m, node, y), self))
    if self.data.get("cache") == 1:
        self.data["last"] = (x, y)
    return x


def determinant(m: Machine, self: Value, x: Value, y: Value, node: ast.AST) -> Value:
    body = (
        DETERMINANT.get(self.data.get("kind", ""))
        if isinstance(self, Instance) and isinstance(self.data, dict)
        else None
    )
    if body is None:
        return plain(_forget_inverse(Term(m, node, x), self))
    return plain(body(Term(m, node, x), Term(m, node, y), self))


@method(TRANSFORM.qualname, "__call__")
def _apply(m: Machine, self: Instance, call: Call) -> Value:
    return forward(m, self, call.get(0, "x"), call.node)


@method(TRANSFORM.qualname, "log_abs_det_jacobian")
def _log_abs_det(m: Machine, self: Instance, call: Call) -> Value:
    return determinant(m, self, call.get(0, "x"), call.get(1, "y"), call.node)


@method(TRANSFORM.qualname, "_inverse")
def _invert(m: Machine, self: Instance, call: Call) -> Value:
    return inverse(m, self, call.get(0, "y"), call.node)


TRANSFORM.props["inv"] = lambda m, self, node: LibFunction(
    "inverse", lambda m, call: inverse(m, self, call.get(0, "y"), call.node)
)

# -- transformed distributions ----------------------------------------------------------------------------------------
TRANSFORMED = lib_class(f"{PREFIX}TransformedDistribution", BASE.qualname)
relies_on(TRANSFORMED.qualname, None, "base_dist", "transforms")


@method(TRANSFORMED.qualname, "__init__")
def _transformed_init(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs["base_dist"] = call.get(0, "base_distribution")
    transforms = call.get(1, "transforms")
    self.attrs["transforms"] = list(transforms) if isinstance(transforms, list | tuple) else [transforms]
    return None


def _pushed(m: Machine, self: Instance, name: str, call: Call) -> Value:
    x = calls.call(
        m, attributes.get_attribute(m, self.attrs["base_dist"], name, call.node), call.args, call.kwargs, call.node
    )
    for transform in iteration.listed(m, self.attrs["transforms"], call.node):
        x = forward(m, transform, x, call.node)
    return x


@method(TRANSFORMED.qualname, "rsample")
def _transformed_rsample(m: Machine, self: Instance, call: Call) -> Value:
    return _pushed(m, self, "rsample", call)


@method(TRANSFORMED.qualname, "sample")
def _transformed_sample(m: Machine, self: Instance, call: Call) -> Value:
    with m.grad_mode("off"):
        return _pushed(m, self, "sample", call)


@method(TRANSFORMED.qualname, "log_prob")
def _transformed_log_prob(m: Machine, self: Instance, call: Call) -> Value:
    y, node = call.get(0, "value"), call.node
    total: Term | float = 0.0
    for transform in reversed(iteration.listed(m, self.attrs["transforms"], node)):
        x = inverse(m, transform, y, node)
        total = total - Term(m, node, determinant(m, transform, x, y, node))
        y = x
    return plain(total + Term(m, node, method_of(m, self.attrs["base_dist"], "log_prob", [y], node)))


# -- divergences ------------------------------------------------------------------------------------------------------
def _normals(p: Body, q: Body) -> Term:
    ratio = (p.scale / q.scale).do("pow", 2)
    distance = ((p.loc - q.loc) / q.scale).do("pow", 2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


def _bernoullis(p: Body, q: Body) -> Term:
    first = p.probs * ((-q.logits).f("softplus") - (-p.logits).f("softplus"))
    second = (1 - p.probs) * (q.logits.f("softplus") - p.logits.f("softplus"))
    return first + second


def _categoricals(p: Body, q: Body) -> Term:
    return (p.probs * (p.logits - q.logits)).sum(-1)


def _many_normals(p: Body, q: Body) -> Term:
    mine, other = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    half = half_log_det(other) - half_log_det(mine)
    saves = [mine.value, other.value]
    trace = Term(p.m, p.node, nn_opaque.output(p.m, [v for v in saves if isinstance(v, Tensor)], p.node, "kl"))
    return half + 0.5 * (trace + mahalanobis(p, other, q.loc - p.loc) - 1.0)


def _gammas(p: Body, q: Body) -> Term:
    a, b, c, d = p.concentration, p.rate, q.concentration, q.rate
    return c * (b / d).log() + c.do("lgamma") - a.do("lgamma") + (a - c) * a.do("digamma") + (d - b) * (a / b)


def _dirichlets(p: Body, q: Body) -> Term:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    parts = total.do("lgamma") - b.sum(-1).do("lgamma"), a.do("lgamma") - b.do("lgamma")
    return parts[0] - parts[1].sum(-1) + ((a - b) * (a.do("digamma") - total.do("digamma").do("unsqueeze", -1))).sum(-1)


PAIRS: dict[str, Callable[[Body, Body], Term]] = {
    "Normal": _normals,
    "LogNormal": _normals,
    "Bernoulli": _bernoullis,
    "Categorical": _categoricals,
    "MultivariateNormal": _many_normals,
    "Gamma": _gammas,
    "Dirichlet": _dirichlets,
}


@function(f"{PREFIX}kl_divergence")
def kl_divergence(m: Machine, call: Call) -> Value:
    """By the pair's formula; pairs without one here depend on everything that both hold."""
    p, q, node = call.get(0, "p"), call.get(1, "q"), call.node
    if not (isinstance(p, Instance) and isinstance(q, Instance)):
        return Unknown("kl")
    if p.is_a(INDEPENDENT.qualname) and q.is_a(INDEPENDENT.qualname):
        inner = kl_divergence(m, Call(node, [p.attrs.get("base_dist"), q.attrs.get("base_dist")], {}))
        return _summed(m, p, inner, node)
    if p.is_a(f"{PREFIX}OneHotCategorical") and q.is_a(f"{PREFIX}OneHotCategorical"):
        return plain(_categoricals(inside(Body(m, p, node)), inside(Body(m, q, node))))
    for name, body in PAIRS.items():
        if p.is_a(PREFIX + name) and q.is_a(PREFIX + name):
            return plain(body(Body(m, p, node), Body(m, q, node)))
    held = [v for d in (p, q) for v in d.attrs.values() if isinstance(v, Tensor)]
    return nn_opaque.output(m, held, node, "kl_divergence") if held else Unknown("kl")


@function(f"{PREFIX}register_kl")
def _register(m: Machine, call: Call) -> Value:
    return LibFunction("register_kl", lambda m, inner: inner.get(0, "fun"))
