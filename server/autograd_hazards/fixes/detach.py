"""``.detach()``: at what carries a graph on, at targets, at fakes, at what is kept for logs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import loads, read_names, value_of
from autograd_hazards.fixes.sheet import Sheet, atomic, short
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.models.stdlib_typing import field_names, row_of
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Node, Tensor
from autograd_hazards.machine.values import Instance, UserClass
from autograd_hazards.messages import Text, say
from autograd_hazards.rules.causes import carrier, kept_at

CUTS_STATE = say("gradients no longer flow from one iteration into the one before it")


def call_on(sheet: Sheet, node: ast.expr, method: str) -> list[Edit]:
    """Put ``.method()`` behind an expression, in parentheses where it needs them; nothing where it changes nothing."""
    if re.match(rf"\.{method}\(" if method != "detach" else r"\.(detach\(|data\b)", sheet.text[sheet.end(node) :]):
        return []
    if atomic(node):
        return [sheet.insert(sheet.end(node), f".{method}()")]
    if _parenthesised(sheet, node):
        close = sheet.text.index(")", sheet.end(node)) + 1
        return [sheet.insert(close, f".{method}()")]
    return [sheet.insert(sheet.start(node), "("), sheet.insert(sheet.end(node), f").{method}()")]


def _parenthesised(sheet: Sheet, node: ast.expr) -> bool:
    """Whether the expression has parentheses of its own directly around it (and not those of a call)."""
    before, after = sheet.text[: sheet.start(node)].rstrip(" \t"), sheet.text[sheet.end(node) :].lstrip(" \t")
    if not before.endswith("(") or not after.startswith(")"):
        return False
    lead = before[:-1].rstrip(" \t")
    return not lead or not (lead[-1].isalnum() or lead[-1] in "_)]")


def cut(text: str, value: Any) -> str:
    """Code that gives ``text`` without its graph, by what the value is; empty when that is not clear.

    A list in place of a deque would grow for ever: only what can be made again as it was is.
    """
    if isinstance(value, Tensor):
        return f"{text}.detach()"
    if type(value) in (tuple, list) and value and all(isinstance(item, Tensor) for item in value):
        comprehension = f"item.detach() for item in {text}"
        return f"tuple({comprehension})" if isinstance(value, tuple) else f"[{comprehension}]"
    if type(value) is list and value and all(isinstance(item, tuple) and cut("_", item) for item in value):
        return f"[tuple(item.detach() for item in pair) for pair in {text}]"
    if type(value) is dict and value and all(isinstance(item, Tensor) for item in value.values()):
        return f"{{key: item.detach() for key, item in {text}.items()}}"
    if isinstance(value, Instance) and value.is_a("typing.NamedTuple"):
        return _cut_fields(text, value)
    return ""


def _cut_fields(text: str, row: Instance) -> str:
    """The same for a named tuple: all of its fields, or those that are tensors."""
    tensors = [name for name, item in zip(field_names(row), row_of(row), strict=True) if isinstance(item, Tensor)]
    if len(tensors) == len(row_of(row)):
        return f"{text}._make(item.detach() for item in {text})"
    given = ", ".join(f"{name}={text}.{name}.detach()" for name in tensors)
    return f"{text}._replace({given})" if given else ""


def assigned(sheet: Sheet, target: ast.AST) -> ast.expr | None:
    """The expression whose value goes to ``target``; None when it is only a part of one."""
    stmt = sheet.statement(target)
    if isinstance(stmt, ast.AugAssign) and stmt in (target, sheet.parents.get(target)):
        return stmt.value
    if isinstance(stmt, ast.AnnAssign) and stmt.target is target:
        return stmt.value
    if not isinstance(stmt, ast.Assign):
        return None
    for whole in stmt.targets:
        if whole is target:
            return stmt.value
        if (
            isinstance(whole, ast.Tuple | ast.List)
            and target in whole.elts
            and isinstance(stmt.value, ast.Tuple | ast.List)
        ):
            if len(stmt.value.elts) == len(whole.elts):
                return stmt.value.elts[whole.elts.index(target)]
    return None


def detached_value(sheet: Sheet, value: ast.expr, frame: Frame) -> list[Edit | None] | None:
    """Edits that take the graph off the value of an expression."""
    if isinstance(value, ast.Tuple | ast.List):
        items = [item for item in value.elts if not _graphless(sheet, item, frame)] or value.elts
        return [edit for item in items for edit in call_on(sheet, item, "detach")]
    if isinstance(value, ast.Name | ast.Attribute):
        text = sheet.segment(value)
        known = value_of(frame, text)
        if isinstance(known, tuple | list | dict | Instance):
            code = cut(text, known)
            return [sheet.rewrite(value, code)] if code else None
    if isinstance(value, ast.ListComp | ast.GeneratorExp):
        return list(call_on(sheet, value.elt, "detach"))
    if isinstance(value, ast.Dict):
        return [edit for item in value.values for edit in _if_graph(sheet, item, frame)]
    if isinstance(value, ast.Call) and _makes_record(sheet, value, frame):
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        return [edit for item in given for edit in _if_graph(sheet, item, frame)]
    return list(call_on(sheet, value, "detach"))


def _graphless(sheet: Sheet, value: ast.expr, frame: Frame) -> bool:
    """Whether an expression is a name for something that is known to have no graph."""
    if not isinstance(value, ast.Name | ast.Attribute):
        return isinstance(value, ast.Constant)
    known = value_of(frame, sheet.segment(value))
    return isinstance(known, int | float | str) or (isinstance(known, Tensor) and known.requires_grad is False)


def _if_graph(sheet: Sheet, value: ast.expr, frame: Frame) -> list[Edit]:
    """The cut for what is known to be a tensor with a graph, nothing for the rest."""
    known = value_of(frame, sheet.segment(value)) if isinstance(value, ast.Name | ast.Attribute) else None
    return call_on(sheet, value, "detach") if isinstance(known, Tensor) and known.grad_fn is not None else []


def _makes_record(sheet: Sheet, call: ast.Call, frame: Frame) -> bool:
    """Whether a call makes an object of a class (a namedtuple, a dataclass) and no tensor."""
    maker = value_of(frame, sheet.segment(call.func)) if isinstance(call.func, ast.Name | ast.Attribute) else None
    return isinstance(maker, UserClass) or (
        isinstance(call.func, ast.Name) and call.func.id in ("tuple", "list", "dict")
    )


def where_read(problem: Problem, where: Trace, user: Node | None) -> Iterator[Fix]:
    """Where the next iteration reads the value."""
    target = where.node
    if user is None or not isinstance(target, ast.Name | ast.Attribute):
        return
    text = ast.unparse(target)
    for frame, site in user.trace.chain():
        if frame.function is not where.frame.function:
            continue
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if stmt is None or may_be_none(sheet, text):
            return
        edits: list[Edit | None] = []
        for load in loads(stmt, text):
            edits += call_on(sheet, load, "detach")
        title = say("Detach `{text}` where the next iteration reads it", text=text)
        yield from draft(title, UNSAFE, edits, CUTS_STATE)
        return


def may_be_none(sheet: Sheet, text: str) -> bool:
    """Whether a name is None somewhere in its file: assigned, as a default, or asked for."""
    for node in walk(sheet.tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None:
            if any(ast.unparse(target) == text for target in node.targets):
                return True
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            if ast.unparse(node.left) == text:
                return True
        elif isinstance(node, ast.arguments):
            given = [*node.posonlyargs, *node.args]
            defaults = zip(reversed(given), reversed(node.defaults), strict=False)
            if any(arg.arg == text and isinstance(d, ast.Constant) and d.value is None for arg, d in defaults):
                return True
    return False


def at_value(problem: Problem, where: Trace, consequence: Text, applicability: str = UNSAFE) -> Iterator[Fix]:
    """Where the value is computed or named."""
    sheet = problem.sheet(where)
    node = where.node
    if not sheet.has(node):
        return
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        name = sheet.segment(node)
        value = assigned(sheet, node)
        title = say("Detach `{name}`, so that {consequence}", name=name, consequence=consequence)
        if value is not None:
            yield from draft(title, applicability, detached_value(sheet, value, where.frame), consequence)
        elif isinstance(node, ast.Name | ast.Attribute):
            stmt = sheet.statement(node)
            code = cut(name, value_of(where.frame, name)) or f"{name}.detach()"
            if isinstance(stmt, ast.Assign):
                yield from draft(title, applicability, [sheet.insert_after(stmt, f"{name} = {code}")], consequence)
            elif isinstance(stmt, ast.For):
                yield from draft(
                    title, applicability, [sheet.insert_before(stmt.body[0], f"{name} = {code}")], consequence
                )
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("zip", "list", "enumerate")
    ):
        yield from _looped_over(sheet, node, where.frame, consequence, applicability)
    elif isinstance(node, ast.expr):
        title = say(
            "Detach the result of `{code}`, so that {consequence}",
            code=short(sheet.segment(node)),
            consequence=consequence,
        )
        yield from draft(title, applicability, detached_value(sheet, node, where.frame), consequence)


def _looped_over(sheet: Sheet, call: ast.Call, frame: Frame, consequence: Text, applicability: str) -> Iterator[Fix]:
    """What goes into ``zip`` and the like, where it got its name."""
    for load in [n for n in ast.walk(call) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]:
        value = value_of(frame, load.id)
        if (
            isinstance(value, Tensor)
            and value.grad_fn is not None
            and value.bound is not None
            and sheet.has(value.bound.node)
        ):
            known = assigned(sheet, value.bound.node)
            edits = call_on(sheet, known, "detach") if known is not None else call_on(sheet, load, "detach")
            yield from draft(
                say("Detach `{name}`, so that {consequence}", name=load.id, consequence=consequence),
                applicability,
                edits,
                consequence,
            )


def target(problem: Problem) -> Iterator[Fix]:
    """A target that is computed once: where it gets its name, else where it is computed."""
    tensor, node, user = carrier(problem.event)
    consequence = say("the loss does not train what it was computed from")
    where = kept_at(tensor, node)
    yield from at_value(problem, where, consequence)
    if tensor is not None and tensor.bound is not None and tensor.bound is not where:
        yield from at_value(problem, tensor.bound, consequence)
    yield from where_read(problem, where, user)
    yield from at_value(problem, node.trace, consequence)


# -- weights and targets of one loss


def factor(problem: Problem) -> Iterator[Fix]:
    """The weight or target in the expression that uses it; else where it is computed."""
    event = problem.event
    tensor, made = event.data["tensor"], event.data["made"]
    sheet = problem.sheet(event.where)
    use = event.where.node
    consequence = say("this loss does not train the network that it comes from")
    if sheet.has(use):
        name = tensor.bound.node if tensor.bound is not None else None
        text = ast.unparse(name) if isinstance(name, ast.Name | ast.Attribute) else ""
        if made.node in ast.walk(use) and isinstance(made.node, ast.expr):
            title = say(
                "Detach `{code}`, so that {consequence}", code=short(sheet.segment(made.node)), consequence=consequence
            )
            yield from draft(title, UNSAFE, call_on(sheet, made.node, "detach"), consequence)
        if text:
            edits: list[Edit | None] = []
            for load in loads(use, text):
                edits += call_on(sheet, load, "detach")
            yield from draft(
                say("Detach `{text}` here, so that {consequence}", text=text, consequence=consequence),
                UNSAFE,
                edits,
                consequence,
            )
    if tensor.bound is not None:
        yield from at_value(problem, tensor.bound, consequence)
    yield from at_value(problem, made, consequence)


# -- what is kept for logs


def kept_graph(problem: Problem) -> Iterator[Fix]:
    """Sums, lists and running values that keep graphs."""
    event = problem.event
    sheet = problem.sheet(event.where)
    node, how, name = event.where.node, event.data["how"], event.data["name"]
    if not sheet.has(node):
        return
    if how == "sum" and isinstance(node, ast.AugAssign):
        total = value_of(event.where.frame, name)
        given = {arg.arg for arg in ast.walk(sheet.function(node)) if isinstance(arg, ast.arg)}
        if given & read_names(node.value):  # a number from some callers, a tensor from others
            text = sheet.segment(node.value)
            edit = sheet.rewrite(node.value, f"float({text})")
            yield from draft(
                say("Add numbers: `float({code})`", code=short(text)),
                SAFE,
                [edit],
                say("`{name}` becomes a number", name=name),
            )
            return
        if isinstance(total, Tensor) and total.shape == () and not _used_as_tensor(sheet, node, name):
            title = say("Add the number: `.item()` on what goes into `{name}`", name=name)
            yield from draft(
                title, SAFE, call_on(sheet, node.value, "item"), say("`{name}` becomes a number", name=name)
            )
        title = say("Add up without graphs: `.detach()` on what goes into `{name}`", name=name)
        yield from draft(title, SAFE, call_on(sheet, node.value, "detach"), say("`{name}` keeps no graph", name=name))
    elif how == "sum" and isinstance(node, ast.Name | ast.Attribute | ast.BinOp):
        value = node if isinstance(node, ast.BinOp) else assigned(sheet, node)
        if isinstance(value, ast.BinOp):
            text = ast.unparse(value.left)
            added = value.right if text == name else value.left
            title = say("Add up without graphs: `.detach()` on what goes into `{name}`", name=name)
            yield from draft(title, SAFE, call_on(sheet, added, "detach"), say("`{name}` keeps no graph", name=name))
    elif how == "list" and isinstance(node, ast.Call) and node.args:
        text = short(sheet.segment(node.args[0]))
        title = say("Keep `{text}` without its graph", text=text)
        edits = detached_value(sheet, node.args[0], event.where.frame)
        yield from draft(title, UNSAFE, edits, say("what is kept can no longer be trained through"))
    elif how == "state":
        yield from at_value(problem, event.where, say("its history is not kept"))


def _used_as_tensor(sheet: Sheet, node: ast.AST, name: str) -> bool:
    """Whether the function calls methods on a name, or tells it on, so that it has to stay a tensor."""
    function = sheet.function(node)
    for load in loads(function, name):
        parent = sheet.parents.get(load)
        if isinstance(parent, ast.Attribute | ast.Call | ast.Return | ast.List | ast.Tuple | ast.Dict | ast.keyword):
            return True
    return False
