"""Making functions and classes; decorators; ``super()``; dataclass fields."""

from __future__ import annotations

import ast

from . import assign, attributes, calls, evaluate, execute
from .core import Machine
from .frames import Frame
from .values import (
    ClassMethod,
    Function,
    Instance,
    LibClass,
    LibFunction,
    LibValue,
    NoGradWrapped,
    Property,
    StaticMethod,
    Super,
    Unknown,
    UserClass,
    Value,
)


def make_function(m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Function:
    frame = m.frame
    spec = node.args
    defaults = [evaluate.evaluate(m, d) for d in spec.defaults]
    kw_defaults = [evaluate.evaluate(m, d) if d is not None else Unknown("argument") for d in spec.kw_defaults]
    in_class = frame.function is None and frame.owner is not None and not isinstance(node, ast.Lambda)
    enclosing: Frame | None = frame if frame.function is not None or frame.caller is not None else None
    if frame.function is None and frame.owner is not None:
        enclosing = frame.enclosing
    elif frame.function is None and frame.enclosing is None:
        enclosing = None
    return Function(node, frame.module, enclosing, defaults, kw_defaults, frame.owner if in_class else None)


def decorate(m: Machine, decorator: Value, value: Value, node: ast.AST) -> Value:
    if decorator is staticmethod:
        return StaticMethod(value)
    if decorator is classmethod:
        return ClassMethod(value)
    if decorator is property:
        return Property(value)
    if isinstance(decorator, Unknown | LibValue):
        return value
    if isinstance(decorator, LibFunction | LibClass | Function | Instance) or not isinstance(decorator, type):
        result = calls.call(m, decorator, [value], {}, node)
        return value if isinstance(result, Unknown) else result
    return value


def zero_super(m: Machine) -> Value:
    frame: Frame | None = m.frame
    while frame is not None and (frame.function is None or frame.function.cls is None):
        frame = frame.enclosing
    if frame is None or frame.function is None:
        return Unknown("super()")
    if not isinstance(frame.first_arg, Instance | UserClass):
        return Unknown("super()")
    return Super(frame.function.cls, frame.first_arg)


def make_class(m: Machine, node: ast.ClassDef) -> Value:
    outer = m.frame
    bases: list[Value] = []
    for base in node.bases:
        value = evaluate.evaluate(m, base.value if isinstance(base, ast.Starred) else base)
        if value is object or value is type:
            continue
        if isinstance(value, type):
            value = m.session.registry.native_class(value)
        bases.append(m.session.registry.base_class(value))
    cls = UserClass(node.name, node, outer.module, bases)
    enclosing = outer if outer.function is not None else outer.enclosing
    frame = Frame(outer.module, None, enclosing, outer, node, cls.attrs)
    frame.owner = cls
    m.frame = frame
    try:
        execute.run_block(m, node.body)
    finally:
        m.frame = outer
    _enum_members(m, cls)
    _as_module(m, cls)
    if any(isinstance(b, LibClass) and b.qualname == "typing.NamedTuple" for b in cls.mro()):
        collect_fields(cls)
    hook = attributes.class_attribute(cls, "__init_subclass__")
    if isinstance(hook, Function | ClassMethod) and "__init_subclass__" not in cls.attrs:
        kwargs = {k.arg: evaluate.evaluate(m, k.value) for k in node.keywords if k.arg and k.arg != "metaclass"}
        calls.call(m, hook.func if isinstance(hook, ClassMethod) else hook, [cls], kwargs, node)
    result: Value = cls
    for decorator in reversed(node.decorator_list):
        decorated = decorate(m, evaluate.evaluate(m, decorator), result, decorator)
        result = decorated if isinstance(decorated, UserClass | Function | NoGradWrapped) else result
    return result


def _as_module(m: Machine, cls: UserClass) -> None:
    """A class with an unknown base and a ``forward`` method is a module of some library's."""
    if cls.open and isinstance(cls.attrs.get("forward"), Function) and not cls.is_a("torch.nn.Module"):
        cls.bases.append(m.session.registry.resolve("torch.nn.Module"))
        cls.mro_ = None


def _enum_members(m: Machine, cls: UserClass) -> None:
    if not cls.is_a("enum.Enum"):
        return
    for name, value in list(cls.attrs.items()):
        if not name.startswith("_") and not isinstance(value, Function | StaticMethod | ClassMethod | Property):
            member = Instance(cls)
            member.attrs.update(name=name, value=value)
            cls.attrs[name] = member


def collect_fields(cls: UserClass) -> None:
    """The fields of a dataclass or NamedTuple, base classes first."""
    fields: dict[str, Value] = {}
    for base in reversed(cls.mro()[1:]):
        if isinstance(base, UserClass) and base.fields is not None:
            fields.update(base.fields)
    if cls.node is not None:
        for stmt in cls.node.body:
            if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
                if "ClassVar" not in ast.unparse(stmt.annotation):
                    fields[stmt.target.id] = cls.attrs.get(stmt.target.id, attributes.MISSING)
    cls.fields = list(fields.items())


def fill_fields(
    m: Machine, instance: Instance, cls: UserClass, args: list[Value], kwargs: dict[str, Value], node: ast.AST
) -> None:
    names = [name for name, default in cls.fields or [] if _in_init(default)]
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    for name, default in cls.fields or []:
        if name in given:
            value = given[name]
        elif isinstance(default, Instance) and default.cls.name == "Field":
            factory = default.attrs.get("default_factory")
            value = (
                calls.call(m, factory, [], {}, node)
                if factory is not None
                else default.attrs.get("default", Unknown(name))
            )
        else:
            value = default if default is not attributes.MISSING else Unknown(name)
        assign.mark(m, value, name, node)
        instance.attrs[name] = value


def _in_init(default: Value) -> bool:
    return not (isinstance(default, Instance) and default.cls.name == "Field" and default.attrs.get("init") is False)
