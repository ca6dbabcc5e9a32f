"""Attribute access on every kind of value."""

from __future__ import annotations

import ast
from typing import Any

from .. import torchdb
from . import calls, counts
from .core import Call, Machine, Raised
from .tensor import Tensor
from .values import (
    MISSING,
    BoundMethod,
    ClassMethod,
    Function,
    Generator,
    Instance,
    LibClass,
    LibFunction,
    LibValue,
    ModuleValue,
    NoGradWrapped,
    Partial,
    Property,
    StaticMethod,
    Super,
    Unknown,
    UserClass,
    Value,
)

CALLABLE = (Function, BoundMethod, LibFunction, NoGradWrapped, Partial)


def get_attribute(m: Machine, owner: Value, name: str, node: ast.AST) -> Value:
    value = get_or_missing(m, owner, name, node)
    if value is not MISSING:
        return value
    if isinstance(owner, Instance):
        getter = class_attribute(owner.cls, "__getattr__")
        if getter is not MISSING:
            return calls.call(m, bind(getter, owner), [name], {}, node)
        known = not owner.cls.open if isinstance(owner.cls, UserClass) else owner.cls.exact
        if known and not _opaque(owner):
            return m.session.native_error(m, AttributeError(name), node, owner=owner)
        made = owner.attrs[name] = Unknown(name)
        return made
    if isinstance(owner, ModuleValue):
        made = owner.attrs[name] = Unknown(name)
        return made
    if isinstance(owner, Unknown):
        return owner.derive(("attr", name), name)
    return m.session.native_error(m, AttributeError(name), node, owner=owner)


def _opaque(owner: Instance) -> bool:
    return isinstance(owner.data, dict) and bool(owner.data.get("opaque"))


def get_or_missing(m: Machine, owner: Value, name: str, node: ast.AST) -> Value:
    if isinstance(owner, Instance):
        return _instance_attribute(m, owner, name, node)
    if isinstance(owner, Tensor):
        return _tensor_attribute(m, owner, name, node)
    if isinstance(owner, ModuleValue):
        return _module_attribute(m, owner, name)
    if isinstance(owner, LibValue):
        return m.session.registry.resolve(f"{owner.name}.{name}")
    if isinstance(owner, Unknown):
        model = m.session.registry.unknown_methods.get(name)
        if model is not None:
            return BoundMethod(LibFunction(name, model), owner)
        return owner.derive(("attr", name), name)
    if isinstance(owner, UserClass | LibClass):
        return _class_level(m, owner, name)
    if isinstance(owner, Super):
        return _super_attribute(m, owner, name, node)
    if isinstance(owner, Function | NoGradWrapped | LibFunction | BoundMethod | Partial):
        return _function_attribute(owner, name)
    if isinstance(owner, Property) and name in ("setter", "deleter", "getter"):
        return LibFunction(
            name,
            lambda m, call, owner=owner: Property(owner.getter, call.args[0] if name == "setter" else owner.setter),
        )
    return m.session.registry.native_attribute(m, owner, name, node)


def _function_attribute(owner: Value, name: str) -> Value:
    target: Value = owner
    while isinstance(target, BoundMethod | NoGradWrapped | Partial):
        if isinstance(target, BoundMethod) and name == "__self__":
            return target.self
        if name in ("func", "__func__", "__wrapped__"):
            return target.func
        target = target.func
    if name in ("__name__", "__qualname__"):
        return getattr(target, "name", "function")
    if isinstance(target, Function):
        return target.attrs.get(name, MISSING)
    return MISSING


def _module_attribute(m: Machine, owner: ModuleValue, name: str) -> Value:
    from . import importing

    value = owner.attrs.get(name, MISSING)
    if value is MISSING:
        value = importing.submodule(m, owner, name)
    if value is MISSING:
        for library in owner.star_unknown:
            found = m.session.registry.resolve(f"{library}.{name}")
            if not isinstance(found, LibValue):
                return found
    return value


def class_attribute(cls: UserClass | LibClass, name: str) -> Value:
    """The raw attribute of a class, along its MRO."""
    for c in cls.mro():
        if name in c.attrs:
            return c.attrs[name]
        if isinstance(c, LibClass):
            if name in c.methods:
                found = c.functions.get(name)
                if found is None or found.source is not c.methods[name]:
                    found = c.functions[name] = LibFunction(
                        f"{c.qualname}.{name}", _as_function(c.methods[name], c, name), c.methods[name]
                    )
                return found
            if name in c.props:
                return c.props[name] if c.state is None and not c.parts else _checked(c.props[name], c)
    return MISSING


