"""``torch.distributions``: samples, log probabilities and what an object keeps between calls.

Each method is the formula that torch evaluates, so what is saved follows from the ops; attributes that torch computes
lazily are computed once, with gradients, and kept on the object, as torch keeps them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .. import attributes, autograd, calls
from ..core import Machine
from ..shapes import broadcast
from ..tensor import Shape, Tensor
from ..values import Instance, LibClass, Unknown, Value
from . import nn_opaque
from . import torch_ops as ops
from .nn_core import Signature
from .nn_terms import Term, formula, plain
from .registry import ALIASES, Call, lib_class, method

PREFIX = "torch.distributions."
BASE = lib_class(f"{PREFIX}Distribution", aliases=(f"{PREFIX}distribution.Distribution",))
FAMILY = lib_class(f"{PREFIX}ExponentialFamily", BASE.qualname)
METHODS = ("log_prob", "entropy", "rsample", "cdf", "icdf")
Formula = Callable[..., Any]

for _module in (
    "bernoulli", "beta", "binomial", "categorical", "cauchy", "chi2", "continuous_bernoulli", "dirichlet", "exponential", "exp_family", "fishersnedecor",
    "gamma", "geometric", "gumbel", "half_cauchy", "half_normal", "independent", "inverse_gamma", "kl", "kumaraswamy", "laplace", "lkj_cholesky",
    "log_normal", "logistic_normal", "lowrank_multivariate_normal", "mixture_same_family", "multinomial", "multivariate_normal", "negative_binomial",
    "normal", "one_hot_categorical", "pareto", "poisson", "relaxed_bernoulli", "relaxed_categorical", "studentT", "transformed_distribution",
    "transforms", "uniform", "von_mises", "weibull", "wishart",
):  # fmt: skip
    ALIASES[f"{PREFIX}{_module}"] = "torch.distributions"


# -- what all distributions share -------------------------------------------------------------------------------------
def parameter(m: Machine, value: Value, node: ast.AST) -> Value:
    """A parameter as the object keeps it: numbers become tensors."""
    return ops.new_tensor(m, node, ()) if isinstance(value, bool | int | float) else value


def batch_shape(self: Instance) -> Shape:
    names = self.data.get("names", ()) if isinstance(self.data, dict) else ()
    shapes: list[Shape] = [v.shape for n in names if isinstance(v := self.attrs.get(n), Tensor)]
    return broadcast(*shapes) if shapes and not any(isinstance(self.attrs.get(n), Unknown) for n in names) else None


def sample_shape(call: Call) -> Shape:
    given = call.get(0, "sample_shape", ())
    if isinstance(given, list | tuple):
        return tuple(g if isinstance(g, int) else None for g in given)
    return (given,) if isinstance(given, int) else None


def joined(*shapes: Shape) -> Shape:
    result: list[int | None] = []
    for shape in shapes:
        if shape is None:
            return None
        result += shape
    return tuple(result)


def term(m: Machine, self: Instance, name: str, node: ast.AST) -> Term:
    return Term(m, node, attributes.get_attribute(m, self, name, node))


def noise(m: Machine, shape: Shape, node: ast.AST) -> Term:
    return Term(m, node, ops.new_tensor(m, node, shape))


def method_of(m: Machine, self: Instance, name: str, args: list[Value], node: ast.AST) -> Value:
    return calls.call(m, attributes.get_attribute(m, self, name, node), args, {}, node)


@method(BASE.qualname, "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    self.data = {"names": ()}
    self.attrs["_batch_shape"] = call.get(0, "batch_shape", ())
    self.attrs["_event_shape"] = call.get(1, "event_shape", ())
    return None


@method(BASE.qualname, "sample")
def _sample(m: Machine, self: Instance, call: Call) -> Value:
    """Without a graph; by way of ``rsample`` where a subclass of the user's defines only that."""
    with m.grad_mode("off"):
        if attributes.class_attribute(self.cls, "rsample") is not attributes.MISSING:
            out = calls.call(m, attributes.get_attribute(m, self, "rsample", call.node), call.args, call.kwargs, call.node)
            if isinstance(out, Tensor):
                return out
        return ops.new_tensor(m, call.node, joined(sample_shape(call), batch_shape(self)))


@method(BASE.qualname, "sample_n")
def _sample_n(m: Machine, self: Instance, call: Call) -> Value:
    return method_of(m, self, "sample", [(call.get(0, "n"),)], call.node)


@method(BASE.qualname, "perplexity")
def _perplexity(m: Machine, self: Instance, call: Call) -> Value:
    return formula(lambda h: h.exp(), m, call.node, method_of(m, self, "entropy", [], call.node))


