"""Discrete distributions: probabilities and logits, of which one is given and the other computed once."""

from __future__ import annotations

from .. import attributes, autograd
from ..core import Machine
from ..tensor import Shape, Tensor
from ..values import Instance, LibClass, Unknown, Value
from . import torch_ops as ops
from .distributions import (
    FAMILY,
    Body,
    Formula,
    batch_shape,
    computed,
    declare,
    joined,
    lazy,
    parameter,
    sample_shape,
    value_sampler,
)
from .nn_core import Signature
from .nn_terms import Term, plain
from .registry import Call, relies_on


def binary_logits(p: Term) -> Term:
    clamped = p.do("clamp", min=1e-7, max=1.0)
    return clamped.log() - (-clamped).do("log1p")


def many_logits(p: Term) -> Term:
    return p.do("clamp", min=1e-7, max=1.0).log()


def _given(cls: LibClass, signature: str, binary: bool) -> None:
    """One of ``probs`` and ``logits`` is kept as given, the other is computed lazily and kept."""
    spec = Signature(f"{signature}, validate_args=None")

    def init(m: Machine, self: Instance, call: Call) -> Value:
        self.data = {"names": ("probs", "logits")}
        for key, value in spec.bind(call).items():
            if value is not None and key != "validate_args":
                self.attrs[key] = parameter(m, value, call.node)
        self.data["names"] = ("probs",) if "probs" in self.attrs else ("logits",)
        return None

    cls.methods["__init__"] = init
    lazy(cls, "logits", lambda d: binary_logits(d.probs) if binary else many_logits(d.probs))
    lazy(cls, "probs", lambda d: d.logits.do("sigmoid") if binary else d.logits.f("softmax", -1))


def _bce(d: Body, target: Value) -> Term:
    return d.logits.f("binary_cross_entropy_with_logits", target, reduction="none")


# -- yes or no --------------------------------------------------------------------------------------------------------
BERNOULLI = declare(
    "Bernoulli",
    "probs=None, logits=None",
    FAMILY,
    log_prob=lambda d, x: -_bce(d, x),
    entropy=lambda d: _bce(d, d.probs),
    mean=lambda d: d.probs,
    variance=lambda d: d.probs * (1 - d.probs),
)
_given(BERNOULLI, "probs=None, logits=None", True)
value_sampler(BERNOULLI)
GEOMETRIC = declare(
    "Geometric",
    "probs=None, logits=None",
    log_prob=lambda d, x: x * (-d.probs).do("log1p") + d.probs.log(),
    entropy=lambda d: _bce(d, d.probs) / d.probs,
    mean=lambda d: d.probs.do("reciprocal") - 1,
    variance=lambda d: (d.probs.do("reciprocal") - 1.0) / d.probs,
)
_given(GEOMETRIC, "probs=None, logits=None", True)
value_sampler(GEOMETRIC)
BINOMIAL = declare(
    "Binomial",
    "total_count=1, probs=None, logits=None",
    log_prob=lambda d, x: (
        x * d.logits
        - d.total_count * d.logits.do("clamp", min=0)
        - d.total_count * (-d.logits.do("abs")).exp().do("log1p")
    ),
    entropy=lambda d: d.opaque("entropy", d.logits),
    mean=lambda d: d.total_count * d.probs,
    variance=lambda d: d.total_count * d.probs * (1 - d.probs),
)
_given(BINOMIAL, "total_count=1, probs=None, logits=None", True)
value_sampler(BINOMIAL)
NEGATIVE_BINOMIAL = declare(
    "NegativeBinomial",
    "total_count, probs=None, logits=None",
    log_prob=lambda d, x: d.total_count * (-d.logits).f("logsigmoid") + x * d.logits.f("logsigmoid"),
    mean=lambda d: d.total_count * d.logits.exp(),
    variance=lambda d: d.mean / (-d.logits).do("sigmoid"),
)
_given(NEGATIVE_BINOMIAL, "total_count, probs=None, logits=None", True)
value_sampler(NEGATIVE_BINOMIAL)
POISSON = declare(
    "Poisson",
    "rate",
    FAMILY,
    log_prob=lambda d, x: (
        Term(d.m, d.node, ops.torch_function(d.m, "xlogy", [x.value, d.rate.value], {}, d.node))
        - d.rate
        - (x + 1).do("lgamma")
    ),
    mean=lambda d: d.rate,
    variance=lambda d: d.rate,
)
value_sampler(POISSON)
CONTINUOUS_BERNOULLI = declare(
    "ContinuousBernoulli",
    "probs=None, logits=None",
    log_prob=lambda d, x: -_bce(d, x) + d.opaque("log_normaliser", d.probs),
    entropy=lambda d: d.opaque("entropy", d.logits, d.probs),
    rsample=lambda d, c: d.opaque("icdf", d.probs),
    mean=lambda d: d.opaque("mean", d.probs),
    variance=lambda d: d.opaque("variance", d.probs),
)
_given(CONTINUOUS_BERNOULLI, "probs=None, logits=None, lims=None", True)


