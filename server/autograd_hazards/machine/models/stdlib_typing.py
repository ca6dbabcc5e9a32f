"""``typing``, ``abc``, ``enum``, ``types``: what they mean when a program runs."""

from __future__ import annotations

import ast
import types
from typing import Any

from .. import attributes, classes, operators
from ..values import Function, Instance, LibClass, LibFunction, Property, Unknown, UserClass, Value
from .builtins_lazy import iterator_of
from .builtins_subclass import COMPARISONS, give_operators
from .registry import ALIASES, BUILTINS, CONSTANTS, Call, Machine, function, lib_class, method

ALIASES["typing_extensions"] = "typing"
CONSTANTS["typing.TYPE_CHECKING"] = False
for _name, _kind in (
    ("List", list),
    ("Dict", dict),
    ("Tuple", tuple),
    ("Set", set),
    ("FrozenSet", frozenset),
    ("Type", type),
    ("Text", str),
):
    CONSTANTS[f"typing.{_name}"] = _kind
lib_class("typing.Generic")
lib_class("typing.Protocol")
lib_class("abc.ABC")
lib_class("abc.ABCMeta")


@function("typing.cast")
def _cast(m: Machine, call: Call) -> Value:
    return call.get(1, "val")


@function(
    "typing.overload",
    "typing.final",
    "typing.runtime_checkable",
    "typing.no_type_check",
    "typing.override",
    "abc.abstractmethod",
    "functools.total_ordering",
    "enum.unique",
    "typing.dataclass_transform",
)
def _same(m: Machine, call: Call) -> Value:
    return call.args[0] if call.args else LibFunction("decorator", lambda m, inner: inner.get(0, "func"))


@function("abc.abstractproperty")
def _abstract_property(m: Machine, call: Call) -> Value:
    return Property(call.get(0, "fget"))


@function("typing.NewType")
def _new_type(m: Machine, call: Call) -> Value:
    return LibFunction("NewType", lambda m, inner: inner.get(0, "value"))


@function("typing.TypeVar", "typing.ParamSpec", "typing.get_type_hints", "typing.get_args", "typing.get_origin")
def _opaque(m: Machine, call: Call) -> Value:
    return Unknown("type")


# -- named tuples -----------------------------------------------------------------------------------------------------
NAMED_TUPLE = lib_class("typing.NamedTuple", "builtins.tuple")


class StaticModel:
    """A model of ``__new__``: its class is an argument like any other."""

    static = True

    def __init__(self, run: Any) -> None:
        self.run = run

    def __call__(self, *args: Any) -> Value:
        return self.run(*args)


def named_tuple_class(name: str, names: list[str], defaults: list[Value], m: Machine) -> UserClass:
    """The class that ``namedtuple(name, names)`` makes."""
    cls = UserClass(name, None, m.frame.module, [NAMED_TUPLE])
    start = len(names) - len(defaults)
    cls.fields = [(n, defaults[i - start] if i >= start else attributes.MISSING) for i, n in enumerate(names)]
    cls.attrs["_fields"] = tuple(names)
    return cls


def _named_new(m: Machine, cls: Value, call: Call) -> Value:
    if cls is NAMED_TUPLE:
        fields = call.get(1, "fields")
        names = (
            [f[0] if isinstance(f, tuple) and f else f for f in fields]
            if isinstance(fields, list | tuple)
            else list(call.kwargs)
        )
        if all(isinstance(n, str) for n in names):
            name = call.get(0, "typename")
            return named_tuple_class(name if isinstance(name, str) else "NamedTuple", names, [], m)
        return Unknown("class")
    made = Instance(cls, m.here(call.node))
    source = next(
        (
            c
            for c in (cls.mro() if isinstance(cls, UserClass) else ())
            if isinstance(c, UserClass) and c.fields is not None
        ),
        None,
    )
    if source is not None:
        classes.fill_fields(m, made, source, call.args, call.kwargs, call.node)
    return made


NAMED_TUPLE.methods["__new__"] = _named_new
NAMED_TUPLE.methods["__init__"] = lambda m, self, call: None


def field_names(self: Instance) -> list[str]:
    """The names of a named tuple's fields in order."""
    fields = next((c.fields for c in self.cls.mro() if isinstance(c, UserClass) and c.fields is not None), None) or []
    return [name for name, _ in fields]


def row_of(self: Instance) -> tuple[Value, ...]:
    """The values of a named tuple in order."""
    return tuple(self.attrs.get(name, Unknown(name)) for name in field_names(self))


@method("typing.NamedTuple", "__iter__")
def _row_iter(m: Machine, self: Instance, call: Call) -> Value:
    return iterator_of(m, row_of(self), call.node)


@method("typing.NamedTuple", "__len__")
def _row_len(m: Machine, self: Instance, call: Call) -> Value:
    return len(row_of(self))


