"""A sample that two losses go back through (a fake, a baseline): cut off for the one that does not train what made it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import set_keyword
from autograd_hazards.fixes.detach import assigned, call_on
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import (
    bound_names,
    held,
    loads,
    names_in,
    optimizer_at,
    reach,
    site_in,
    spelled_parameters,
    written,
)
from autograd_hazards.fixes.sheet import Sheet, receiver, short
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Node, Tensor
from autograd_hazards.messages import quoted, say
from autograd_hazards.rules.causes import path_to


def passed_through(problem: Problem) -> Iterator[Fix]:
    """What a loss goes back through into a network that it does not train: detached where the loss uses it."""
    event = problem.event
    backward = event.data.get("passed")
    if backward is None:
        return
    wanted = {c.leaf for c in backward.contributions if c.consumed}
    wasted = {c.leaf for c in backward.contributions if c.erased is not None and not c.consumed}
    for frame, _ in event.where.chain():
        sheet = problem.sheet(frame.module.path)
        stmts = _statements(sheet, frame, backward.executed)
        shared = _used_elsewhere(sheet, frame, stmts)
        names = [
            (name, value)
            for name, value in names_in(frame)
            if isinstance(value, Tensor) and value.grad_fn is not None and name.replace(".", "").isidentifier()
        ]
        # What lies nearest to the loss first: cutting there saves most.
        for name, value in sorted(names, key=lambda pair: -pair[1].grad_fn.seq if pair[1].grad_fn else 0):
            leaves = reach([value])
            if not leaves & wasted or leaves & wanted:
                continue
            edits: list[Edit | None] = []
            users = {stmt for stmt in stmts if name not in bound_names(stmt)}
            if any(loads(stmt, name) for stmt in users & shared):
                continue
            for stmt in users:
                for load in loads(stmt, name):
                    edits += call_on(sheet, load, "detach")
            everywhere = loads(sheet.function(value.bound.node), name) if value.bound is not None else []
            made = (
                assigned(sheet, value.bound.node) if value.bound is not None and sheet.has(value.bound.node) else None
            )
            if len(edits) > 1 and made is not None and all(sheet.statement(load) in users for load in everywhere):
                edits = list(call_on(sheet, made, "detach"))
            title = say(
                "Detach `{name}` for this loss, so that it does not reach what `{name}` was computed from", name=name
            )
            yield from draft(title, SAFE, edits, say("the same training, without gradients that are thrown away"))


def nameless(problem: Problem) -> Iterator[Fix]:
    """A sample that is computed where it is used (``critic(generator(z))``): detached there."""
    backward = problem.event.data.get("passed")
    if backward is None:
        return
    wanted = {c.leaf for c in backward.contributions if c.consumed}
    wasted = {c.leaf for c in backward.contributions if c.erased is not None and not c.consumed}
    for frame, _ in problem.event.where.chain():
        made: dict[ast.Call, tuple[Sheet, int]] = {}
        for node in backward.executed:
            site = site_in(node.trace, frame)
            sheet = problem.sheet(site) if site is not None else None
            if sheet is None or site is None or not isinstance(site.node, ast.Call) or not sheet.has(site.node):
                continue
            around = sheet.parents.get(site.node)
            if not isinstance(around, ast.Call) or site.node not in around.args:
                continue
            leaves = reach(node.outputs)
            if leaves & wasted and not leaves & wanted and node.seq > made.get(site.node, (sheet, -1))[1]:
                made[site.node] = sheet, node.seq
        for call, (sheet, _) in sorted(made.items(), key=lambda item: -item[1][1]):
            text = short(sheet.segment(call))
            title = say(
                "Detach `{text}` for this loss, so that it does not reach what `{text}` was computed from", text=text
            )
            note = say("the same training, without gradients that are thrown away")
            yield from draft(title, SAFE, call_on(sheet, call, "detach"), note)


def only_trained(problem: Problem) -> Iterator[Fix]:
    """Where one pass serves two losses, the backward gives gradients only to what its own step applies."""
    backward = problem.event.data.get("passed")
    call = problem.event.where.node
    if backward is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    sheet, frame = problem.sheet(problem.event.where), problem.event.where.frame
    wanted = {c.leaf for c in backward.contributions if c.consumed}
    if not sheet.has(call) or call.func.attr != "backward" or _in_turns(sheet, call):
        return
    optimizers = [(name, value) for name, value in names_in(frame) if wanted and held(value) == wanted]
    for name, optimizer in optimizers[:1]:
        code = spelled_parameters(frame, optimizer, name)
        title = say("`{code}` only for what `{name}` steps", code=sheet.short(call), name=name)
        note = say("the same training, without gradients that are thrown away")
        yield from draft(title, SAFE, [set_keyword(sheet, call, "inputs", code)], note)


def _in_turns(sheet: Sheet, call: ast.AST) -> bool:
    """Whether a loop around a backward steps one optimizer after the other, so that it serves several of them."""
    for loop in sheet.blocks_up(call):
        targets = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)} if isinstance(loop, ast.For) else set()
        steps = [n for n in walk(loop) if isinstance(n, ast.Attribute) and n.attr == "step"] if targets else []
        if any(isinstance(n, ast.Name) and n.id in targets for step in steps for n in walk(step.value)):
            return True
    return False


def _used_elsewhere(sheet: Sheet, frame: Frame, stmts: set[ast.stmt]) -> set[ast.stmt]:
    """Those of a loss's statements whose results other tensors of the activation are computed from, too."""
    values = [v for _, v in names_in(frame) if isinstance(v, Tensor) and isinstance(v.grad_fn, Node)]
    others = [v for v in values if not _statements(sheet, frame, {v.grad_fn}) & stmts]  # type: ignore[arg-type]
    return stmts & _statements(sheet, frame, _graph(others))


