"""``torch.distributions``: samples, log probabilities and what an object keeps between calls.

Each method is the formula that torch evaluates, so what is saved follows from the ops; attributes that torch computes
lazily are computed once, with gradients, and kept on the object, as torch keeps them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .. import attributes, calls
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
    "bernoulli",
    "beta",
    "binomial",
    "categorical",
    "cauchy",
    "chi2",
    "continuous_bernoulli",
    "dirichlet",
    "exponential",
    "exp_family",
    "fishersnedecor",
    "gamma",
    "geometric",
    "gumbel",
    "half_cauchy",
    "half_normal",
    "independent",
    "inverse_gamma",
    "kl",
    "kumaraswamy",
    "laplace",
    "lkj_cholesky",
    "log_normal",
    "logistic_normal",
    "lowrank_multivariate_normal",
    "mixture_same_family",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "normal",
    "one_hot_categorical",
    "pareto",
    "poisson",
    "relaxed_bernoulli",
    "relaxed_categorical",
    "studentT",
    "transformed_distribution",
    "transforms",
    "uniform",
    "von_mises",
    "weibull",
    "wishart",
):
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
            out = calls.call(
                m, attributes.get_attribute(m, self, "rsample", call.node), call.args, call.kwargs, call.node
            )
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


BASE.props.update(
    batch_shape=_shape_attribute("batch_shape"), event_shape=_shape_attribute("event_shape"), stddev=_stddev
)
BASE.props.update(
    {name: _unknown(name) for name in ("support", "arg_constraints", "has_rsample", "has_enumerate_support")}
)
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

    ``log_prob``, ``cdf`` and ``icdf`` get the body and the value, ``rsample`` the body and the call, others the body.
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
            cls.methods[key] = as_method(key, body)
        else:
            computed(cls, key, body)
    return cls


def as_method(key: str, body: Formula) -> Any:
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
