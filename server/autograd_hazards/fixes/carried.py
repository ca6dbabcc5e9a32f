"""What one iteration hands to the next, cut off from its graph: behind the backward, where it is stored, where it is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from autograd_hazards.findings import Fix
from autograd_hazards.fixes.detach import CUTS_STATE, assigned, at_value, call_on, cut, detached_value, where_read
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, loads, names_in, read_names, site_in, value_of, written
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.attributes import constant_field
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.models.stdlib_typing import row_of
from autograd_hazards.machine.records import nodes_below
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Node, Tensor
from autograd_hazards.machine.values import Instance, UserClass, Value
from autograd_hazards.messages import Text, quoted, say
from autograd_hazards.rules.causes import carrier, kept_at

NEAR = 200  # nodes that are looked over for the place where a carried value was made


def state(problem: Problem) -> Iterator[Fix]:
    """The value that one iteration hands to the next: behind the backward, where it is stored, where it is read."""
    tensor, node, user = carrier(problem.event)
    where = kept_at(tensor, node)
    sheet = problem.sheet(where)
    if not sheet.has(where.node):
        return
    appended = isinstance(where.node, ast.Call)
    if appended:
        yield from _stored(problem, where)  # once per item, and not for all of them after every backward
    yield from _behind_backward(problem, where)
    yield from _renamed(problem, tensor)
    yield from _contained(problem, node)
    if tensor is not None and tensor.bound is not None and tensor.bound is not where:
        yield from _behind_backward(problem, tensor.bound)
    if not appended:
        yield from _stored(problem, where)
    yield from _handed_in(problem, where, node)
    yield from where_read(problem, where, user)
    yield from at_value(problem, where, say("the next iteration starts from its value only"))


def _behind_backward(problem: Problem, where: Trace) -> Iterator[Fix]:
    """A line behind the backward that detaches the name under which the value goes on."""
    text, code, frame = _carried(problem, where)
    site = site_in(problem.event.where, frame) if frame is not None else None
    if frame is None or site is None:
        return
    sheet = problem.sheet(site)
    stmt = sheet.statement(site.node) if sheet.has(site.node) else None
    if stmt is None or not code or isinstance(stmt, ast.Return):
        return
    stmt = _behind_step(sheet, stmt)
    kept = sheet.statement(where.node) if sheet.has(where.node) else None
    if kept is not None and kept in (block := sheet.block(stmt)) and block.index(kept) > block.index(stmt):
        return  # it gets this name only behind the backward
    others = [name for name in _siblings(problem.sheet(where), where.node) if cut(name, value_of(frame, name))]
    if others:
        lines = [f"{name} = {cut(name, value_of(frame, name))}" for name in (text, *others)]
        yield from _lines(sheet, stmt, lines, (text, *others))
    yield from _lines(sheet, stmt, [f"{text} = {code}"], (text,))
    aliases = _aliases(frame, text)
    for name in aliases:  # several names for one value, and another one is carried on
        yield from _lines(sheet, stmt, [f"{name} = {cut(name, value_of(frame, name))}"], (name,))
    if aliases:
        first, *rest = sorted((text, *aliases), key=lambda name: "." in name)
        lines = [f"{first} = {cut(first, value_of(frame, first))}", *(f"{name} = {first}" for name in rest)]
        yield from _lines(sheet, stmt, lines, (first, *rest))


def restarted(problem: Problem) -> Iterator[Fix]:
    """A sum of losses that starts from a number before the loop and is not read behind it: started again behind the backward."""
    tensor, node, _ = carrier(problem.event)
    where = kept_at(tensor, node)
    text, _, frame = _carried(problem, where)
    site = site_in(problem.event.where, frame) if frame is not None else None
    sheet = problem.sheet(where)
    back = sheet.statement(site.node) if site is not None and sheet.has(site.node) else None
    loop = sheet.loop(where.node) if sheet.has(where.node) else None
    if back is None or loop is None or loop not in sheet.up(back) or not text.isidentifier():
        return
    function = sheet.function(loop)
    starts = [n for n in walk(function) if isinstance(n, ast.Assign) and [text] == [*map(ast.unparse, n.targets)]]
    before = [n for n in starts if loop not in sheet.up(n)]
    start = before[0].value if len(before) == 1 else None
    number = isinstance(start, ast.Constant) and type(start.value) in (int, float)
    if not number or len(loads(loop, text)) != len(loads(function, text)):
        return
    code = sheet.segment(before[0])
    note = say("each backward has the losses since the one before it")
    edit = sheet.insert_after(_behind_step(sheet, back), code)
    yield from draft(say("Start again behind the backward: `{code}`", code=code), UNSAFE, [edit], note)


def _behind_step(sheet: Sheet, stmt: ast.stmt) -> ast.stmt:
    """The step that follows a backward, if there is one: behind it reads better, and is the same."""
    block = sheet.block(stmt)
    at = block.index(stmt) if stmt in block else 0
    for later in block[at + 1 : at + 4]:
        if isinstance(later, ast.Expr) and isinstance(later.value, ast.Call):
            if isinstance(later.value.func, ast.Attribute) and later.value.func.attr == "step":
                stmt = later
    return stmt


def _lines(sheet: Sheet, stmt: ast.stmt, lines: list[str], names: tuple[str, ...]) -> Iterator[Fix]:
    yield from draft(_after_backward(*names), UNSAFE, [sheet.insert_after(stmt, "\n".join(lines))], CUTS_STATE)


def _after_backward(*names: str) -> Text:
    return say(
        "Detach {names} after the backward, so that the next iteration starts from its value only",
        names=quoted(names),
    )


def _aliases(frame: Frame, text: str) -> list[str]:
    """The other names under which code in an activation has the same tensor: a name of its own, an object's attribute."""
    value = value_of(frame, text)
    if not isinstance(value, Tensor):
        return []
    names = [name for name, other in names_in(frame) if other is value and name != text and not _fixed(frame, name)]
    return list(dict.fromkeys(names))[:3]


