"""Expressions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from typing import Any

from . import assign, attributes, calls, classes, iteration, operators, overwritten, subscripts
from .core import Machine
from .frames import Frame
from .tensor import Tensor
from .values import Generator, Instance, LibValue, Unknown, Value

MISSING: Any = object()
# Names that are there without being assigned: Python's own, and a notebook's.
PROVIDED = {*dir(builtins), "__file__", "__path__", "__class__", "display", "get_ipython", "reveal_type"}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def evaluate(m: Machine, node: ast.expr) -> Value:
    return EXPRESSIONS[type(node)](m, node)


def lookup(m: Machine, name: str, node: ast.AST) -> Value:
    value = find_name(m, name)
    if value is not MISSING:
        return value
    for library in m.frame.module.star_unknown:
        found = m.session.registry.resolve(f"{library}.{name}")
        if not isinstance(found, LibValue):
            return found
    if not m.frame.module.star_unknown and name not in PROVIDED:
        m.fail("NameError", name, m.here(node))
    return m.frame.module.attrs.setdefault("__unknown__", {}).setdefault(name, Unknown(name))


def find_name(m: Machine, name: str) -> Value:
    frame: Frame | None = m.frame
    value = m.frame.locals.get(name, MISSING)
    if value is not MISSING:
        return value
    if m.frame.globals_ is None or name not in m.frame.globals_:
        frame = m.frame.enclosing
        while frame is not None:
            value = frame.locals.get(name, MISSING)
            if value is not MISSING:
                return value
            frame = frame.enclosing
    value = m.frame.module.attrs.get(name, MISSING)
    if value is not MISSING:
        return value
    return m.session.registry.builtins.get(name, MISSING)


# -- conditions -------------------------------------------------------------------------------------------------------
def condition(m: Machine, node: ast.expr) -> bool:
    """Decide a test; conditions that cannot be decided are answered by the path's plan."""
    if isinstance(node, ast.BoolOp):
        if isinstance(node.op, ast.And):
            return all(condition(m, v) for v in node.values)
        return any(condition(m, v) for v in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not condition(m, node.operand)
    return m.truth(evaluate(m, node), node)


def known_condition(m: Machine, node: ast.expr) -> bool | None:
    """The test's value where it is known; an already decided Unknown counts as known."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = known_condition(m, node.operand)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        answers = []
        for v in node.values:
            answer = known_condition(m, v)
            if answer is isinstance(node.op, ast.Or):
                return answer
            answers.append(answer)
        return None if None in answers else answers[-1]
    return m.known_truth(evaluate(m, node), node)


# -- the nodes --------------------------------------------------------------------------------------------------------
def _constant(m: Machine, node: ast.Constant) -> Value:
    return node.value


def _name(m: Machine, node: ast.Name) -> Value:
    value = m.frame.locals.get(node.id, MISSING)
    if m.clobbered and isinstance(value, Tensor) and value in m.clobbered:
        overwritten.read(m, value, node)
    return value if value is not MISSING else lookup(m, node.id, node)


def _attribute(m: Machine, node: ast.Attribute) -> Value:
    return attributes.get_attribute(m, evaluate(m, node.value), node.attr, node)


def _call(m: Machine, node: ast.Call) -> Value:
    m.tick()
    func_node = node.func
    if isinstance(func_node, ast.Name) and func_node.id == "super" and not node.args:
        return classes.zero_super(m)
    func = evaluate(m, func_node)
    args: list[Value] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            value = evaluate(m, arg.value)
            if isinstance(value, Unknown):
                args.append(value.derive("starred"))
            else:
                args.extend(iteration.listed(m, value, arg, 1000))
        else:
            args.append(evaluate(m, arg))
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        value = evaluate(m, keyword.value)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        else:
            kwargs.update({k: v for k, v in mapping_of(m, value, keyword).items() if isinstance(k, str)})
    if m.clobbered and len(node.args) > 1:
        read_before(m, node.args)
    return calls.call(m, func, args, kwargs, node)


def mapping_of(m: Machine, value: Value, node: ast.AST) -> dict[Value, Value]:
    """What ``**value`` unpacks, as far as it is known."""
    if isinstance(value, dict):
        return value
    if isinstance(value, Instance):
        from .models.builtins_types import pairs_of

        return pairs_of(m, value, node)
    return {}


def _bin_op(m: Machine, node: ast.BinOp) -> Value:
    left = evaluate(m, node.left)
    version = left.storage.version if isinstance(left, Tensor) else 0
    right = evaluate(m, node.right)
    if m.clobbered and isinstance(left, Tensor) and left.storage.version != version and left in m.clobbered:
        overwritten.used_late(m, left, node.left)
    return operators.binary(m, node.op, left, right, node)


def read_before(m: Machine, nodes: list[ast.expr]) -> None:
    """Values that were evaluated first are used only now: what came after them may have changed them."""
    for node in nodes[:-1]:
        if isinstance(node, ast.Name):
            value = m.frame.locals.get(node.id)
            if isinstance(value, Tensor) and value in m.clobbered:
                overwritten.read(m, value, node)


def _unary_op(m: Machine, node: ast.UnaryOp) -> Value:
    value = evaluate(m, node.operand)
    return operators.unary(m, node.op, value, node)


def _bool_op(m: Machine, node: ast.BoolOp) -> Value:
    is_or = isinstance(node.op, ast.Or)
    value: Value = None
    for operand in node.values[:-1]:
        value = evaluate(m, operand)
        if m.truth(value, operand) is is_or:
            return value
    return evaluate(m, node.values[-1])


def _compare(m: Machine, node: ast.Compare) -> Value:
    left = evaluate(m, node.left)
    if len(node.ops) == 1:
        return operators.compare(m, node.ops[0], left, evaluate(m, node.comparators[0]), node)
    result: Value = True
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(m, comparator)
        result = operators.compare(m, op, left, right, node)
        known = m.known_truth(result)
        if known is False:
            return result
        if known is None:
            return result
        left = right
    return result


def _if_exp(m: Machine, node: ast.IfExp) -> Value:
    return evaluate(m, node.body if condition(m, node.test) else node.orelse)


def _tuple(m: Machine, node: ast.Tuple) -> Value:
    return tuple(_elements(m, node.elts))


def _list(m: Machine, node: ast.List) -> Value:
    return _elements(m, node.elts)


def _set(m: Machine, node: ast.Set) -> Value:
    return {v for v in _elements(m, node.elts) if operators.hashable(v)}


def _elements(m: Machine, nodes: list[ast.expr]) -> list[Value]:
    result: list[Value] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            result.extend(iteration.listed(m, evaluate(m, node.value), node, 1000))
        else:
            result.append(evaluate(m, node))
    if m.clobbered:
        read_before(m, nodes)
    return result


def _dict(m: Machine, node: ast.Dict) -> Value:
    result: dict[Value, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            result.update(mapping_of(m, evaluate(m, value), value))
            continue
        k = evaluate(m, key)
        v = evaluate(m, value)
        if isinstance(v, Tensor) and isinstance(k, str) and not v.name:
            assign.mark(m, v, k, value)
        result[operators.as_key(k)] = v
    return result


def _subscript(m: Machine, node: ast.Subscript) -> Value:
    owner = evaluate(m, node.value)
    return subscripts.get_item(m, owner, evaluate(m, node.slice), node)


def _slice(m: Machine, node: ast.Slice) -> Value:
    parts = [None if p is None else evaluate(m, p) for p in (node.lower, node.upper, node.step)]
    return slice(*parts)


def _joined(m: Machine, node: ast.JoinedStr) -> Value:
    pieces: list[str] = []
    unknown: list[Value] = []
    for part in node.values:
        value = evaluate(m, part)
        if isinstance(value, str):
            pieces.append(value)
        else:
            unknown.append(value)
    return Unknown("text") if unknown or sum(map(len, pieces)) > operators.BIG else "".join(pieces)


def _formatted(m: Machine, node: ast.FormattedValue) -> Value:
    value = evaluate(m, node.value)
    if node.format_spec is None and isinstance(value, str | int | float | bool | None):
        if not isinstance(value, int) or value.bit_length() < 4096:
            return str(value) if node.conversion in (-1, 115) else repr(value)
        return Unknown("text")  # Python itself writes out no number of so many digits
    spec = evaluate(m, node.format_spec) if node.format_spec is not None else ""
    if isinstance(value, int | float | str) and isinstance(spec, str) and len(spec) < 16 and not operators.wide(spec):
        try:
            return format(value, spec)
        except (ValueError, TypeError, OverflowError):
            return Unknown("text")
    return Unknown("text")


def _lambda(m: Machine, node: ast.Lambda) -> Value:
    return classes.make_function(m, node)


def _named(m: Machine, node: ast.NamedExpr) -> Value:
    value = evaluate(m, node.value)
    frame = inner = m.frame
    while isinstance(frame.call_node, COMPREHENSIONS) and frame.caller is not None:
        frame = frame.caller  # a comprehension's scope does not keep it
    m.frame = frame
    try:
        assign.bind(m, node.target, value)
    finally:
        m.frame = inner
    return value


def _starred(m: Machine, node: ast.Starred) -> Value:
    return evaluate(m, node.value)


def _await(m: Machine, node: ast.Await) -> Value:
    return evaluate(m, node.value)


def _yield(m: Machine, node: ast.Yield | ast.YieldFrom) -> Value:
    return m.tracks.pop(("yield", id(node)), None)


# -- comprehensions ---------------------------------------------------------------------------------------------------
def _child(m: Machine, node: ast.AST) -> Frame:
    outer = m.frame
    frame = Frame(outer.module, outer.function, outer, outer, node, {})
    frame.owner, frame.first_arg, frame.stmt = outer.owner, outer.first_arg, outer.stmt
    if outer.function is None and outer.owner is not None:
        frame.enclosing = outer
    return frame


def run_comprehension(m: Machine, node: Any, produce: Callable[[], Value]) -> Iterator[Value]:
    """Run the clauses of a comprehension in a scope of their own, giving ``produce()`` for each combination.

    The first iterable is evaluated now, as Python does, the rest when asked.
    """
    outer, loops = m.frame, m.loops
    began, room = m.steps, max((m.limit - m.steps) // 8, iteration.COMPREHENSION)
    first = evaluate(m, node.generators[0].iter)
    frame = _child(m, node)

    def clause(index: int, source: Value) -> Iterator[Value]:
        gen = node.generators[index]
        m.loop_ids += 1
        loop, around = m.loop_ids, m.loops
        for i, value in enumerate(iteration.iterate(m, source, gen.iter)):
            if i >= iteration.COMPREHENSION or (index and i >= iteration.SHORT and m.steps - began > room):
                return
            m.tick()
            m.frame, m.loops = frame, (*around, (loop, i))
            assign.bind(m, gen.target, value)
            if all(condition(m, test) for test in gen.ifs):
                if index + 1 < len(node.generators):
                    yield from clause(index + 1, evaluate(m, node.generators[index + 1].iter))
                else:
                    yield produce()
            m.frame, m.loops = outer, around

    def combinations() -> Iterator[Value]:
        try:
            yield from clause(0, first)
        finally:
            m.frame, m.loops = outer, loops

    return combinations()


def _list_comp(m: Machine, node: ast.ListComp) -> Value:
    return list(run_comprehension(m, node, lambda: evaluate(m, node.elt)))


def _set_comp(m: Machine, node: ast.SetComp) -> Value:
    return {v for v in run_comprehension(m, node, lambda: evaluate(m, node.elt)) if operators.hashable(v)}


def _dict_comp(m: Machine, node: ast.DictComp) -> Value:
    pairs = run_comprehension(m, node, lambda: (evaluate(m, node.key), evaluate(m, node.value)))
    return {operators.as_key(k): v for k, v in pairs}


def _generator(m: Machine, node: ast.GeneratorExp) -> Value:
    values = run_comprehension(m, node, lambda: evaluate(m, node.elt))
    generator = Generator(None, m.here(node))
    source = node.generators[0].iter
    generator.copies = (
        isinstance(source, ast.Call)
        and isinstance(source.func, ast.Attribute)
        and source.func.attr in ("parameters", "named_parameters")
    )

    def run() -> Iterator[Value]:
        # the scope switches frames: restore the consumer's around every value
        while True:
            frame, loops = m.frame, m.loops
            try:
                value = next(values)
            except StopIteration:
                m.frame, m.loops = frame, loops
                return
            m.frame, m.loops = frame, loops
            yield value

    generator.iterator = run()
    return generator


EXPRESSIONS: dict[type, Callable[[Machine, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.BinOp: _bin_op,
    ast.UnaryOp: _unary_op,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _if_exp,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.Lambda: _lambda,
    ast.NamedExpr: _named,
    ast.Starred: _starred,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.ListComp: _list_comp,
    ast.SetComp: _set_comp,
    ast.DictComp: _dict_comp,
    ast.GeneratorExp: _generator,
}
