"""``contextlib``."""

from __future__ import annotations

import ast
from typing import Any

from .. import attributes, calls, iteration
from ..core import Raised
from ..values import Generator, Instance, LibClass, LibFunction, Unknown, UserClass, Value
from .registry import Call, Machine, function, lib_class, method, relies_on

MANAGER = lib_class("contextlib.ContextDecorator", aliases=("contextlib.AsyncContextDecorator",))
lib_class("contextlib.AbstractContextManager")
GENERATED = lib_class("contextlib._GeneratorContextManager", "contextlib.ContextDecorator")
lib_class("contextlib.nullcontext", "contextlib.ContextDecorator")
lib_class("contextlib.suppress", "contextlib.ContextDecorator")
lib_class("contextlib.closing", "contextlib.ContextDecorator")
lib_class("contextlib.ExitStack", aliases=("contextlib.AsyncExitStack",))


@function("contextlib.contextmanager", "contextlib.asynccontextmanager")
def _contextmanager(m: Machine, call: Call) -> Value:
    func = call.get(0, "func")

    def run(m: Machine, inner: Call) -> Value:
        made = Instance(GENERATED, m.here(inner.node))
        made.data = (func, inner.args, inner.kwargs, calls.call(m, func, inner.args, inner.kwargs, inner.node))
        return made

    return LibFunction(getattr(func, "name", "manager"), run)


def _running(self: Instance) -> Value:
    return self.data[3] if isinstance(self.data, tuple) else None


@method("contextlib._GeneratorContextManager", "__enter__", "__aenter__")
def _enter(m: Machine, self: Instance, call: Call) -> Value:
    generator = _running(self)
    if not isinstance(generator, Generator):
        return generator.derive("enter") if isinstance(generator, Unknown) else Unknown("enter")
    for value in iteration.resume(m, generator):
        return value
    return Unknown("enter")


@method("contextlib._GeneratorContextManager", "__exit__", "__aexit__")
def _exit(m: Machine, self: Instance, call: Call) -> Value:
    generator, error = _running(self), call.get(1, "value")
    if not isinstance(generator, Generator) or generator.iterator is None:
        return False
    if error is None or not hasattr(generator.iterator, "throw"):
        for _ in iteration.resume(m, generator):
            break
        return False
    frame, loops = m.frame, m.loops
    thrown = Raised(error, m.here(call.node))
    try:
        generator.iterator.throw(thrown)
    except StopIteration:
        return True
    except Raised as raised:
        if raised is thrown or raised.value is error:
            return False
        raise
    finally:
        m.frame, m.loops = frame, loops
    return False


@method("contextlib._GeneratorContextManager", "_recreate")
def _recreate(m: Machine, self: Instance, call: Call) -> Value:
    if not isinstance(self.data, tuple):
        return self
    func, args, kwargs, _ = self.data
    made = Instance(self.cls, m.here(call.node))
    made.data = (func, args, kwargs, calls.call(m, func, args, kwargs, call.node))
    return made


@method("contextlib.ContextDecorator", "__call__")
def _decorate(m: Machine, self: Instance, call: Call) -> Value:
    """The manager as a decorator: it is entered at every call."""
    func = call.get(0, "func")

    def run(m: Machine, inner: Call) -> Value:
        again = attributes.find(m, self, "_recreate")
        manager = calls.call(m, again, [], {}, inner.node) if again is not None else self
        return within(m, manager, lambda: calls.call(m, func, inner.args, inner.kwargs, inner.node), inner.node)

    return LibFunction(getattr(func, "name", "decorated"), run)


def within(m: Machine, manager: Value, body: Any, node: ast.AST) -> Value:
    """Run ``body()`` inside a context manager."""
    _, leave = calls.enter(m, manager, node)
    try:
        result = body()
    except Raised as error:
        if leave(error.value):
            return None
        raise
    leave(None)
    return result


# -- small managers ---------------------------------------------------------------------------------------------------
@method("contextlib.nullcontext", "__init__")
@method("contextlib.closing", "__init__")
def _hold(m: Machine, self: Instance, call: Call) -> Value:
    self.data = call.get(0, "enter_result", call.kwargs.get("thing"))
    return None


@method("contextlib.nullcontext", "__enter__", "__aenter__")
@method("contextlib.closing", "__enter__")
def _held(m: Machine, self: Instance, call: Call) -> Value:
    return self.data


@method("contextlib.nullcontext", "__exit__", "__aexit__")
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return False


@method("contextlib.closing", "__exit__")
def _close(m: Machine, self: Instance, call: Call) -> Value:
    calls.call(m, attributes.get_attribute(m, self.data, "close", call.node), [], {}, call.node)
    return False


relies_on("contextlib.suppress", tuple)


@method("contextlib.suppress", "__init__")
def _suppress(m: Machine, self: Instance, call: Call) -> Value:
    self.data = tuple(call.args)
    return None


@method("contextlib.suppress", "__enter__")
def _suppress_enter(m: Machine, self: Instance, call: Call) -> Value:
    names = {c.name for c in self.data if isinstance(c, LibClass | UserClass)}
    if "LookupError" in names:
        names |= {"KeyError", "IndexError"}
    m.tracks.setdefault("suppressed", []).append(names)
    return None


@method("contextlib.suppress", "__exit__")
def _suppress_exit(m: Machine, self: Instance, call: Call) -> Value:
    error = call.get(1, "value")
    if m.tracks.get("suppressed"):
        m.tracks["suppressed"].pop()
    return error is not None and attributes.is_instance(m, error, self.data) is not False


# -- ExitStack --------------------------------------------------------------------------------------------------------
def _stack(self: Instance) -> list[Any]:
    if self.data is None:
        self.data = []
    found: list[Any] = self.data
    return found


@method("contextlib.ExitStack", "__enter__", "__aenter__")
def _stack_enter(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method("contextlib.ExitStack", "enter_context", "enter_async_context")
def _enter_context(m: Machine, self: Instance, call: Call) -> Value:
    value, leave = calls.enter(m, call.get(0, "cm"), call.node)
    _stack(self).append(leave)
    return value


@method("contextlib.ExitStack", "callback")
def _callback(m: Machine, self: Instance, call: Call) -> Value:
    func = call.get(0, "callback")

    def leave(error: Value) -> bool:
        calls.call(m, func, call.args[1:], call.kwargs, call.node)
        return False

    _stack(self).append(leave)
    return func


@method("contextlib.ExitStack", "push")
def _push(m: Machine, self: Instance, call: Call) -> Value:
    manager = call.get(0, "exit")
    found = attributes.find(m, manager, "__exit__") if isinstance(manager, Instance) else manager

    def leave(error: Value) -> bool:
        return calls.call(m, found, [error, error, None], {}, call.node) is True

    _stack(self).append(leave)
    return manager


@method("contextlib.ExitStack", "__exit__", "__aexit__")
def _stack_exit(m: Machine, self: Instance, call: Call) -> Value:
    error, swallowed = call.get(1, "value"), False
    stack = _stack(self)
    while stack:
        if stack.pop()(error):
            error, swallowed = None, True
    return swallowed


@method("contextlib.ExitStack", "close")
def _stack_close(m: Machine, self: Instance, call: Call) -> Value:
    stack = _stack(self)
    while stack:
        stack.pop()(None)
    return None


@method("contextlib.ExitStack", "pop_all")
def _pop_all(m: Machine, self: Instance, call: Call) -> Value:
    made = Instance(self.cls, m.here(call.node))
    made.data, self.data = _stack(self), []
    return made
