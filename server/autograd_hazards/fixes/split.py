"""A loop over losses that steps inside, cut in two: first every backward, then every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import add_keyword, set_keyword
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, held, optimizer_at, reach, read_names, site_in, value_of
from autograd_hazards.fixes.sheet import Sheet, receiver
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.messages import say


def steps_apart(problem: Problem) -> Iterator[Fix]:
    """The steps of a loop in a second loop behind it, where one iteration's step is in the way of the next backward."""
    changed: Trace = problem.event.data["changed"]
    mine = {id(frame) for frame, _ in changed.chain()}
    frame = next((f for f, _ in problem.event.where.chain() if id(f) in mine), None)
    first, second = (site_in(trace, frame) if frame else None for trace in (changed, problem.event.where))
    if frame is None or first is None or second is None:
        return
    sheet = problem.sheet(first)
    if not sheet.has(first.node) or not sheet.has(second.node):
        return
    optimizer = problem.event.data["mutation"].optimizer
    yield from _apart(problem, frame, first.node, second.node, optimizer)


def backwards_apart(problem: Problem) -> Iterator[Fix]:
    """The same where one iteration's backward frees what the next one shares, in a loop over optimizers with their losses."""
    for frame, site in problem.event.where.chain():
        sheet = problem.sheet(site)
        loop = sheet.loop(site.node) if sheet.has(site.node) else None
        first: Trace | None = problem.event.data.get("first")
        if loop is None or first is None or first.site != problem.event.where.site:
            continue
        for step in (call for stmt in loop.body for call in ast.walk(stmt) if isinstance(call, ast.Call)):
            optimizer = optimizer_at(frame, receiver(sheet, step))
            if optimizer is not None and isinstance(step.func, ast.Attribute) and step.func.attr == "step":
                for keep in (False, True):
                    yield from _apart(problem, frame, step, site.node, optimizer, keep)


def _apart(
    problem: Problem, frame: Frame, step_call: ast.AST, back_call: ast.AST, optimizer: Any, keep: bool = False
) -> Iterator[Fix]:
    """The step of a loop in a loop of its own; with ``keep`` the graph is kept for the backwards of later iterations."""
    sheet = problem.sheet(frame.module.path)
    loop = sheet.loop(step_call)
    if not isinstance(loop, ast.For) or sheet.loop(back_call) is not loop or loop.orelse:
        return
    step, back = sheet.statement(step_call), sheet.statement(back_call)
    hoisted = "" if _again(frame, loop.iter) else _hoisted_name(sheet, loop)
    if step not in loop.body or back not in loop.body or not (hoisted or _again(frame, loop.iter)):
        return
    begin, end = loop.body.index(back), loop.body.index(step)
    moved = [s for s in loop.body[begin + 1 :] if s is step or _goes_along(s, loop.body.index(s) < end)]
    made = set().union(*(bound_names(s) for s in loop.body))
    if end <= begin or not all(map(sheet.alone, (loop, *loop.body))) or made & set().union(*map(read_names, moved)):
        return
    edits: list[Edit | None] = [sheet.replace(*sheet.lines_of(stmt), "") for stmt in moved]
    text = receiver(sheet, step_call)
    note = say("each optimizer applies the gradient of its own loss")
    if held(optimizer) & reach(problem.event.data["backward"].roots) and isinstance(back_call, ast.Call):
        params = f'[p for group in {text}.param_groups for p in group["params"]]'
        edits += _keywords(sheet, back_call, {"inputs": params, **({"retain_graph": "True"} if keep else {})})
        note = say("each loss only gives gradients to what its own `{optimizer}` steps", optimizer=text)
    head = _head(sheet, loop, moved)
    if hoisted:  # what the loop goes over is made once
        made_by = _maker(loop.iter)
        edits.append(sheet.insert_before(loop, f"{hoisted} = {sheet.segment(made_by)}"))
        edits.append(sheet.rewrite(made_by, hoisted))
        head = head.replace(" ".join(sheet.segment(made_by).split()), hoisted)
    header = f"{sheet.indent(loop)}for {head}:\n"
    body = "".join(sheet.whole(stmt) for stmt in moved).replace("\r\n", "\n")
    _, behind = sheet.lines_of(loop)
    lead = "" if sheet.text[:behind].endswith(("\n", "\r")) else "\n"
    edits.append(sheet.insert(behind, lead + header + body))
    code = " ".join(sheet.segment(step).split())
    title = say("Step in a loop of its own, after every backward: `{code}`", code=code)
    yield from draft(title, UNSAFE, edits, note)


