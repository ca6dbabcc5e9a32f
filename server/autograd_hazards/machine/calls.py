"""Calling values: user functions, methods, classes, library models, unknowns; context managers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from . import attributes, classes, execute, iteration
from .core import Call, Machine, Raised
from .frames import Frame, Trace
from .tensor import Tensor
from .values import (
    BoundMethod,
    ClassMethod,
    Function,
    Generator,
    Instance,
    LibClass,
    LibFunction,
    LibValue,
    NoGradWrapped,
    Partial,
    StaticMethod,
    Unknown,
    UserClass,
    Value,
)

MAX_DEPTH = 48


def _row(value: Value) -> Value:
    """A named tuple as the tuple that it is to torch."""
    if type(value) is Instance and value.is_a("typing.NamedTuple"):
        from .models.stdlib_typing import row_of

        return row_of(value)
    return value


def call(m: Machine, func: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    kind = type(func)
    if kind is Function:
        return call_function(m, func, args, kwargs, node)
    if kind is BoundMethod:
        return call(m, func.func, [func.self, *args], kwargs, node)
    if kind is LibFunction:
        if any(type(a) is Instance for a in args) and func.name.startswith("torch"):
            args = [_row(a) for a in args]
        return func.model(m, Call(node, args, kwargs))
    if kind is UserClass or kind is LibClass:
        return instantiate(m, func, args, kwargs, node)
    if kind is Instance:
        method = attributes.find(m, func, "__call__")
        if method is not None:
            outer = m.callee
            m.callee = func if isinstance(func.cls, LibClass) else None
            if m.callee is not None and func.cls.name.startswith("torch"):
                args = [_row(a) for a in args]
            try:
                return call(m, method, args, kwargs, node)
            finally:
                m.callee = outer
        return unknown_result(m, func, args, kwargs, node)
    if kind is Partial:
        return call(m, func.func, [*func.args, *args], {**func.kwargs, **kwargs}, node)
    if kind is NoGradWrapped:
        return _call_wrapped(m, func, args, kwargs, node)
    if kind is StaticMethod:
        return call(m, func.func, args, kwargs, node)
    if kind is ClassMethod:
        return call(m, func.func, args, kwargs, node)
    if isinstance(func, type):
        return m.session.registry.construct(m, func, Call(node, args, kwargs))
    if kind is Tensor and func.facets is not None and "opaque" in func.facets:
        return func.facets["opaque"](m, "()")
    return unknown_result(m, func, args, kwargs, node)


def unknown_result(m: Machine, func: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """The result of something that cannot be followed. A decorator that is not known hands its function back."""
    if isinstance(func, Unknown):
        handled = m.session.symbolic_call(m, func, args, kwargs, node)
        if handled is not None:
            return handled[0]
    if len(args) == 1 and not kwargs and isinstance(args[0], Function | UserClass | NoGradWrapped):
        return args[0]
    if isinstance(func, LibValue):
        known = m.session.registry.foreign_call(m, func.name, Call(node, args, kwargs))
        if known is not None:
            return known[0]
    m.ledger.escaped([*args, *kwargs.values()], node)
    if not isinstance(func, LibValue) or func.name.partition(".")[0] != "torch":
        m.ledger.unread = True
    name = func.name if isinstance(func, LibValue) else getattr(func, "why", "")
    found = Unknown(name)
    m.ledger.carry_into(found, [*args, *kwargs.values()])
    return found


def _call_wrapped(m: Machine, func: NoGradWrapped, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    inner = func.func
    target = inner.func if isinstance(inner, BoundMethod) else inner
    if isinstance(target, Function) and execute.is_generator(target):
        result = call(m, inner, args, kwargs, node)
        if isinstance(result, Generator) and result.iterator is not None:
            result.iterator = _wrapped_values(m, result.iterator, func.mode)
        return result
    with m.grad_mode(func.mode, _scope(m, target, node)):
        return call(m, inner, args, kwargs, node)


def _scope(m: Machine, target: Value, node: ast.AST) -> Trace:
    """Where the mode of a decorated function is switched: its definition."""
    trace = m.here(node)
    if isinstance(target, Function):
        frame = Frame(target.module, target, None, m.frame, node, {})
        frame.stmt = m.frame.stmt
        decorators = getattr(target.node, "decorator_list", [])
        return Trace(frame, decorators[-1] if decorators else target.node, m.loops)
    return trace


def _wrapped_values(m: Machine, values: Any, mode: str) -> Any:
    """A decorated generator runs under its mode between yields; the consumer does not."""
    while True:
        with m.grad_mode(mode):
            try:
                value = next(values)
            except StopIteration as stop:
                return stop.value
        yield value


def call_function(m: Machine, func: Function, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if m.depth >= MAX_DEPTH or _too_recursive(m, func, args):
        m.ledger.escaped([*args, *kwargs.values()], node)
        m.ledger.unread = True
        return Unknown("deep recursion")
    m.called.add(func.node)
    local_names = bind_arguments(m, func, args, kwargs, node)
    frame = Frame(func.module, func, func.enclosing, m.frame, node, local_names)
    frame.loops = len(m.loops)
    if func.cls is not None and args:
        frame.first_arg = args[0]
    body = func.node.body
    if execute.is_generator(func):
        generator = Generator(None, m.here(node))
        generator.iterator = _run_generator(m, frame, body, generator)
        return generator
    outer, loops = m.frame, m.loops
    m.frame = frame
    m.depth += 1
    try:
        if isinstance(body, list):
            signal = execute.run_block(m, body)
            return signal.value if isinstance(signal, execute.Return) else None
        frame.stmt = node  # type: ignore[assignment]  # a lambda has no statement of its own
        from . import evaluate

        return evaluate.evaluate(m, body)
    finally:
        m.frame, m.loops = outer, loops
        m.depth -= 1


def _too_recursive(m: Machine, func: Function, args: list[Value]) -> bool:
    """Recursion that unknown arguments keep from ending is followed a little way only."""
    if m.depth < 4:
        return False
    allowed = 2 if any(isinstance(a, Unknown) for a in args) else 12
    count = 0
    frame: Frame | None = m.frame
    while frame is not None:
        if frame.function is func:
            count += 1
        frame = frame.caller
    return count > allowed


def _run_generator(m: Machine, frame: Frame, body: Any, generator: Generator) -> Any:
    frame.caller = m.frame
    m.frame = frame
    if isinstance(body, list):
        signal = yield from execute.generate_block(m, body, generator)
        return signal.value if isinstance(signal, execute.Return) else None
    return None


def bind_arguments(
    m: Machine, func: Function, args: list[Value], kwargs: dict[str, Value], node: ast.AST
) -> dict[str, Value]:
    spec = func.node.args
    names = [a.arg for a in spec.posonlyargs] + [a.arg for a in spec.args]
    bound: dict[str, Value] = dict(zip(names, args, strict=False))
    if len(args) > len(names):
        if spec.vararg is not None:
            bound[spec.vararg.arg] = tuple(args[len(names) :])
    elif spec.vararg is not None:
        bound[spec.vararg.arg] = ()
    extra: dict[str, Value] = {}
    keyword_names = {a.arg for a in spec.kwonlyargs}
    for name, value in kwargs.items():
        if name in keyword_names or name in names:
            bound[name] = value
        else:
            extra[name] = value
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = extra
    offset = len(names) - len(func.defaults)
    for i, name in enumerate(names):
        if name not in bound:
            bound[name] = func.defaults[i - offset] if i >= offset else Unknown(name)
    for arg, default in zip(spec.kwonlyargs, func.kw_defaults, strict=True):
        if arg.arg not in bound:
            bound[arg.arg] = default
    return bound


def instantiate(
    m: Machine, cls: UserClass | LibClass, args: list[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    new = attributes.class_attribute(cls, "__new__")
    if new is not attributes.MISSING and not (isinstance(new, Function | StaticMethod) and isinstance(cls, LibClass)):
        made = call(m, new, [cls, *args], kwargs, node)
        if not (isinstance(made, Instance) and made.cls is cls):
            return made
        instance = made
    else:
        instance = Instance(cls, m.here(node))
    if isinstance(cls, UserClass):
        if cls.is_a("torch.nn.Module"):
            m.ledger.modules.append(instance)
        if cls.is_a("enum.Enum"):
            return next(
                (v for v in cls.attrs.values() if isinstance(v, Instance) and args and v.attrs.get("value") == args[0]),
                Unknown("member"),
            )
        if cls.fields is not None and "__init__" not in cls.attrs:
            classes.fill_fields(m, instance, cls, args, kwargs, node)
            post = attributes.find(m, instance, "__post_init__")
            if post is not None:
                call(m, post, [], {}, node)
            return instance
    init = attributes.find(m, instance, "__init__")
    if init is not None:
        call(m, init, args, kwargs, node)
    return instance


# -- context managers -------------------------------------------------------------------------------------------------
def enter(m: Machine, manager: Value, node: ast.AST) -> tuple[Value, Callable[[Value], bool]]:
    """Enter ``manager``: the value of ``as`` and a function that leaves it."""
    if isinstance(manager, Instance):
        method = attributes.find(m, manager, "__enter__")
        leave = attributes.find(m, manager, "__exit__")
        value = call(m, method, [], {}, node) if method is not None else manager

        def exit_(error: Value) -> bool:
            if leave is None:
                return False
            kind = error.cls if isinstance(error, Instance) else error
            result = call(m, leave, [kind, error, None], {}, node)
            return error is not None and result is True

        return value, exit_
    if isinstance(manager, NoGradWrapped):
        return manager, lambda error: False
    value = manager.derive("enter", manager.why) if isinstance(manager, Unknown) and manager.role == "" else manager
    return value, lambda error: False


__all__ = ["Raised", "bind_arguments", "call", "call_function", "enter", "instantiate", "iteration"]
