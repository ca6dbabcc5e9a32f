"""``retain_graph``: in where two backwards share saved tensors, out where nothing needs it; or one summed backward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Fix
from autograd_hazards.fixes.arguments import drop_keyword, set_keyword
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.autograd import Backward
from autograd_hazards.machine.frames import Trace, before_loop, carried, common_frame
from autograd_hazards.machine.tensor import Node
from autograd_hazards.messages import say


def keep(problem: Problem) -> Iterator[Fix]:
    """``retain_graph=True`` on the earlier backward. Not where the second one belongs to a later iteration."""
    event = problem.event
    first: Trace | None = event.data.get("first")
    if first is None:
        return
    call = first.node
    if not isinstance(call, ast.Call) or carried(event.data["built"].loops, event.where.loops):
        return
    if (
        before_loop(event.data["built"].loops, event.where.loops)
        and first.site == event.where.site
        and not _own_loop(problem, first)
    ):
        return
    sheet = problem.sheet(first)
    if not sheet.has(call):
        return
    edit = set_keyword(sheet, call, "retain_graph", "True")
    title = say("Keep the graph: `retain_graph=True` in `{code}`", code=sheet.short(call))
    yield from draft(title, SAFE, [edit], say("the graph stays in memory until the later backward is done"))


def _own_loop(problem: Problem, first: Trace) -> bool:
    """Whether one loop only goes over several losses, and does not step."""
    sheet = problem.sheet(first)
    loop = sheet.loop(first.node) if sheet.has(first.node) else None
    return loop is not None and not any(
        isinstance(node, ast.Attribute) and node.attr == "step" for stmt in loop.body for node in ast.walk(stmt)
    )


def drop(problem: Problem) -> Iterator[Fix]:
    """``retain_graph=True`` out of the backward that does not need it."""
    sheet = problem.sheet(problem.event.where)
    call = problem.event.where.node
    if isinstance(call, ast.Call) and sheet.has(call):
        title = say("Remove `retain_graph=True` from `{code}`", code=sheet.short(call))
        yield from draft(
            title, SAFE, [drop_keyword(sheet, call, "retain_graph")], say("the graph is freed after this backward")
        )


def one_backward(problem: Problem) -> Iterator[Fix]:
    """Two neighbouring backwards, or a loop of nothing but backwards, as one backward of the sum."""
    event = problem.event
    if "first" not in event.data:
        return
    first, second = common_frame(event.data["first"], event.where)
    sheet = problem.sheet(first)
    if first.path != second.path or not sheet.has(first.node) or not sheet.has(second.node):
        return
    a, b = sheet.statement(first.node), sheet.statement(second.node)
    if a is None or b is None:
        return
    note = say("the same gradients, from one walk through the graph")
    if a is b:
        loop = sheet.loop(a)
        loss = _plain_backward(a)
        if isinstance(loop, ast.For) and loop.body == [a] and not loop.orelse and isinstance(loss, ast.Name):
            if isinstance(loop.target, ast.Name) and loop.target.id == loss.id:
                losses = sheet.segment(loop.iter)
                yield from draft(
                    say("One backward of the sum of `{losses}`", losses=losses),
                    SAFE,
                    [sheet.rewrite(loop, f"sum({losses}).backward()")],
                    note,
                )
        return
    block = sheet.block(a)
    left, right = _plain_backward(a), _plain_backward(b)
    if b not in block or left is None or right is None or block.index(b) != block.index(a) + 1:
        return
    if sheet.segment(left) == sheet.segment(right):
        return
    total = f"({_term(sheet, left)} + {_term(sheet, right)})"
    edits = [sheet.remove(a), sheet.rewrite(b, f"{total}.backward()")]
    yield from draft(say("One backward of `{total}`", total=total[1:-1]), SAFE, edits, note)


def _term(sheet: Sheet, node: ast.expr) -> str:
    text = sheet.segment(node)
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return (
        text
        if plain or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult | ast.Div))
        else f"({text})"
    )


def _plain_backward(stmt: ast.stmt) -> ast.expr | None:
    """The loss of a statement that is only ``loss.backward()``."""
    if not isinstance(stmt, ast.Expr) or not isinstance(stmt.value, ast.Call):
        return None
    call = stmt.value
    if call.args or call.keywords or not isinstance(call.func, ast.Attribute) or call.func.attr != "backward":
        return None
    return call.func.value


def repeated(problem: Problem) -> Iterator[Fix]:
    """A backward of losses that have gone backward already (their running sum): without the call, or without them."""
    backward = problem.event.data["backward"]
    first = problem.event.data.get("earlier")
    if first is not None and any(root in first.roots for root in backward.roots):
        return  # the same loss twice
    done, more = _gone_backward(backward)
    if done and not more:
        yield from _without_call(problem)


def said_twice(problem: Problem) -> Iterator[Fix]:
    """The second backward of one and the same loss."""
    first = problem.event.data.get("earlier")
    if first is not None and any(root in first.roots for root in problem.event.data["backward"].roots):
        yield from _without_call(problem)


def _without_call(problem: Problem) -> Iterator[Fix]:
    sheet = problem.sheet(problem.event.where)
    call = problem.event.where.node
    stmt = sheet.statement(call) if sheet.has(call) else None
    if isinstance(stmt, ast.Expr) and stmt.value is call:
        title = say("Remove `{code}`: its losses have gone backward already", code=sheet.short(call))
        yield from draft(title, UNSAFE, [sheet.remove(stmt)], say("each loss gives its gradients once"))


def _gone_backward(backward: Backward) -> tuple[bool, bool]:
    """Whether a backward meets losses that went backward before, and whether it reaches leaves other than through them."""
    stack: list[Any] = [root.grad_fn for root in backward.roots]
    seen: set[Any] = set()
    done = more = False
    while stack:
        node = stack.pop()
        if node in seen or node is None:
            continue
        seen.add(node)
        if not isinstance(node, Node):
            more = True
        elif node.freed not in (None, backward) and any(root.grad_fn is node for root in node.freed.roots):
            done = True
        else:
            stack.extend(node.edges)
    return done, more