def _keywords(sheet: Sheet, call: ast.Call, wanted: dict[str, str]) -> list[Edit | None]:
    """Give a call several keywords, those that it has another value."""
    new = {name: value for name, value in wanted.items() if all(k.arg != name for k in call.keywords)}
    edits: list[Edit | None] = [set_keyword(sheet, call, name, wanted[name]) for name in wanted if name not in new]
    if new:
        (name, value), *rest = new.items()
        edits.append(add_keyword(sheet, call, name, ", ".join([value, *(f"{n}={v}" for n, v in rest)])))
    return edits


def _again(frame: Frame, over: ast.expr) -> bool:
    """Whether a loop's iterable can be walked a second time with the same result."""
    if isinstance(over, ast.Tuple | ast.List):
        return not any(isinstance(node, ast.Call) for node in ast.walk(over))
    if isinstance(over, ast.Name | ast.Attribute):
        return isinstance(value_of(frame, ast.unparse(over)), list | tuple | dict)
    if not isinstance(over, ast.Call):
        return False
    if isinstance(over.func, ast.Attribute) and over.func.attr in ("items", "values", "keys") and not over.args:
        return _again(frame, over.func.value)
    if isinstance(over.func, ast.Name) and over.func.id in ("zip", "enumerate", "reversed", "range"):
        return over.func.id == "range" or all(_again(frame, arg) for arg in over.args)
    return False


def _maker(over: ast.expr) -> ast.expr:
    """The call that makes what a loop goes over, in ``f(x)`` and ``f(x).items()``."""
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and isinstance(over.func.value, ast.Call):
        if over.func.attr in ("items", "values", "keys") and not over.args:
            return over.func.value
    return over


def _hoisted_name(sheet: Sheet, loop: ast.For) -> str:
    """A name for what a loop goes over, after the function that makes it; empty when it is no such call."""
    maker = _maker(loop.iter)
    if not isinstance(maker, ast.Call) or maker is loop.iter:
        return ""
    name = maker.func.attr if isinstance(maker.func, ast.Attribute) else getattr(maker.func, "id", "")
    taken = {node.id for node in ast.walk(sheet.function(loop)) if isinstance(node, ast.Name)}
    return name if name and name not in taken else ""


def _goes_along(stmt: ast.stmt, before_step: bool) -> bool:
    """Whether a statement of the loop clips or unscales what the step applies, or follows it as its scheduler does."""
    if not isinstance(stmt, ast.Expr) or not isinstance(stmt.value, ast.Call):
        return False
    name = ast.unparse(stmt.value.func).rpartition(".")[2]
    if before_step:
        return name in ("clip_grad_norm_", "clip_grad_value_", "unscale_")
    return name in ("step", "update")


def _head(sheet: Sheet, loop: ast.For, moved: list[ast.stmt]) -> str:
    """``target in iterable`` for the second loop: of pairs only the half that it needs, where that is plain."""
    needed = set().union(*map(read_names, moved))
    target, over = loop.target, loop.iter
    used: list[int] = []
    if isinstance(target, ast.Tuple):
        used = [i for i, item in enumerate(target.elts) if isinstance(item, ast.Name) and item.id in needed]
    if isinstance(target, ast.Tuple) and len(used) == 1 and isinstance(over, ast.Call):
        if isinstance(over.func, ast.Attribute) and over.func.attr == "items":
            half = sheet.segment(over.func.value) + (".values()" if used[0] else "")
            return f"{sheet.segment(target.elts[used[0]])} in {half}"
    if isinstance(target, ast.Tuple) and isinstance(over, ast.Tuple | ast.List):
        rows = [item.elts for item in over.elts if isinstance(item, ast.Tuple) and len(item.elts) == len(target.elts)]
        if len(used) == 1 and len(rows) == len(over.elts):
            items = ", ".join(sheet.segment(row[used[0]]) for row in rows)
            return f"{sheet.segment(target.elts[used[0]])} in ({items}{',' * (len(rows) == 1)})"
    return " ".join(sheet.text[sheet.start(target) : sheet.end(over)].split())
