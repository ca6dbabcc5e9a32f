"""Values that leave the graph or enter it: numpy, ``torch.tensor`` of tensors, reductions, gradients with a graph,
results thrown away."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import drop_keyword, set_keyword
from autograd_hazards.fixes.detach import call_on
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.grad_mode import switched_on, torch_name
from autograd_hazards.fixes.scope import loads, value_of
from autograd_hazards.fixes.sheet import Sheet, atomic, short
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.messages import say

CASTS = ("long", "int", "short", "round")
TENSOR_MAKERS = ("tensor", "as_tensor", "FloatTensor")


def to_numpy(problem: Problem) -> Iterator[Fix]:
    """``.detach().cpu()`` before ``.numpy()``; for functions of numpy, the same sum in torch or a detached argument."""
    where = problem.event.where
    sheet = problem.sheet(where)
    call = where.node
    if not sheet.has(call):
        return
    note = say("the array has no graph")
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("numpy", "__array__", "tolist")
    ):
        owner = call.func.value
        text = sheet.segment(owner)
        put = ".detach()" if text.endswith(".cpu()") else ".detach().cpu()"
        if text.endswith(".cpu()"):
            at = sheet.end(owner) - len(".cpu()")
            yield from draft(say("`.detach()` before `.cpu().numpy()`"), SAFE, [sheet.insert(at, put)], note)
        elif atomic(owner):
            yield from draft(
                say("`.detach().cpu()` before `.numpy()`"), SAFE, [sheet.insert(sheet.end(owner), put)], note
            )
        return
    if isinstance(call, ast.Call) and call.args:
        yield from _in_torch(sheet, call, where.frame)
        first = call.args[0]
        value = value_of(where.frame, sheet.segment(first)) if isinstance(first, ast.Name | ast.Attribute) else None
        if isinstance(value, list | tuple):
            return
        if atomic(first):
            edit = sheet.insert(sheet.end(first), ".detach().cpu().numpy()")
            yield from draft(
                say("`{code}` as an array: `.detach().cpu().numpy()`", code=sheet.segment(first)), SAFE, [edit], note
            )


def _in_torch(sheet: Sheet, call: ast.Call, frame: Frame) -> Iterator[Fix]:
    """``np.sum(list_of_tensors, 0)`` keeps its graph as ``torch.stack(list_of_tensors).sum(0)``."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in ("sum", "mean") or not isinstance(func.value, ast.Name):
        return
    torch = torch_name(sheet)
    if not torch or not isinstance(call.args[0], ast.Name) or len(call.args) > 2:
        return
    rest = "".join(sheet.segment(a) for a in call.args[1:]) + "".join(
        f"dim={sheet.segment(k.value)}" for k in call.keywords if k.arg == "axis"
    )
    given = sheet.segment(call.args[0])
    if not isinstance(value_of(frame, given), list | tuple):
        given = f"tuple({given})"
    text = f"{torch}.stack({given}).{func.attr}({rest})"
    yield from draft(
        say("`torch.stack(…).{attr}` instead of `np.{attr}`", attr=func.attr),
        UNSAFE,
        [sheet.rewrite(call, text)],
        say("the graph goes on"),
    )


def broken(problem: Problem) -> Iterator[Fix]:
    """The place where the graph ends: a copy of values, ``.item()``, ``.data``, ``.detach()``."""
    event = problem.event
    if event.kind == "broken_graph_masked":
        yield from _masked(problem)
    if event.data.get("wrt") and event.data["tensor"].bound is not None:
        return  # its own gradient is asked for: it begins the graph (rootless.wanted_leaf)
    known = event.data.get("cut")
    cuts = event.data.get("cuts") or ()
    if known is not None:
        yield from mended(problem, known, event.data.get("cut_kind") or (cuts[0].kind if cuts else "detach"))
        return
    if not cuts:
        yield from mended(problem, event.where, event.data.get("cut_kind") or "detach")
    for cut in cuts:
        yield from mended(problem, cut.trace, cut.kind)


