"""Statements. ``run_block`` returns None, or the signal that ended the block: BREAK, CONTINUE or a Return."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Sequence
from collections.abc import Generator as NativeGenerator
from typing import Any

from . import assign, calls, classes, counts, evaluate, importing, iteration
from .core import Machine, Raised
from .frames import Frame
from .tensor import Tensor
from .values import Function, Instance, LibClass, Unknown, UserClass, Value


class Return:
    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


BREAK = object()
CONTINUE = object()
END: Any = object()
Signal = Any
Yielding = NativeGenerator[Any, None, Any]  # gives the values yielded, returns a signal or a value


def run_block(m: Machine, body: Sequence[ast.stmt]) -> Signal:
    frame = m.frame
    for stmt in body:
        frame.stmt = stmt
        m.tick()
        m.reached.add(stmt)
        signal = STATEMENTS[type(stmt)](m, stmt)
        if signal is not None:
            return signal
    return None


def _expr(m: Machine, node: ast.Expr) -> Signal:
    value = node.value
    if isinstance(value, ast.Constant):
        return None
    result = evaluate.evaluate(m, value)
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and isinstance(result, Tensor):
        m.ledger.discarded(result, value)
    return None


def _assign(m: Machine, node: ast.Assign) -> Signal:
    value = evaluate.evaluate(m, node.value)
    if m.loops and isinstance(value, Tensor) and _renews_itself(node):
        m.ledger.renewed(node.targets[0].id, value, node)  # type: ignore[attr-defined]
    for target in node.targets:
        assign.bind(m, target, value)
    return None


def _renews_itself(node: ast.Assign) -> bool:
    """``x = … x …`` with operators, for a plain name (cached)."""
    found: bool | None = getattr(node, "_renews", None)
    if found is None:
        found = False
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.BinOp):
            name = node.targets[0].id
            found = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node.value))
        node._renews = found  # type: ignore[attr-defined]
    return found


def _ann_assign(m: Machine, node: ast.AnnAssign) -> Signal:
    if node.value is not None:
        assign.bind(m, node.target, evaluate.evaluate(m, node.value))
    if isinstance(node.target, ast.Name) and m.frame.function is None:
        m.frame.locals.setdefault("__annotations__", {})[node.target.id] = node
    return None


def _aug_assign(m: Machine, node: ast.AugAssign) -> Signal:
    assign.augmented(m, node)
    return None


def _return(m: Machine, node: ast.Return) -> Signal:
    return Return(evaluate.evaluate(m, node.value) if node.value is not None else None)


def _if(m: Machine, node: ast.If) -> Signal:
    if evaluate.condition(m, node.test):
        return run_block(m, node.body)
    return run_block(m, node.orelse) if node.orelse else None


def _lost_rebinding(node: ast.For | ast.AsyncFor) -> tuple[str, ast.stmt] | None:
    """The loop variable that the body's last statement rebinds from itself: ``for p in …: p = p - lr * g`` (cached)."""
    found: tuple[str, ast.stmt] | bool | None = getattr(node, "_lost", False)
    if found is False:
        last = node.body[-1]
        found = None
        if (
            isinstance(last, ast.Assign)
            and len(last.targets) == 1
            and isinstance(last.targets[0], ast.Name)
            and isinstance(last.value, ast.BinOp)
        ):
            name = last.targets[0].id
            own = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
            if name in own and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(last.value)):
                found = (name, last)
        node._lost = found  # type: ignore[union-attr]
    return found  # type: ignore[return-value]


def _for(m: Machine, node: ast.For | ast.AsyncFor) -> Signal:
    source = evaluate.evaluate(m, node.iter)
    m.loop_ids += 1
    loop, outer = m.loop_ids, m.loops
    lost = _lost_rebinding(node)
    try:
        values = iteration.bounded(m, source, node)
        for i in itertools.count():
            m.loops = (*outer, (loop, i))  # what the iterator computes belongs to the iteration that gets it
            m.cut_short = False
            m.frame.stmt = node  # the iterator works in the loop's head
            value = next(values, END)
            if value is END:
                break
            if m.cut_short:
                counts.abridged(m, loop, iteration.SHORT)
            assign.bind(m, node.target, value)
            signal = run_block(m, node.body)
            if signal is not None and signal is not CONTINUE:
                return None if signal is BREAK else signal
            if lost is not None:
                m.ledger.lost(m.frame.locals.get(lost[0]), lost[0], lost[1])
    finally:
        m.loops = outer
        if isinstance(node.iter, ast.Call):
            iteration.close(m, source)
    return run_block(m, node.orelse) if node.orelse else None


