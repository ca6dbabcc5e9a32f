"""Terms of a loss that are computed from a detached sample: given the sample with its graph, where the other loss keeps
the detached one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.detach import call_on
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import loads
from autograd_hazards.fixes.sheet import Sheet, atomic
from autograd_hazards.machine.syntax import walk
from autograd_hazards.messages import say


def detached_by_callers(problem: Problem) -> Iterator[Fix]:
    """A helper that detaches its argument for one of two losses: the callers that want it do so instead."""
    sheet = problem.sheet(problem.event.where)
    cut = problem.event.where.node
    owner = _detached(sheet, cut)
    function = sheet.function(cut) if owner is not None else None
    if not isinstance(owner, ast.Name) or not isinstance(function, ast.FunctionDef):
        return
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    method = isinstance(sheet.parents.get(function), ast.ClassDef)
    if owner.id not in names:
        return
    index = names.index(owner.id) - method
    term = {site.node for _, site in problem.event.data["term"].chain()}
    used = {site.node for _, site in problem.event.where.chain()}
    edits: list[Edit | None] = [sheet.replace(sheet.end(owner), sheet.end(cut), "")]
    for call in walk(sheet.tree):
        if not isinstance(call, ast.Call) or ast.unparse(call.func).rpartition(".")[2] != function.name:
            continue
        if call in used or sheet.function(call) in {sheet.function(n) for n in term | used if sheet.has(n)} - {
            function
        }:
            continue
        given = next((k.value for k in call.keywords if k.arg == owner.id), None)
        if given is None and 0 <= index < len(call.args):
            given = call.args[index]
        if given is None or isinstance(given, ast.Starred):
            return
        edits += call_on(sheet, given, "detach")
    if len(edits) > 1:
        title = say(
            "Detach `{name}` in the other callers of `{helper}`, not in it", name=owner.id, helper=function.name
        )
        yield from draft(title, UNSAFE, edits, say("the term trains what `{name}` is computed from", name=owner.id))


def attached_pass(problem: Problem) -> Iterator[Fix]:
    """What a network gives for a detached sample, computed again for this loss from the sample with its graph."""
    sheet = problem.sheet(problem.event.where)
    cut = problem.event.where.node
    owner = _detached(sheet, cut)
    call = sheet.parents.get(cut) if owner is not None else None
    stmt = sheet.statement(cut) if owner is not None else None
    if not isinstance(call, ast.Call) or not isinstance(stmt, ast.Assign) or stmt.value is not call or owner is None:
        return
    whole = stmt.targets[0]
    targets = whole.elts if isinstance(whole, ast.Tuple | ast.List) else [whole]
    text = sheet.text[sheet.start(call) : sheet.end(owner)] + sheet.text[sheet.end(cut) : sheet.end(call)]
    for _, site in problem.event.data["term"].chain():
        place = problem.sheet(site)
        user = place.statement(site.node) if place.has(site.node) else None
        if place.name != sheet.name or user is None or not isinstance(place.function(user), ast.FunctionDef):
            continue
        # The statements of the function that goes backward which read a result of the detached pass.
        for index, target in enumerate(targets):
            name = ast.unparse(target)
            found = loads(place.function(user), name)
            if not found or user is stmt:
                continue
            code = text if targets == [whole] else f"{text}[{index}]"
            title = say(
                "Compute `{name}` again for this loss, from `{owner}` with its graph",
                name=name,
                owner=sheet.segment(owner),
            )
            edits: list[Edit | None] = [place.rewrite(load, code) for load in found]
            yield from draft(
                title, UNSAFE, edits, say("the term trains what made `{owner}`", owner=sheet.segment(owner))
            )


def _detached(sheet: Sheet, node: ast.AST) -> ast.expr | None:
    """The ``x`` of an ``x.detach()``."""
    if not sheet.has(node) or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    owner = node.func.value
    return owner if node.func.attr == "detach" and atomic(owner) else None