def mended(problem: Problem, trace: Trace, kind: str) -> Iterator[Fix]:
    """One place where a graph ends, mended."""
    sheet = problem.sheet(trace)
    node = trace.node
    if not sheet.has(node):
        return
    note = say("what lies before it is trained, too")
    if kind == "tensor()" and isinstance(node, ast.Call) and node.args:
        yield from _stacked(sheet, node, trace.frame)
    elif kind == "no_grad":
        yield from switched_on(problem, trace)
    elif kind == "grad" and isinstance(node, ast.Call):
        title = say("Compute the gradient with `create_graph=True`")
        note = say("the term made of the gradient trains the network")
        yield from draft(title, UNSAFE, [set_keyword(sheet, node, "create_graph", "True")], note)
    elif kind == "item" and _is_item(node) and (maker := _tensor_around(sheet, node)) is not None:
        yield from _stacked(sheet, maker, trace.frame)
    elif kind == "item" and _is_item(node) and (collected := list(_collected(sheet, node, trace.frame))):
        yield from collected
    elif kind == "item" and isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        text = sheet.segment(node.args[0])
        title = say("Keep the graph: `{code}` without `{name}(…)`", code=short(text), name=node.func.id)
        value = text if atomic(node.args[0]) else f"({text})"
        yield from draft(title, UNSAFE, [sheet.rewrite(node, value)], note)
    elif (
        kind in ("item", "detach")
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == kind
    ):
        title = say(
            "Keep the graph: no `.{attr}()` on `{code}`",
            attr=node.func.attr,
            code=short(sheet.segment(node.func.value)),
        )
        dot = sheet.dot(node.func)
        edits: list[Edit | None] = [sheet.replace(dot, sheet.end(node), "")]
        if kind == "detach" and (flag := _flag_behind(sheet, node)) is not None:
            flag_dot = sheet.text.rindex(".", 0, sheet.end(flag))
            edits = [sheet.replace(dot, sheet.end(flag), sheet.text[sheet.end(node) : flag_dot])]
        yield from draft(title, UNSAFE, edits, note)
    elif kind == "detach" and isinstance(node, ast.Call) and node.args and _name(node.func) == "Variable":
        text = sheet.segment(node.args[0])
        yield from _itself_of(sheet, node, text if atomic(node.args[0]) else f"({text})")
    elif kind == "Parameter" and isinstance(node, ast.Call) and node.args and _in_forward(sheet, node):
        text = sheet.segment(node.args[0])
        title = say("Keep the graph: `{code}` without `{name}(…)`", code=short(text), name=ast.unparse(node.func))
        value = text if atomic(node.args[0]) else f"({text})"
        yield from draft(title, UNSAFE, [sheet.rewrite(node, value)], note)
    elif kind in CASTS and isinstance(node, ast.Call) and _cast_back(sheet, node):
        assert isinstance(node.func, ast.Attribute)
        title = say("Keep the graph: no `.{attr}()` on `{code}`", attr=kind, code=short(sheet.segment(node.func.value)))
        yield from draft(title, UNSAFE, [sheet.replace(sheet.dot(node.func), sheet.end(node), "")], note)
    elif kind == "data" and isinstance(node, ast.Attribute):
        title = say("Keep the graph: no `.data` on `{code}`", code=short(sheet.segment(node.value)))
        yield from draft(title, UNSAFE, [sheet.replace(sheet.dot(node), sheet.end(node), "")], note)


def _flag_behind(sheet: Sheet, node: ast.AST) -> ast.Call | None:
    """The ``requires_grad_()`` in the chain of calls behind ``x.detach()``, that needs it no more than ``x`` does."""
    while isinstance(outer := sheet.parents.get(node), ast.Attribute) and isinstance(
        call := sheet.parents.get(outer), ast.Call
    ):
        if outer.attr == "requires_grad_" and not call.args and not call.keywords:
            return call
        node = call
    return None


def _in_forward(sheet: Sheet, node: ast.AST) -> bool:
    """Whether code runs in every forward."""
    function = sheet.function(node)
    return isinstance(function, ast.FunctionDef) and function.name == "forward"