@method(BASE.qualname, "expand")
def _expand(m: Machine, self: Instance, call: Call) -> Value:
    """Views of the parameters under the new batch shape; what was computed lazily is taken along."""
    made = Instance(self.cls, m.here(call.node))
    made.data = dict(self.data) if isinstance(self.data, dict) else self.data
    names = made.data.get("names", ()) if isinstance(made.data, dict) else ()
    shape = call.get(0, "batch_shape")
    sizes = list(shape) if isinstance(shape, tuple | list) else [shape]
    for name, value in self.attrs.items():
        if isinstance(value, Tensor) and name in names:
            value = ops.tensor_method(m, value, "expand", sizes, {}, call.node)
        made.attrs[name] = value
    return made


@method(BASE.qualname, "enumerate_support")
def _support(m: Machine, self: Instance, call: Call) -> Value:
    return ops.new_tensor(m, call.node)


def _shape_attribute(key: str) -> Any:
    def model(m: Machine, self: Instance, node: ast.AST) -> Value:
        if key == "batch_shape":
            known = self.attrs.get("_batch_shape", batch_shape(self))
        else:
            known = self.attrs.get("_event_shape", Unknown(key))
        return known if isinstance(known, tuple) and all(isinstance(d, int) for d in known) else Unknown(key)

    return model


def _stddev(m: Machine, self: Instance, node: ast.AST) -> Value:
    return formula(lambda v: v.do("sqrt"), m, node, attributes.get_attribute(m, self, "variance", node))


def _unknown(name: str) -> Any:
    return lambda m, self, node: Unknown(name)


BASE.props.update(batch_shape=_shape_attribute("batch_shape"), event_shape=_shape_attribute("event_shape"), stddev=_stddev)
BASE.props.update({name: _unknown(name) for name in ("support", "arg_constraints", "has_rsample", "has_enumerate_support")})
BASE.methods["set_default_validate_args"] = lambda m, self, call: None


# -- declaring one ----------------------------------------------------------------------------------------------------
class Body:
    """What formulas see of an object: its parameters as terms, and where it is used."""

    def __init__(self, m: Machine, self_: Instance, node: ast.AST) -> None:
        self.m = m
        self.self = self_
        self.node = node

    def __getattr__(self, name: str) -> Term:
        return term(self.m, self.self, name, self.node)

    def noise(self, call: Call | None = None) -> Term:
        shape = joined(sample_shape(call) if call is not None else (), batch_shape(self.self))
        return noise(self.m, shape, self.node)

    def opaque(self, op: str, *values: Value) -> Term:
        """A result of which only is known that it depends on ``values``."""
        tensors = [v for v in map(plain, values) if isinstance(v, Tensor)]
        return Term(self.m, self.node, nn_opaque.output(self.m, tensors, self.node, op) if tensors else Unknown(op))


def lazy(cls: LibClass, name: str, body: Formula) -> None:
    """An attribute computed at the first access, with gradients, and kept."""

    def model(m: Machine, self: Instance, node: ast.AST) -> Value:
        with m.grad_mode("on"):
            made = plain(body(Body(m, self, node)))
        self.attrs[name] = made
        return made

    cls.props[name] = model


def computed(cls: LibClass, name: str, body: Formula) -> None:
    """An attribute computed at every access."""
    cls.props[name] = lambda m, self, node: plain(body(Body(m, self, node)))


def declare(name: str, signature: str, base: LibClass = BASE, **formulas: Formula) -> LibClass:
    """A distribution: its constructor and the formulas of its methods and attributes.

    ``log_prob``, ``cdf`` and ``icdf`` get the body and the value, ``rsample`` the body and the call, the others the body.
    """
    cls = lib_class(PREFIX + name, base.qualname)
    spec = Signature(f"{signature}, validate_args=None")
    names = tuple(n for n, _, _ in spec.entries if n != "validate_args")

    def init(m: Machine, self: Instance, call: Call) -> Value:
        values = spec.bind(call)
        self.data = {"names": names}
        for key in names:
            if values[key] is not None:
                self.attrs[key] = parameter(m, values[key], call.node)
        return None

    cls.methods["__init__"] = init
    for key, body in formulas.items():
        if key in METHODS:
            cls.methods[key] = _as_method(key, body)
        else:
            computed(cls, key, body)
    return cls


def _as_method(key: str, body: Formula) -> Any:
    def model(m: Machine, self: Instance, call: Call) -> Value:
        view = Body(m, self, call.node)
        if key == "rsample":
            return plain(body(view, call))
        if key == "entropy":
            return plain(body(view))
        return plain(body(view, Term(m, call.node, parameter(m, call.get(0, "value"), call.node))))

    return model


