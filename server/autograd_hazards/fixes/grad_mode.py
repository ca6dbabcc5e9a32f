"""Gradient mode: ``with torch.no_grad():`` around updates of leaves, and switches that hide a graph taken away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.frames import Site, Trace
from autograd_hazards.messages import Text, say
from autograd_hazards.rules.causes import carrier


def leaf_update(problem: Problem) -> Iterator[Fix]:
    """An update of a leaf: under ``no_grad``; several in a row together."""
    where = problem.event.where
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if stmt is None:
        return
    loop = sheet.parents.get(stmt)
    if isinstance(loop, ast.For) and loop.body == [stmt] and not loop.orelse and _makes_no_graph(loop.iter):
        stmt = loop  # the whole loop, which does nothing else
    title = say("Update it under `torch.no_grad()`")
    yield from draft(title, SAFE, under(sheet, stmt, torch_name(sheet)), say("the update is not part of any graph"))


def _makes_no_graph(node: ast.expr) -> bool:
    """Whether evaluating what a loop goes over only walks what is there: names, ``parameters()``, ``zip``."""
    calls = [ast.unparse(n.func).rpartition(".")[2] for n in ast.walk(node) if isinstance(n, ast.Call)]
    return set(calls) <= {
        "parameters",
        "named_parameters",
        "zip",
        "enumerate",
        "items",
        "values",
        "list",
        "range",
        "len",
    }


def torch_name(sheet: Sheet) -> str:
    """How the file calls torch."""
    for node in ast.walk(sheet.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "torch":
                    return alias.asname or "torch"
    return ""


def under(sheet: Sheet, stmt: ast.stmt, torch: str) -> list[Edit] | None:
    """Edits that put a statement under ``with torch.no_grad():``. None when its lines cannot be indented."""
    if not torch or not sheet.alone(stmt):
        return None
    start, _ = sheet.lines_of(stmt, comments=False)
    for node in ast.walk(stmt):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno:
            return None  # more white space would change a text of several lines
    indent, unit = sheet.indent(stmt), sheet.unit(stmt)
    header = f"{indent}with {torch}.no_grad():\n"
    if _follows_no_grad(sheet, stmt, torch):  # a neighbour of the same kind takes it in
        header = ""
    edits = [sheet.insert(start, header + unit)]
    for row in range(stmt.lineno + 1, (stmt.end_lineno or stmt.lineno) + 1):
        if sheet.line(row).strip():
            edits.append(sheet.insert(sheet.starts[row - 1], unit))
    return edits


def _follows_no_grad(sheet: Sheet, stmt: ast.stmt, torch: str) -> bool:
    """Whether the statement directly above is a ``with torch.no_grad():``, without a line between them."""
    block = sheet.block(stmt)
    before = block[block.index(stmt) - 1] if block.index(stmt) else None
    if not isinstance(before, ast.With) or before.end_lineno != stmt.lineno - 1 or len(before.items) != 1:
        return False
    only = before.items[0]
    one_line = before.body[0].lineno == before.lineno
    return only.optional_vars is None and ast.unparse(only.context_expr) == f"{torch}.no_grad()" and not one_line


def view_of_leaf(problem: Problem) -> Iterator[Fix]:
    """An update of a leaf through a view of it."""
    base = problem.event.data.get("base")
    if base is None and problem.event.kind == "multiview":
        base = problem.event.data["tensor"].base
    if base is not None and base.is_leaf and base.requires_grad:
        yield from leaf_update(problem)


def not_trained(problem: Problem) -> Iterator[Fix]:
    """What is only collected, in a function that never goes backward: computed without a graph from the start."""
    event = problem.event
    built = event.data["built"]
    mine = {id(frame) for frame, _ in event.where.chain()}
    found = next(((frame, site) for frame, site in built.chain() if id(frame) in mine), None)
    if found is None or event.data["how"] != "list":
        return
    sheet = problem.sheet(found[1])
    stmt = sheet.statement(found[1].node) if sheet.has(found[1].node) else None
    if not isinstance(stmt, ast.Assign | ast.Expr) or sheet.loop(stmt) is None:
        return
    places = [*event.where.chain(), found] if isinstance(stmt, ast.Assign) else [found]
    if any(_trains(problem, site) for _, site in places):
        return
    code = sheet.segment(stmt.targets[0]) if isinstance(stmt, ast.Assign) else sheet.short(stmt)
    title = say("Compute `{code}` under `torch.no_grad()`", code=code)
    yield from draft(
        title, SAFE, under(sheet, stmt, torch_name(sheet)), say("no graph is built, since nothing here goes backward")
    )


def target(problem: Problem) -> Iterator[Fix]:
    """What a loss only compares with, or weighs by, computed under ``no_grad``."""
    event = problem.event
    tensor = event.data.get("tensor") if event.kind not in ("freed", "version") else carrier(event)[0]
    where = getattr(tensor, "bound", None)
    if where is None:
        return
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if isinstance(stmt, ast.Assign):
        title = say("Compute `{name}` under `torch.no_grad()`", name=sheet.short(stmt.targets[0]))
        note = say("the loss does not train what it was computed from")
        yield from draft(title, UNSAFE, under(sheet, stmt, torch_name(sheet)), note)


def _trains(problem: Problem, site: Site) -> bool:
    """Whether the function around a place (at top level: the loop) goes backward or steps."""
    sheet = problem.sheet(site)
    if not sheet.has(site.node):
        return True
    scope = sheet.function(site.node)
    if scope is sheet.tree:
        scope = sheet.loop(site.node) or sheet.statement(site.node) or scope
    trains = {"backward", "step", "grad", "manual_backward"}
    return any(isinstance(node, ast.Attribute) and node.attr in trains for node in ast.walk(scope))


def switch(problem: Problem) -> Iterator[Fix]:
    """Gradients on again where the loss is made, or the switch that took the graph away removed."""
    yield from _enabled(problem)
    event = problem.event
    places = [event.data.get("switch"), *(c.trace for c in event.data.get("cuts", ()) if c.kind == "no_grad")]
    for trace in places:
        if trace is not None:
            yield from switched_on(problem, trace)


def switched_on(problem: Problem, trace: Trace) -> Iterator[Fix]:
    """The switch at a place removed: a call, a decorator or a ``with``."""
    sheet = problem.sheet(trace)
    node = trace.node
    if not sheet.has(node):
        return
    stmt = sheet.statement(node)
    parent = sheet.parents.get(node)
    if isinstance(stmt, ast.Expr) and stmt.value is node:
        text = sheet.segment(stmt)
        yield from _for_the_function(sheet, stmt)
        yield from draft(
            say("Remove `{text}`", text=text),
            UNSAFE,
            [sheet.remove(stmt)],
            say("gradients stay on in the whole program"),
        )
    elif isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef) and node in stmt.decorator_list:
        start = sheet.starts[node.lineno - 1]
        end = sheet.starts[(node.end_lineno or node.lineno)]
        text = sheet.segment(node)
        yield from _no_grad_instead(sheet, node.func if isinstance(node, ast.Call) else node)
        edit = sheet.replace(start, end, "")
        yield from draft(
            say("Remove the decorator `@{text}` of `{name}`", text=text, name=stmt.name),
            UNSAFE,
            [edit],
            say("`{name}` builds a graph", name=stmt.name),
        )
    elif isinstance(stmt, ast.With) and isinstance(parent, ast.withitem) and isinstance(node, ast.Call):
        yield from _no_grad_instead(sheet, node.func)
        if len(stmt.items) == 1:
            yield from without_with(sheet, stmt, node, say("its body builds a graph"), UNSAFE)


def _no_grad_instead(sheet: Sheet, node: ast.expr) -> Iterator[Fix]:
    """``no_grad`` in place of ``inference_mode``: what is not trained stays untrained, and the tensors can be used."""
    if isinstance(node, ast.Attribute) and node.attr == "inference_mode":
        edit = Edit(sheet.place(sheet.end(node) - len("inference_mode"), sheet.end(node)), "no_grad")
        note = say("the tensors can be used with gradients later")
        yield from draft(say("`no_grad` instead of `inference_mode`"), UNSAFE, [edit], note)


def _for_the_function(sheet: Sheet, stmt: ast.Expr) -> Iterator[Fix]:
    """``torch.set_grad_enabled(False)`` at the start of a function that trains nothing: as a decorator of it."""
    function = sheet.parents.get(stmt)
    torch = torch_name(sheet)
    call = stmt.value
    if not isinstance(function, ast.FunctionDef) or not torch or not isinstance(call, ast.Call):
        return
    if [ast.unparse(arg) for arg in call.args] != ["False"] or len(function.body) == 1:
        return
    if any(isinstance(n, ast.Attribute) and n.attr in ("backward", "grad", "step") for n in ast.walk(function)):
        return
    start, _ = sheet.lines_of(function, comments=False)
    edits = [sheet.insert(start, f"{sheet.indent(function)}@{torch}.no_grad()\n"), sheet.remove(stmt)]
    title = say("Switch gradients off for `{name}` only: `@{torch}.no_grad()`", name=function.name, torch=torch)
    yield from draft(title, UNSAFE, edits, say("gradients are on again when `{name}` returns", name=function.name))


def _enabled(problem: Problem) -> Iterator[Fix]:
    """Gradients on in the function that makes the loss and goes backward, whoever calls it."""
    event = problem.event
    sheet = problem.sheet(event.where)
    made = event.data.get("made")
    function = sheet.function(event.where.node) if sheet.has(event.where.node) else None
    if (
        not isinstance(function, ast.FunctionDef)
        or made is None
        or made.frame.function is not event.where.frame.function
    ):
        return
    torch = torch_name(sheet)
    if not torch:
        return
    start, _ = sheet.lines_of(function, comments=False)
    edit = sheet.insert(start, f"{sheet.indent(function)}@{torch}.enable_grad()\n")
    title = say("Switch gradients on in `{name}`: `@{torch}.enable_grad()`", name=function.name, torch=torch)
    yield from draft(
        title, UNSAFE, [edit], say("`{name}` builds its graph also when it is called under no_grad", name=function.name)
    )


def without_with(sheet: Sheet, stmt: ast.With, node: ast.expr, note: Text, applicability: str) -> Iterator[Fix]:
    """A ``with`` of one thing taken away from around its body."""
    if len(stmt.items) == 1:
        yield from draft(
            say("Remove `with {code}:`", code=sheet.segment(node)), applicability, _dedented(sheet, stmt), note
        )


def _dedented(sheet: Sheet, stmt: ast.With) -> list[Edit] | None:
    body = stmt.body
    if not all(sheet.alone(s) for s in body) or not sheet.alone(stmt):
        return None
    for node in ast.walk(stmt):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno:
            return None
    outer, inner = sheet.indent(stmt), sheet.indent(body[0])
    edits = [sheet.replace(sheet.starts[stmt.lineno - 1], sheet.starts[_header_end(sheet, stmt)], "")]
    for row in range(_header_end(sheet, stmt) + 1, (stmt.end_lineno or stmt.lineno) + 1):
        line = sheet.line(row)
        if line.startswith(inner):
            at = sheet.starts[row - 1]
            edits.append(sheet.replace(at + len(outer), at + len(inner), ""))
    return edits


def _header_end(sheet: Sheet, stmt: ast.With) -> int:
    """The last row of the header: the one before the body or the comments that lead it."""
    row = stmt.items[-1].context_expr.end_lineno or stmt.lineno
    while not sheet.line(row).split("#")[0].rstrip().endswith(":"):
        row += 1
    return row