def _while(m: Machine, node: ast.While) -> Signal:
    m.loop_ids += 1
    loop, outer = m.loop_ids, m.loops
    limit = iteration.while_limit(m)
    began = m.steps
    unknown = 0
    i = 0
    try:
        while True:
            m.loops = (*outer, (loop, i))
            m.frame.stmt = node
            known = evaluate.known_condition(m, node.test)
            if i == 0 and (known is None or isinstance(node.test, ast.Constant)):
                counts.abridged(m, loop, limit)
            if known is None:
                unknown += 1
                if unknown > 3:
                    break
                known = m.decide(m.frame.site(node.test).key) if unknown > 1 else True
            if not known:
                if node.orelse:
                    m.loops = outer
                    return run_block(m, node.orelse)
                break
            signal = run_block(m, node.body)
            if signal is BREAK:
                break
            if signal is not None and signal is not CONTINUE:
                return signal
            i += 1
            if i >= limit or (i >= 4 and (m.steps - began) // i * limit > (m.limit - began) // 8):
                break
    finally:
        m.loops = outer
    return None


def _with(m: Machine, node: ast.With | ast.AsyncWith) -> Signal:
    return _with_items(m, node, 0)


def _with_items(m: Machine, node: ast.With | ast.AsyncWith, index: int) -> Signal:
    if index == len(node.items):
        return run_block(m, node.body)
    exit_ = enter_item(m, node.items[index])
    try:
        signal = _with_items(m, node, index + 1)
    except Raised as error:
        if exit_(error.value):
            return None
        raise
    except BaseException:
        exit_(None)
        raise
    exit_(None)
    return signal


def enter_item(m: Machine, item: ast.withitem) -> Callable[[Value], bool]:
    """Enter a context manager; returns what leaves it (True: the exception is swallowed)."""
    manager = evaluate.evaluate(m, item.context_expr)
    value, exit_ = calls.enter(m, manager, item.context_expr)
    if item.optional_vars is not None:
        assign.bind(m, item.optional_vars, value)
    return exit_


class _Handler:
    __slots__ = ("frame", "specific")

    def __init__(self, frame: Frame, specific: bool) -> None:
        self.frame = frame
        self.specific = specific


CATCHING = {"RuntimeError": True, "Exception": False, "BaseException": False, "": False}


def _handler_of(m: Machine, node: ast.Try) -> _Handler | None:
    for handler in node.handlers:
        types = [handler.type] if not isinstance(handler.type, ast.Tuple) else list(handler.type.elts)
        for type_ in types:
            name = "" if type_ is None else type_.id if isinstance(type_, ast.Name) else ""
            if type_ is not None and not name:
                continue
            if name in CATCHING:
                return _Handler(m.frame, CATCHING[name])
    return None


def _try(m: Machine, node: ast.Try) -> Signal:
    frame, loops, depth = m.frame, m.loops, m.depth
    modes = m.grad_enabled, m.inference, m.mode_trace
    handler = _handler_of(m, node)
    size = len(m.handlers)
    signal: Signal = None
    pending: Raised | None = None
    try:
        if handler is not None:
            m.handlers.append(handler)
        try:
            signal = run_block(m, node.body)
        finally:
            del m.handlers[size:]
        if signal is None and node.orelse:
            signal = run_block(m, node.orelse)
    except Raised as error:
        m.frame, m.loops, m.depth = frame, loops, depth
        m.grad_enabled, m.inference, m.mode_trace = modes
        chosen = next((h for h in node.handlers if _matches(m, error.value, h)), None)
        if chosen is None:
            pending = error
        else:
            try:
                signal = _run_handler(m, chosen, error)
            except Raised as again:
                m.frame, m.loops, m.depth = frame, loops, depth
                pending = again
                if again is not error and again.handled is None:
                    again.handled = error
    if node.finalbody:
        final = run_block(m, node.finalbody)
        if final is not None:
            return final
    if pending is not None:
        raise pending
    return signal


def _run_handler(m: Machine, handler: ast.ExceptHandler, error: Raised) -> Signal:
    if handler.name:
        m.frame.locals[handler.name] = error.value
    before = m.tracks.get("handling")
    m.tracks["handling"] = error
    try:
        return run_block(m, handler.body)
    finally:
        m.tracks["handling"] = before


def _matches(m: Machine, value: Value, handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    wanted = evaluate.evaluate(m, handler.type)
    options = wanted if isinstance(wanted, tuple) else (wanted,)
    if isinstance(value, Unknown):
        return True
    for option in options:
        if isinstance(value, Instance) and option in value.cls.mro():
            return True
        if isinstance(option, Unknown):
            return m.decide(m.frame.site(handler).key)
    return False


def _raise(m: Machine, node: ast.Raise) -> Signal:
    if node.exc is None:
        current = m.tracks.get("handling")
        raise current if isinstance(current, Raised) else Raised(Unknown("exception"), m.here(node))
    value = evaluate.evaluate(m, node.exc)
    if isinstance(value, LibClass | UserClass):
        value = calls.call(m, value, [], {}, node.exc)
    raised = Raised(value, m.here(node))
    if isinstance(value, Instance) and isinstance(value.data, Raised):
        raised.handled = value.data  # kept by the program, raised again later
    raise raised


def _assert(m: Machine, node: ast.Assert) -> Signal:
    if evaluate.known_condition(m, node.test) is False and not m.partial:
        raise Raised(m.session.make_exception("AssertionError", ""), m.here(node))
    return None


def _function(m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Signal:
    value = classes.make_function(m, node)
    for decorator in reversed(node.decorator_list):
        value = classes.decorate(m, evaluate.evaluate(m, decorator), value, decorator)
    assign.bind_name(m, node.name, value, node)
    return None


def _class(m: Machine, node: ast.ClassDef) -> Signal:
    assign.bind_name(m, node.name, classes.make_class(m, node), node)
    return None


def _delete(m: Machine, node: ast.Delete) -> Signal:
    for target in node.targets:
        assign.delete(m, target)
    return None


def _global(m: Machine, node: ast.Global) -> Signal:
    m.frame.globals_ = (m.frame.globals_ or set()) | set(node.names)
    return None


def _nonlocal(m: Machine, node: ast.Nonlocal) -> Signal:
    m.frame.nonlocals = (m.frame.nonlocals or set()) | set(node.names)
    return None


def _match(m: Machine, node: Any) -> Signal:
    subject = evaluate.evaluate(m, node.subject)
    for case in node.cases:
        verdict = assign.match_pattern(m, case.pattern, subject)
        if verdict is None:
            verdict = m.decide(m.frame.site(case.pattern).key)
        if verdict and (case.guard is None or evaluate.condition(m, case.guard)):
            return run_block(m, case.body)
    return None


def _pass(m: Machine, node: ast.stmt) -> Signal:
    return None


def _break(m: Machine, node: ast.stmt) -> Signal:
    return BREAK


def _continue(m: Machine, node: ast.stmt) -> Signal:
    return CONTINUE


def _import(m: Machine, node: ast.Import) -> Signal:
    importing.run_import(m, node)
    return None


def _import_from(m: Machine, node: ast.ImportFrom) -> Signal:
    importing.run_import_from(m, node)
    return None


STATEMENTS: dict[type, Callable[[Machine, Any], Signal]] = {
    ast.Expr: _expr,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.Return: _return,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Delete: _delete,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Pass: _pass,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
for _name, _run in (("Match", _match), ("TryStar", _try), ("TypeAlias", _pass)):
    if hasattr(ast, _name):
        STATEMENTS[getattr(ast, _name)] = _run


# -- generators: the same statements, but a body with ``yield`` in it is run as a native generator -------------------
_OWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def has_yield(node: ast.AST) -> bool:
    """Whether ``yield`` occurs in ``node`` outside nested functions (cached on the node)."""
    found: bool | None = getattr(node, "_has_yield", None)
    if found is None:
        found = False
        stack = [node]
        while stack and not found:
            current = stack.pop()
            found = isinstance(current, ast.Yield | ast.YieldFrom)
            for name in current._fields:
                value = getattr(current, name, None)
                if value.__class__ is list:
                    stack.extend([item for item in value if isinstance(item, ast.AST) and not isinstance(item, _OWN)])
                elif isinstance(value, ast.AST) and not isinstance(value, _OWN):
                    stack.append(value)
        node._has_yield = found  # type: ignore[attr-defined]
    return found


def is_generator(function: Function) -> bool:
    if function.is_generator is None:
        node = function.node
        function.is_generator = (
            has_yield(node.body)
            if isinstance(node, ast.Lambda)
            else any(
                has_yield(s)
                for s in node.body
                if not isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            )
        )
    return function.is_generator


def generate_block(m: Machine, body: Sequence[ast.stmt], generator: Any) -> Yielding:
    """Run a block that yields. The signal that ends it is returned (StopIteration.value)."""
    frame = m.frame
    for stmt in body:
        if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or not has_yield(stmt):
            signal = run_block(m, [stmt])
        else:
            frame.stmt = stmt
            m.tick()
            signal = yield from _generate(m, stmt, generator)
        if signal is not None:
            return signal
    return None


def _yield_value(m: Machine, node: ast.expr, generator: Any) -> Yielding:
    """Evaluate an expression of the form ``yield x`` or ``yield from x``; nested yields give their value at once."""
    if isinstance(node, ast.Await):
        node = node.value
    if isinstance(node, ast.Yield):
        value = evaluate.evaluate(m, node.value) if node.value is not None else None
        frame = m.frame
        try:
            yield value
        except Raised:  # thrown in by the consumer: handlers and finally blocks run here
            m.frame = frame
            raise
        m.frame = frame
        sent, generator.sent = generator.sent, None
        return sent
    if isinstance(node, ast.YieldFrom):
        source = evaluate.evaluate(m, node.value)
        frame = m.frame
        for value in iteration.iterate(m, source, node):
            yield value
            m.frame = frame
        return getattr(source, "result", None)
    for child in ast.walk(node):
        if isinstance(child, ast.Yield | ast.YieldFrom):
            generator_sent = yield from _yield_value(m, child, generator)
            m.tracks[("yield", id(child))] = generator_sent
    return evaluate.evaluate(m, node)


def _generate(m: Machine, node: ast.stmt, generator: Any) -> Yielding:
    if isinstance(node, ast.Expr):
        yield from _yield_value(m, node.value, generator)
        return None
    if isinstance(node, ast.Assign):
        value = yield from _yield_value(m, node.value, generator)
        for target in node.targets:
            assign.bind(m, target, value)
        return None
    if isinstance(node, ast.Return):
        return Return((yield from _yield_value(m, node.value, generator)) if node.value is not None else None)
    if isinstance(node, ast.If):
        arm = node.body if evaluate.condition(m, node.test) else node.orelse
        return (yield from generate_block(m, arm, generator))
    if isinstance(node, ast.For | ast.AsyncFor):
        source = evaluate.evaluate(m, node.iter)
        for value in iteration.bounded(m, source, node):
            assign.bind(m, node.target, value)
            signal = yield from generate_block(m, node.body, generator)
            if signal is BREAK:
                return None
            if signal is not None and signal is not CONTINUE:
                return signal
        return (yield from generate_block(m, node.orelse, generator))
    if isinstance(node, ast.While):
        for _ in range(iteration.while_limit(m)):
            if not evaluate.condition(m, node.test):
                return (yield from generate_block(m, node.orelse, generator))
            signal = yield from generate_block(m, node.body, generator)
            if signal is BREAK:
                return None
            if signal is not None and signal is not CONTINUE:
                return signal
        return None
    if isinstance(node, ast.With | ast.AsyncWith):
        exits = []
        try:
            for item in node.items:
                exits.append(enter_item(m, item))
            return (yield from generate_block(m, node.body, generator))
        finally:
            if not m.over:  # a generator that was never exhausted may be closed after its run
                for exit_ in reversed(exits):
                    exit_(None)
    if isinstance(node, ast.Try):
        try:
            signal = yield from generate_block(m, node.body, generator)
            if signal is None:
                signal = yield from generate_block(m, node.orelse, generator)
        except Raised as error:
            chosen = next((h for h in node.handlers if _matches(m, error.value, h)), None)
            if chosen is None:
                raise
            if chosen.name:
                m.frame.locals[chosen.name] = error.value
            signal = yield from generate_block(m, chosen.body, generator)
        finally:
            if not m.over:
                yield from generate_block(m, node.finalbody, generator)
        return signal
    return run_block(m, [node])
