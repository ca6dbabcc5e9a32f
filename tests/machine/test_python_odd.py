"""Models of Python, NumPy and the data loaders under arguments that make no sense: they never break.

A model may raise the program's own exception; any other exception would end the analysis of a file.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograd_hazards.machine import calls, iteration
from autograd_hazards.machine.core import Abort, Call, Machine, Plan, Raised
from autograd_hazards.machine.frames import Frame
from autograd_hazards.machine.models import registry
from autograd_hazards.machine.models.numpy_arrays import make
from autograd_hazards.machine.session import Limits, Session
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Generator, Instance, LibClass, ModuleValue, Unknown, UserClass
from autograd_hazards.program.project import Project

PARTS = ("builtins_", "native_", "stdlib_", "libraries_", "numpy_", "torch_data")
NODE = ast.parse("f(x)").body[0].value  # type: ignore[attr-defined]


def mine(model: Callable[..., Any]) -> bool:
    return model.__module__.rpartition(".")[2].startswith(PARTS)


def fresh_machine() -> Machine:
    path = Path("/program/program.py")
    project = Project([path.parent], {path: "x = 1\n"})
    m = Machine(Session(project, Limits(steps=3_000)), Plan([]))
    module = project.module_at(path)
    frame = Frame(ModuleValue("__main__", str(path), module), None, None, None, None, {})
    frame.stmt = ast.parse("x = 1").body[0]
    m.frame = frame
    return m


def odd_values(m: Machine) -> list[Any]:
    attached = Tensor(m.here(NODE), True, (3,), "float")
    plain = Tensor(m.here(NODE), False, None, None)
    known = Tensor(m.here(NODE), False, (), "int")
    known.elements = 2
    cls = UserClass("C", None, m.frame.module, [])
    return [
        *(None, True, -1, 3, 10**30, 2.5, float("nan"), "", "text", "a b", b"x", ...),
        *([], [1, 2], [[]], (), (1, "a"), {}, {"a": 1}, {1: [2]}, set(), {3}, frozenset([1])),
        *(range(3), range(10**9), slice(None), int, dict, Generator(iter([1, 2]))),
        *(Unknown("odd"), attached, plain, known, make(m, NODE, (2, 3)), cls, Instance(cls)),
        *(
            Instance(registry.CLASSES["numpy.ndarray"]),
            registry.BUILTINS["len"],
            registry.CLASSES["builtins.ValueError"],
        ),
    ]


def selves(m: Machine, cls: LibClass, values: list[Any]) -> list[Any]:
    """Objects of the class: made without arguments' sense, and never initialised."""
    made: list[Any] = [Instance(cls, m.here(NODE))]
    for args in ([], [[1, 2]], [Unknown("odd")]):
        try:
            found = calls.call(m, cls, list(args), {}, NODE)
        except Raised:
            continue
        made.append(found)
    return [s for s in made if isinstance(s, Instance)]


def combinations(values: list[Any], seed: int) -> list[list[Any]]:
    rng = random.Random(seed)
    singles = [[v] for v in values]
    return [[], *singles, *([rng.choice(values) for _ in range(rng.randint(2, 4))] for _ in range(12))]


def consume(m: Machine, value: Any) -> None:
    if isinstance(value, Generator):
        for _ in itertools.islice(iteration.iterate(m, value, NODE), 50):
            continue


def attempt(m: Machine, run: Callable[[], Any]) -> None:
    m.steps = 0
    try:
        consume(m, run())
    except (Raised, Abort):
        return


def all_models() -> list[tuple[str, Callable[[Machine, list[Any]], list[Any]]]]:
    """(name, how to run it with arguments) of every model of these files."""
    fresh_machine()  # loads the models
    found: list[tuple[str, Any]] = []
    for name, func in registry.FUNCTIONS.items():
        if mine(func.model):
            found.append((name, ("function", func.model)))
    for kind, model in registry.CONSTRUCTORS.items():
        found.append((kind.__name__, ("function", model)))
    for library, model in registry.FOREIGN.items():
        if mine(model):
            for short in ("f", "sum", "exp", "add", "float32", "shape", "where", "clip"):
                found.append((f"{library}.{short}", ("foreign", model)))
    for (kind, name), model in registry.NATIVE_METHODS.items():
        if mine(model):
            found.append((f"{kind.__name__}.{name}", ("native", (kind, model))))
    for cls in {id(c): c for c in registry.CLASSES.values()}.values():
        for name, model in cls.methods.items():
            if mine(model):
                found.append((f"{cls.qualname}.{name}", ("method", (cls, model))))
        for name, model in cls.props.items():
            if mine(model):
                found.append((f"{cls.qualname}.{name}", ("prop", (cls, model))))
    return sorted(found, key=lambda f: f[0])


def runs(m: Machine, name: str, how: str, what: Any, values: list[Any], call: Call) -> list[Callable[[], Any]]:
    """The ways to call a model with the arguments: on every fitting object."""
    if how == "function":
        return [partial(what, m, call)]
    if how == "foreign":
        return [partial(what, m, name, call)]
    kind, model = what
    if how == "native":
        return [partial(model, m, v, call) for v in [v for v in odd_values(m) if isinstance(v, kind)][:6]]
    if how == "prop":
        return [partial(model, m, v, NODE) for v in selves(m, kind, values)[:2]]
    owners = [kind] if name.endswith("__new__") else selves(m, kind, values)
    return [partial(model, m, v, call) for v in owners]


MODELS = all_models()


@pytest.mark.parametrize("first", range(0, len(MODELS), 40))
def test_no_model_breaks(first: int) -> None:
    for name, (how, what) in MODELS[first : first + 40]:
        m = fresh_machine()
        values = odd_values(m)
        for args in combinations(values, first):
            kwargs = {"key": values[3], "axis": values[5]} if len(args) == 3 else {}
            call = Call(NODE, list(args), dict(kwargs))
            try:
                for run in runs(m, name, how, what, values, call):
                    attempt(m, run)
            except Exception as error:
                raise AssertionError(f"{name}({', '.join(map(repr, args))}) broke: {error!r}") from error
