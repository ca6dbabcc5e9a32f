"""Gamma, Chi-squared, Dirichlet and Beta: draws whose derivative reads the concentration."""

from __future__ import annotations

from .. import autograd
from ..core import Machine
from ..tensor import Shape, Tensor
from ..values import Instance, Value
from . import torch_ops as ops
from .distributions import (
    FAMILY,
    Body,
    batch_shape,
    declare,
    joined,
    parameter,
    sample_shape,
)
from .nn_terms import Term, plain
from .registry import Call


def _xlogy(x: Value, y: Value) -> Term:
    first = x if isinstance(x, Term) else y
    return Term(first.m, first.node, ops.torch_function(first.m, "xlogy", [plain(x), plain(y)], {}, first.node))


def standard_gamma(d: Body, concentration: Term, call: Call | None) -> Term:
    """A draw whose derivative reads the concentration and the draw itself."""
    shape = joined(
        sample_shape(call) if call is not None else (),
        concentration.value.shape if isinstance(concentration.value, Tensor) else None,
    )
    saves = [(concentration.value, "self")]
    return Term(
        d.m,
        d.node,
        autograd.record(d.m, "_standard_gamma", [concentration.value], d.node, saves=saves, hidden=True, shape=shape),
    )


def _gamma_log_prob(d: Body, x: Term) -> Term:
    return _xlogy(d.concentration, d.rate) + _xlogy(d.concentration - 1, x) - d.rate * x - d.concentration.do("lgamma")


def _gamma_entropy(d: Body) -> Term:
    c = d.concentration
    return c - d.rate.log() + c.do("lgamma") + (1.0 - c) * c.do("digamma")


GAMMA = declare(
    "Gamma",
    "concentration, rate",
    FAMILY,
    log_prob=_gamma_log_prob,
    entropy=_gamma_entropy,
    rsample=lambda d, c: standard_gamma(d, d.concentration, c) / d.rate,
    mean=lambda d: d.concentration / d.rate,
    variance=lambda d: d.concentration / d.rate.do("pow", 2),
    mode=lambda d: ((d.concentration - 1) / d.rate).do("clamp", 0),
)
CHI2 = declare("Chi2", "df", GAMMA)


def _chi2_init(m: Machine, self: Instance, call: Call) -> Value:
    self.data = {"names": ("concentration", "rate")}
    df = Term(m, call.node, parameter(m, call.get(0, "df"), call.node))
    self.attrs["concentration"] = plain(0.5 * df)
    self.attrs["rate"] = ops.new_tensor(m, call.node, ())
    self.attrs["df"] = df.value
    return None


CHI2.methods["__init__"] = _chi2_init


def dirichlet_draw(d: Body, c: Term, shape: Shape) -> Term:
    return Term(
        d.m,
        d.node,
        autograd.record(
            d.m, "_Dirichlet", [c.value], d.node, saves=[(c.value, "concentration")], hidden=True, shape=shape
        ),
    )


def _dirichlet_log_prob(d: Body, c: Term, x: Term) -> Term:
    return _xlogy(c - 1.0, x).sum(-1) + c.sum(-1).do("lgamma") - c.do("lgamma").sum(-1)


def _dirichlet_entropy(c: Term) -> Term:
    total = c.sum(-1)
    return (
        c.do("lgamma").sum(-1)
        - total.do("lgamma")
        - (2.0 - total) * total.do("digamma")
        - ((c - 1.0) * c.do("digamma")).sum(-1)
    )


DIRICHLET = declare(
    "Dirichlet",
    "concentration",
    FAMILY,
    log_prob=lambda d, x: _dirichlet_log_prob(d, d.concentration, x),
    entropy=lambda d: _dirichlet_entropy(d.concentration),
    rsample=lambda d, c: dirichlet_draw(d, d.concentration, joined(sample_shape(c), batch_shape(d.self))),
    mean=lambda d: d.concentration / d.concentration.do("sum", -1, True),
    mode=lambda d: (d.concentration - 1).do("clamp", 0) * 1.0,
    variance=lambda d: _dirichlet_variance(d.concentration),
)


def _dirichlet_variance(c: Term) -> Term:
    total = c.do("sum", -1, True)
    return c * (total - c) / (total.do("pow", 2) * (total + 1))


BETA = declare(
    "Beta",
    "concentration1, concentration0",
    FAMILY,
    log_prob=lambda d, x: _dirichlet_log_prob(d, d._stacked, Term(d.m, d.node, plain(x.copy()))),
    entropy=lambda d: _dirichlet_entropy(d._stacked),
    rsample=lambda d, c: dirichlet_draw(d, d._stacked, joined(sample_shape(c), batch_shape(d.self))).do(
        "select", -1, 0
    ),
    mean=lambda d: _beta_first(d) / (_beta_first(d) + _beta_second(d)),
    mode=lambda d: d._stacked.do("select", -1, 0) - 1,
    variance=lambda d: (
        _beta_first(d)
        * _beta_second(d)
        / ((_beta_first(d) + _beta_second(d)).do("pow", 2) * (_beta_first(d) + _beta_second(d) + 1))
    ),
)


def _beta_first(d: Body) -> Term:
    return d._stacked.do("select", -1, 0)


def _beta_second(d: Body) -> Term:
    return d._stacked.do("select", -1, 1)


def _beta_init(m: Machine, self: Instance, call: Call) -> Value:
    """Both concentrations are stacked into one tensor, once."""
    node = call.node
    self.data = {"names": ("concentration1", "concentration0")}
    first, second = (parameter(m, call.get(i, n), node) for i, n in enumerate(("concentration1", "concentration0")))
    self.attrs.update(concentration1=first, concentration0=second)
    shape = joined(batch_shape(self), (2,))
    self.attrs["_stacked"] = autograd.record(m, "stack", [first, second], node, shape=shape)
    return None


BETA.methods["__init__"] = _beta_init