def _cast_back(sheet: Sheet, call: ast.Call) -> bool:
    """Whether ``x.long()`` is made a float again wherever it is read, so that nothing needs the whole numbers."""
    if not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
        return False
    stmt = sheet.statement(call)
    if isinstance(stmt, ast.Assign) and stmt.value is call and isinstance(stmt.targets[0], ast.Name):
        name = stmt.targets[0].id
        read: list[ast.expr] = loads(sheet.function(stmt), name)
    else:
        read = [call]
    parents = [sheet.parents.get(load) for load in read]
    return bool(read) and all(isinstance(p, ast.Attribute) and p.attr in ("float", "double") for p in parents)


def _name(func: ast.expr) -> str:
    """The last part of what is called."""
    return ast.unparse(func).rpartition(".")[2]


def _itself_of(sheet: Sheet, call: ast.Call, text: str) -> Iterator[Fix]:
    """The tensor in place of a ``Variable(…)`` of it, which has no graph."""
    title = say("Keep the graph: `{code}` without `Variable(…)`", code=short(text))
    yield from draft(title, UNSAFE, [sheet.rewrite(call, text)], say("what lies before it is trained, too"))


def _stacked(sheet: Sheet, call: ast.Call, frame: Frame) -> Iterator[Fix]:
    func, argument = call.func, call.args[0]
    if not isinstance(func, ast.Attribute):
        return
    note = say("the tensors go in with their graphs")
    edits: list[Edit | None] = [sheet.rewrite(func, f"{sheet.segment(func.value)}.stack")]
    for name in ("requires_grad", "dtype", "device"):
        if any(k.arg == name for k in call.keywords):
            edits.append(drop_keyword(sheet, call, name))
    inside = argument.elts if isinstance(argument, ast.List | ast.Tuple) else [getattr(argument, "elt", argument)]
    for number in [n for item in inside for n in ast.walk(item) if _is_item(n)]:
        assert isinstance(number.func, ast.Attribute)
        edits.append(sheet.replace(sheet.dot(number.func), sheet.end(number), ""))
    if _is_item(argument) and isinstance(argument.func, ast.Attribute):  # torch.tensor(loss.item())
        text = sheet.segment(argument.func.value)
        yield from _itself(sheet, call, text)
        return
    single = isinstance(value_of(frame, sheet.segment(argument)), Tensor)
    if not single and isinstance(argument, ast.List | ast.Tuple | ast.ListComp | ast.Name | ast.Attribute):
        text = short(sheet.segment(argument))
        yield from draft(say("`torch.stack` of `{text}` instead of `torch.tensor`", text=text), UNSAFE, edits, note)
    if len(call.args) == 1 and not isinstance(argument, ast.List | ast.Tuple | ast.ListComp):
        text = sheet.segment(argument)
        text = text if atomic(argument) else f"({text})"
        yield from _itself(sheet, call, text)


def _collected(sheet: Sheet, number: ast.Call, frame: Frame) -> Iterator[Fix]:
    """``values.append(loss.item())`` and ``torch.tensor(values)`` behind it, both with their graphs."""
    append, stmt = sheet.parents.get(number), sheet.statement(number)
    if not isinstance(append, ast.Call) or not isinstance(append.func, ast.Attribute) or append.func.attr != "append":
        return
    name = sheet.segment(append.func.value)
    assert isinstance(number.func, ast.Attribute)
    makers = [
        call
        for call in ast.walk(sheet.function(number))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in TENSOR_MAKERS
        and len(call.args) == 1 and sheet.segment(call.args[0]) == name
    ]  # fmt: skip
    if not makers or stmt is None or len(makers) != len(loads(sheet.function(number), name)) - 1:
        return
    edits: list[Edit | None] = [sheet.replace(sheet.dot(number.func), sheet.end(number), "")]
    for call in makers:
        assert isinstance(call.func, ast.Attribute)
        edits.append(sheet.rewrite(call.func, f"{sheet.segment(call.func.value)}.stack"))
        edits += [
            drop_keyword(sheet, call, k.arg) for k in call.keywords if k.arg in ("requires_grad", "dtype", "device")
        ]
    title = say(
        "Collect `{code}` with its graph, and `torch.stack` instead of `torch.tensor`",
        code=sheet.segment(number.func.value),
    )
    yield from draft(title, UNSAFE, edits, say("the tensors go in with their graphs"))


