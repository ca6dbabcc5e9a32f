"""Statements in the wrong place: zero_grad, clipping, unscaling, the scheduler's step, edits of parameters; and
statements that should not be there."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import add_keyword
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.grad_mode import without_with
from autograd_hazards.fixes.scope import (
    bound_names,
    held,
    loads,
    makers,
    names_in,
    networks,
    optimizer_at,
    parameters,
    read_names,
    site_in,
    value_of,
    written,
)
from autograd_hazards.fixes.sheet import Sheet, receiver
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Instance, Unknown
from autograd_hazards.messages import Text, quoted, say
from autograd_hazards.rules.causes import carrier, kept_at


def _common(first: Trace, second: Trace) -> tuple[Frame, ast.AST, ast.AST] | None:
    mine = {id(frame) for frame, _ in first.chain()}
    frame = next((f for f, _ in second.chain() if id(f) in mine), None)
    if frame is None:
        return None
    a, b = site_in(first, frame), site_in(second, frame)
    return (frame, a.node, b.node) if a is not None and b is not None else None


def _move(problem: Problem, what: Trace, beside: Trace, after: bool, note: Text) -> Iterator[Fix]:
    """Move the statement of one place before or behind that of another."""
    common = _common(what, beside)
    if common is None:
        return
    _, node, other = common
    sheet = problem.sheet(site_in(what, common[0]) or what)
    if not sheet.has(node) or not sheet.has(other):
        return
    met = sheet.meeting(node, other)
    if met is None or met[0] is met[1]:
        return
    code, other_code = sheet.short(sheet.blocks_up(node)[0]), sheet.short(met[1])
    title = (
        say("Move `{code}` below `{other}`", code=code, other=other_code)
        if after
        else say("Move `{code}` above `{other}`", code=code, other=other_code)
    )
    yield from draft(title, UNSAFE, sheet.carry(node, met[0], met[1], after), note)


def scheduler(problem: Problem) -> Iterator[Fix]:
    """The scheduler behind the optimizer: one of epochs to the end of its loop, one of batches behind the step."""
    where, step = problem.event.where, problem.event.data["step"]
    common = _common(where, step)
    sheet = problem.sheet(site_in(where, common[0]) or where) if common is not None else None
    if common is not None and sheet is not None and sheet.has(common[1]) and sheet.has(common[2]):
        if sheet.loop(common[1]) is not sheet.loop(common[2]):
            yield from _end_of_loop(problem)
    yield from _move(problem, where, step, True, say("the first value of the schedule is used"))
    yield from _end_of_loop(problem)


def _end_of_loop(problem: Problem) -> Iterator[Fix]:
    """To the end of the loop body that the scheduler steps in."""
    where = problem.event.where
    for _, site in where.chain():
        sheet = problem.sheet(site)
        if not sheet.has(site.node):
            return
        loop = sheet.loop(site.node)
        if loop is None:
            continue
        stmt = next((s for s in sheet.blocks_up(site.node) if s in loop.body), None)
        if stmt is not None and stmt is not loop.body[-1]:
            title = say("Move `{code}` to the end of the loop", code=sheet.short(sheet.blocks_up(site.node)[0]))
            edits = sheet.carry(site.node, stmt, loop.body[-1], True)
            yield from draft(title, UNSAFE, edits, say("the first value of the schedule is used"))
        if len(loop.body) > 1:
            return  # else a loop over schedulers


def clearing(problem: Problem) -> Iterator[Fix]:
    """``zero_grad`` that throws fresh gradients away: behind the step, or before the first backward."""
    event = problem.event
    where = event.where
    sheet = problem.sheet(where)
    if not sheet.has(where.node):
        return
    stmt = sheet.statement(where.node)
    note = say("each step sees all gradients since the last one")
    text = receiver(sheet, where.node)
    function = sheet.function(where.node)
    owner = value_of(where.frame, text)
    if stmt is not None:
        steps = [
            node for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step"
            and (optimizer_at(where.frame, receiver(sheet, node)) is owner or receiver(sheet, node) == text)
        ]  # fmt: skip
        for step in steps:
            target = sheet.statement(step)
            if target is None or not sheet.alone(stmt) or not sheet.alone(target) or stmt in sheet.up(target):
                continue
            edits = [sheet.insert_after(target, sheet.with_comments(stmt)), sheet.remove(stmt, comments=True)]
            yield from draft(
                say("Move `{code}` behind `{other}`", code=sheet.short(stmt), other=sheet.short(step)),
                UNSAFE,
                edits,
                note,
            )
    yield from _move(problem, where, event.data["backward"], False, note)
    yield from _out_of_helper(problem)


def _out_of_helper(problem: Problem) -> Iterator[Fix]:
    """The clearing in a helper that is called several times per step: behind the step in another function."""
    where = problem.event.where
    owner = value_of(where.frame, receiver(problem.sheet(where), where.node))
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if stmt is None or not isinstance(owner, Instance) or owner.data is None:
        return
    for step in getattr(owner.data, "steps", [])[:1]:
        for frame, site in step.chain():
            name = written(frame, owner)
            place = problem.sheet(site)
            target = place.statement(site.node) if place.has(site.node) else None
            if not name or target is None:
                continue
            edits: list[Edit | None] = [place.insert_after(target, f"{name}.zero_grad()"), sheet.remove(stmt)]
            title = say(
                "Clear the gradients behind `{code}` and not in `{other}`",
                code=place.short(site.node),
                other=sheet.short(stmt),
            )
            yield from draft(title, UNSAFE, edits, say("each step sees all gradients since the last one"))


def not_cleared(problem: Problem) -> Iterator[Fix]:
    """``zero_grad`` before the first backward of each step; or behind the step."""
    event = problem.event
    step: Trace = event.where
    sheet = problem.sheet(step)
    if not sheet.has(step.node):
        return
    name = receiver(sheet, step.node)
    if isinstance(step.node, ast.Call) and step.node.args and optimizer_at(step.frame, name) is None:
        name = sheet.segment(step.node.args[0])
    note = say("each step applies the gradients of its own backward only")
    earlier = event.data.get("earlier")
    back: Trace = event.data["second"]
    common = _common(back, step)
    if common is not None and common[1] is common[2]:
        yield from _in_closure(problem, back, note)
    if common is not None:
        frame, node, _ = common
        place = problem.sheet(site_in(back, frame) or back)
        stmt = place.statement(node) if place.has(node) else None
        names = [text for text, value in names_in(frame) if value is event.data["optimizer"]] or [name]
        text = next((n for n in names if n and stmt is not None and _bound_before(place, stmt, n)), "")
        if stmt is not None and text:
            if earlier is not None and event.kind == "foreign_gradients":
                yield from _only_own(problem)
            edit = place.insert_before(stmt, f"{text}.zero_grad()")
            yield from draft(say("Clear the gradients before `{code}`", code=place.short(stmt)), UNSAFE, [edit], note)
    stmt = sheet.statement(step.node)
    if stmt is not None and name:
        edit = sheet.insert_after(stmt, f"{name}.zero_grad()")
        yield from draft(say("Clear the gradients behind `{code}`", code=sheet.short(stmt)), UNSAFE, [edit], note)
    if earlier is None:
        yield from _only_own(problem)


def _in_closure(problem: Problem, back: Trace, note: Text) -> Iterator[Fix]:
    """The clearing in a closure that the step calls as often as it likes."""
    sheet = problem.sheet(back)
    stmt = sheet.statement(back.node) if sheet.has(back.node) else None
    text = written(back.frame, problem.event.data["optimizer"])
    if stmt is not None and text:
        title = say("Clear the gradients before `{code}`", code=sheet.short(stmt))
        yield from draft(title, UNSAFE, [sheet.insert_before(stmt, f"{text}.zero_grad()")], note)


def _bound_before(sheet: Sheet, stmt: ast.stmt, text: str) -> bool:
    """Whether a name is not only that of a loop which the statement stands outside of."""
    root = text.partition(".")[0]
    around = set(sheet.up(stmt))
    for node in ast.walk(sheet.function(stmt)):
        if isinstance(node, ast.For) and node not in around:
            if root in {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}:
                return False
    return True


def _only_own(problem: Problem) -> Iterator[Fix]:
    """The other loss gives gradients only to the parameters of the optimizer that steps it."""
    event = problem.event
    other: Trace = event.data["first"]
    sheet = problem.sheet(other)
    if not sheet.has(other.node) or not isinstance(other.node, ast.Call):
        return
    if other.site == event.data["second"].site:
        yield from _own_of_loop(sheet, other)
        return
    mine = held(event.data["optimizer"])
    stepped = set().union(*(held(value) for _, value in names_in(other.frame)))
    for name, value in networks(other.frame):
        params = parameters(value)
        if params & stepped and not params & mine:
            edit = add_keyword(sheet, other.node, "inputs", f"list({name}.parameters())")
            title = say("`{code}` only for the parameters of `{name}`", code=sheet.short(other.node), name=name)
            yield from draft(
                title,
                UNSAFE,
                [edit],
                say("this loss no longer adds to the gradients of anything but `{name}`", name=name),
            )


def _own_of_loop(sheet: Sheet, back: Trace) -> Iterator[Fix]:
    """In a loop over optimizers with their losses, each backward only for what the optimizer at hand steps."""
    loop, call = sheet.loop(back.node), back.node
    if not isinstance(loop, ast.For) or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    names = [node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
    for name in names:
        if optimizer_at(back.frame, name) is None:
            continue
        code = f'[p for group in {name}.param_groups for p in group["params"]]'
        title = say("`{code}` only for the parameters of `{name}`", code=sheet.short(call), name=name)
        note = say("each loss only gives gradients to what its own optimizer steps")
        yield from draft(title, UNSAFE, [add_keyword(sheet, call, "inputs", code)], note)


def clipping(problem: Problem) -> Iterator[Fix]:
    """Clipping between the backward and the step; unscaling before it; unscaling once per step."""
    event = problem.event
    where = event.where
    sheet = problem.sheet(where)
    if not sheet.has(where.node):
        return
    stmt = sheet.statement(where.node)
    if stmt is None:
        return
    if event.kind == "clip_scaled":
        yield from _unscaled(problem, sheet, stmt)
    elif event.kind == "clip_without_gradients":
        yield from _clip_between(problem, sheet, stmt)
    elif event.kind in ("unscaled_twice", "scaler_stepped_twice"):
        yield from _once_per_step(problem, sheet, stmt)
    elif event.kind == "step_scaled":
        yield from _through_scaler(problem, sheet, stmt)


def _through_scaler(problem: Problem, sheet: Sheet, stmt: ast.stmt) -> Iterator[Fix]:
    """``optimizer.step()`` as ``scaler.step(optimizer)``, with the scaler's update behind it."""
    frame = problem.event.where.frame
    call = problem.event.where.node
    text = receiver(sheet, call)
    scalers = [
        name for name, value in names_in(frame) if isinstance(value, Instance) and value.cls.name == "GradScaler"
    ]
    if not scalers or not text:
        return
    scaler = scalers[0]
    edits: list[Edit | None] = [sheet.rewrite(call, f"{scaler}.step({text})")]
    if (
        f"{scaler}.update()" not in sheet.segment(sheet.function(call))
        if sheet.function(call) is not sheet.tree
        else True
    ):
        edits.append(sheet.insert_after(stmt, f"{scaler}.update()"))
    yield from draft(
        say("Step through the scaler: `{scaler}.step({text})`", scaler=scaler, text=text),
        UNSAFE,
        edits,
        say("the step applies the true gradients"),
    )


