"""Who holds which parameters: containers that register them, optimizers that are given them, the optimizer that steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import drop_keyword, set_keyword
from autograd_hazards.fixes.detach import may_be_none
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.rootless import tracked
from autograd_hazards.fixes.scope import (
    MODULE,
    OPTIMIZER,
    held,
    loads,
    names_in,
    networks,
    optimizer_at,
    parameters,
    site_in,
    value_of,
)
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.frames import Frame
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Instance, UserClass
from autograd_hazards.messages import say

REGISTERED = {"list": "ModuleList", "tuple": "ModuleList", "set": "ModuleList", "dict": "ModuleDict"}
PLAIN = {"list": "ParameterList", "tuple": "ParameterList", "dict": "ParameterDict"}


def registered(problem: Problem) -> Iterator[Fix]:
    """``nn.ModuleList`` and its like in place of a plain container, ``nn.Parameter`` in place of a plain tensor."""
    owner, name = problem.event.data.get("owner"), problem.event.data.get("attribute")
    if not isinstance(owner, Instance) or not isinstance(name, str):
        return
    holder: Any = owner.attrs.get(name)
    found = _assignment(problem, owner, name) if holder is not None else None
    if found is None or found[1].value is None:
        return
    sheet, stmt = found
    value = stmt.value
    assert value is not None
    nn = _nn(sheet)
    text = sheet.segment(value)
    note = say("the parameters in `{name}` are registered, and an optimizer gets them", name=name)
    if isinstance(holder, Tensor):
        edits: list[Edit | None] = [
            sheet.insert(sheet.start(value), f"{nn}.Parameter("),
            sheet.insert(sheet.end(value), ")"),
        ]
        for call in walk(value):
            if isinstance(call, ast.Call) and any(k.arg == "requires_grad" for k in call.keywords):
                edits.append(drop_keyword(sheet, call, "requires_grad"))
        yield from draft(say("Make `{name}` an `nn.Parameter`", name=name), UNSAFE, edits, note)
        return
    items = list(holder.values() if isinstance(holder, dict) else holder)
    kinds = REGISTERED if all(isinstance(i, Instance) and i.is_a(MODULE) for i in items) else PLAIN
    better = kinds.get(type(holder).__name__)
    if better is None or (kinds is PLAIN and not all(isinstance(item, Tensor) for item in items)):
        return
    if isinstance(holder, dict) and not all(isinstance(key, str) for key in holder):
        return
    inner = (
        ""
        if isinstance(value, ast.List | ast.Dict) and not getattr(value, "elts", getattr(value, "keys", []))
        else text
    )
    title = say("Register what is in `{name}`: `nn.{better}`", name=name, better=better)
    yield from draft(title, UNSAFE, [sheet.rewrite(value, f"{nn}.{better}({inner})")], note)


def _assignment(problem: Problem, owner: Instance, name: str) -> tuple[Sheet, ast.Assign | ast.AnnAssign] | None:
    """The statement in the class of an object that first gives an attribute a value."""
    for cls in owner.cls.mro():
        if not isinstance(cls, UserClass) or cls.node is None or cls.module is None:
            continue
        sheet = problem.sheet(cls.module.path)
        for node in ast.walk(cls.node):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, ast.Assign | ast.AnnAssign) and sheet.has(node):
                if any(isinstance(t, ast.Attribute) and t.attr == name for t in targets):
                    return sheet, node
    return None


def made_once(problem: Problem) -> Iterator[Fix]:
    """A layer that each forward makes anew, made in the constructor."""
    if problem.event.kind != "module_made_in_forward":
        return
    sheet = problem.sheet(problem.event.where)
    call = problem.event.where.node
    forward = sheet.function(call) if sheet.has(call) else None
    owner = sheet.parents.get(forward) if forward is not None else None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(forward, ast.FunctionDef)
        or not isinstance(owner, ast.ClassDef)
    ):
        return
    init = next((m for m in owner.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
    stmt = sheet.statement(call)
    if init is None or not isinstance(stmt, ast.Assign) or stmt.value is not call or not forward.args.args:
        return
    target, me = stmt.targets[0], forward.args.args[0].arg
    local = {n.id for n in walk(forward) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    local |= {arg.arg for arg in forward.args.args[1:]}
    used = {n.id for n in walk(call) if isinstance(n, ast.Name)}
    if not isinstance(target, ast.Name) or used & local or init.args.args[0].arg != me:
        return
    taken = {n.attr for n in walk(owner) if isinstance(n, ast.Attribute)}
    name = target.id if target.id not in taken else f"{target.id}_layer"
    if name in taken:
        return
    title = say("Make `{name}` once, in the constructor", name=f"{me}.{name}")
    edits = [
        sheet.insert_after(init.body[-1], f"{me}.{name} = {sheet.segment(call)}"),
        sheet.rewrite(call, f"{me}.{name}"),
    ]
    yield from draft(title, UNSAFE, edits, say("its weights are registered and trained"))


def _nn(sheet: Sheet) -> str:
    """How a file calls ``torch.nn``."""
    for node in walk(sheet.tree):
        if isinstance(node, ast.ImportFrom) and node.module == "torch":
            for alias in node.names:
                if alias.name == "nn":
                    return alias.asname or "nn"
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "torch.nn" and alias.asname:
                    return alias.asname
    return "torch.nn"


def given(problem: Problem) -> Iterator[Fix]:
    """The parameters that no optimizer holds, given to the one that holds the rest of their module."""
    event = problem.event
    optimizer, lost = event.data["optimizer"], event.data["tensor"]
    sheet = problem.sheet(event.where)
    call = event.where.node
    if not isinstance(call, ast.Call) or not sheet.has(call):
        return
    first = next(iter([*call.args, *(k.value for k in call.keywords if k.arg == "params")]), None)
    if first is None:
        return
    mine = held(optimizer)
    yield from _left_out(problem, sheet, call, first)
    groups = len(optimizer.attrs["param_groups"]) > 1
    for name, value in sorted(networks(event.where.frame), key=lambda pair: len(parameters(pair[1]))):
        params = parameters(value)
        if lost not in params:
            continue
        note = say("the optimizer trains all of `{name}`", name=name)
        if mine <= params and not groups:
            title = say("Give the optimizer all parameters of `{name}`", name=name)
            yield from draft(title, UNSAFE, [sheet.rewrite(first, f"{name}.parameters()")], note)
        elif not mine & params and may_be_none(sheet, name):
            yield from _where_made(problem, event.where.frame, first, name, value)
        elif not mine & params:
            title = say("Give the optimizer the parameters of `{name}`, too", name=name)
            yield from draft(title, UNSAFE, [_added(sheet, first, f"{name}.parameters()", groups)], note)


def _left_out(problem: Problem, sheet: Sheet, call: ast.Call, first: ast.expr) -> Iterator[Fix]:
    """A group or list of parameters that was built and never added to the list that the optimizer is given."""
    frame, lost = problem.event.where.frame, problem.event.data["tensor"]
    if not isinstance(first, ast.Name) or not isinstance(value_of(frame, first.id), list):
        return
    stmt = sheet.statement(call)
    added: list[Any] = value_of(frame, first.id)
    for name, value in frame.locals.items():
        params = value.get("params") if isinstance(value, dict) else value
        if not isinstance(params, list) or not any(p is lost for p in params) or stmt is None:
            continue
        if any(item is value for item in added):
            continue
        how = "append" if isinstance(value, dict) else "extend"
        title = say("Give the optimizer the parameters in `{name}`, too", name=name)
        edit = sheet.insert_before(stmt, f"{first.id}.{how}({name})")
        yield from draft(title, UNSAFE, [edit], say("the optimizer trains what is in `{name}`", name=name))


def _where_made(problem: Problem, frame: Frame, first: ast.expr, name: str, module: Instance) -> Iterator[Fix]:
    """The parameters of a network that is made only under a condition, added to the list where it is made."""
    made = module.site
    if not isinstance(first, ast.Name) or not isinstance(value_of(frame, first.id), list) or made is None:
        return
    site = site_in(made, frame)
    sheet = problem.sheet(made)
    stmt = sheet.statement(site.node) if site is not None and sheet.has(site.node) else None
    if isinstance(stmt, ast.Assign) and [ast.unparse(t) for t in stmt.targets] == [name]:
        title = say("Give the optimizer the parameters of `{name}`, too", name=name)
        edit = sheet.insert_after(stmt, f"{first.id} += list({name}.parameters())")
        yield from draft(title, UNSAFE, [edit], say("the optimizer trains all of `{name}`", name=name))


def swapped(problem: Problem) -> Iterator[Fix]:
    """The network that gets gradients, in place of the copy of it that the optimizer was given."""
    event = problem.event
    mine = held(event.data["optimizer"])
    sheet = problem.sheet(event.where)
    call = event.where.node
    if not isinstance(call, ast.Call) or not sheet.has(call) or not call.args:
        return
    named = networks(event.where.frame)
    old = next((name for name, value in named if parameters(value) == mine), "")
    for name, value in named:
        if old and event.data["tensor"] in parameters(value) and len(parameters(value)) == len(mine):
            edits: list[Edit | None] = [sheet.rewrite(load, name) for load in loads(call.args[0], old)]
            title = say("Give the optimizer the parameters of `{name}`, not those of `{old}`", name=name, old=old)
            yield from draft(title, UNSAFE, edits, say("the optimizer trains all of `{name}`", name=name))


def _added(sheet: Sheet, first: ast.expr, more: str, groups: bool) -> Edit:
    """More parameters in the first argument of an optimizer: a list, a list of groups, a chain, or anything else."""
    item = f'{{"params": {more}}}' if groups else f"*{more}"
    if isinstance(first, ast.List) and first.elts:
        return sheet.insert(sheet.end(first.elts[-1]), f", {item}")
    if isinstance(first, ast.Call) and ast.unparse(first.func).rpartition(".")[2] == "chain" and first.args:
        return sheet.insert(sheet.end(first.args[-1]), f", {more}")
    return sheet.rewrite(first, f"[*{sheet.segment(first)}, {item}]")


def unfrozen(problem: Problem) -> Iterator[Fix]:
    """``freeze=False`` for an embedding that is to be trained; ``requires_grad`` for a tensor that an optimizer holds."""
    event = problem.event
    if event.kind == "never_requires_grad":
        yield from tracked(problem, event.data["tensor"])
        return
    sheet = problem.sheet(event.where)
    call = event.where.node
    if isinstance(call, ast.Call) and sheet.has(call):
        note = say("the optimizer trains the embedding")
        yield from draft(
            say("Train the embedding: `freeze=False`"), UNSAFE, [set_keyword(sheet, call, "freeze", "False")], note
        )


def right_optimizer(problem: Problem) -> Iterator[Fix]:
    """The step of the optimizer that holds what the loss reaches: in place of another one's, or beside it."""
    event = problem.event
    steps = [event.where] if event.where is not event.data["made"] else []
    other = event.data.get("step")
    for trace in (*steps, *([other] if other is not None else [])):
        for frame, site in trace.chain():
            sheet = problem.sheet(site)
            node = site_in(trace, frame)
            if node is None or not sheet.has(node.node) or not isinstance(node.node, ast.Call):
                continue
            func = node.node.func
            if not isinstance(func, ast.Attribute) or func.attr != "step":
                continue
            name = next((n for n, v in _optimizers(frame) if event.data["tensor"] in held(v)), "")
            stepped, code = func.value, f"{name}.step()"
            if node.node.args and optimizer_at(frame, sheet.segment(stepped)) is None:  # scaler.step(optimizer)
                stepped, code = node.node.args[0], f"{sheet.segment(stepped)}.step({name})"
                if optimizer_at(frame, sheet.segment(stepped)) is None:
                    continue
            text = sheet.segment(stepped)
            if not name or name == text:
                continue
            note = say("the parameters that got gradients are trained")
            title = say("Step `{name}` here, not `{text}`", name=name, text=text)
            if trace in steps:
                yield from draft(title, UNSAFE, [sheet.rewrite(stepped, name)], note)
            stmt = sheet.statement(node.node)
            if stmt is not None:
                title = say("Step `{name}`, too", name=name)
                yield from draft(title, UNSAFE, [sheet.insert_after(stmt, code)], note)


def _optimizers(frame: Frame) -> list[tuple[str, Instance]]:
    return [(n, v) for n, v in names_in(frame) if isinstance(v, Instance) and v.is_a(OPTIMIZER)]