def _checked(model: Any, owner: LibClass) -> Any:
    """A property's model for objects that the constructor has not made."""
    return lambda m, self, node: model(m, self, node) if owner.is_ready(self) else Unknown("property")


OF_CLASSES = frozenset({"__new__", "from_pretrained", "convert_sync_batchnorm"})
"""Methods of modules that take the class itself."""


def _as_function(model: Any, owner: LibClass | None = None, name: str = "") -> Any:
    """A method's model as a function, for objects of its class (``owner``; of Tensor for None) and the class itself."""
    makes = name in ("__init__", "__new__")
    of_objects = owner is not None and owner.is_a("torch.nn.Module") and name not in OF_CLASSES

    def run(m: Machine, call: Call) -> Value:
        if not call.args or not _is_self(call.args[0], owner):
            return Unknown("method without self")
        if owner is not None and not makes and isinstance(call.args[0], Instance) and not owner.is_ready(call.args[0]):
            return Unknown("method without self")
        if of_objects and not isinstance(call.args[0], Instance):
            return Unknown("method without self")
        return model(m, call.args[0], call.rest(1))

    return run


def _is_self(value: Value, owner: LibClass | None) -> bool:
    """Whether the models of the methods of ``owner`` can take ``value`` as ``self`` or ``cls``."""
    if isinstance(value, Tensor):
        return owner is None or owner.is_a("torch.Tensor")
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, UserClass | LibClass):
        return False
    return owner is None or owner in cls.mro() or (isinstance(cls, UserClass) and cls.open)


def bind(attribute: Value, owner: Value, cls: Value = None) -> Value:
    """An attribute found on a class, as seen through an instance."""
    if isinstance(attribute, ClassMethod):
        return BoundMethod(attribute.func, cls if cls is not None else owner.cls)
    if isinstance(attribute, StaticMethod):
        return attribute.func
    if isinstance(attribute, Function | NoGradWrapped | LibFunction):  # a functools.partial does not bind
        if isinstance(attribute, LibFunction) and getattr(attribute.model, "static", False):
            return attribute
        return BoundMethod(attribute, owner)
    return attribute


def _instance_attribute(m: Machine, owner: Instance, name: str, node: ast.AST) -> Value:
    value = owner.attrs.get(name, MISSING)
    if value is not MISSING:
        return value
    found = class_attribute(owner.cls, name)
    if m.patches:
        found = next((m.patches[c, name] for c in owner.cls.mro() if (c, name) in m.patches), found)
    if name == "__new__" and not isinstance(found, Function):
        return LibFunction(name, lambda m, call: _bare(m, owner, call.get(0, "cls"), node))
    if found is not MISSING:
        if isinstance(found, Property):
            return calls.call(m, found.getter, [owner], {}, node)
        if callable(found) and not isinstance(found, type):  # a property of a library class
            return found(m, owner, node)
        return bind(found, owner)
    if name == "__class__":
        return owner.cls
    if name == "__dict__":
        return owner.attrs
    return MISSING


def _bare(m: Machine, owner: Instance, cls: Value, node: ast.AST) -> Value:
    """``owner.__new__(cls)``: an object without attributes. One of the owner's own class is about to become its copy."""
    if not isinstance(cls, UserClass | LibClass):
        return Unknown("object")
    made = Instance(cls, m.here(node))
    if cls is owner.cls and isinstance(owner.data, dict):
        made.data = {k: type(v)(v) if type(v) in (dict, list, set) else v for k, v in owner.data.items()}
    return made


def _tensor_attribute(m: Machine, owner: Tensor, name: str, node: ast.AST) -> Value:
    registry = m.session.registry
    if (
        owner.facets is not None
        and "opaque" in owner.facets
        and name not in registry.tensor_methods
        and name not in registry.tensor_props
    ):
        if m.session.tensor_method(name) is None:
            return owner.facets["opaque"](m, name)
    prop = registry.tensor_props.get(name)
    if prop is not None:
        return prop(m, owner, node)
    if owner.attrs is not None and name in owner.attrs:
        return owner.attrs[name]
    method = m.session.method_functions.get(name)
    if method is None:
        model = registry.tensor_methods.get(name) or m.session.tensor_method(name)
        if model is not None:
            method = m.session.method_functions[name] = LibFunction(f"Tensor.{name}", _as_function(model))
    if method is not None:
        return BoundMethod(method, owner)
    if m.patches:
        cls = registry.resolve("torch.Tensor")
        if (cls, name) in m.patches:
            return bind(m.patches[cls, name], owner, cls)
    return MISSING if lacks(m, owner, name) else Unknown(f"tensor.{name}")