def value_sampler(cls: LibClass, dtype: str = "float", event: Callable[[Instance], Shape] | None = None) -> None:
    """``sample`` that draws a value directly, with no graph whatever the parameters."""

    def model(m: Machine, self: Instance, call: Call) -> Value:
        shape = event(self) if event is not None else batch_shape(self)
        return ops.new_tensor(m, call.node, joined(sample_shape(call), shape), dtype)

    cls.methods["sample"] = model


# -- continuous -------------------------------------------------------------------------------------------------------
def _normal_log_prob(d: Body, x: Term) -> Term:
    var = d.scale**2
    log_scale = d.scale.log()
    return -((x - d.loc) ** 2) / (2 * var) - log_scale - 0.9189


NORMAL = declare(
    "Normal", "loc, scale", FAMILY,
    log_prob=_normal_log_prob, entropy=lambda d: 1.4189 + d.scale.log(), rsample=lambda d, c: d.loc + d.noise(c) * d.scale,
    cdf=lambda d, x: 0.5 * (1 + ((x - d.loc) * d.scale.do("reciprocal") / 1.41).do("erf")),
    icdf=lambda d, x: d.loc + d.scale * (2 * x - 1).do("erfinv") * 1.41,
    mean=lambda d: d.loc, mode=lambda d: d.loc, stddev=lambda d: d.scale, variance=lambda d: d.stddev.do("pow", 2),
)  # fmt: skip
value_sampler(NORMAL)
LOG_NORMAL = declare(
    "LogNormal", "loc, scale",
    log_prob=lambda d, x: _normal_log_prob(d, x.log()) - x.log(), entropy=lambda d: 1.4189 + d.scale.log() + d.loc,
    rsample=lambda d, c: (d.loc + d.noise(c) * d.scale).exp(), mean=lambda d: (d.loc + d.scale.do("pow", 2) / 2).exp(),
    mode=lambda d: (d.loc - d.scale.do("square")).exp(),
    variance=lambda d: d.scale.do("pow", 2).do("expm1") * (2 * d.loc + d.scale.do("pow", 2)).exp(),
)  # fmt: skip
LAPLACE = declare(
    "Laplace", "loc, scale",
    log_prob=lambda d, x: -(2 * d.scale).log() - (x - d.loc).do("abs") / d.scale, entropy=lambda d: 1 + (2 * d.scale).log(),
    rsample=lambda d, c: d.loc - d.scale * d.noise(c), mean=lambda d: d.loc, mode=lambda d: d.loc, stddev=lambda d: 1.41 * d.scale,
    variance=lambda d: 2 * d.scale.do("pow", 2),
)  # fmt: skip
CAUCHY = declare(
    "Cauchy", "loc, scale",
    log_prob=lambda d, x: -1.14 - d.scale.log() - (1 + ((x - d.loc) / d.scale) ** 2).log(), entropy=lambda d: 2.53 + d.scale.log(),
    rsample=lambda d, c: d.loc + d.noise(c) * d.scale, mode=lambda d: d.loc,
)  # fmt: skip
UNIFORM = declare(
    "Uniform", "low, high",
    log_prob=lambda d, x: d.noise().log() - (d.high - d.low).log(), entropy=lambda d: (d.high - d.low).log(),
    rsample=lambda d, c: d.low + d.noise(c) * (d.high - d.low), cdf=lambda d, x: ((x - d.low) / (d.high - d.low)).do("clamp", 0, 1),
    mean=lambda d: (d.high + d.low) / 2, stddev=lambda d: (d.high - d.low) / 3.46, variance=lambda d: (d.high - d.low).do("pow", 2) / 12,
    mode=lambda d: d.low * float("nan"),
)  # fmt: skip
EXPONENTIAL = declare(
    "Exponential", "rate", FAMILY,
    log_prob=lambda d, x: d.rate.log() - d.rate * x, entropy=lambda d: 1.0 - d.rate.log(), rsample=lambda d, c: d.noise(c) / d.rate,
    mean=lambda d: d.rate.do("reciprocal"), stddev=lambda d: d.rate.do("reciprocal"), variance=lambda d: d.rate.do("pow", -2),
)  # fmt: skip
GUMBEL = declare(
    "Gumbel", "loc, scale",
    log_prob=lambda d, x: ((d.loc - x) / d.scale) - ((d.loc - x) / d.scale).exp() - d.scale.log(), entropy=lambda d: d.scale.log() + 1.57,
    rsample=lambda d, c: d.loc + d.noise(c) * d.scale, mean=lambda d: d.loc + d.scale * 0.57, mode=lambda d: d.loc,
    stddev=lambda d: 1.28 * d.scale, variance=lambda d: d.stddev.do("pow", 2),
)  # fmt: skip
HALF_NORMAL = declare(
    "HalfNormal", "scale",
    log_prob=lambda d, x: -(x**2) / (2 * d.scale**2) - d.scale.log(), entropy=lambda d: 0.72 + d.scale.log(),
    rsample=lambda d, c: d.noise(c) * d.scale, mean=lambda d: d.scale * 0.8, variance=lambda d: d.scale.do("pow", 2) * 0.36,
)  # fmt: skip
HALF_CAUCHY = declare(
    "HalfCauchy", "scale",
    log_prob=lambda d, x: -d.scale.log() - (1 + (x / d.scale) ** 2).log(), entropy=lambda d: 1.8 + d.scale.log(),
    rsample=lambda d, c: d.noise(c) * d.scale,
)  # fmt: skip
STUDENT = declare(
    "StudentT", "df, loc=0.0, scale=1.0",
    log_prob=lambda d, x: _student_log_prob(d, x), entropy=lambda d: d.opaque("studentT_entropy", d.df, d.scale),
    rsample=lambda d, c: d.loc + d.scale * (d.noise(c) * (d.opaque("_standard_gamma", d.df) / d.df).do("rsqrt")), mode=lambda d: d.loc,
    mean=lambda d: d.loc.copy(),
)  # fmt: skip


