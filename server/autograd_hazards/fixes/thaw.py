"""A network that was frozen for another loss and is to be trained by this one: thawed before its forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Fix
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.samples import stepped_next
from autograd_hazards.fixes.scope import MODULE, loads, makers, names_in, parameters, read_names
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.frames import Frame
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Instance
from autograd_hazards.messages import say


def thawed(problem: Problem) -> Iterator[Fix]:
    """``net.requires_grad_(True)`` before the loss is computed that the next step is to train it with."""
    event = problem.event
    if event.kind != "no_grad_graph" or event.data.get("switch") or event.data.get("wrt"):
        return
    for frame, site in event.where.chain():
        sheet = problem.sheet(site)
        if not sheet.has(site.node):
            return
        frozen = {p for p in stepped_next(sheet, frame, site.node) if p.requires_grad is False}
        if not frozen:
            continue
        made = _makers(sheet, site.node)
        for name in _largest(frame, frozen):
            users = [stmt for stmt in made if loads(stmt, name)]
            if users:
                title = say("Let the parameters of `{name}` require gradients again", name=name)
                note = say("the loss trains `{name}`, which was frozen for another one", name=name)
                edit = sheet.insert_before(users[0], f"{name}.requires_grad_(True)")
                yield from draft(title, UNSAFE, [edit], note)
        return


def _largest(frame: Frame, frozen: set[Tensor]) -> Iterator[str]:
    """The names of the networks all of whose parameters are frozen, those with the most first."""
    named = [(name, value) for name, value in names_in(frame) if isinstance(value, Instance) and value.is_a(MODULE)]
    sizes = [(len(mine), name) for name, network in named if (mine := parameters(network)) and mine <= frozen]
    yield from (name for _, name in sorted(sizes, key=lambda item: -item[0]))


def _makers(sheet: Sheet, node: ast.AST) -> list[ast.stmt]:
    """The statements of a block that what a backward goes back from is computed by, in order."""
    last = sheet.statement(node)
    if last is None:
        return []
    block = sheet.block(last)
    return makers(block[: block.index(last)], read_names(last))