# -- one of many ------------------------------------------------------------------------------------------------------
def _class_shape(self: Instance) -> Shape:
    shape = batch_shape(self)
    return shape[:-1] if shape is not None else None


def _categorical_init(m: Machine, self: Instance, call: Call) -> Value:
    """The one that is given is normalised at once."""
    node = call.node
    probs, logits = call.get(0, "probs"), call.get(1, "logits")
    if probs is not None:
        p = Term(m, node, probs)
        self.attrs["probs"] = plain(p / p.do("sum", -1, True))
        self.attrs["_param"] = self.attrs["probs"]
        self.data = {"names": ("probs",)}
    else:
        x = Term(m, node, logits)
        self.attrs["logits"] = plain(x - x.do("logsumexp", -1, True))
        self.attrs["_param"] = self.attrs["logits"]
        self.data = {"names": ("logits",)}
    shape = self.attrs["_param"].shape if isinstance(self.attrs["_param"], Tensor) else None
    self.attrs["_batch_shape"] = shape[:-1] if shape else Unknown("batch_shape")
    self.attrs["_event_shape"] = ()
    self.attrs["_num_events"] = shape[-1] if shape and shape[-1] is not None else Unknown("events")
    return None


def _categorical_log_prob(d: Body, x: Term) -> Term:
    index = x.do("long").do("unsqueeze", -1)
    return d.logits.do("gather", -1, index).do("squeeze", -1)


def _categorical_entropy(d: Body) -> Term:
    logits = d.logits.do("clamp", min=-1e30)
    return -(logits * d.probs).sum(-1)


CATEGORICAL = declare(
    "Categorical", "probs=None, logits=None", log_prob=_categorical_log_prob, entropy=_categorical_entropy
)
CATEGORICAL.methods["__init__"] = _categorical_init
lazy(CATEGORICAL, "logits", lambda d: many_logits(d.probs))
lazy(CATEGORICAL, "probs", lambda d: d.logits.f("softmax", -1))
computed(CATEGORICAL, "mode", lambda d: d.probs.do("argmax", -1))
computed(CATEGORICAL, "param_shape", lambda d: Unknown("param_shape"))
computed(CATEGORICAL, "mean", lambda d: d.noise())
computed(CATEGORICAL, "variance", lambda d: d.noise())


def _categorical_sample(m: Machine, self: Instance, call: Call) -> Value:
    """The probabilities are computed here when logits were given, and kept. What is drawn is a view: the columns of the
    drawn numbers under another shape."""
    attributes.get_attribute(m, self, "probs", call.node)
    drawn = ops.new_tensor(m, call.node, None, "int")
    with m.grad_mode("off"):
        return autograd.view(m, drawn, "reshape", call.node, joined(sample_shape(call), _class_shape(self)))


CATEGORICAL.methods["sample"] = _categorical_sample


# -- one of many, as vectors ------------------------------------------------------------------------------------------
def _inner(m: Machine, self: Instance, call: Call) -> Value:
    inner = Instance(CATEGORICAL, m.here(call.node))
    CATEGORICAL.methods["__init__"](m, inner, call)
    self.attrs["_categorical"] = inner
    self.data = {"names": ()}
    return None


def _through(name: str) -> Formula:
    def body(d: Body) -> Term:
        inner = d.self.attrs.get("_categorical")
        return Term(d.m, d.node, attributes.get_attribute(d.m, inner, name, d.node))

    return body


def inside(d: Body) -> Body:
    return Body(d.m, d.self.attrs["_categorical"], d.node)


def _one_hot_sample(m: Machine, self: Instance, call: Call) -> Value:
    probs = attributes.get_attribute(m, self.attrs["_categorical"], "probs", call.node)
    shape = probs.shape if isinstance(probs, Tensor) else None
    return ops.new_tensor(m, call.node, joined(sample_shape(call), shape))


def _one_hot_log_prob(d: Body, x: Term) -> Term:
    drawn = x.do("max", -1)
    index = Term(d.m, d.node, drawn.value[1] if isinstance(drawn.value, tuple) else Unknown("index"))
    return _categorical_log_prob(inside(d), index)


