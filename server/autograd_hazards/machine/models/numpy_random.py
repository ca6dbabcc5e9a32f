"""``numpy.random``: arrays of known shape, unknown numbers."""

from __future__ import annotations

from .. import shapes
from ..values import Instance, Unknown, Value
from .numpy_arrays import is_array, make, shape_of
from .numpy_functions import take
from .registry import Call, Machine, function, lib_class, method

GENERATOR = lib_class("numpy.random.Generator", aliases=("numpy.random.RandomState",))
BY_SIZES = ("rand", "randn")
AT: dict[str, int] = {  # where the size is among the positional arguments
    "random": 0,
    "random_sample": 0,
    "standard_normal": 0,
    "ranf": 0,
    "sample": 0,
    "randint": 2,
    "integers": 2,
    "normal": 2,
    "uniform": 2,
    "beta": 2,
    "gamma": 2,
    "laplace": 2,
    "binomial": 2,
    "lognormal": 2,
    "logistic": 2,
    "exponential": 1,
    "poisson": 1,
    "dirichlet": 1,
    "multivariate_normal": 2,
    "multinomial": 2,
    "standard_exponential": 0,
}
INTEGERS = ("randint", "integers", "binomial", "poisson")


def draw(m: Machine, name: str, call: Call) -> Value:
    """Numbers from a distribution: one, or an array of the size asked for."""
    if name in BY_SIZES:
        return make(m, call.node, shapes.sizes(call.args)) if call.args else Unknown("random")
    size = call.get(AT[name], "size")
    if size is None:
        array = next((a for a in call.args if is_array(a)), None)
        return make(m, call.node, shape_of(array)) if array is not None else Unknown("random")
    sizes = shapes.sizes([size]) if not isinstance(size, Unknown) else None
    return make(m, call.node, sizes, "int" if name in INTEGERS else "float")


def choose(m: Machine, call: Call) -> Value:
    """``choice``: unknown elements, as many as asked for."""
    source, size = call.get(0, "a"), call.get(1, "size")
    take(m, [source], call.node)
    if size is None:
        return Unknown("choice")
    return make(m, call.node, shapes.sizes([size]) if not isinstance(size, Unknown) else None, None, source)


def permute(m: Machine, call: Call) -> Value:
    source = call.get(0, "x")
    take(m, [source], call.node)
    if isinstance(source, int):
        return make(m, call.node, (source,), "int")
    return make(m, call.node, shape_of(source), None, source)


def _register(name: str) -> None:
    @function(f"numpy.random.{name}")
    def _call(m: Machine, call: Call) -> Value:
        return draw(m, name, call)

    @method("numpy.random.Generator", name)
    def _method(m: Machine, self: Instance, call: Call) -> Value:
        return draw(m, name, call)


for _name in (*BY_SIZES, *AT):
    _register(_name)


@function("numpy.random.seed", "numpy.random.shuffle", "numpy.random.set_state")
def _nothing(m: Machine, call: Call) -> Value:
    return None


@function("numpy.random.choice")
def _choice(m: Machine, call: Call) -> Value:
    return choose(m, call)


@function("numpy.random.permutation")
def _permutation(m: Machine, call: Call) -> Value:
    return permute(m, call)


@function("numpy.random.default_rng")
def _default_rng(m: Machine, call: Call) -> Value:
    return Instance(GENERATOR, m.here(call.node))


@method("numpy.random.Generator", "choice")
def _choice_method(m: Machine, self: Instance, call: Call) -> Value:
    return choose(m, call)


@method("numpy.random.Generator", "permutation", "permuted")
def _permutation_method(m: Machine, self: Instance, call: Call) -> Value:
    return permute(m, call)


@method("numpy.random.Generator", "__init__", "shuffle", "seed")
def _quiet(m: Machine, self: Instance, call: Call) -> Value:
    return None
