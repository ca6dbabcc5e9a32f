"""``.detach()``: at what carries a graph on, at targets, at fakes, at what is kept for logs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, loads, names_in, reach, read_names, site_in, value_of, written
from autograd_hazards.fixes.sheet import Sheet, atomic
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Node, Tensor
from autograd_hazards.messages import Text, quoted, say
from autograd_hazards.rules.causes import carrier, kept_at, path_to

CUTS_STATE = say("gradients no longer flow from one iteration into the one before it")


def call_on(sheet: Sheet, node: ast.expr, method: str) -> list[Edit]:
    """Put ``.method()`` behind an expression, in parentheses where it needs them."""
    if sheet.text[sheet.end(node) :].startswith(f".{method}("):
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
    """Code that gives ``text`` without its graph, by what the value is; empty when that is not clear."""
    if isinstance(value, Tensor):
        return f"{text}.detach()"
    if isinstance(value, tuple | list) and value and all(isinstance(item, Tensor) for item in value):
        comprehension = f"item.detach() for item in {text}"
        return f"tuple({comprehension})" if isinstance(value, tuple) else f"[{comprehension}]"
    if isinstance(value, dict) and value and all(isinstance(item, Tensor) for item in value.values()):
        return f"{{key: item.detach() for key, item in {text}.items()}}"
    return ""


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


# -- values that carry a graph on


def state(problem: Problem) -> Iterator[Fix]:
    """The value that one iteration hands to the next: behind the backward, where it is stored, where it is read."""
    tensor, node, user = carrier(problem.event)
    where = kept_at(tensor, node)
    sheet = problem.sheet(where)
    if not sheet.has(where.node):
        return
    yield from _behind_backward(problem, where)
    yield from _renamed(problem, tensor)
    for other in _other_places(where, tensor):
        yield from _behind_backward(problem, other)
    yield from _stored(problem, where)
    yield from _read(problem, where, user)
    yield from at_value(problem, where, say("the next iteration starts from its value only"))


def _other_places(where: Trace, tensor: Tensor | None) -> list[Trace]:
    if tensor is None or tensor.bound is None or tensor.bound is where:
        return []
    return [tensor.bound]


def _behind_backward(problem: Problem, where: Trace) -> Iterator[Fix]:
    """A line behind the backward that detaches the name under which the value goes on."""
    text, frame = _carried_name(problem, where)
    if frame is None:
        return
    site = site_in(problem.event.where, frame)
    if site is None:
        return
    sheet = problem.sheet(site)
    stmt = sheet.statement(site.node) if sheet.has(site.node) else None
    code = cut(text, value_of(frame, text))
    if stmt is None or not code or isinstance(stmt, ast.Return):
        return
    block = sheet.block(stmt)
    at = block.index(stmt) if stmt in block else 0
    for later in block[at + 1 : at + 4]:
        # Behind the step reads better, and is the same.
        if isinstance(later, ast.Expr) and isinstance(later.value, ast.Call) and _is_step(later.value):
            stmt = later
    others = [name for name in _siblings(problem.sheet(where), where.node) if cut(name, value_of(frame, name))]
    if others:
        lines = [f"{name} = {cut(name, value_of(frame, name))}" for name in (text, *others)]
        yield from draft(
            _after_backward(text, *others), UNSAFE, [sheet.insert_after(stmt, "\n".join(lines))], CUTS_STATE
        )
    yield from draft(_after_backward(text), UNSAFE, [sheet.insert_after(stmt, f"{text} = {code}")], CUTS_STATE)
    value = value_of(frame, text)
    for name in [name for name, other in frame.locals.items() if other is value and name != text]:
        # Two names for one value, and the other one is carried on.
        edit = sheet.insert_after(stmt, f"{name} = {cut(name, value)}")
        yield from draft(_after_backward(name), UNSAFE, [edit], CUTS_STATE)


def _after_backward(*names: str) -> Text:
    return say(
        "Detach {names} after the backward, so that the next iteration starts from its value only",
        names=quoted(names),
    )


def _siblings(sheet: Sheet, target: ast.AST) -> list[str]:
    """The other names of an unpacking that its own right side reads: what is carried on together (``h, c``)."""
    stmt = sheet.statement(target) if sheet.has(target) else None
    if not isinstance(target, ast.Name) or not isinstance(stmt, ast.Assign):
        return []
    read = read_names(stmt.value)
    return sorted(name for name in bound_names(stmt) if name != target.id and name.isidentifier() and name in read)


def _renamed(problem: Problem, tensor: Tensor | None) -> Iterator[Fix]:
    """The same behind the backward, under the last name that the value got in an activation around it."""
    if tensor is None or not tensor.assigned.replace(".", "").isidentifier():
        return
    for frame, site in problem.event.where.chain():
        code = cut(tensor.assigned, value_of(frame, tensor.assigned))
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if not code or stmt is None or tensor.assigned not in bound_names_of(sheet, site.node):
            continue
        edit = sheet.insert_after(stmt, f"{tensor.assigned} = {code}")
        yield from draft(_after_backward(tensor.assigned), UNSAFE, [edit], CUTS_STATE)


def bound_names_of(sheet: Sheet, node: ast.AST) -> set[str]:
    """The names that the function around a node assigns."""
    function = sheet.function(node)
    body = getattr(function, "body", [])
    return set().union(*(bound_names(stmt) for stmt in body)) if isinstance(body, list) and body else set()


def _is_step(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "step"


def _carried_name(problem: Problem, where: Trace) -> tuple[str, Frame | None]:
    """How an activation around the backward names the carried value."""
    target = where.node
    if isinstance(target, ast.AugAssign):
        target = target.target
    frames = [frame for frame, _ in problem.event.where.chain()]
    if isinstance(target, ast.Name):
        frame = next((f for f in frames if f is where.frame), None)
        return target.id, frame
    if isinstance(target, ast.Attribute):
        text = ast.unparse(target)
        if where.frame in frames:
            return text, where.frame
        owner = value_of(where.frame, ast.unparse(target.value))
        for frame in frames:
            name = written(frame, owner) if owner is not None else ""
            if name:
                return f"{name}.{target.attr}", frame
    return "", None


def _stored(problem: Problem, where: Trace) -> Iterator[Fix]:
    sheet = problem.sheet(where)
    if isinstance(where.node, ast.Attribute | ast.Subscript):
        value = assigned(sheet, where.node)
        if value is not None:
            text = sheet.segment(where.node)
            title = say("Store `{text}` without its graph", text=text)
            yield from draft(title, UNSAFE, detached_value(sheet, value, where.frame), CUTS_STATE)


def detached_value(sheet: Sheet, value: ast.expr, frame: Frame) -> list[Edit | None] | None:
    """Edits that take the graph off the value of an expression."""
    if isinstance(value, ast.Tuple | ast.List):
        return [edit for item in value.elts for edit in call_on(sheet, item, "detach")]
    if isinstance(value, ast.Name | ast.Attribute):
        text = sheet.segment(value)
        known = value_of(frame, text)
        if isinstance(known, tuple | list | dict):
            code = cut(text, known)
            return [sheet.rewrite(value, code)] if code else None
    if isinstance(value, ast.ListComp | ast.GeneratorExp):
        return list(call_on(sheet, value.elt, "detach"))
    return list(call_on(sheet, value, "detach"))


def _read(problem: Problem, where: Trace, user: Node | None) -> Iterator[Fix]:
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
            code=_short(sheet.segment(node)),
            consequence=consequence,
        )
        yield from draft(title, applicability, call_on(sheet, node, "detach"), consequence)


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


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"


def target(problem: Problem) -> Iterator[Fix]:
    """A target that is computed once: where it gets its name, else where it is computed."""
    tensor, node, user = carrier(problem.event)
    consequence = say("the loss does not train what it was computed from")
    where = kept_at(tensor, node)
    yield from at_value(problem, where, consequence)
    if tensor is not None and tensor.bound is not None and tensor.bound is not where:
        yield from at_value(problem, tensor.bound, consequence)
    yield from _read(problem, where, user)
    yield from at_value(problem, node.trace, consequence)


# -- a sample that another loss goes back through


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
        for name, value in names_in(frame):
            if not isinstance(value, Tensor) or value.grad_fn is None or not name.replace(".", "").isidentifier():
                continue
            leaves = reach([value])
            if not leaves & wasted or leaves & wanted:
                continue
            edits: list[Edit | None] = []
            for stmt in stmts:
                if name not in bound_names(stmt):
                    for load in loads(stmt, name):
                        edits += call_on(sheet, load, "detach")
            title = say(
                "Detach `{name}` for this loss, so that it does not reach what `{name}` was computed from", name=name
            )
            yield from draft(title, SAFE, edits, say("the same training, without gradients that are thrown away"))


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
                "Detach `{code}`, so that {consequence}", code=_short(sheet.segment(made.node)), consequence=consequence
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
                say("Add numbers: `float({code})`", code=_short(text)),
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
        text = _short(sheet.segment(node.args[0]))
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