def lacks(m: Machine, tensor: Tensor, name: str) -> bool:
    """Whether a tensor certainly has no such attribute; one that stands for others may be more than a tensor."""
    stands_for_others = m.tracks.get("definitions only") or (tensor.attrs is not None and "opaque" in tensor.attrs)
    return not stands_for_others and name[:1] != "_" and torchdb.is_tensor_attribute(name) is False


def _class_level(m: Machine, cls: UserClass | LibClass, name: str) -> Value:
    found = class_attribute(cls, name)
    if found is not MISSING:
        if isinstance(found, ClassMethod):
            return BoundMethod(found.func, cls)
        if isinstance(found, StaticMethod):
            return found.func
        if isinstance(found, LibFunction) and getattr(found.model, "classmethod", False):
            return BoundMethod(found, cls)
        return found
    if name in ("__name__", "__qualname__"):
        return cls.name
    if name == "__mro__":
        return tuple(cls.mro())
    if name == "__bases__":
        return tuple(cls.bases)
    if name == "__dict__":
        return cls.attrs
    if name == "__module__":
        return "module"
    if isinstance(cls, LibClass):
        return m.session.registry.resolve(f"{cls.qualname}.{name}")
    return Unknown(name) if cls.open else MISSING


def _super_attribute(m: Machine, owner: Super, name: str, node: ast.AST) -> Value:
    subject = owner.self
    cls = subject if isinstance(subject, UserClass) else subject.cls
    mro = cls.mro()
    start = mro.index(owner.cls) + 1 if owner.cls in mro else 1
    for c in mro[start:]:
        found: Value = MISSING
        if name in c.attrs:
            found = c.attrs[name]
        elif isinstance(c, LibClass):
            if name in c.methods:
                found = LibFunction(name, _as_function(c.methods[name], c, name))
            elif name in c.props:
                return c.props[name](m, subject, node)
        if found is not MISSING:
            if isinstance(found, Property):
                return calls.call(m, found.getter, [subject], {}, node)
            return bind(found, subject, cls)
    if name == "__init__":
        return LibFunction("object.__init__", lambda m, call: None)
    if name in ("__setattr__", "__delattr__"):
        return LibFunction(name, lambda m, call: _plain_set(subject, call))
    if name in ("__getattr__", "__getattribute__") and isinstance(subject, Instance):
        return LibFunction(name, lambda m, call: _plain_get(m, subject, call))
    if name == "__new__":
        return LibFunction(
            name,
            lambda m, call: (
                Instance(call.args[0], m.here(node))
                if call.args and isinstance(call.args[0], UserClass | LibClass)
                else Unknown("object")
            ),
        )
    return Unknown(f"super().{name}")


def _plain_set(owner: Value, call: Call) -> Value:
    if len(call.args) == 2 and isinstance(call.args[0], str) and isinstance(owner, Instance):
        owner.attrs[call.args[0]] = call.args[1]


def _plain_get(m: Machine, owner: Instance, call: Call) -> Value:
    """``super().__getattr__(name)``: the attribute without the class's own ``__getattr__``."""
    name = call.get(0, "name")
    if not isinstance(name, str):
        return Unknown("attribute")
    value = get_or_missing(m, owner, name, call.node)
    return m.session.native_error(m, AttributeError(name), call.node, owner=owner) if value is MISSING else value


def find(m: Machine, owner: Instance, name: str) -> Value:
    """A special method of an instance's class, bound; None when it has none."""
    found = class_attribute(owner.cls, name)
    return None if found is MISSING or found is None else bind(found, owner)


def _written_by_user(cls: Value, name: str) -> bool:
    """Whether a class statement of the user's assigns the name (``__setattr__ = dict.__setitem__``)."""
    return any(isinstance(c, UserClass) and name in c.attrs for c in cls.mro())


def constant_field(cls: UserClass, name: str) -> str:
    """What Python raises when a field of a frozen dataclass or a named tuple is assigned; empty for other attributes."""
    if all(name != field for field, _ in cls.fields or []):
        return ""
    if cls.is_a("typing.NamedTuple"):
        return "AttributeError"
    decorators = cls.node.decorator_list if cls.node is not None else []
    frozen = any("frozen" in ast.unparse(d).replace("frozen=False", "") for d in decorators)
    return "FrozenInstanceError" if frozen else ""


def _holds_parameter(owner: Instance, name: str) -> bool:
    """Whether a module has a parameter of this name, which only another parameter or None may replace."""
    held = owner.attrs.get(name)
    return isinstance(held, Tensor) and held.is_param and owner.cls.is_a("torch.nn.Module")


