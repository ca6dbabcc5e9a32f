"""``functools``."""

from __future__ import annotations

import ast
from typing import Any

from .. import attributes, calls, iteration, operators
from ..values import Function, Instance, LibFunction, NoGradWrapped, Partial, Property, Unknown, Value
from .registry import MISSING, Call, Machine, function, lib_class, method, relies_on


@function("functools.partial")
def _partial(m: Machine, call: Call) -> Value:
    if not call.args:
        return Unknown("partial")
    return Partial(call.args[0], list(call.args[1:]), dict(call.kwargs))


@function("functools.partialmethod")
def _partialmethod(m: Machine, call: Call) -> Value:
    func, args, kwargs = call.get(0, "func"), list(call.args[1:]), dict(call.kwargs)

    def run(m: Machine, inner: Call) -> Value:
        subject, rest = inner.args[:1], inner.args[1:]
        return calls.call(m, func, [*subject, *args, *rest], {**kwargs, **inner.kwargs}, inner.node)

    return LibFunction("partialmethod", run)


@function("functools.wraps")
def _wraps(m: Machine, call: Call) -> Value:
    wrapped = call.get(0, "wrapped")
    return LibFunction("wraps", lambda m, inner: dress(inner.get(0, "wrapper"), wrapped))


@function("functools.update_wrapper")
def _update_wrapper(m: Machine, call: Call) -> Value:
    return dress(call.get(0, "wrapper"), call.get(1, "wrapped"))


def dress(wrapper: Value, wrapped: Value) -> Value:
    """Give ``wrapper`` the looks of ``wrapped``."""
    if isinstance(wrapper, Function):
        wrapper.attrs["__wrapped__"] = wrapped
    return wrapper


@function("functools.reduce")
def _reduce(m: Machine, call: Call) -> Value:
    func, source = call.get(0, "function"), call.get(1, "iterable")
    result = call.get(2, "initial", MISSING)
    for value in iteration.iterate(m, source, call.node):
        result = value if result is MISSING else calls.call(m, func, [result, value], {}, call.node)
    return m.session.native_error(m, TypeError("empty"), call.node) if result is MISSING else result


# -- caches -----------------------------------------------------------------------------------------------------------
@function("functools.lru_cache", "functools.cache")
def _cache(m: Machine, call: Call) -> Value:
    if call.args and not isinstance(call.args[0], int | Unknown | None):
        return cached(call.args[0])
    return LibFunction("lru_cache", lambda m, inner: cached(inner.get(0, "user_function")))


def cached(func: Value) -> Value:
    """``func`` with a memory: the same arguments give the same value object, with the graph it was made with."""
    memory: dict[Any, Value] = {}

    def run(m: Machine, inner: Call) -> Value:
        key = (
            tuple(operators.as_key(a) for a in inner.args),
            tuple(sorted((k, _key(v)) for k, v in inner.kwargs.items())),
        )
        if key not in memory:
            memory[key] = calls.call(m, func, inner.args, inner.kwargs, inner.node)
        return memory[key]

    return LibFunction(getattr(func, "name", "cached"), run)


def _key(value: Value) -> str:
    return repr(value) if isinstance(value, str | int | float | bool | None) else str(id(value))


@function("functools.cached_property")
def _cached_property(m: Machine, call: Call) -> Value:
    func = call.get(0, "func")
    name = getattr(func.func if isinstance(func, NoGradWrapped) else func, "name", "cached")

    def run(m: Machine, inner: Call) -> Value:
        owner = inner.args[0]
        value = calls.call(m, func, [owner], {}, inner.node)
        if isinstance(owner, Instance):
            m.ledger.attribute_set(owner, name, value, inner.node)
            owner.attrs[name] = value
        return value

    return Property(LibFunction(name, run))


# -- dispatch ---------------------------------------------------------------------------------------------------------
CMP_KEY = lib_class("functools.K")
lib_class("functools.singledispatch", aliases=("functools.singledispatchmethod",))


relies_on("functools.singledispatch", list)


@method("functools.singledispatch", "__init__")
def _dispatch_init(m: Machine, self: Instance, call: Call) -> Value:
    self.data = [(None, call.get(0, "func"))]
    return None


@method("functools.singledispatch", "register")
def _register(m: Machine, self: Instance, call: Call) -> Value:
    cls, func = call.get(0, "cls"), call.get(1, "func")
    if isinstance(cls, Function):
        self.data.append((_annotated(m, cls), cls))
        return cls
    if func is not None:
        self.data.append((cls, func))
        return func

    def run(m: Machine, inner: Call) -> Value:
        self.data.append((cls, inner.get(0, "func")))
        return inner.get(0, "func")

    return LibFunction("register", run)


def _annotated(m: Machine, func: Function) -> Value:
    from .. import evaluate

    args = func.node.args.args
    annotation = args[0].annotation if args else None
    return (
        evaluate.evaluate(m, annotation)
        if annotation is not None and not isinstance(annotation, ast.Constant)
        else None
    )


@method("functools.singledispatch", "__call__")
def _dispatch(m: Machine, self: Instance, call: Call) -> Value:
    subject = call.args[0] if call.args else None
    for cls, func in reversed(self.data):
        if cls is None or attributes.is_instance(m, subject, cls):
            return calls.call(m, func, call.args, call.kwargs, call.node)
    return Unknown("dispatch")


@function("functools.cmp_to_key")
def _cmp_to_key(m: Machine, call: Call) -> Value:
    func = call.get(0, "mycmp")

    def key(m: Machine, inner: Call) -> Value:
        made = Instance(CMP_KEY)
        made.data = (func, inner.get(0, "obj"))
        return made

    return LibFunction("key", key)


relies_on("functools.K", tuple)


@method("functools.K", "__lt__")
def _less(m: Machine, self: Instance, call: Call) -> Value:
    other = call.get(0, "other")
    func, mine = self.data
    result = calls.call(m, func, [mine, other.data[1] if isinstance(other, Instance) else other], {}, call.node)
    return result < 0 if isinstance(result, int | float) else Unknown("comparison")