def shared_sample(problem: Problem) -> Iterator[Fix]:
    """Detach, for the earlier loss, what the later one needs the graph of (a fake shown to the discriminator)."""
    event = problem.event
    first: Trace | None = event.data.get("first")
    if first is None:
        return
    for frame, _ in first.chain():
        yield from _for_first(problem, first, frame)


def _for_first(problem: Problem, first: Trace, frame: Frame) -> Iterator[Fix]:
    event = problem.event
    earlier = event.data["earlier"]
    site = site_in(first, frame)
    if site is None:
        return
    sheet = problem.sheet(site)
    if not sheet.has(site.node):
        return
    trained = {c.leaf for c in earlier.contributions if c.consumed} or stepped_next(sheet, frame, site.node)
    later_nodes = _graph(event.data["backward"].roots)
    before = _statements(sheet, frame, earlier.executed - later_nodes)
    both = _statements(sheet, frame, later_nodes)
    done: set[str] = set()
    for node in reversed(path_to(event)):
        for out in node.outputs:
            name = out.bound.node if out.bound is not None and out.bound.frame is frame else None
            text = ast.unparse(name) if isinstance(name, ast.Name | ast.Attribute) else written(frame, out)
            if not text or text in done:
                continue
            done.add(text)
            if reach([out]) & trained:
                continue
            edits: list[Edit | None] = []
            for stmt in before - both:
                for load in loads(stmt, text):
                    edits += call_on(sheet, load, "detach")
            title = say(
                "Detach `{text}` for the first loss, so that it does not reach what `{text}` was computed from",
                text=text,
            )
            yield from draft(
                title, UNSAFE, edits, say("the first loss no longer trains what makes `{text}`", text=text)
            )


def later_sample(problem: Problem) -> Iterator[Fix]:
    """Detach, for the later loss, what the earlier one has gone back through and the later one's step does not hold."""
    event = problem.event
    earlier = event.data.get("earlier")
    if earlier is None:
        return
    later_nodes = _graph(event.data["backward"].roots)
    for frame, site in event.where.chain():
        sheet = problem.sheet(site)
        trained = stepped_next(sheet, frame, site.node) if sheet.has(site.node) else set()
        if not trained:
            continue
        stmts = _statements(sheet, frame, later_nodes - earlier.executed)
        stmts -= _statements(sheet, frame, earlier.executed)
        found: dict[str, list[Edit | None]] = {}
        for value in [out for node in later_nodes & earlier.executed for out in node.outputs]:
            bound = value.bound.node if value.bound is not None and value.bound.frame is frame else None
            if not isinstance(bound, ast.Name | ast.Attribute) or ast.unparse(bound) in found:
                continue
            name = ast.unparse(bound)
            edits = [e for s in stmts for load in loads(s, name) for e in call_on(sheet, load, "detach")]
            if edits and not reach([value]) & trained:
                found[name] = list(edits)
        if found:
            title = say(
                "Detach {names} for the second loss, which does not train what they are computed from",
                names=quoted(sorted(found)),
            )
            note = say("the second loss trains only what its own optimizer steps")
            yield from draft(title, UNSAFE, [e for edits in found.values() for e in edits], note)