ONE_HOT = declare(
    "OneHotCategorical",
    "probs=None, logits=None",
    log_prob=_one_hot_log_prob,
    entropy=lambda d: _categorical_entropy(inside(d)),
)
relies_on(ONE_HOT.qualname, None, "_categorical")
ONE_HOT.methods["__init__"] = _inner
ONE_HOT.methods["sample"] = _one_hot_sample
for _name in ("probs", "logits"):
    computed(ONE_HOT, _name, _through(_name))
computed(ONE_HOT, "mean", _through("probs"))
computed(ONE_HOT, "variance", lambda d: d.probs * (1 - d.probs))
computed(ONE_HOT, "mode", lambda d: d.noise())
STRAIGHT = declare("OneHotCategoricalStraightThrough", "probs=None, logits=None", ONE_HOT)
relies_on(STRAIGHT.qualname, None, "_categorical")
STRAIGHT.methods["__init__"] = _inner


def _straight_through(m: Machine, self: Instance, call: Call) -> Value:
    drawn = Term(m, call.node, _one_hot_sample(m, self, call))
    probs = Body(m, self, call.node).probs
    return plain(
        drawn
        + (
            probs
            - Term(
                m,
                call.node,
                ops.new_tensor(m, call.node, probs.value.shape if isinstance(probs.value, Tensor) else None),
            )
        )
    )


STRAIGHT.methods["rsample"] = _straight_through
MULTINOMIAL = declare(
    "Multinomial",
    "total_count=1, probs=None, logits=None",
    log_prob=lambda d, x: (x * d.logits).sum(-1),
    entropy=lambda d: d.opaque("entropy", d.logits, d.probs),
    mean=lambda d: d.probs * d.total_count,
    variance=lambda d: d.total_count * d.probs * (1 - d.probs),
)


def _multinomial_init(m: Machine, self: Instance, call: Call) -> Value:
    kwargs = {k: v for k, v in call.kwargs.items() if k != "total_count"}
    _inner(m, self, Call(call.node, call.args[1:], kwargs))
    self.attrs["total_count"] = call.get(0, "total_count", 1)
    return None


relies_on(MULTINOMIAL.qualname, None, "_categorical")
MULTINOMIAL.methods["__init__"] = _multinomial_init
MULTINOMIAL.methods["sample"] = _one_hot_sample
for _name in ("probs", "logits"):
    computed(MULTINOMIAL, _name, _through(_name))


# -- relaxed ----------------------------------------------------------------------------------------------------------
def _relaxed_bernoulli_sample(d: Body, call: Call) -> Term:
    drawn = d.noise(call)
    return ((drawn + binary_logits(d.probs)) / d.temperature).do("sigmoid")


RELAXED_BERNOULLI = declare(
    "RelaxedBernoulli",
    "temperature, probs=None, logits=None",
    rsample=_relaxed_bernoulli_sample,
    log_prob=lambda d, x: _relaxed_log_prob(d, x),
)
_given(RELAXED_BERNOULLI, "temperature, probs=None, logits=None", True)


def _relaxed_log_prob(d: Body, x: Term) -> Term:
    difference = d.logits - binary_logits(x) * d.temperature
    return d.temperature.do("log") + difference - 2 * difference.exp().do("log1p")


def _relaxed_categorical_sample(d: Body, call: Call) -> Term:
    scores = (inside(d).logits + d.noise(call)) / d.temperature
    return (scores - scores.do("logsumexp", -1, True)).exp()


def _relaxed_categorical_init(m: Machine, self: Instance, call: Call) -> Value:
    kwargs = {k: v for k, v in call.kwargs.items() if k != "temperature"}
    _inner(m, self, Call(call.node, call.args[1:], kwargs))
    self.attrs["temperature"] = parameter(m, call.get(0, "temperature"), call.node)
    return None


def _relaxed_categorical_log_prob(d: Body, x: Term) -> Term:
    score = inside(d).logits - x.log() * d.temperature
    score = (score - score.do("logsumexp", -1, True)).sum(-1)
    return score + d.noise() - x.log().sum(-1)


RELAXED_CATEGORICAL = declare(
    "RelaxedOneHotCategorical",
    "temperature, probs=None, logits=None",
    rsample=_relaxed_categorical_sample,
    log_prob=_relaxed_categorical_log_prob,
)
relies_on(RELAXED_CATEGORICAL.qualname, None, "_categorical")
RELAXED_CATEGORICAL.methods["__init__"] = _relaxed_categorical_init
for _name in ("probs", "logits"):
    computed(RELAXED_CATEGORICAL, _name, _through(_name))
