"""``retain_graph``: in where two backwards share saved tensors, out where nothing needs it; or one summed backward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Fix
from autograd_hazards.fixes.arguments import drop_keyword, set_keyword
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, read_names, site_in
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.fixes.values import mended
from autograd_hazards.machine.autograd import Backward
from autograd_hazards.machine.events import Event
from autograd_hazards.machine.frames import Trace, before_loop, carried, common_frame
from autograd_hazards.machine.syntax import walk
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
        and not _losses_ready(event)
    ):
        return
    sheet = problem.sheet(first)
    if not sheet.has(call):
        return
    edit = set_keyword(sheet, call, "retain_graph", "True")
    title = say("Keep the graph: `retain_graph=True` in `{code}`", code=sheet.short(call))
    yield from draft(title, SAFE, [edit], say("the graph stays in memory until the later backward is done"))


def differentiable(problem: Problem) -> Iterator[Fix]:
    """``create_graph=True`` on the ``autograd.grad`` that freed the graph, where the later loss is made of its gradient."""
    first: Trace | None = problem.event.data.get("first")
    if first is not None and _is_grad(first.node) and _leads_to(problem, first, problem.event.where):
        yield from mended(problem, first, "grad")


def _is_grad(node: ast.AST) -> bool:
    """Whether a node is a call of ``torch.autograd.grad``: that gives gradients back and leaves none in ``.grad``."""
    func = node.func if isinstance(node, ast.Call) else None
    return (func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else "") == "grad"


def _leads_to(problem: Problem, made: Trace, used: Trace) -> bool:
    """Whether the code, read from top to bottom, uses the value of one call in the arguments of a later one."""
    for frame, site in made.chain():
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if stmt is None:
            return False
        names, returned = bound_names(stmt), isinstance(stmt, ast.Return)
        later = [n for n in walk(sheet.function(stmt)) if isinstance(n, ast.stmt) and n.lineno > stmt.lineno]
        end = site_in(used, frame)
        for other in sorted(later, key=lambda n: n.lineno):
            if isinstance(other, ast.Assign | ast.AugAssign | ast.AnnAssign) and names & read_names(other):
                names |= bound_names(other)
            returned = returned or (isinstance(other, ast.Return) and bool(names & read_names(other)))
        if end is not None:
            return bool(names & read_names(end.node))
        if not returned:
            return False
    return False


def _losses_ready(event: Event) -> bool:
    """Whether a loop goes over losses that were all computed before it."""
    graphs = [root.grad_fn for root in event.data["backward"].roots]
    return bool(graphs) and all(fn is not None and before_loop(fn.trace.loops, event.where.loops) for fn in graphs)


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
        losses = _looped(sheet, a)
        if losses:
            whole = a if isinstance(a.value, ast.ListComp) else sheet.loop(a)  # type: ignore[attr-defined]
            edits = [sheet.rewrite(whole, f"sum({losses}).backward()")]  # type: ignore[arg-type]
            yield from draft(say("One backward of the sum of `{losses}`", losses=losses), SAFE, edits, note)
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


def _looped(sheet: Sheet, stmt: ast.stmt) -> str:
    """The losses that a loop or a list comprehension does nothing but go backward from; empty when it is another thing."""
    value = stmt.value if isinstance(stmt, ast.Expr) else None
    loop = sheet.loop(stmt)
    if isinstance(value, ast.ListComp) and len(value.generators) == 1 and not value.generators[0].ifs:
        loss, target, over = _plain_call(value.elt), value.generators[0].target, value.generators[0].iter
    elif isinstance(loop, ast.For) and loop.body == [stmt] and not loop.orelse:
        loss, target, over = _plain_backward(stmt), loop.target, loop.iter
    else:
        return ""
    if loss is None:
        return ""
    losses = sheet.segment(over)
    if isinstance(loss, ast.Name) and ast.unparse(target) == loss.id:
        return losses
    return f"{sheet.segment(loss)} for {sheet.segment(target)} in {losses}"


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
    return _plain_call(stmt.value) if isinstance(stmt, ast.Expr) else None


def _plain_call(call: ast.expr) -> ast.expr | None:
    if not isinstance(call, ast.Call):
        return None
    if call.args or call.keywords or not isinstance(call.func, ast.Attribute) or call.func.attr != "backward":
        return None
    return call.func.value


def repeated(problem: Problem) -> Iterator[Fix]:
    """A backward of losses that have gone backward already (their running sum): without the call, or without them."""
    backward = problem.event.data["backward"]
    first = problem.event.data.get("earlier")
    if first is None or _is_grad(first.trace.node) or repeats_loss(problem):
        return
    done, more = _gone_backward(backward)
    if done and not more:
        yield from _without_call(problem)


def said_twice(problem: Problem) -> Iterator[Fix]:
    """The second backward of one and the same loss, unless it is for chosen inputs."""
    if (
        problem.event.data["backward"].inputs is None
        and repeats_loss(problem)
        and not _is_grad(problem.event.data["earlier"].trace.node)
    ):
        yield from _without_call(problem)


def repeats_loss(problem: Problem) -> bool:
    """Whether the backward that fails goes through the graph of a loss that an earlier one started from, too."""
    first = problem.event.data.get("earlier")
    return first is not None and any(root in first.roots for root in problem.event.data["backward"].roots)


def _without_call(problem: Problem) -> Iterator[Fix]:
    sheet = problem.sheet(problem.event.where)
    stmt = backward_alone(sheet, problem.event.where.node)
    if stmt is not None:
        title = say("Remove `{code}`: its losses have gone backward already", code=sheet.short(stmt))
        yield from draft(title, UNSAFE, [sheet.remove(stmt)], say("each loss gives its gradients once"))


def unused(problem: Problem) -> Iterator[Fix]:
    """A backward behind the training, which cannot run any more, and whose gradients nothing applies or reads."""
    event = problem.event
    sheet = problem.sheet(event.where)
    stmt = backward_alone(sheet, event.where.node)
    if event.idle and stmt is not None and not _repeats(problem, event.where):
        title = say("Remove `{code}`: no step applies its gradients", code=sheet.short(stmt))
        yield from draft(title, UNSAFE, [sheet.remove(stmt)], say("nothing is trained by it, as now"))


def _repeats(problem: Problem, where: Trace) -> bool:
    """Whether a loop statement stands around a place, or around a call that led to it."""
    for _, site in where.chain():
        sheet = problem.sheet(site)
        if sheet.has(site.node) and sheet.loop(site.node) is not None:
            return True
    return False


def backward_alone(sheet: Sheet, call: ast.AST) -> ast.Expr | None:
    """The statement that does nothing but make a call, once or in a list comprehension."""
    stmt = sheet.statement(call) if sheet.has(call) else None
    if not isinstance(stmt, ast.Expr):
        return None
    only = stmt.value.elt if isinstance(stmt.value, ast.ListComp) else stmt.value
    return stmt if only is call else None


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