def _student_log_prob(d: Body, x: Term) -> Term:
    y = (x - d.loc) / d.scale
    z = d.scale.log() + 0.5 * d.df.log() + (0.5 * d.df).do("lgamma") - (0.5 * (d.df + 1.0)).do("lgamma")
    return -0.5 * (d.df + 1.0) * (y**2.0 / d.df).do("log1p") - z


# -- gamma and its kin ------------------------------------------------------------------------------------------------
def _xlogy(x: Value, y: Value) -> Term:
    first = x if isinstance(x, Term) else y
    return Term(first.m, first.node, ops.torch_function(first.m, "xlogy", [plain(x), plain(y)], {}, first.node))


def standard_gamma(d: Body, concentration: Term, call: Call | None) -> Term:
    """A draw whose derivative reads the concentration and the draw itself."""
    shape = joined(sample_shape(call) if call is not None else (), concentration.value.shape if isinstance(concentration.value, Tensor) else None)
    saves = [(concentration.value, "self")]
    return Term(d.m, d.node, autograd.record(d.m, "_standard_gamma", [concentration.value], d.node, saves=saves, hidden=True, shape=shape))


def _gamma_log_prob(d: Body, x: Term) -> Term:
    return _xlogy(d.concentration, d.rate) + _xlogy(d.concentration - 1, x) - d.rate * x - d.concentration.do("lgamma")


def _gamma_entropy(d: Body) -> Term:
    c = d.concentration
    return c - d.rate.log() + c.do("lgamma") + (1.0 - c) * c.do("digamma")


GAMMA = declare(
    "Gamma", "concentration, rate", FAMILY,
    log_prob=_gamma_log_prob, entropy=_gamma_entropy, rsample=lambda d, c: standard_gamma(d, d.concentration, c) / d.rate,
    mean=lambda d: d.concentration / d.rate, variance=lambda d: d.concentration / d.rate.do("pow", 2),
    mode=lambda d: ((d.concentration - 1) / d.rate).do("clamp", 0),
)  # fmt: skip
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
    return Term(d.m, d.node, autograd.record(d.m, "_Dirichlet", [c.value], d.node, saves=[(c.value, "concentration")], hidden=True, shape=shape))


def _dirichlet_log_prob(d: Body, c: Term, x: Term) -> Term:
    return _xlogy(c - 1.0, x).sum(-1) + c.sum(-1).do("lgamma") - c.do("lgamma").sum(-1)


def _dirichlet_entropy(c: Term) -> Term:
    total = c.sum(-1)
    return c.do("lgamma").sum(-1) - total.do("lgamma") - (2.0 - total) * total.do("digamma") - ((c - 1.0) * c.do("digamma")).sum(-1)