def _unscaled(problem: Problem, sheet: Sheet, stmt: ast.stmt) -> Iterator[Fix]:
    for node in ast.walk(sheet.function(stmt)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "step"
            and len(node.args) == 1
        ):
            scaler, optimizer = receiver(sheet, node), sheet.segment(node.args[0])
            if optimizer_at(problem.event.where.frame, optimizer) is not None:
                block, code = sheet.block(stmt), f"{scaler}.unscale_({optimizer})"
                late: list[ast.stmt] = [
                    s for s in block[block.index(stmt) + 1 :] if isinstance(s, ast.Expr) and sheet.segment(s) == code
                ]
                if late:  # unscaled, but only behind the clipping
                    title = say("Move `{code}` above `{other}`", code=code, other=sheet.short(stmt))
                    note = say("the limit applies to the true gradients")
                    yield from draft(title, UNSAFE, sheet.move(late[:1], stmt, False), note)
                    return
                edit = sheet.insert_before(stmt, f"{scaler}.unscale_({optimizer})")
                title = say("Unscale the gradients of `{optimizer}` before they are clipped", optimizer=optimizer)
                yield from draft(title, UNSAFE, [edit], say("the limit applies to the true gradients"))
                return


def _clip_between(problem: Problem, sheet: Sheet, stmt: ast.stmt) -> Iterator[Fix]:
    frame = problem.event.where.frame
    after = problem.event.data["order"] == "after"
    for outer in sheet.blocks_up(stmt):
        block = sheet.block(outer)
        at = block.index(outer)
        for other in reversed(block[:at]) if after else block[at + 1 :]:
            if not after and isinstance(other, ast.Expr) and any(_is_backward(node) for node in ast.walk(other)):
                title = say("Move `{code}` below `{other}`", code=sheet.short(stmt), other=sheet.short(other))
                yield from draft(
                    title, UNSAFE, sheet.carry(stmt, outer, other, True), say("the step applies clipped gradients")
                )
            if any(_steps(sheet, frame, node) for node in ast.walk(other)):
                title = say("Move `{code}` above `{other}`", code=sheet.short(stmt), other=sheet.short(other))
                yield from draft(
                    title, UNSAFE, sheet.carry(stmt, outer, other, False), say("the step applies clipped gradients")
                )
                return


