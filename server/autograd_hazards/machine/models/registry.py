"""Where models of libraries are registered, and how dotted names are resolved to them.

A model of a function is ``model(m, call) -> Value``; of a method ``model(m, self, call)``; of a property
``model(m, self, node)``. Files of this folder register theirs with the decorators below when imported.
"""

from __future__ import annotations

import ast
import collections.abc
import numbers
from collections.abc import Callable
from typing import TypeVar

from ..core import Call, Machine, Raised
from ..frames import Trace
from ..tensor import Tensor
from ..values import MISSING, BoundMethod, Instance, LibClass, LibFunction, LibValue, Unknown, UserClass, Value

Model = TypeVar("Model", bound=Callable[..., Value])

FUNCTIONS: dict[str, LibFunction] = {}
CLASSES: dict[str, LibClass] = {}
CONSTANTS: dict[str, Value] = {}
BUILTINS: dict[str, Value] = {}
TENSOR_METHODS: dict[str, Callable[..., Value]] = {}
TENSOR_PROPS: dict[str, Callable[..., Value]] = {}
UNBOUND = frozenset(
    {"fromkeys", "maketrans", "fromhex", "from_bytes"}
)  # called on the type itself, without an object of it
# Values that are represented by themselves: what Python's own type lacks, they lack.
EXACT = (type(None), bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range, slice)
NATIVE_METHODS: dict[tuple[type, str], Callable[..., Value]] = {}
CONSTRUCTORS: dict[type, Callable[..., Value]] = {}
UNKNOWN_METHODS: dict[str, Callable[..., Value]] = {}
SET_HOOKS: dict[str, Callable[..., bool]] = {}
ALIASES: dict[str, str] = {}  # prefix of a dotted name -> its canonical prefix
QUIET: set[str] = set()  # libraries whose functions neither keep nor change what they are given
FOREIGN: dict[
    str, Callable[..., Value]
] = {}  # library -> model(m, name, call) of its functions without one of their own
PROVIDERS: list[Callable[[str], Value]] = []  # asked for names that have no model of their own


def function(*names: str) -> Callable[[Model], Model]:
    """Register the model of functions, by dotted name (``torch.autograd.grad``); ``builtins.x`` for builtins."""

    def register(model: Model) -> Model:
        for name in names:
            made = LibFunction(name, model)
            FUNCTIONS[name] = made
            if name.startswith("builtins."):
                BUILTINS[name[9:]] = made
        return model

    return register


def lib_class(qualname: str, *bases: str, aliases: tuple[str, ...] = ()) -> LibClass:
    """Declare (or find) a library class; bases are qualified names of declared classes."""
    found = CLASSES.get(qualname)
    if found is None:
        found = CLASSES[qualname] = LibClass(qualname, tuple(CLASSES[b] for b in bases))
    for alias in aliases:
        CLASSES[alias] = found
    return found


def relies_on(qualname: str, state: type | None, *parts: str) -> None:
    """Say what the constructor of a declared class leaves for its methods: the type of ``data``, names of attributes."""
    CLASSES[qualname].state, CLASSES[qualname].parts = state, parts


def method(qualname: str, *names: str) -> Callable[[Model], Model]:
    """Register the model of methods of a declared class."""

    def register(model: Model) -> Model:
        for name in names:
            CLASSES[qualname].methods[name] = model
        return model

    return register


def prop(qualname: str, *names: str) -> Callable[[Model], Model]:
    """Register the model of properties of a declared class: ``model(m, self, node)``."""

    def register(model: Model) -> Model:
        for name in names:
            CLASSES[qualname].props[name] = model
        return model

    return register


def tensor_method(*names: str) -> Callable[[Model], Model]:
    def register(model: Model) -> Model:
        for name in names:
            TENSOR_METHODS[name] = model
        return model

    return register


def tensor_prop(*names: str) -> Callable[[Model], Model]:
    def register(model: Model) -> Model:
        for name in names:
            TENSOR_PROPS[name] = model
        return model

    return register


def native_method(kind: type, *names: str) -> Callable[[Model], Model]:
    def register(model: Model) -> Model:
        for name in names:
            NATIVE_METHODS[kind, name] = model
        return model

    return register


def constructor(kind: type) -> Callable[[Model], Model]:
    """The model of calling a builtin type: ``int(x)``, ``list(x)``."""

    def register(model: Model) -> Model:
        CONSTRUCTORS[kind] = model
        return model

    return register


def unknown_method(*names: str) -> Callable[[Model], Model]:
    """The model of a method called on an Unknown: what the name says about it (``parameters``, ``backward``)."""

    def register(model: Model) -> Model:
        for name in names:
            UNKNOWN_METHODS[name] = model
        return model

    return register