DIRICHLET = declare(
    "Dirichlet", "concentration", FAMILY,
    log_prob=lambda d, x: _dirichlet_log_prob(d, d.concentration, x), entropy=lambda d: _dirichlet_entropy(d.concentration),
    rsample=lambda d, c: dirichlet_draw(d, d.concentration, joined(sample_shape(c), batch_shape(d.self))),
    mean=lambda d: d.concentration / d.concentration.do("sum", -1, True), mode=lambda d: (d.concentration - 1).do("clamp", 0) * 1.0,
    variance=lambda d: _dirichlet_variance(d.concentration),
)  # fmt: skip


def _dirichlet_variance(c: Term) -> Term:
    total = c.do("sum", -1, True)
    return c * (total - c) / (total.do("pow", 2) * (total + 1))


BETA = declare(
    "Beta", "concentration1, concentration0", FAMILY,
    log_prob=lambda d, x: _dirichlet_log_prob(d, d._stacked, Term(d.m, d.node, plain(x.copy()))), entropy=lambda d: _dirichlet_entropy(d._stacked),
    rsample=lambda d, c: dirichlet_draw(d, d._stacked, joined(sample_shape(c), batch_shape(d.self))).do("select", -1, 0),
    mean=lambda d: _beta_first(d) / (_beta_first(d) + _beta_second(d)), mode=lambda d: d._stacked.do("select", -1, 0) - 1,
    variance=lambda d: _beta_first(d) * _beta_second(d) / ((_beta_first(d) + _beta_second(d)).do("pow", 2) * (_beta_first(d) + _beta_second(d) + 1)),
)  # fmt: skip


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

# -- multivariate normal ----------------------------------------------------------------------------------------------
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
            given = autograd.record(m, "cholesky", [given], node, hidden=True, shape=given.shape if isinstance(given, Tensor) else None)
        self.attrs["_unbroadcasted_scale_tril"] = given
        if name != "precision_matrix" and name != "covariance_matrix":
            self.attrs[name] = given
    return None


def _mvn_log_prob(d: Body, x: Term) -> Term:
    factor = d._unbroadcasted_scale_tril
    distance = _mahalanobis(d, factor, x - d.loc)
    return -0.5 * (1.8 + distance) - _half_log_det(factor)


def _mahalanobis(d: Body, factor: Term, difference: Term) -> Term:
    inputs, saves = [factor.value, difference.value], [(factor.value, "A")]
    return Term(d.m, d.node, autograd.record(d.m, "linalg_solve_triangular", inputs, d.node, saves=saves, hidden=True)).do("pow", 2).sum(-1)


def _half_log_det(factor: Term) -> Term:
    return factor.do("diagonal", dim1=-2, dim2=-1).log().sum(-1)


MVN.methods["__init__"] = _mvn_init
MVN.methods["log_prob"] = _as_method("log_prob", _mvn_log_prob)
MVN.methods["entropy"] = _as_method("entropy", lambda d: 1.4 + _half_log_det(d._unbroadcasted_scale_tril))
MVN.methods["rsample"] = _as_method(
    "rsample", lambda d, c: d.loc + d._unbroadcasted_scale_tril.do("matmul", d.noise(c).do("unsqueeze", -1)).do("squeeze", -1)
)
computed(MVN, "mean", lambda d: d.loc)
computed(MVN, "mode", lambda d: d.loc)
computed(MVN, "variance", lambda d: d._unbroadcasted_scale_tril.do("pow", 2).sum(-1))
lazy(MVN, "scale_tril", lambda d: d._unbroadcasted_scale_tril)
lazy(MVN, "covariance_matrix", lambda d: d._unbroadcasted_scale_tril.do("matmul", plain(d._unbroadcasted_scale_tril.do("transpose", -2, -1))))
lazy(MVN, "precision_matrix", lambda d: d._unbroadcasted_scale_tril.do("cholesky_inverse"))

# -- those that are known by their dependencies only ------------------------------------------------------------------
for _name, _signature, _reparametrised in (
    ("LowRankMultivariateNormal", "loc, cov_factor, cov_diag", True), ("FisherSnedecor", "df1, df2", True), ("InverseGamma", "concentration, rate", True),
    ("Kumaraswamy", "concentration1, concentration0", True), ("Weibull", "scale, concentration", True), ("Pareto", "scale, alpha", True),
    ("LogisticNormal", "loc, scale", True), ("VonMises", "loc, concentration", False), ("LKJCholesky", "dim, concentration=1.0", False),
    ("Wishart", "df, covariance_matrix=None, precision_matrix=None, scale_tril=None", True), ("GeneralizedPareto", "loc, scale, concentration", True),
    ("MixtureSameFamily", "mixture_distribution, component_distribution", False),
):  # fmt: skip

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
    _cls = declare(_name, _signature, **_formulas)
    value_sampler(_cls)
