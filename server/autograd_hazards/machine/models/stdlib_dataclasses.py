"""``dataclasses`` and ``attrs``: fields, copies, conversion."""

from __future__ import annotations

from .. import attributes, calls, classes
from ..values import Instance, LibFunction, Unknown, UserClass, Value
from .registry import ALIASES, Call, Machine, function, lib_class

FIELD = lib_class("dataclasses.Field")
ALIASES["attr.define"] = "attrs.define"
ALIASES["attr.frozen"] = "attrs.frozen"


@function(
    "dataclasses.dataclass",
    "attrs.define",
    "attrs.frozen",
    "attrs.mutable",
    "attr.s",
    "attr.attrs",
    "attr.dataclass",
    "pydantic.dataclasses.dataclass",
    "chex.dataclass",
)
def _dataclass(m: Machine, call: Call) -> Value:
    if call.args:
        return with_fields(call.args[0])
    return LibFunction("dataclass", lambda m, inner: with_fields(inner.get(0, "cls")))


def with_fields(cls: Value) -> Value:
    """Collect the fields of a class in its body and its bases."""
    if isinstance(cls, UserClass):
        classes.collect_fields(cls)
    return cls


@function("dataclasses.field", "attrs.field", "attr.ib", "attr.attrib", "pydantic.Field")
def _field(m: Machine, call: Call) -> Value:
    made = Instance(FIELD, m.here(call.node))
    for name in ("default", "default_factory", "init"):
        if name in call.kwargs:
            made.attrs[name] = call.kwargs[name]
    if "factory" in call.kwargs:
        made.attrs["default_factory"] = call.kwargs["factory"]
    return made


def field_names(cls: Value) -> list[str] | None:
    """Names of the fields of a dataclass; None for another class."""
    if isinstance(cls, UserClass):
        for c in cls.mro():
            if isinstance(c, UserClass) and c.fields is not None:
                return [name for name, _ in c.fields]
    return None


@function("dataclasses.is_dataclass", "attrs.has")
def _is_dataclass(m: Machine, call: Call) -> Value:
    value = call.get(0, "obj")
    if isinstance(value, Unknown):
        return value.derive("is_dataclass")
    return field_names(value.cls if isinstance(value, Instance) else value) is not None


@function("dataclasses.fields", "attrs.fields")
def _fields(m: Machine, call: Call) -> Value:
    value = call.get(0, "class_or_instance")
    cls = value.cls if isinstance(value, Instance) else value
    names = field_names(cls)
    if names is None:
        return Unknown("fields")
    made = []
    for name, default in next(c.fields or [] for c in cls.mro() if isinstance(c, UserClass) and c.fields is not None):
        entry = Instance(FIELD)
        entry.attrs.update(name=name, default=default if default is not attributes.MISSING else Unknown("default"))
        made.append(entry)
    return tuple(made)


@function("dataclasses.asdict", "attrs.asdict")
def _asdict(m: Machine, call: Call) -> Value:
    return as_dict(call.get(0, "obj"), {})


def as_dict(value: Value, seen: dict[int, Value]) -> Value:
    """Dataclasses as dictionaries, through containers."""
    if id(value) in seen:
        return seen[id(value)]
    if isinstance(value, Instance):
        names = field_names(value.cls)
        if names is None:
            return value
        made: dict[str, Value] = {}
        seen[id(value)] = made
        made.update({n: as_dict(value.attrs.get(n, Unknown(n)), seen) for n in names})
        return made
    if type(value) is list:
        return [as_dict(v, seen) for v in value]
    if type(value) is tuple:
        return tuple(as_dict(v, seen) for v in value)
    if type(value) is dict:
        return {k: as_dict(v, seen) for k, v in value.items()}
    return value.derive("asdict") if isinstance(value, Unknown) else value


@function("dataclasses.astuple", "attrs.astuple")
def _astuple(m: Machine, call: Call) -> Value:
    made = as_dict(call.get(0, "obj"), {})
    return tuple(made.values()) if isinstance(made, dict) else made


@function("dataclasses.replace", "attrs.evolve", "copy.replace")
def _replace(m: Machine, call: Call) -> Value:
    value = call.get(0, "obj")
    if not isinstance(value, Instance):
        return value.derive(("replace", id(call.node))) if isinstance(value, Unknown) else Unknown("replace")
    names = field_names(value.cls)
    if names is None:
        return Unknown("replace")
    given = {n: value.attrs[n] for n in names if n in value.attrs}
    return calls.call(m, value.cls, [], {**given, **call.kwargs}, call.node)


@function("dataclasses.make_dataclass")
def _make(m: Machine, call: Call) -> Value:
    return Unknown("class")