def _fixed(frame: Frame, text: str) -> bool:
    """Whether a name is that of a field which cannot be assigned."""
    owner, _, name = text.rpartition(".")
    value = value_of(frame, owner) if owner else None
    return isinstance(value, Instance) and isinstance(value.cls, UserClass) and bool(constant_field(value.cls, name))


def _siblings(sheet: Sheet, target: ast.AST) -> list[str]:
    """The other names of an unpacking that its own right side reads: what is carried on together (``h, c``)."""
    stmt = sheet.statement(target) if sheet.has(target) else None
    if not isinstance(target, ast.Name) or not isinstance(stmt, ast.Assign):
        return []
    read = read_names(stmt.value)
    return sorted(name for name in bound_names(stmt) if name != target.id and name.isidentifier() and name in read)


def _renamed(problem: Problem, tensor: Tensor | None) -> Iterator[Fix]:
    """The same behind the backward, under the last name that the value got in an activation around it."""
    if tensor is None or not tensor.assigned.replace(".", "").isidentifier():
        return
    for frame, site in problem.event.where.chain():
        code = cut(tensor.assigned, value_of(frame, tensor.assigned))
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if not code or stmt is None or tensor.assigned not in _names_of(sheet, site.node):
            continue
        yield from _lines(sheet, stmt, [f"{tensor.assigned} = {code}"], (tensor.assigned,))


def _contained(problem: Problem, old: Node) -> Iterator[Fix]:
    """The same for a list, tuple, named tuple or dictionary that carries the value on, or views of it."""
    for frame, site in problem.event.where.chain():
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if stmt is None or isinstance(stmt, ast.Return):
            continue
        for name, value in names_in(frame):
            graphs = [item.grad_fn for item in _items(value)[:50] if isinstance(item, Tensor)]
            # In a later iteration the same places have made other tensors.
            if any(n.trace.site == old.trace.site for n in nodes_below(graphs, NEAR)) and cut(name, value):
                yield from _lines(sheet, _behind_step(sheet, stmt), [f"{name} = {cut(name, value)}"], (name,))