def set_attribute(m: Machine, owner: Value, name: str, value: Value, node: ast.AST) -> None:
    if isinstance(owner, Instance):
        setter = class_attribute(owner.cls, "__setattr__") if isinstance(owner.cls, UserClass) else MISSING
        if isinstance(setter, Function) or (
            isinstance(setter, LibFunction) and _written_by_user(owner.cls, "__setattr__")
        ):
            calls.call(m, BoundMethod(setter, owner), [name, value], {}, node)
            return
        found = class_attribute(owner.cls, name)
        if isinstance(found, Property):
            if found.setter is not None:
                calls.call(m, found.setter, [owner, value], {}, node)
            return
        hook = m.session.registry.set_hooks.get(name)
        if hook is not None and hook(m, owner, value, node):
            return
        if isinstance(owner.cls, UserClass) and owner.cls.fields and (error := constant_field(owner.cls, name)):
            m.fail(error, f"cannot assign to field {name!r}", m.here(node))
            return
        if isinstance(value, Tensor) and not value.is_param and _holds_parameter(owner, name):
            m.fail("TypeError", f"cannot assign a tensor as parameter {name!r}", m.here(node))
        m.ledger.attribute_set(owner, name, value, node)
        owner.attrs[name] = value
    elif isinstance(owner, Tensor):
        m.session.ops.set_attribute(m, owner, name, value, node)
    elif isinstance(owner, UserClass | ModuleValue | Function):
        owner.attrs[name] = value
    elif isinstance(owner, Unknown):
        if name == "grad":
            m.ledger.clears += 1  # whose gradient it is, nobody knows
        if owner.memo is None:
            owner.memo = {}
        owner.memo[("attr", name)] = value
    elif isinstance(owner, LibValue | LibClass):
        m.session.library_set(m, owner, name, value, node)


def length(m: Machine, value: Value, node: ast.AST) -> Value:
    if isinstance(value, list | tuple | dict | set | frozenset | str | bytes | range):
        return counts.length(m, value, len(value)) if m.containers else len(value)
    if isinstance(value, Tensor):
        if value.shape:
            return value.shape[0] if isinstance(value.shape[0], int) else Unknown("length")
        return Unknown("length")
    if isinstance(value, Instance):
        method = find(m, value, "__len__")
        if method is not None:
            return calls.call(m, method, [], {}, node)
    if isinstance(value, Unknown):
        return value.derive("length", "length")
    return Unknown("length")


def type_of(m: Machine, value: Value) -> Value:
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Tensor):
        return m.session.registry.resolve("torch.nn.Parameter" if value.is_param else "torch.Tensor")
    if isinstance(value, Unknown):
        return value.derive("type")
    if isinstance(value, Function | NoGradWrapped):
        return LibValue("types.FunctionType")
    if isinstance(value, UserClass | LibClass):
        return type
    return type(value)


NATIVE_TYPES = (int, float, complex, str, bytes, list, tuple, dict, set, frozenset, bool, range, slice)


def is_instance(m: Machine, value: Value, cls: Value) -> bool | None:
    """``isinstance``; None when it cannot be told."""
    if isinstance(cls, tuple | list):
        answers = [is_instance(m, value, c) for c in cls]
        return True if True in answers else None if None in answers else False
    if isinstance(value, Unknown):
        roles = {"module": "torch.nn.Module", "optimizer": "torch.optim.Optimizer"}
        wanted = roles.get(value.role)
        if wanted is not None and isinstance(cls, LibClass) and cls.qualname == wanted:
            return True
        return None
    if isinstance(cls, Unknown):
        return None
    if isinstance(cls, LibValue):
        known: bool | None = m.session.registry.is_instance_of_library(value, cls.name)
        return known
    if isinstance(value, Tensor):
        if isinstance(cls, LibClass):
            if cls.qualname == "torch.nn.Parameter":
                return value.is_param
            return cls.qualname in ("torch.Tensor", "torch.autograd.Variable")
        return False
    if isinstance(value, Instance):
        if isinstance(cls, UserClass | LibClass):
            if cls in value.cls.mro():
                return True
            return None if isinstance(value.cls, UserClass) and value.cls.open else False
        if isinstance(cls, type):
            return (
                any(isinstance(c, LibClass) and c.qualname == f"builtins.{cls.__name__}" for c in value.cls.mro())
                or cls is object
            )
        return False
    if isinstance(cls, type):
        if cls is type:
            return isinstance(value, UserClass | LibClass | type)
        return isinstance(value, cls) and not (isinstance(value, Function | Generator) and cls is not object)
    return False


__all__ = [
    "MISSING", "bind", "class_attribute", "find", "get_attribute", "get_or_missing", "is_instance", "length", "set_attribute", "type_of",
    "Raised",
]  # fmt: skip