def _is_backward(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"


def _steps(sheet: Sheet, frame: Frame, node: ast.AST) -> bool:
    """Whether a node is the call that steps an optimizer, through a scaler or not."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "step":
        return False
    names = [receiver(sheet, node), *(sheet.segment(arg) for arg in node.args)]
    return any(optimizer_at(frame, name) is not None for name in names)


def _once_per_step(problem: Problem, sheet: Sheet, stmt: ast.stmt) -> Iterator[Fix]:
    """``unscale_`` and what follows it goes to where the step is; ``update`` goes to where it always runs."""
    function = sheet.function(stmt)
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    scaler = receiver(sheet, problem.event.where.node)
    steps = [c for c in calls if c.func.attr == "step" and c.args and receiver(sheet, c) == scaler]  # type: ignore[attr-defined]
    updates = [c for c in calls if c.func.attr == "update" and receiver(sheet, c) == scaler]  # type: ignore[attr-defined]
    for step in steps:
        target = sheet.statement(step)
        if target is None:
            continue
        block = sheet.block(stmt)
        outer = next((s for s in sheet.blocks_up(step) if s in block), None)
        if outer is not None and outer is not target and block.index(outer) > block.index(stmt):
            clips = [s for s in block[block.index(stmt) + 1 : block.index(outer)] if _is_clip(s)]
            moved = [stmt, *clips]
            if all(sheet.alone(s) for s in (*moved, target)):
                code = "\n".join(sheet.with_comments(s) for s in moved)
                edits: list[Edit | None] = [sheet.replace(*sheet.lines_of(s), "") for s in moved]
                edits.append(sheet.insert_before(target, code))
                title = say("Move `{code}` to the step", code=sheet.short(stmt))
                yield from draft(title, SAFE, edits, say("gradients are unscaled once per step"))
    for update in updates:
        inner = sheet.statement(update)
        if inner is None or not sheet.alone(inner):
            continue
        outer_if = sheet.parents.get(inner)
        if isinstance(outer_if, ast.If) and inner in outer_if.body and sheet.alone(outer_if):
            edits = [sheet.remove(inner, comments=True), sheet.insert_after(outer_if, sheet.with_comments(inner))]
            title = say("Run `{code}` also when the step is skipped", code=sheet.short(inner))
            yield from draft(title, SAFE, edits, say("the scaler starts afresh after every attempt"))


def _is_clip(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and any(
        isinstance(n, ast.Attribute) and n.attr in ("clip_grad_norm_", "clip_grad_value_") for n in ast.walk(stmt)
    )


def edit_after_step(problem: Problem) -> Iterator[Fix]:
    """An edit of parameters (weight clipping) below the step."""
    note = say("the parameters stay within their bounds after the step")
    yield from _move(problem, problem.event.data["changed"], problem.event.data["step"], True, note)


def edit_first(problem: Problem) -> Iterator[Fix]:
    """An edit of parameters that a helper makes behind the forward: above the forward."""
    built: Trace | None = problem.event.data.get("built")
    changed: Trace | None = problem.event.data.get("changed")
    if built is None or changed is None or (common := _common(changed, built)) is None:
        return
    frame, edit, forward = common
    sheet = problem.sheet(site_in(changed, frame) or changed)
    met = sheet.meeting(edit, forward) if sheet.has(edit) and sheet.has(forward) else None
    if met is None or any(_steps(sheet, f, site.node) for f, site in changed.chain()):
        return
    block = sheet.block(met[0])
    passed = block[block.index(met[1]) : block.index(met[0])]
    if passed and not any(bound_names(stmt) & read_names(met[0]) for stmt in passed):
        note = say("the forward and its backward see the same weights")
        yield from _move(problem, changed, built, False, note)


def into_function(problem: Problem) -> Iterator[Fix]:
    """A prediction made once outside of a closure that goes backward several times: into the closure."""
    event = problem.event
    first: Trace | None = event.data.get("first")
    if "built" not in event.data or (first is not None and first.site != event.where.site):
        return
    sheet = problem.sheet(event.where)
    function = sheet.function(event.where.node) if sheet.has(event.where.node) else None
    if not isinstance(function, ast.FunctionDef) or event.where.frame.function is None:
        return
    outer = [frame for frame, _ in event.data["built"].chain()]
    for frame in outer:
        site = site_in(event.data["built"], frame)
        stmt = (
            sheet.statement(site.node)
            if site is not None and site.path == sheet.name and sheet.has(site.node)
            else None
        )
        if frame is event.where.frame or stmt is None or not isinstance(stmt, ast.Assign) or not sheet.alone(stmt):
            continue
        names = bound_names(stmt)
        inside = [load for name in names for load in loads(function, name)]
        everywhere = [load for name in names for load in loads(sheet.function(stmt), name)]
        if not inside or len(inside) != len(everywhere) or stmt.lineno != stmt.end_lineno:
            continue
        target = sheet.statement(min(inside, key=lambda n: (n.lineno, n.col_offset)))
        if target is None or target not in function.body:
            continue
        text = sheet.with_comments(stmt)
        edits = [sheet.replace(*sheet.lines_of(stmt), ""), sheet.insert_before(target, text)]
        title = say("Compute `{code}` in `{name}`", code=sheet.short(stmt.targets[0]), name=function.name)
        yield from draft(title, UNSAFE, edits, say("each call of `{name}` has a graph of its own", name=function.name))


def where_used(problem: Problem) -> Iterator[Fix]:
    """An attribute computed from parameters in ``__init__``: computed where methods read it, once or as a property."""
    tensor, node, _ = carrier(problem.event)
    where = kept_at(tensor, node)
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1 or not isinstance(stmt.targets[0], ast.Attribute):
        return
    target, method = stmt.targets[0], sheet.function(stmt)
    owner = sheet.parents.get(method)
    if not isinstance(method, ast.FunctionDef) or not isinstance(owner, ast.ClassDef) or not method.args.args:
        return
    me = method.args.args[0].arg
    local = {arg.arg for arg in method.args.args[1:]} | {
        n.id for n in ast.walk(method) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    text = sheet.segment(stmt.value)
    reads = [
        n for n in ast.walk(sheet.tree) if isinstance(n, ast.Attribute) and n.attr == target.attr and n is not target
    ]
    inside = {n for m in owner.body if m is not method for n in ast.walk(m)}
    fits = all(
        n in inside and isinstance(n.ctx, ast.Load) and isinstance(n.value, ast.Name) and n.value.id == me
        for n in reads
    )
    used = {n.id for n in ast.walk(stmt.value) if isinstance(n, ast.Name)}
    if not reads or not fits or used & local or "\n" in text:
        return
    title = say("Compute `{code}` where it is used", code=sheet.segment(target))
    note = say("every backward has a graph of its own, with the parameters as they are")
    if len(reads) > 1 and sheet.alone(method):
        unit = sheet.unit(stmt)
        code = f"\n@property\ndef {target.attr}({me}):\n{unit}return {text}"
        yield from draft(title, UNSAFE, [sheet.remove(stmt), sheet.insert_after(method, code)], note)
    wrapped = text if isinstance(stmt.value, ast.Call | ast.Attribute | ast.Subscript) else f"({text})"
    edits = [sheet.remove(stmt), *(sheet.rewrite(n, wrapped) for n in reads)]
    yield from draft(title, UNSAFE, edits, note)


def anomaly(problem: Problem) -> Iterator[Fix]:
    """Anomaly detection off."""
    where = problem.event.where
    sheet = problem.sheet(where)
    node = where.node
    if not sheet.has(node):
        return
    stmt = sheet.statement(node)
    if isinstance(stmt, ast.With) and isinstance(node, ast.Call):
        yield from without_with(sheet, stmt, node, say("the same training, faster"), SAFE)
    if isinstance(stmt, ast.Expr) and stmt.value is node:
        title = say("Remove `{code}`", code=sheet.short(stmt))
        yield from draft(title, SAFE, [sheet.remove(stmt)], say("the same training, faster"))


def recomputed(problem: Problem) -> Iterator[Fix]:
    """Into the loop: what is computed once from parameters and used in every iteration."""
    event = problem.event
    _, node, _ = carrier(event)
    common = _common(node.trace, event.where)
    if common is None:
        return
    frame, made, back = common
    sheet = problem.sheet(site_in(node.trace, frame) or node.trace)
    if not sheet.has(made) or not sheet.has(back):
        return
    met = sheet.meeting(made, back)
    if met is None:
        return
    stmt, around = met
    if not isinstance(around, ast.For | ast.While) or not isinstance(stmt, ast.Assign | ast.With | ast.Try):
        return
    block = sheet.block(stmt)
    chain = makers(_graph_chain(frame, block[block.index(stmt) : block.index(around)]), read_names(around))
    if not chain:
        return
    names = set().union(*map(bound_names, chain))
    first = around.body[0]
    if names & read_names(around.iter if isinstance(around, ast.For) else around.test):
        return
    if not all(map(sheet.alone, (*chain, first))) or any(map(_leaves, chain)):
        return
    given = set().union(*map(read_names, chain)) - names
    if any(_holds_graph(value_of(frame, name)) for name in given):
        return  # that would be shared still
    rest = [s for s in block[block.index(stmt) :] if s not in chain and s is not around] + around.orelse
    needed = set().union(*map(read_names, rest)) if rest else set()
    edits: list[Edit | None] = [sheet.insert_before(first, "\n".join(sheet.with_comments(s) for s in chain))]
    for made_by in reversed(chain):  # what is read elsewhere stays, with what it is computed from
        if bound_names(made_by) & needed:
            needed |= read_names(made_by)
        else:
            edits.insert(0, sheet.replace(*sheet.lines_of(made_by), ""))
    title = say("Compute {names} in each iteration", names=quoted(sorted(names)))
    yield from draft(title, UNSAFE, edits, say("every backward has a graph of its own"))


def _graph_chain(frame: Frame, stmts: list[ast.stmt]) -> list[ast.stmt]:
    """The first of some statements, and those behind it that compute something with a graph from what it gives."""
    chain = stmts[:1]
    names = bound_names(stmts[0])
    for stmt in stmts[1:]:
        if not isinstance(stmt, ast.Assign | ast.With) or not names & read_names(stmt):
            continue
        values = [value_of(frame, name) for name in bound_names(stmt)]
        if not all(map(_no_graph, values)):
            chain.append(stmt)
            names |= bound_names(stmt)
    return chain


def _no_graph(value: object) -> bool:
    """Whether a value is a number, a text or a tensor without a graph."""
    if isinstance(value, Tensor):
        return value.grad_fn is None
    return isinstance(value, int | float | str) or (isinstance(value, Unknown) and value.why == "number")


def _holds_graph(value: object) -> bool:
    """Whether a value is a tensor that was computed with a graph, or a collection of such."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
    return any(isinstance(item, Tensor) and item.grad_fn is not None for item in itertools.islice(items, 50))


def _leaves(stmt: ast.stmt) -> bool:
    """Whether a statement cannot be put elsewhere: it defines or leaves something, or holds text of several lines."""
    return any(
        isinstance(n, ast.Return | ast.Break | ast.Continue | ast.FunctionDef | ast.ClassDef | ast.Yield)
        or (isinstance(n, ast.Constant | ast.JoinedStr) and n.end_lineno != n.lineno)
        for n in walk(stmt)
    )