def _items(value: Value) -> Sequence[Value]:
    """What a container holds; nothing for other values."""
    if isinstance(value, Instance) and value.is_a("typing.NamedTuple"):
        return row_of(value)
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list | tuple) else []


def _names_of(sheet: Sheet, node: ast.AST) -> set[str]:
    """The names that the function around a node assigns."""
    body = getattr(sheet.function(node), "body", [])
    return set().union(*(bound_names(stmt) for stmt in body)) if isinstance(body, list) and body else set()


def _carried(problem: Problem, where: Trace) -> tuple[str, str, Frame | None]:
    """How an activation around the backward names the carried value, and code that cuts it off there."""
    target: ast.AST = where.node
    if isinstance(target, ast.AugAssign):
        target = target.target
    while isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):
        target = target.func.value  # self.mean.mul_(0.9).add_(x)
    frames = [frame for frame, _ in problem.event.where.chain()]
    if isinstance(target, ast.Subscript):
        return _element(problem.sheet(where), frames, where, target)
    text, frame = _seen_from(frames, where, target)
    return text, cut(text, value_of(frame, text)) if frame is not None else "", frame


def _seen_from(frames: list[Frame], where: Trace, target: ast.AST) -> tuple[str, Frame | None]:
    """The name of a target in one of the activations: its own, or its object's there."""
    if isinstance(target, ast.Name):
        return target.id, next((f for f in frames if f is where.frame), None)
    if isinstance(target, ast.Attribute):
        text = ast.unparse(target)
        if where.frame in frames:
            return text, where.frame
        owner = value_of(where.frame, ast.unparse(target.value))
        for frame in frames:
            name = written(frame, owner) if owner is not None else ""
            if name:
                return f"{name}.{target.attr}", frame
    return "", None


def _element(sheet: Sheet, frames: list[Frame], where: Trace, target: ast.Subscript) -> tuple[str, str, Frame | None]:
    """The same for an element of a list or dictionary: all of its elements where they are tensors, else the one."""
    text, frame = _seen_from(frames, where, target.value)
    holder: Any = value_of(frame, text) if frame is not None else None
    if isinstance(holder, Instance):
        return "", "", None
    code = cut(text, holder)
    if not code and isinstance(target.slice, ast.Constant) and isinstance(holder, list | dict):
        text = f"{text}[{sheet.segment(target.slice)}]"
        code = f"{text}.detach()"
    return text, code, frame


def _handed_in(problem: Problem, where: Trace, old: Node) -> Iterator[Fix]:
    """What is kept by a function that got it as an argument (``memory.push(state, value)``): cut off in the call."""
    for frame, site in where.chain():
        sheet = problem.sheet(site)
        call = site.node
        if frame is where.frame or not isinstance(call, ast.Call) or not sheet.has(call):
            continue
        for given in (*call.args, *(keyword.value for keyword in call.keywords)):
            value = value_of(frame, ast.unparse(given)) if isinstance(given, ast.Name | ast.Attribute) else None
            graph = [value.grad_fn] if isinstance(value, Tensor) else []
            if any(n.trace.site == old.trace.site for n in nodes_below(graph, NEAR)):
                title = say("Store `{text}` without its graph", text=sheet.segment(given))
                yield from draft(title, UNSAFE, list(call_on(sheet, given, "detach")), CUTS_STATE)


def _stored(problem: Problem, where: Trace) -> Iterator[Fix]:
    sheet = problem.sheet(where)
    if isinstance(where.node, ast.Attribute | ast.Subscript):
        value = assigned(sheet, where.node)
        if value is not None:
            text = sheet.segment(where.node)
            title = say("Store `{text}` without its graph", text=text)
            yield from draft(title, UNSAFE, detached_value(sheet, value, where.frame), CUTS_STATE)
    elif isinstance(where.node, ast.Call) and isinstance(where.node.func, ast.Attribute) and where.node.args:
        if where.node.func.attr in ("append", "appendleft", "add"):
            value = where.node.args[0]
            title = say("Store `{text}` without its graph", text=sheet.short(value))
            yield from draft(title, UNSAFE, detached_value(sheet, value, where.frame), CUTS_STATE)
