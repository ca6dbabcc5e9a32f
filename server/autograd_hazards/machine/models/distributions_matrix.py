"""The multivariate normal, and distributions of which only the dependencies are modelled."""

from __future__ import annotations

from .. import autograd
from ..core import Machine
from ..tensor import Tensor
from ..values import Instance, Unknown, Value
from .distributions import (
    BASE,
    Body,
    Formula,
    as_method,
    computed,
    declare,
    lazy,
    parameter,
    value_sampler,
)
from .nn_terms import Term, plain
from .registry import Call

MVN = declare("MultivariateNormal", "loc, covariance_matrix=None, precision_matrix=None, scale_tril=None")


def _mvn_init(m: Machine, self: Instance, call: Call) -> Value:
    """Whatever matrix is given, a Cholesky factor is computed from it, once."""
    node = call.node
    self.data = {"names": ("loc",)}
    loc = parameter(m, call.get(0, "loc"), node)
    self.attrs["loc"] = loc
    self.attrs["_event_shape"] = loc.shape[-1:] if isinstance(loc, Tensor) and loc.shape else Unknown("event_shape")
    for i, name in enumerate(("covariance_matrix", "precision_matrix", "scale_tril"), 1):
        given = call.get(i, name)
        if given is None:
            continue
        if name != "scale_tril":
            given = autograd.record(
                m, "cholesky", [given], node, hidden=True, shape=given.shape if isinstance(given, Tensor) else None
            )
        self.attrs["_unbroadcasted_scale_tril"] = given
        if name != "precision_matrix" and name != "covariance_matrix":
            self.attrs[name] = given
    return None


def _mvn_log_prob(d: Body, x: Term) -> Term:
    factor = d._unbroadcasted_scale_tril
    distance = mahalanobis(d, factor, x - d.loc)
    return -0.5 * (1.8 + distance) - half_log_det(factor)


def mahalanobis(d: Body, factor: Term, difference: Term) -> Term:
    inputs, saves = [factor.value, difference.value], [(factor.value, "A")]
    return (
        Term(d.m, d.node, autograd.record(d.m, "linalg_solve_triangular", inputs, d.node, saves=saves, hidden=True))
        .do("pow", 2)
        .sum(-1)
    )


def half_log_det(factor: Term) -> Term:
    return factor.do("diagonal", dim1=-2, dim2=-1).log().sum(-1)


MVN.methods["__init__"] = _mvn_init
MVN.methods["log_prob"] = as_method("log_prob", _mvn_log_prob)
MVN.methods["entropy"] = as_method("entropy", lambda d: 1.4 + half_log_det(d._unbroadcasted_scale_tril))
MVN.methods["rsample"] = as_method(
    "rsample",
    lambda d, c: d.loc + d._unbroadcasted_scale_tril.do("matmul", d.noise(c).do("unsqueeze", -1)).do("squeeze", -1),
)
computed(MVN, "mean", lambda d: d.loc)
computed(MVN, "mode", lambda d: d.loc)
computed(MVN, "variance", lambda d: d._unbroadcasted_scale_tril.do("pow", 2).sum(-1))
lazy(MVN, "scale_tril", lambda d: d._unbroadcasted_scale_tril)
lazy(
    MVN,
    "covariance_matrix",
    lambda d: d._unbroadcasted_scale_tril.do("matmul", plain(d._unbroadcasted_scale_tril.do("transpose", -2, -1))),
)
lazy(MVN, "precision_matrix", lambda d: d._unbroadcasted_scale_tril.do("cholesky_inverse"))

# -- those that are known by their dependencies only ------------------------------------------------------------------
for _name, _signature, _reparametrised in (
    ("LowRankMultivariateNormal", "loc, cov_factor, cov_diag", True),
    ("FisherSnedecor", "df1, df2", True),
    ("InverseGamma", "concentration, rate", True),
    ("Kumaraswamy", "concentration1, concentration0", True),
    ("Weibull", "scale, concentration", True),
    ("Pareto", "scale, alpha", True),
    ("LogisticNormal", "loc, scale", True),
    ("VonMises", "loc, concentration", False),
    ("LKJCholesky", "dim, concentration=1.0", False),
    ("Wishart", "df, covariance_matrix=None, precision_matrix=None, scale_tril=None", True),
    ("GeneralizedPareto", "loc, scale, concentration", True),
    ("MixtureSameFamily", "mixture_distribution, component_distribution", False),
):

    def _parts(d: Body) -> list[Value]:
        found: list[Value] = []
        for value in list(d.self.attrs.values()):
            if isinstance(value, Tensor):
                found.append(value)
            elif isinstance(value, Instance):
                found += [v for v in value.attrs.values() if isinstance(v, Tensor)]
        return found

    _formulas: dict[str, Formula] = {
        "log_prob": lambda d, x: d.opaque("log_prob", x, *_parts(d)),
        "entropy": lambda d: d.opaque("entropy", *_parts(d)),
        "mean": lambda d: d.opaque("mean", *_parts(d)),
        "variance": lambda d: d.opaque("variance", *_parts(d)),
    }
    if _reparametrised:
        _formulas["rsample"] = lambda d, c: d.opaque("rsample", *_parts(d))
    _cls = declare(_name, _signature, BASE, **_formulas)
    value_sampler(_cls)