def _itself(sheet: Sheet, call: ast.Call, text: str) -> Iterator[Fix]:
    """The tensor in place of a copy of its values; where that would read ``x = x``, nothing."""
    stmt = sheet.statement(call)
    same = isinstance(stmt, ast.Assign) and stmt.value is call and [sheet.segment(t) for t in stmt.targets] == [text]
    edit = sheet.remove(stmt) if same and stmt is not None else sheet.rewrite(call, text)
    title = say("`{code}` itself instead of `torch.tensor` of it", code=short(text))
    yield from draft(title, UNSAFE, [edit], say("the tensors go in with their graphs"))


def _tensor_around(sheet: Sheet, node: ast.AST) -> ast.Call | None:
    """The ``torch.tensor(…)`` or its like in whose argument a node stands."""
    for outer in sheet.up(node):
        if isinstance(outer, ast.stmt):
            return None
        if isinstance(outer, ast.Call) and ast.unparse(outer.func).rpartition(".")[2] in TENSOR_MAKERS and outer.args:
            return outer
    return None


def _is_item(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a node is ``x.item()``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "item"
        and not node.args
    )


def _masked(problem: Problem) -> Iterator[Fix]:
    """The mask off, and the break behind it mended."""
    where = problem.event.where
    sheet = problem.sheet(where)
    node = where.node
    if not sheet.has(node):
        return
    removal: Edit | None = None
    stmt = sheet.statement(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
        if isinstance(stmt, ast.Expr) and stmt.value is node:
            removal = sheet.remove(stmt)
        else:
            removal = sheet.replace(sheet.dot(node.func), sheet.end(node), "")
    elif (
        isinstance(stmt, ast.Assign)
        and isinstance(stmt.targets[0], ast.Attribute)
        and stmt.targets[0].attr == "requires_grad"
    ):
        removal = sheet.remove(stmt)
    elif isinstance(node, ast.Call) and any(k.arg == "requires_grad" for k in node.keywords):
        removal = drop_keyword(sheet, node, "requires_grad")
    if removal is None:
        return
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).rpartition(".")[2] == "Variable":
        # A Variable of a tensor with a graph has none.
        inner = node.args[0]
        kept = inner.value if isinstance(inner, ast.Attribute) and inner.attr == "data" else inner
        edit = sheet.rewrite(node, sheet.segment(kept))
        yield from draft(say("Keep the loss itself"), UNSAFE, [edit], say("the loss trains what it is computed from"))
        return
    for cut in problem.event.data["cuts"]:
        place = problem.sheet(cut.trace)
        at = cut.trace.node
        if not place.has(at):
            continue
        edits: list[Edit | None] = [removal]
        if cut.kind in ("item", "detach") and isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute):
            edits.append(place.replace(place.dot(at.func), place.end(at), ""))
        elif cut.kind == "data" and isinstance(at, ast.Attribute):
            edits.append(place.replace(place.dot(at), place.end(at), ""))
        elif cut.kind == "tensor()" and isinstance(at, ast.Call) and at.args and isinstance(at.func, ast.Attribute):
            argument = at.args[0]
            if isinstance(argument, ast.List | ast.Tuple | ast.ListComp):
                edits.append(place.rewrite(at.func, f"{place.segment(at.func.value)}.stack"))
                edits += [
                    drop_keyword(place, at, k.arg)
                    for k in at.keywords
                    if k.arg in ("requires_grad", "dtype") and at is not node
                ]
            else:
                edits = [*([] if at is node else [removal]), place.rewrite(at, place.segment(argument))]
        else:
            continue
        yield from draft(
            say("Remove the mask and keep the graph"), UNSAFE, edits, say("the loss trains what it is computed from")
        )


def with_graph(problem: Problem) -> Iterator[Fix]:
    """``create_graph=True`` on the gradient that a loss is made of."""
    event = problem.event
    cut = event.data.get("cut") or next((c.trace for c in event.data.get("cuts", ()) if c.kind == "grad"), None)
    if cut is not None:
        yield from mended(problem, cut, "grad")