def not_trained_here(problem: Problem) -> Iterator[Fix]:
    """Detach, for a loss whose backward meets changed weights or a freed graph, what it computes with and does not train.

    What the next step holds gets the same gradients: no graph of the detached value leads there.
    """
    event = problem.event
    earlier = event.data.get("earlier")
    for frame, site in event.where.chain():
        sheet = problem.sheet(site)
        trained = stepped_next(sheet, frame, site.node) if sheet.has(site.node) else set()
        if not trained:
            continue
        path = path_to(event)
        for index, node in enumerate(path[1:], 1):
            for value in node.outputs:
                bound = value.bound.node if value.bound is not None and value.bound.frame is frame else None
                if not isinstance(bound, ast.Name | ast.Attribute) or reach([value]) & trained:
                    continue
                name = ast.unparse(bound)
                users = _statements(sheet, frame, set(path[:index])) - _statements(sheet, frame, {node})
                if earlier is not None:
                    users -= _statements(sheet, frame, earlier.executed)
                edits = [e for s in users for load in loads(s, name) for e in call_on(sheet, load, "detach")]
                title = say(
                    "Detach {names} for the second loss, which does not train what they are computed from",
                    names=quoted([name]),
                )
                note = say("the second loss trains only what its own optimizer steps")
                yield from draft(title, UNSAFE, list(edits), note)
        yield from _all_untrained(problem, frame, trained, path)


def _all_untrained(problem: Problem, frame: Frame, trained: set[Tensor], path: list[Node]) -> Iterator[Fix]:
    """All that the statement of a loss reads and does not train, where one of it is not enough (``(p * log_p).sum()``)."""
    earlier = problem.event.data.get("earlier")
    sheet = problem.sheet(frame.module.path)
    users = _statements(sheet, frame, set(path))
    if earlier is not None:
        users -= _statements(sheet, frame, earlier.executed)
    for stmt in sorted(users, key=lambda stmt: -stmt.lineno):
        names = [
            name
            for name, value in names_in(frame)
            if isinstance(value, Tensor) and value.grad_fn is not None and not reach([value]) & trained
            and name not in bound_names(stmt) and loads(stmt, name)
        ]  # fmt: skip
        if len(names) < 2:
            continue
        edits: list[Edit | None] = [
            e for name in names for load in loads(stmt, name) for e in call_on(sheet, load, "detach")
        ]
        title = say(
            "Detach {names} for the second loss, which does not train what they are computed from",
            names=quoted(sorted(names)),
        )
        yield from draft(title, UNSAFE, edits, say("the second loss trains only what its own optimizer steps"))


def stepped_next(sheet: Sheet, frame: Frame, node: ast.AST) -> set[Tensor]:
    """The parameters of the optimizers that are stepped next behind a place, up to the backward after that."""
    found: set[Tensor] = set()
    calls = [n for n in walk(sheet.function(node)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    for call in sorted(calls, key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0)):
        assert isinstance(call.func, ast.Attribute)
        if (call.lineno, call.col_offset) <= (node.lineno, node.col_offset):  # type: ignore[attr-defined]
            continue
        if call.func.attr == "backward" and found:
            break
        if call.func.attr == "step":
            for text in (receiver(sheet, call), *(sheet.segment(arg) for arg in call.args[:1])):
                optimizer = optimizer_at(frame, text)
                found |= held(optimizer) if optimizer is not None else set()
    return found


def _graph(roots: list[Tensor]) -> set[Node]:
    found: set[Node] = set()
    stack: list[Any] = [root.grad_fn for root in roots]
    while stack:
        node = stack.pop()
        if isinstance(node, Node) and node not in found:
            found.add(node)
            stack.extend(node.edges)
    return found


def _statements(sheet: Sheet, frame: Frame, nodes: set[Node]) -> set[ast.stmt]:
    found: set[ast.stmt] = set()
    for node in nodes:
        site = site_in(node.trace, frame)
        stmt = sheet.statement(site.node) if site is not None and sheet.has(site.node) else None
        if stmt is not None:
            found.add(stmt)
    return found