@method("typing.NamedTuple", "__getitem__")
def _row_item(m: Machine, self: Instance, call: Call) -> Value:
    from .. import subscripts

    return subscripts.get_item(m, row_of(self), call.get(0, "key"), call.node)


@method("typing.NamedTuple", "__contains__")
def _row_contains(m: Machine, self: Instance, call: Call) -> Value:
    return operators.contains(m, row_of(self), call.get(0, "key"), call.node)


def _compare_rows(name: str, op: ast.cmpop) -> None:
    @method("typing.NamedTuple", f"__{name}__")
    def _compare(m: Machine, self: Instance, call: Call) -> Value:
        other = call.get(0, "other")
        if isinstance(other, Instance) and other.is_a("typing.NamedTuple"):
            other = row_of(other)
        return operators.compare(m, op, row_of(self), other, call.node)


for _name, _op in COMPARISONS.items():
    _compare_rows(_name, _op)


@method("typing.NamedTuple", "_asdict")
def _asdict(m: Machine, self: Instance, call: Call) -> Value:
    return dict(self.attrs)


@method("typing.NamedTuple", "_replace")
def _replace(m: Machine, self: Instance, call: Call) -> Value:
    made = Instance(self.cls, m.here(call.node))
    made.attrs = {**self.attrs, **call.kwargs}
    return made


def _make(m: Machine, cls: Value, call: Call) -> Value:
    from .. import calls, iteration

    return calls.call(m, cls, iteration.listed(m, call.get(0, "iterable"), call.node), {}, call.node)


class ClassModel(StaticModel):
    """A model of a class method."""

    static = False
    classmethod = True


NAMED_TUPLE.attrs["_make"] = LibFunction("_make", ClassModel(lambda m, call: _make(m, call.args[0], call.rest(1))))


@function("typing.TypedDict")
def _typed_dict(m: Machine, call: Call) -> Value:
    return dict


TYPED_DICT = lib_class("typing.TypedDict", "builtins.dict")
TYPED_DICT.methods["__new__"] = lambda m, cls, call: BUILTINS["dict"] if cls is TYPED_DICT else _table(m, call)


def _table(m: Machine, call: Call) -> Value:
    from .builtins_types import pairs_of

    made = pairs_of(m, call.args[0], call.node) if call.args and not isinstance(call.args[0], Unknown) else {}
    made.update(call.kwargs)
    return made


# -- enumerations -----------------------------------------------------------------------------------------------------
lib_class("enum.Enum")
lib_class("enum.Flag", "enum.Enum")
lib_class("enum.IntEnum", "builtins.int", "enum.Enum")
lib_class("enum.IntFlag", "builtins.int", "enum.Flag")
lib_class("enum.StrEnum", "builtins.str", "enum.Enum")
lib_class("enum.EnumMeta", aliases=("enum.EnumType",))
give_operators("enum.IntEnum", True)
give_operators("enum.IntFlag", True)


@function("enum.auto")
def _auto(m: Machine, call: Call) -> Value:
    m.tracks["enum.auto"] = m.tracks.get("enum.auto", 0) + 1
    return m.tracks["enum.auto"]


@method("enum.Flag", "__or__", "__and__", "__xor__")
def _flags(m: Machine, self: Instance, call: Call) -> Value:
    return Unknown("flags")


# -- types ------------------------------------------------------------------------------------------------------------
NAMESPACE = lib_class("types.SimpleNamespace", aliases=("argparse.Namespace",))


@method("types.SimpleNamespace", "__init__")
def _namespace(m: Machine, self: Instance, call: Call) -> Value:
    if call.args and isinstance(call.args[0], dict):
        self.attrs.update(call.args[0])
    self.attrs.update(call.kwargs)
    return None


@method("types.SimpleNamespace", "__contains__")
def _namespace_contains(m: Machine, self: Instance, call: Call) -> Value:
    name = call.get(0, "key")
    return name in self.attrs if isinstance(name, str) else Unknown("in")


@function("types.MethodType")
def _method_type(m: Machine, call: Call) -> Value:
    from ..values import BoundMethod

    return BoundMethod(call.get(0, "func"), call.get(1, "obj"))


CONSTANTS["types.NoneType"] = type(None)
CONSTANTS["types.GeneratorType"] = types.GeneratorType


# -- inspect ----------------------------------------------------------------------------------------------------------
@function("inspect.isfunction", "inspect.ismethod", "inspect.isclass")
def _is_kind(m: Machine, call: Call) -> Value:
    from ..values import BoundMethod

    value = call.get(0, "object")
    if isinstance(value, Function):
        return True
    if isinstance(value, BoundMethod | UserClass | LibClass):
        return Unknown("inspect")
    return Unknown("inspect") if isinstance(value, Unknown) else False


@function(
    "inspect.signature", "inspect.getmembers", "inspect.getfullargspec", "inspect.getsource", "inspect.currentframe"
)
def _inspect(m: Machine, call: Call) -> Value:
    return Unknown("inspect")
