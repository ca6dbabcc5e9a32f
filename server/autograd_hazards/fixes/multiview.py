"""Views that come several at once (iteration, ``unbind``) and must not be changed in place: taken one by one instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import SAFE, Problem, draft
from autograd_hazards.fixes.scope import value_of
from autograd_hazards.fixes.sheet import Sheet
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
