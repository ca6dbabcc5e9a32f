"""An update of a network's parameters that is to stay in the graph: ``functional_call`` with the updated ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.grad_mode import torch_name
from autograd_hazards.fixes.scope import MODULE, value_of
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.values import Instance
from autograd_hazards.messages import say


def functional(problem: Problem) -> Iterator[Fix]:
    """``for p, g in zip(net.parameters(), grads): p = p - lr * g`` and ``net(x)`` behind it, so that ``x`` meets the
    updated parameters."""
    where = problem.event.where
    sheet = problem.sheet(where)
    stmt = sheet.statement(where.node) if sheet.has(where.node) else None
    loop = sheet.parents.get(stmt) if stmt is not None else None
    torch = torch_name(sheet)
    if not isinstance(stmt, ast.Assign) or not isinstance(loop, ast.For) or loop.body != [stmt] or not torch:
        return
    over, target = loop.iter, loop.target
    if not (isinstance(over, ast.Call) and ast.unparse(over.func) == "zip" and isinstance(target, ast.Tuple)):
        return
    name = ast.unparse(stmt.targets[0])
    for index, (item, part) in enumerate(zip(over.args, target.elts, strict=False)):
        if not isinstance(item, ast.Call) or not isinstance(item.func, ast.Attribute) or ast.unparse(part) != name:
            continue
        network = sheet.segment(item.func.value)
        value = value_of(where.frame, network)
        if item.func.attr != "parameters" or not isinstance(value, Instance) or not value.is_a(MODULE):
            continue
        block = sheet.block(loop)
        calls = [
            node
            for later in block[block.index(loop) + 1 :]
            for node in walk(later)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == network and not node.keywords
        ]
        taken = {n.id for n in walk(sheet.function(loop)) if isinstance(n, ast.Name)}
        if not calls or "updated" in taken or "name" in taken:
            return
        parts = [f"(name, {name})" if i == index else sheet.segment(p) for i, p in enumerate(target.elts)]
        given = [f"{network}.named_parameters()" if i == index else sheet.segment(a) for i, a in enumerate(over.args)]
        code = f"updated = {{name: {sheet.segment(stmt.value)} for {', '.join(parts)} in zip({', '.join(given)})}}"
        edits: list[Edit | None] = [sheet.rewrite(loop, code)]
        for call in calls:
            inputs = "".join(f"{sheet.segment(a)}, " for a in call.args)
            text = f"{torch}.func.functional_call({network}, updated, ({inputs.rstrip() if len(call.args) < 2 else inputs[:-2]}))"
            edits.append(sheet.rewrite(call, text))
        title = say("Call `{network}` with the updated parameters: `functional_call`", network=network)
        yield from draft(
            title, UNSAFE, edits, say("the update is in the graph, and `{network}` keeps its own", network=network)
        )
