"""Values that are kept though they belong to one forward: cached properties, generators that compute before their loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, read_names, site_in
from autograd_hazards.machine.syntax import walk
from autograd_hazards.messages import say
from autograd_hazards.rules.causes import crossing

CACHES = ("lru_cache", "cache")
AFRESH = say("every backward has a graph of its own, with the parameters as they are")


def uncached(problem: Problem) -> Iterator[Fix]:
    """``@cached_property`` as ``@property``, no ``@cache`` on what is computed from parameters."""
    node, _ = crossing(problem.event)
    for frame, site in node.trace.chain():
        function = getattr(frame.function, "node", None)
        sheet = problem.sheet(site)
        if not isinstance(function, ast.FunctionDef) or not sheet.has(function):
            continue
        for decorator in function.decorator_list:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            kind = ast.unparse(func).rpartition(".")[2]
            if kind == "cached_property":
                edit = sheet.rewrite(decorator, "property")
            elif kind in CACHES and sheet.line(decorator.lineno).strip() == "@" + sheet.segment(decorator):
                at = sheet.starts[decorator.lineno - 1]
                edit = sheet.replace(at, sheet.starts[decorator.lineno], "")
            else:
                continue
            title = say("Compute `{name}` each time, without `@{cache}`", name=function.name, cache=kind)
            yield from draft(title, UNSAFE, [edit], AFRESH)


def in_generator(problem: Problem) -> Iterator[Fix]:
    """What a generator computes from parameters before its loop: computed for each value that it gives."""
    node, _ = crossing(problem.event)
    for frame, _ in node.trace.chain():
        site = site_in(node.trace, frame)
        if site is None:
            continue
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if not isinstance(stmt, ast.Assign) or not sheet.alone(stmt):
            continue
        block, names = sheet.block(stmt), bound_names(stmt)
        behind = block[block.index(stmt) + 1 :]
        loop = next((s for s in behind if isinstance(s, ast.For | ast.While) and names & read_names(s)), None)
        if loop is None or not any(isinstance(n, ast.Yield) for n in walk(loop)) or not sheet.alone(loop.body[0]):
            continue
        head = loop.iter if isinstance(loop, ast.For) else loop.test
        if names & read_names(head) or any(names & read_names(s) for s in behind if s is not loop):
            continue
        first = next(s for s in loop.body if names & read_names(s))
        edits: list[Edit | None] = [
            sheet.replace(*sheet.lines_of(stmt), ""),
            sheet.insert_before(first, sheet.with_comments(stmt)),
        ]
        title = say("Compute `{code}` in each iteration", code=sheet.short(stmt.targets[0]))
        yield from draft(title, UNSAFE, edits, say("every backward has a graph of its own"))
