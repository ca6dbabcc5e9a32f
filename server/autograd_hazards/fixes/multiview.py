"""Views that come several at once (iteration, ``unbind``) and must not be changed in place: taken one by one instead."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import SAFE, Problem, draft
from autograd_hazards.fixes.grad_mode import torch_name
from autograd_hazards.fixes.scope import value_of
from autograd_hazards.fixes.sheet import Sheet, atomic
from autograd_hazards.machine.frames import Frame
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.messages import say


def one_by_one(problem: Problem) -> Iterator[Fix]:
    """``for row in x`` as a loop over indices, ``x.unbind(0)[i]`` as ``x[i]``: the writes reach ``x``, as they are meant to."""
    event = problem.event
    if event.kind != "multiview":
        return
    made, where = event.data["made"], event.where
    for trace in (made, where):
        sheet = problem.sheet(trace)
        if not sheet.has(trace.node):
            continue
        for outer in sheet.up(trace.node):
            if isinstance(outer, ast.Subscript):
                yield from _selected(sheet, outer)
            if isinstance(outer, ast.stmt):
                break
        statements = sheet.blocks_up(trace.node)
        for stmt in statements:
            if isinstance(stmt, ast.For):
                yield from _indexed(sheet, trace.frame, stmt)


def apart(problem: Problem) -> Iterator[Fix]:
    """``chunk`` and ``split`` as ``tensor_split``, ``a, b = x.unbind()`` as single elements: the same views, each of its own."""
    event = problem.event
    made = event.data["made"]
    sheet = problem.sheet(made)
    call = made.node
    if event.kind != "multiview" or not sheet.has(call) or not isinstance(call, ast.Call):
        return
    if not isinstance(call.func, ast.Attribute):
        return
    method = call.func
    function = sheet.segment(method.value) == torch_name(sheet) and call.args
    owner, given = (call.args[0], call.args[1:]) if function else (method.value, call.args)
    text = sheet.segment(owner)
    note = say("a view of its own may be changed in place")
    if method.attr == "unbind":
        yield from _unpacked(sheet, call, owner, given)
        return
    if method.attr not in ("chunk", "split") or not given or any(k.arg != "dim" for k in call.keywords):
        return
    dim = next((k.value for k in call.keywords), given[1] if len(given) > 1 else None)
    size = _size(event.data["tensor"], made.frame, text, dim)
    parts = _parts(method.attr, given[0], size)
    if parts:
        edits: list[Edit | None] = [
            sheet.replace(sheet.end(method) - len(method.attr), sheet.end(method), "tensor_split")
        ]
        if sheet.segment(given[0]) != parts:
            edits.append(sheet.rewrite(given[0], parts))
        title = say("`tensor_split` instead of `{old}`, for views of their own", old=method.attr)
        yield from draft(title, SAFE, edits, note)


def _size(view: Tensor, frame: Frame, text: str, dim: ast.expr | None) -> int | None:
    """How long what is split is in the dimension that it is split in; None when that is not known."""
    whole = value_of(frame, text)
    shapes = [t.shape for t in (whole, view.base) if isinstance(t, Tensor) and t.shape is not None]
    axis = 0 if dim is None else dim.value if isinstance(dim, ast.Constant) else None
    if not isinstance(axis, int) or not shapes or axis >= len(shapes[0]):
        return None
    size = shapes[0][axis]
    return size if isinstance(size, int) else None


def _parts(method: str, given: ast.expr, size: int | None) -> str:
    """What ``tensor_split`` needs in place of the argument of ``chunk`` or ``split``; empty when it would split elsewhere."""
    if isinstance(given, ast.List | ast.Tuple):
        lengths = [item.value for item in given.elts if isinstance(item, ast.Constant) and isinstance(item.value, int)]
        if method == "chunk" or len(lengths) != len(given.elts):
            return ""
        return f"({', '.join(map(str, itertools.accumulate(lengths[:-1])))}{',' * (len(lengths) == 2)})"
    number = given.value if isinstance(given, ast.Constant) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1 or not size:
        return ""
    if size % number == 0:
        return str(number if method == "chunk" else size // number)
    step = number if method == "split" else -(-size // number)
    ends = [str(end) for end in range(step, size, step)]
    return f"({', '.join(ends)}{',' * (len(ends) == 1)})" if ends else ""


def _unpacked(sheet: Sheet, call: ast.Call, owner: ast.expr, given: list[ast.expr]) -> Iterator[Fix]:
    """``a, b = x.unbind()`` as ``a, b = x[0], x[1]``."""
    stmt = sheet.statement(call)
    if not isinstance(stmt, ast.Assign) or stmt.value is not call or not isinstance(stmt.targets[0], ast.Tuple):
        return
    dim = next((k.value for k in call.keywords if k.arg == "dim"), given[0] if given else None)
    names = stmt.targets[0].elts
    again = not any(isinstance(node, ast.Call | ast.NamedExpr | ast.Await) for node in walk(owner))
    if not again or not atomic(owner) or any(isinstance(name, ast.Starred) for name in names):
        return
    text = sheet.segment(owner)
    axis = sheet.segment(dim) if dim is not None else "0"
    items = [f"{text}[{i}]" if axis == "0" else f"{text}.select({axis}, {i})" for i in range(len(names))]
    title = say("Take the views of `{text}` one by one", text=text)
    note = say("a view of its own may be changed in place")
    yield from draft(title, SAFE, [sheet.rewrite(call, ", ".join(items))], note)


def _selected(sheet: Sheet, node: ast.Subscript) -> Iterator[Fix]:
    """``x.unbind(dim)[i]``, an ordinary view as ``x[i]`` or ``x.select(dim, i)``."""
    call, index = node.value, node.slice
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "unbind":
        return
    given = [*call.args, *(k.value for k in call.keywords)]
    if len(given) > 1 or isinstance(index, ast.Slice | ast.Tuple):
        return
    start = sheet.segment(call.func.value)
    dim = sheet.segment(given[0]) if given else "0"
    text = f"{start}[{sheet.segment(index)}]" if dim == "0" else f"{start}.select({dim}, {sheet.segment(index)})"
    title = say("Take the one view: `{text}`", text=" ".join(text.split()))
    yield from draft(title, SAFE, [sheet.rewrite(node, text)], say("a view of its own may be changed in place"))


def _indexed(sheet: Sheet, frame: Frame, loop: ast.For) -> Iterator[Fix]:
    """``for row in x:`` as ``for i in range(len(x)):`` with ``row = x[i]``; the same for ``enumerate``."""
    over, target = loop.iter, loop.target
    counter = ""
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "enumerate":
        if len(over.args) != 1 or over.keywords or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return
        if not isinstance(target.elts[0], ast.Name):
            return
        counter, over, target = target.elts[0].id, over.args[0], target.elts[1]
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "zip":
        yield from _zipped(sheet, frame, over)
    if not isinstance(over, ast.Name | ast.Attribute) or not isinstance(target, ast.Name):
        return
    text = sheet.segment(over)
    if not isinstance(value_of(frame, text), Tensor) or not sheet.alone(loop.body[0]):
        return
    taken = {n.id for n in walk(sheet.function(loop)) if isinstance(n, ast.Name)}
    counter = counter or next(name for name in ("i", "index", "row_index", f"{target.id}_index") if name not in taken)
    edits: list[Edit | None] = [
        sheet.replace(sheet.start(loop.target), sheet.end(loop.iter), f"{counter} in range(len({text}))"),
        sheet.insert_before(loop.body[0], f"{target.id} = {text}[{counter}]"),
    ]
    title = say("Take `{name}` by its index: `{text}[{counter}]`", name=target.id, text=text, counter=counter)
    yield from draft(title, SAFE, edits, say("a view of its own may be changed in place"))


def _zipped(sheet: Sheet, frame: Frame, call: ast.Call) -> Iterator[Fix]:
    """``zip(x, …)`` as ``zip([x[i] for i in range(len(x))], …)``."""
    for argument in call.args:
        text = sheet.segment(argument)
        if isinstance(argument, ast.Name | ast.Attribute) and isinstance(value_of(frame, text), Tensor):
            edit = sheet.rewrite(argument, f"[{text}[i] for i in range(len({text}))]")
            title = say("Take the views of `{text}` one by one", text=text)
            yield from draft(title, SAFE, [edit], say("a view of its own may be changed in place"))
