"""Optimizers, parameters and functions as objects: what they hold, what is walked twice, what a backward gives back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import set_keyword
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, read_names, site_in
from autograd_hazards.fixes.sheet import Sheet, atomic
from autograd_hazards.machine.frames import Trace
from autograd_hazards.messages import say


def listed(problem: Problem) -> Iterator[Fix]:
    """A list in place of an iterator that is walked more than once."""
    made: Trace = problem.event.data["made"]
    sheet = problem.sheet(made)
    if sheet.has(made.node):
        text = " ".join(sheet.segment(made.node).split())
        edit = sheet.rewrite(made.node, f"list({sheet.segment(made.node)})")
        yield from draft(
            say("Make a list: `list({text})`", text=text), UNSAFE, [edit], say("every walk finds the parameters")
        )


def not_reentrant(problem: Problem) -> Iterator[Fix]:
    """The checkpoint that differentiates parameters whatever its inputs are."""
    if problem.event.kind == "hook_without_gradient":
        return
    where = problem.event.data["built"] if problem.event.kind == "checkpoint_refuses" else problem.event.where
    sheet = problem.sheet(where)
    if isinstance(where.node, ast.Call) and sheet.has(where.node):
        edit = set_keyword(sheet, where.node, "use_reentrant", "False")
        yield from draft(
            say("Checkpoint with `use_reentrant=False`"), UNSAFE, [edit], say("the parameters inside are trained")
        )


def hook_if_tracked(problem: Problem) -> Iterator[Fix]:
    """A hook only on a tensor that requires grad."""
    where = problem.event.where
    sheet = problem.sheet(where)
    call = where.node
    stmt = sheet.statement(call) if sheet.has(call) else None
    if problem.event.kind != "hook_without_gradient" or not isinstance(call, ast.Call) or stmt is None:
        return
    if not isinstance(call.func, ast.Attribute) or not isinstance(stmt, ast.Expr) or not sheet.alone(stmt):
        return
    text = sheet.segment(call.func.value)
    if stmt.value is call and "\n" not in sheet.segment(stmt):
        code = f"if {text}.requires_grad:\n{sheet.indent(stmt)}{sheet.unit(stmt)}{sheet.segment(stmt)}"
        title = say("Put the hook on `{name}` only where it requires grad", name=text)
        yield from draft(title, UNSAFE, [sheet.rewrite(stmt, code)], say("without a gradient there is nothing to see"))


def flag_method(problem: Problem) -> Iterator[Fix]:
    """``module.requires_grad_(…)`` in place of an attribute that nothing reads."""
    where = problem.event.where
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1 or not isinstance(stmt.targets[0], ast.Attribute):
        return
    owner, value = sheet.segment(stmt.targets[0].value), sheet.segment(stmt.value)
    edit = sheet.rewrite(stmt, f"{owner}.requires_grad_({value})")
    yield from draft(
        say("Call `{owner}.requires_grad_({value})`", owner=owner, value=value),
        UNSAFE,
        [edit],
        say("the flag reaches the parameters"),
    )


def own_gradient(problem: Problem) -> Iterator[Fix]:
    """A copy of a gradient in place of the same tensor."""
    where = problem.event.where
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if isinstance(stmt, ast.Assign) and atomic(stmt.value):
        text = sheet.segment(stmt.value)
        edit = sheet.insert(sheet.end(stmt.value), ".clone()")
        yield from draft(
            say("Copy the gradient: `{text}.clone()`", text=text),
            UNSAFE,
            [edit],
            say("each side has a gradient of its own"),
        )


def optimizer_after(problem: Problem) -> Iterator[Fix]:
    """The optimizer made after the parameters that it is to hold."""
    event = problem.event
    made: Trace = event.data["made"] if "made" in event.data else event.data["tensor"].created
    mine = {id(frame) for frame, _ in event.where.chain()}
    frame = next((f for f, _ in made.chain() if id(f) in mine), None)
    if frame is None:
        return
    first, second = site_in(event.where, frame), site_in(made, frame)
    if first is None or second is None:
        return
    sheet = problem.sheet(first)
    met = sheet.meeting(first.node, second.node) if sheet.has(first.node) and sheet.has(second.node) else None
    if met is None or not isinstance(met[0], ast.Assign):
        return
    stmt, later = met[0], met[1]
    block = sheet.block(stmt)
    if block.index(stmt) >= block.index(later):
        return
    between = block[block.index(stmt) + 1 : block.index(later) + 1]
    name = " ".join(sheet.segment(stmt.targets[0]).split())
    note = say("the optimizer holds the parameters that get the gradients")
    if any(bound_names(stmt) & read_names(s) for s in between):
        edit = sheet.insert_after(later, sheet.segment(stmt)) if "\n" not in sheet.segment(stmt) else None
        yield from draft(say("Make `{name}` again for the new parameters", name=name), UNSAFE, [edit], note)
    else:
        edits = sheet.move([stmt], later, after=True)
        yield from draft(say("Make `{name}` after the parameters it holds", name=name), UNSAFE, edits, note)


def all_gradients(problem: Problem) -> Iterator[Fix]:
    """None for the inputs of a custom function that have no gradient."""
    event = problem.event
    if event.kind == "function_writes_gradient":
        return
    expected, given = event.data["expected"], event.data["given"]
    if "position" not in event.data and not isinstance(given, int):
        return
    method = event.data["function"].attrs.get("backward")
    node = getattr(getattr(method, "func", method), "node", None)
    sheet = problem.sheet(event.data["function"].module.path)
    if event.kind == "wrong_gradient_shape":
        yield from _transposed(problem, sheet, node)
        return
    if node is None or not sheet.has(node) or not 0 < given < expected:
        return
    returns = [n for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
    if not returns:
        yield from _returned(problem, sheet, node)
        return
    nones = ", None" * (expected - given)
    if any(isinstance(n.value, ast.Constant) for n in returns):
        return
    edits = [sheet.insert(sheet.end(n), nones) for n in returns]
    name = event.data["function"].name
    title = say("Return None for the other inputs in the backward of `{name}`", name=name)
    yield from draft(title, UNSAFE, edits, say("the inputs that come later get no gradient"))


def _returned(problem: Problem, sheet: Sheet, method: ast.FunctionDef) -> Iterator[Fix]:
    """The gradients that a backward computes and does not return: what it assigns and never reads again, in order."""
    names = _unread(method)
    if len(names) != problem.event.data["expected"]:
        return
    text = ", ".join(names)
    title = say("Return the gradients: `return {names}`", names=text)
    note = say("each input gets the gradient that was computed for it")
    yield from draft(title, UNSAFE, [sheet.insert_after(method.body[-1], f"return {text}")], note)


def _unread(function: ast.FunctionDef) -> list[str]:
    """The names that the last statement to assign them leaves unread, in the order of their first assignment."""
    last: dict[str, int] = {}
    for index, stmt in enumerate(function.body):
        for name in sorted(bound_names(stmt)):
            last[name] = index
    unpacked = {
        name.id
        for stmt in function.body
        if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Tuple)
        for name in stmt.targets[0].elts
        if isinstance(name, ast.Name)
    }
    read = {n for n, index in last.items() if any(n in read_names(stmt) for stmt in function.body[index + 1 :])}
    return [name for name in last if name.isidentifier() and name not in read | unpacked]


def _transposed(problem: Problem, sheet: Sheet, method: ast.AST | None) -> Iterator[Fix]:
    """A matrix's gradient that comes out with its axes swapped."""
    data = problem.event.data
    if method is None or not sheet.has(method) or len(data["expected"]) != 2:
        return
    if tuple(reversed(data["given"])) != tuple(data["expected"]):
        return
    edits: list[Edit | None] = []
    for stmt in ast.walk(method):
        if isinstance(stmt, ast.Return) and stmt.value is not None:
            values = stmt.value.elts if isinstance(stmt.value, ast.Tuple) else [stmt.value]
            if data["position"] >= len(values):
                return
            value = values[data["position"]]
            text = sheet.segment(value)
            edits.append(sheet.rewrite(value, f"{text}.t()" if atomic(value) else f"({text}).t()"))
    title = say("Transpose the gradient: `.t()`")
    yield from draft(title, UNSAFE, edits, say("the gradient has the shape of its input"))