def reduced(problem: Problem) -> Iterator[Fix]:
    """One number to go backward from."""
    where = problem.event.where
    sheet = problem.sheet(where)
    call = where.node
    if not isinstance(call, ast.Call) or not sheet.has(call) or not isinstance(call.func, ast.Attribute):
        return
    loss = call.func.value if call.func.attr == "backward" else call.args[0] if call.args else None
    if loss is None:
        return
    text = short(sheet.segment(loss))
    batch = say("the gradient of the mean over all elements")
    if call.func.attr == "grad":
        yield from draft(
            say("Differentiate the sum of `{text}`", text=text),
            SAFE,
            call_on(sheet, loss, "sum"),
            say("each sample gets its own gradient"),
        )
        return
    yield from draft(say("Go backward from the mean of `{text}`", text=text), SAFE, call_on(sheet, loss, "mean"), batch)
    yield from draft(
        say("Go backward from the sum of `{text}`", text=text),
        SAFE,
        call_on(sheet, loss, "sum"),
        say("the gradient of the sum over all elements"),
    )


def kept_result(problem: Problem) -> Iterator[Fix]:
    """A result that is thrown away gets the name it was meant for."""
    where = problem.event.where
    sheet = problem.sheet(where)
    call = where.node
    if not sheet.has(call):
        return
    stmt = sheet.statement(call)
    if isinstance(stmt, ast.Assign):
        yield from _as_list(sheet, stmt)
        return
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not isinstance(stmt, ast.Expr):
        return
    owner = call.func.value
    if isinstance(owner, ast.Name) and not isinstance(value_of(where.frame, owner.id), Tensor) and call.args:
        first = call.args[0]
        if isinstance(value_of(where.frame, sheet.segment(first)), Tensor):  # torch.clamp(x, …)
            text = sheet.segment(first)
            edit = sheet.insert(sheet.start(stmt), f"{text} = ")
            yield from draft(
                say("Assign the result to `{text}`", text=text),
                UNSAFE,
                [edit],
                say("`{text}` is what the call gives from here on", text=text),
            )
        return
    loop = sheet.loop(stmt)
    if (
        isinstance(loop, ast.For)
        and isinstance(owner, ast.Name)
        and isinstance(loop.target, ast.Name)
        and loop.target.id == owner.id
    ):
        yield from _whole_loop(sheet, loop, stmt, call)
        return
    if isinstance(owner, ast.Name | ast.Attribute):
        text = sheet.segment(owner)
        edit = sheet.insert(sheet.start(stmt), f"{text} = ")
        yield from draft(
            say("Assign the result to `{text}`", text=text),
            UNSAFE,
            [edit],
            say("`{text}` is what the call gives from here on", text=text),
        )


def _as_list(sheet: Sheet, stmt: ast.Assign) -> Iterator[Fix]:
    """``for w, g in zip(ws, gs): w = w - lr * g`` as ``ws = [w - lr * g for w, g in zip(ws, gs)]``."""
    loop, (name, *others) = sheet.parents.get(stmt), stmt.targets
    if not isinstance(loop, ast.For) or loop.body != [stmt] or loop.orelse or others or not sheet.alone(loop):
        return
    target, over = loop.target, loop.iter
    walked: ast.expr | None = over
    if isinstance(target, ast.Tuple):
        texts = [ast.unparse(item) for item in target.elts]
        walked = None
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "zip":
            if len(over.args) == len(texts) and ast.unparse(name) in texts:
                walked = over.args[texts.index(ast.unparse(name))]
    if not isinstance(walked, ast.Name | ast.Attribute) or not isinstance(name, ast.Name):
        return
    text = sheet.segment(walked)
    head = sheet.text[sheet.start(target) : sheet.end(over)]
    code = f"{text} = [{sheet.segment(stmt.value)} for {head}]"
    title = say("Assign the results instead of throwing them away")
    note = say("`{text}` is what the call gives from here on", text=text)
    yield from draft(title, UNSAFE, [sheet.rewrite(loop, code)], note)


