"""A backward from something without a graph: gradients asked for where they are read, or the pointless call removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import set_keyword
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import held, names_in
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.messages import say

FACTORIES = frozenset(
    {"randn", "rand", "zeros", "ones", "empty", "full", "tensor", "linspace", "eye", "normal", "arange",
     "randn_like", "rand_like", "zeros_like", "ones_like", "empty_like", "full_like"}
)  # fmt: skip


def wanted_leaf(problem: Problem) -> Iterator[Fix]:
    """``requires_grad`` for the tensor whose gradient is asked for: by ``autograd.grad``, ``.grad`` or an optimizer."""
    event = problem.event
    if event.kind != "no_grad_graph":
        return
    if event.data.get("wrt"):
        yield from tracked(problem, event.data["tensor"], asked=True)
        return
    seen: set[Tensor] = set()
    for frame, _ in event.where.chain():
        sheet = problem.sheet(frame.module.path)
        read = {ast.unparse(n.value) for n in walk(sheet.tree) if isinstance(n, ast.Attribute) and n.attr == "grad"}
        names = list(names_in(frame))
        stepped = set().union(*(held(value) for _, value in names))
        for name, value in names:
            if isinstance(value, Tensor) and value not in seen and (name in read or value in stepped):
                seen.add(value)
                yield from tracked(problem, value)


def tracked(problem: Problem, tensor: Tensor, asked: bool = False) -> Iterator[Fix]:
    """``requires_grad`` for a tensor where it gets its name; ``asked``: it is its own gradient that is wanted."""
    where = tensor.bound
    if where is None or not tensor.floating or tensor.requires_grad is not False:
        return
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    if not isinstance(where.node, ast.Name | ast.Attribute) or not isinstance(stmt, ast.Assign | ast.AnnAssign):
        return
    name = sheet.segment(where.node)
    call = stmt.value
    if (
        tensor.cuts
        and not asked
        and not (isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == "detach")
    ):
        return  # the cut is to be mended, where it does not begin a graph on purpose
    edit: Edit | None
    if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in FACTORIES:
        edit = set_keyword(sheet, call, "requires_grad", "True")
    else:
        edit = sheet.insert_after(stmt, f"{name}.requires_grad_()")
    title = say("Let `{name}` require a gradient where it is made", name=name)
    yield from draft(title, UNSAFE, [edit], say("the backward reaches `{name}`", name=name))


def pointless(problem: Problem) -> Iterator[Fix]:
    """The call removed, where nothing that the loss is computed from could be trained, and something else is trained."""
    event = problem.event
    if event.kind != "no_grad_graph" or event.data["cuts"] or event.data.get("switch") or event.data.get("wrt"):
        return
    sheet = problem.sheet(event.where)
    stmt = sheet.statement(event.where.node) if sheet.has(event.where.node) else None
    if not isinstance(stmt, ast.Expr) or stmt.value is not event.where.node or _only_training(sheet, stmt):
        return
    code = " ".join(sheet.segment(stmt).split())
    title = say("Remove `{code}`, which has nothing to go back through", code=code)
    yield from draft(title, UNSAFE, [sheet.remove(stmt)], say("nothing is trained by it, as now"))


def _only_training(sheet: Sheet, stmt: ast.stmt) -> bool:
    """Whether the function around a backward steps an optimizer and has no other backward to step it for."""
    calls = [
        n.func.attr for n in walk(sheet.function(stmt)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    return "step" in calls and calls.count("backward") < 2