class Registry:
    """The registered models, as the interpreter asks for them."""

    builtins = BUILTINS
    tensor_methods = TENSOR_METHODS
    tensor_props = TENSOR_PROPS
    unknown_methods = UNKNOWN_METHODS
    set_hooks = SET_HOOKS

    def __init__(self) -> None:
        self.resolved: dict[str, Value] = {}

    def resolve(self, name: str) -> Value:
        found = self.resolved.get(name)
        if found is None:
            found = self.resolved[name] = self._resolve(name)
        return found

    def _resolve(self, name: str) -> Value:
        from . import load_for

        load_for(name)
        name = canonical(name)
        load_for(name)
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        if name in CLASSES:
            return CLASSES[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        owner, _, attr = name.rpartition(".")
        if owner in CLASSES:
            cls = CLASSES[owner]
            if attr in cls.methods:
                from ..attributes import class_attribute

                return class_attribute(cls, attr)
        for provider in PROVIDERS:
            value = provider(name)
            if value is not None:
                return value
        return LibValue(name)

    def native_attribute(self, m: Machine, owner: Value, name: str, node: ast.AST) -> Value:
        if name in getattr(type(owner), "own_attributes", ()):
            return getattr(owner, name)
        names: tuple[str, ...] = getattr(owner, "names", ()) if isinstance(owner, tuple) else ()
        if name in names:  # the fields of what torch.max, linalg.eigh, … return
            return owner[names.index(name)]
        if isinstance(owner, type):
            for kind in owner.__mro__:
                model = NATIVE_METHODS.get((kind, name))
                if model is not None:
                    inherited = CLASSES.get(f"builtins.{owner.__name__}")
                    kind = object if name in UNBOUND else kind
                    return LibFunction(
                        name, _with_self(model, kind, inherited.methods.get(name) if inherited else None, inherited)
                    )
            if name in ("__name__", "__qualname__"):
                return owner.__name__
        for kind in type(owner).__mro__:
            model = NATIVE_METHODS.get((kind, name))
            if model is not None:
                return BoundMethod(LibFunction(name, _with_self(model)), owner)
        if isinstance(owner, slice) and name in ("start", "stop", "step"):
            return getattr(owner, name)
        if isinstance(owner, int | float | complex) and name in ("real", "imag"):
            return getattr(owner, name)
        if name == "__class__":
            return type(owner)
        if type(owner) in EXACT:
            return Unknown(name) if hasattr(owner, name) else MISSING
        return MISSING if isinstance(owner, str | list | dict | tuple | int | float) else Unknown(name)

    def foreign_call(self, m: Machine, name: str, call: Call) -> tuple[Value] | None:
        """The result of a library function without a model of its own, where its library is known."""
        name = canonical(name)
        top = name.partition(".")[0]
        model = FOREIGN.get(top)
        if model is not None:
            return (model(m, name, call),)
        return (Unknown(name),) if top in QUIET else None

    def construct(self, m: Machine, kind: type, call: Call) -> Value:
        model = CONSTRUCTORS.get(kind)
        return model(m, call) if model is not None else Unknown(kind.__name__)

    def native_class(self, kind: type) -> Value:
        return CLASSES.get(f"builtins.{kind.__name__}", Unknown(kind.__name__))

    def base_class(self, value: Value) -> Value:
        """A base in a class statement: library classes without a model stay unknown bases."""
        if isinstance(value, UserClass | LibClass):
            return value
        if isinstance(value, LibValue):
            return CLASSES.get(canonical(value.name), Unknown(value.name))
        return Unknown("base")

    def is_instance_of_library(self, value: Value, name: str) -> bool | None:
        """``isinstance`` against a library class that has no model."""
        if isinstance(value, Instance) and isinstance(value.cls, UserClass):
            return None if value.cls.open else False
        if isinstance(value, Instance) and isinstance(value.cls, LibClass):
            return None if value.cls.qualname.partition(".")[0] == name.partition(".")[0] else False
        abstract = _abstract(name)
        if isinstance(value, Tensor):
            return None if abstract is not None and not issubclass(abstract, numbers.Number) else False
        if abstract is not None:
            return isinstance(value, abstract) if isinstance(value, PLAIN) else None
        if isinstance(value, int | float | complex | str) and name.startswith("numpy."):
            return None  # numpy's scalars are plain numbers here
        return False


PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range, type(None))


def _abstract(name: str) -> type | None:
    """The abstract class of the standard library that a name means: ``numbers.Number``, ``collections.abc.Mapping``."""
    module, _, last = name.rpartition(".")
    if module == "numbers":
        found = getattr(numbers, last, None)
    elif module in ("collections.abc", "typing"):
        found = getattr(collections.abc, last, None)
    else:
        return None
    return found if isinstance(found, type) else None


def canonical(name: str) -> str:
    for _ in range(3):
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            prefix = ".".join(parts[:cut])
            if prefix in ALIASES:
                name = ".".join([ALIASES[prefix], *parts[cut:]])
                break
        else:
            return name
    return name


def _with_self(
    model: Callable[..., Value],
    kind: type = object,
    for_subclass: Callable[..., Value] | None = None,
    base: LibClass | None = None,
) -> Callable[..., Value]:
    """A native method's model as a function; ``list.append(x, 1)`` is unknown where ``x`` is no list.

    An object of a class of the user's that inherits from the type ``base`` stands for takes ``for_subclass``.
    """

    def run(m: Machine, call: Call) -> Value:
        if (
            for_subclass is not None
            and call.args
            and isinstance(call.args[0], Instance)
            and base in call.args[0].cls.mro()
        ):
            return for_subclass(m, call.args[0], call.rest(1))
        if not call.args or not isinstance(call.args[0], kind):
            return Unknown("method without self")
        return model(m, call.args[0], call.rest(1))

    return run


__all__ = [
    "ALIASES", "BUILTINS", "CLASSES", "CONSTANTS", "Call", "FOREIGN", "FUNCTIONS", "MISSING", "Machine", "PROVIDERS", "QUIET", "Raised",
    "Registry", "SET_HOOKS",
    "Trace", "canonical", "constructor", "function", "lib_class", "method", "native_method", "prop", "relies_on", "tensor_method", "tensor_prop",
    "unknown_method",
]  # fmt: skip
