"""Gradients asked for by ``autograd.grad`` towards a tensor that what is differentiated was not computed from."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import set_keyword
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import loads
from autograd_hazards.fixes.sheet import Sheet, short
from autograd_hazards.fixes.values import mended
from autograd_hazards.machine.frames import Trace
from autograd_hazards.machine.records import nodes_below
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.messages import joined, say


def attached(problem: Problem) -> Iterator[Fix]:
    """The cut between the tensor and what is differentiated, mended."""
    event = problem.event
    if event.kind == "no_grad_graph" and event.data.get("wrt"):
        wanted: Tensor = event.data["tensor"]
        if wanted.detached_from is not None and wanted.detached_from.requires_grad and wanted.bound is None:
            yield from mended(problem, wanted.created, "detach")  # autograd.grad(u, x.detach())
        return
    if event.kind != "unused":
        return
    wanted = event.data["tensor"]
    root: Tensor = event.data["root"]
    yield from _flag_earlier(problem, wanted, event.data["built"])
    saved = [saved.tensor for node in nodes_below([root.grad_fn]) for saved in node.saved]
    copies = sorted({t.created.site.key: t for t in saved if t.detached_from is wanted}.items())
    for _, copy in copies:
        yield from mended(problem, copy.created, "detach")
    singly = [fix for cut in root.cuts for fix in itertools.islice(mended(problem, cut.trace, cut.kind), 1)]
    yield from singly
    several = list({fix.title: fix for fix in singly}.values())
    if len(several) > 1:
        title = joined([fix.title for fix in several], say("; "))
        note = say("what lies before them is trained, too")
        yield from draft(title, UNSAFE, [edit for fix in several for edit in fix.edits], note)
    if not root.cuts and not copies:
        yield from _allowed(problem)


def _allowed(problem: Problem) -> Iterator[Fix]:
    """``allow_unused=True``: None for what the result does not depend on, where nobody computes with it."""
    sheet = problem.sheet(problem.event.where)
    call = problem.event.where.node
    stmt = sheet.statement(call) if sheet.has(call) else None
    targets = stmt.targets if isinstance(stmt, ast.Assign) else []
    names = [node.id for target in targets for node in walk(target) if isinstance(node, ast.Name)]
    unread = bool(names) and not any(loads(sheet.function(call), name) for name in names)
    if isinstance(call, ast.Call) and unread:
        title = say("Allow tensors that are not used: `allow_unused=True`")
        edit = set_keyword(sheet, call, "allow_unused", "True")
        yield from draft(title, UNSAFE, [edit], say("the gradient towards those is None"))


def _flag_earlier(problem: Problem, wanted: Tensor, built: Trace) -> Iterator[Fix]:
    """``x.requires_grad_()`` behind the forward: above it."""
    name = wanted.name
    sheet = problem.sheet(built)
    if not name or not sheet.has(built.node) or not sheet.has(problem.event.where.node):
        return
    function = sheet.function(built.node)
    for node in walk(function):
        stmt = sheet.statement(node) if _sets_flag(sheet, node, name) else None
        met = sheet.meeting(built.node, stmt) if stmt is not None else None
        if stmt is None or met is None or stmt not in met:
            continue
        block = sheet.block(stmt)
        users = [s for s in block[: block.index(stmt)] if loads(s, name)]
        between = block[block.index(users[0]) : block.index(stmt)] if users else []
        if met[0] in between:
            edits: list[Edit] | None = sheet.move([stmt], users[0], after=False)
            title = say("Move `{code}` above `{other}`", code=sheet.short(stmt), other=sheet.short(users[0]))
            yield from draft(title, UNSAFE, edits, say("what is computed from `{name}` has a graph to it", name=name))


def _sets_flag(sheet: Sheet, node: ast.AST, name: str) -> bool:
    """Whether a node is ``name.requires_grad_()`` or ``name.requires_grad = True`` as a statement."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return sheet.segment(node.value).replace(" ", "") in (
            f"{name}.requires_grad_()",
            f"{name}.requires_grad_(True)",
        )
    return isinstance(node, ast.Assign) and short(sheet.segment(node)) == f"{name}.requires_grad = True"