def _whole_loop(sheet: Sheet, loop: ast.For, stmt: ast.Expr, call: ast.Call) -> Iterator[Fix]:
    """``for t in (*self.hidden, self.feed): t.detach()`` as one assignment for each thing that is looped over."""
    if loop.body != [stmt] or loop.orelse or not sheet.alone(loop):
        return
    assert isinstance(call.func, ast.Attribute)
    action = sheet.text[sheet.dot(call.func) : sheet.end(call)]
    items = loop.iter.elts if isinstance(loop.iter, ast.Tuple | ast.List) else [ast.Starred(loop.iter, ast.Load())]
    lines = []
    for item in items:
        if isinstance(item, ast.Starred):
            if not isinstance(item.value, ast.Name | ast.Attribute):
                return
            text = sheet.segment(item.value)
            lines.append(f"{text} = tuple(item{action} for item in {text})")
        elif isinstance(item, ast.Name | ast.Attribute):
            text = sheet.segment(item)
            lines.append(f"{text} = {text}{action}")
        else:
            return
    start, end = sheet.lines_of(loop, comments=False)
    code = "".join(f"{sheet.indent(loop)}{line}\n" for line in lines)
    yield from draft(
        say("Assign the results instead of throwing them away"),
        UNSAFE,
        [sheet.replace(start, end, code)],
        say("the graph really ends here"),
    )


def leaf_made_last(problem: Problem) -> Iterator[Fix]:
    """``requires_grad`` set on the finished tensor; parameters converted before they become parameters."""
    event = problem.event
    sheet = problem.sheet(event.where)
    if event.kind == "leaf_converted":
        call = event.where.node
        if sheet.has(call) and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            inner = call.func.value
            if isinstance(inner, ast.Call) and inner.args:
                tail = sheet.text[sheet.end(inner) : sheet.end(call)]
                first = inner.args[0]
                body = sheet.segment(first) if atomic(first) else f"({sheet.segment(first)})"
                edits = [sheet.rewrite(first, body + tail), sheet.replace(sheet.end(inner), sheet.end(call), "")]
                yield from draft(
                    say("Convert the values before they become a parameter"),
                    UNSAFE,
                    edits,
                    say("the parameter is the one that is trained"),
                )
        return
    made = event.data["made"]
    place = problem.sheet(made)
    if event.kind == "grad_of_non_leaf":
        tensor: Tensor = event.data["tensor"]
        yield from _finished(place, made.node)
        yield from _updated(place, tensor)
        name = tensor.bound.node if tensor.bound is not None else None
        stmt = place.statement(name) if name is not None and place.has(name) else None
        if isinstance(name, ast.Name | ast.Attribute) and stmt is not None:
            text = place.segment(name)
            edit = place.insert_after(stmt, f"{text}.retain_grad()")
            yield from draft(
                say("Keep the gradient of `{text}`: `retain_grad()`", text=text),
                SAFE,
                [edit],
                say("`{text}.grad` is filled by the backward", text=text),
            )
        return
    yield from _finished(place, made.node)


def _finished(place: Sheet, node: ast.AST) -> Iterator[Fix]:
    """``torch.randn(3, requires_grad=True) * 0.1`` as ``(torch.randn(3) * 0.1).requires_grad_()``."""
    if not place.has(node) or not isinstance(node, ast.expr):
        return
    flags = [n for n in ast.walk(node) if isinstance(n, ast.Call) and any(k.arg == "requires_grad" for k in n.keywords)]
    if flags:
        edits: list[Edit | None] = [drop_keyword(place, call, "requires_grad") for call in flags]
        edits += call_on(place, node, "requires_grad_")
        yield from draft(
            say("Set `requires_grad_()` on the finished tensor"),
            UNSAFE,
            edits,
            say("the optimizer trains the tensor itself"),
        )


def _updated(place: Sheet, tensor: Tensor) -> Iterator[Fix]:
    """``w = w - lr * w.grad`` as a new leaf, so that the next iteration has a gradient again."""
    name = tensor.bound.node if tensor.bound is not None else None
    stmt = place.statement(name) if name is not None and place.has(name) else None
    if not isinstance(name, ast.Name) or not isinstance(stmt, ast.Assign) or stmt.targets != [name]:
        return
    if any(isinstance(n, ast.Attribute) and ast.unparse(n) == f"{name.id}.grad" for n in ast.walk(stmt.value)):
        value = stmt.value
        text = place.segment(value)
        whole = text if atomic(value) else f"({text})"
        title = say("Make the updated `{name}` a leaf again", name=name.id)
        note = say("each iteration trains `{name}` itself", name=name.id)
        yield from draft(title, UNSAFE, [place.rewrite(value, f"{whole}.detach().requires_grad_()")], note)
