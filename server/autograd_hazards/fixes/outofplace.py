"""New tensors instead of writes: ``x += y`` becomes ``x = x + y``, ``relu_`` becomes ``relu``, ``x[i] = v`` writes
into a clone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograd_hazards import torchdb
from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes import grad_mode
from autograd_hazards.fixes.arguments import drop_keyword, set_keyword
from autograd_hazards.fixes.detach import call_on, may_be_none
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.scope import bound_names, loads, names_in, read_names, value_of
from autograd_hazards.fixes.sheet import Sheet, atomic
from autograd_hazards.machine.frames import Trace
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Instance
from autograd_hazards.messages import say

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
# Writes that replace everything have no namesake without the underscore, or one that means something else.
FILLING = {
    "copy_",
    "zero_",
    "fill_",
    "normal_",
    "uniform_",
    "random_",
    "set_",
    "resize_",
    "requires_grad_",
    "detach_",
    "retain_grad_",
}


# How tightly operators bind; those that are not here bind less than addition does.
TIGHTNESS = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.FloorDiv: 2, ast.Mod: 2, ast.MatMult: 2, ast.Pow: 4}


# Methods that give a view, or the tensor's own memory.
VIEWS = {"diagonal", "view", "view_as", "transpose", "t", "swapaxes", "swapdims", "movedim", "permute", "narrow", "select",
         "squeeze", "unsqueeze", "unflatten", "expand", "expand_as", "detach"}  # fmt: skip


def needs_parentheses(node: ast.AugAssign) -> bool:
    """Whether the right side has to be put in parentheses when ``x *= a + b`` becomes ``x = x * (a + b)``."""
    if isinstance(node.value, ast.BinOp):
        return TIGHTNESS.get(type(node.value.op), 0) <= TIGHTNESS.get(type(node.op), 5)
    return isinstance(node.value, ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.UnaryOp)


def mutation(problem: Problem) -> Iterator[Fix]:
    """The write that a saved tensor did not survive."""
    changed = problem.event.data.get("changed") or problem.event.where
    yield from _out_of_place(problem, changed)
    yield from _clone_before_switch(problem, changed)


def _clone_before_switch(problem: Problem, where: Trace) -> Iterator[Fix]:
    """A write while gradients are off, into a clone made before: a new tensor made there would have no graph."""
    sheet = problem.sheet(where)
    node = where.node
    stmt = sheet.statement(node) if sheet.has(node) else None
    target: ast.AST | None = node.target if isinstance(node, ast.AugAssign) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value
    if stmt is None or not isinstance(target, ast.Name) or not _can_rebind(sheet, stmt, target, where):
        return
    if _before_switch(sheet, stmt, target.id) is not stmt:
        title = say("Clone `{name}` before writing into it", name=target.id)
        note = say("what was saved for the backward keeps its values; each write copies `{name}`", name=target.id)
        yield from draft(title, SAFE, [_cloned(sheet, stmt, target.id)], note)


def refused(problem: Problem) -> Iterator[Fix]:
    """The write that torch refuses at once."""
    yield from _out_of_place(problem, problem.event.where)


def shared_gradient(problem: Problem) -> Iterator[Fix]:
    """A write by a hook or a custom backward into a gradient that another branch gets, too."""
    if problem.event.kind not in ("hook_writes_gradient", "function_writes_gradient"):
        return
    note = say("the other branch keeps its own gradient")
    yield from hook_result(problem)
    for fix in _out_of_place(problem, problem.event.where):
        yield replace(fix, applicability=UNSAFE, note=note)


def hook_result(problem: Problem) -> Iterator[Fix]:
    """A hook that ends with a write into its gradient and returns nothing: it returns what it would have written."""
    where = problem.event.where
    sheet = problem.sheet(where)
    node = where.node
    stmt = sheet.statement(node) if sheet.has(node) else None
    function = sheet.function(node) if stmt is not None else None
    if not isinstance(function, ast.FunctionDef) or stmt is None or stmt is not function.body[-1]:
        return
    if any(isinstance(n, ast.Return) for n in walk(function)) or not _run_by_backward(where):
        return
    code = ""
    if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
        value = sheet.segment(stmt.value)
        value = f"({value})" if needs_parentheses(stmt) else value
        code = f"{stmt.target.id} {OPERATORS[type(stmt.op)]} {value}"
    elif isinstance(stmt, ast.Expr) and stmt.value is node and isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr.endswith("_") and func.attr not in FILLING:
            if torchdb.method(func.attr[:-1]) is not None:
                code = sheet.segment(func)[:-1] + sheet.segment(node)[len(sheet.segment(func)) :]
    if code:
        note = say("the other branch keeps its own gradient")
        yield from draft(say("Return `{code}`", code=code), UNSAFE, [sheet.rewrite(stmt, f"return {code}")], note)


def _run_by_backward(where: Trace) -> bool:
    """Whether the function that a trace lies in is called by a backward and not by the code."""
    caller = next((site.node for frame, site in where.chain() if frame is not where.frame), None)
    func = caller.func if isinstance(caller, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in ("backward", "grad")


def leaf(problem: Problem) -> Iterator[Fix]:
    """A write into a leaf: under ``no_grad`` when it updates it; out of place when what is written has a graph."""
    yield from _plain(problem)
    if _writes_graph(problem):
        yield from refused(problem)
        yield from grad_mode.leaf_update(problem)
    else:
        yield from grad_mode.leaf_update(problem)
        yield from refused(problem)


def leaf_view(problem: Problem) -> Iterator[Fix]:
    """The same through a view of the leaf."""
    if not _writes_graph(problem):
        yield from grad_mode.view_of_leaf(problem)


def _writes_graph(problem: Problem) -> bool:
    """Whether what is written into a leaf is itself computed from something that is trained."""
    where = problem.event.where
    node = where.node
    leaf = problem.event.data.get("base") or problem.event.data["tensor"]
    if leaf.is_param:
        return False  # it stays the parameter that it is
    values = [node.value] if isinstance(node, ast.AugAssign) else node.args if isinstance(node, ast.Call) else []
    for value in values:
        for name in read_names(value):
            known = value_of(where.frame, name)
            if isinstance(known, Tensor) and known is not leaf and known.requires_grad:
                return True
    return False


def _plain(problem: Problem) -> Iterator[Fix]:
    """A tensor that is only filled needs no gradient of its own."""
    event = problem.event
    built: Trace = event.data["built"]
    sheet = problem.sheet(built)
    call = built.node
    if event.data["tensor"].is_param or built.frame is not event.where.frame or not sheet.has(call):
        return
    uses = {n.attr for n in ast.walk(sheet.function(call)) if isinstance(n, ast.Attribute)}
    if uses & {"grad", "backward", "optim"}:
        return  # it is trained here, and this updates it
    if isinstance(call, ast.Call) and any(k.arg == "requires_grad" for k in call.keywords):
        title = say("No `requires_grad=True` in `{code}`", code=sheet.short(call))
        edit = drop_keyword(sheet, call, "requires_grad")
        yield from draft(title, SAFE, [edit], say("the tensor gets its graph from what is written into it"))


def _out_of_place(problem: Problem, where: Trace) -> Iterator[Fix]:
    sheet = problem.sheet(where)
    node = where.node
    if not sheet.has(node):
        return
    saved, base = problem.event.data.get("saved"), problem.event.data.get("base")
    if problem.event.kind == "leaf" and problem.event.data["tensor"].is_param and not _in_expression(sheet, node):
        return  # it stays the parameter that it is
    if (saved is not None and saved.tensor.is_param) or (base is not None and base.is_param):
        return
    note = say("the same values, in a new tensor")
    if isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Subscript):
            yield from _into_clone(sheet, node.target, where)
            return
        if not _can_rebind(sheet, node, node.target, where):
            return
        target = sheet.segment(node.target)
        operator = OPERATORS[type(node.op)]
        # x *= a + b has to become x = x * (a + b); parentheses that are there stand outside of the node.
        rest = sheet.text[sheet.end(node.target) : sheet.start(node.value)]
        wrapped = "(" in rest
        edits = [
            sheet.replace(
                sheet.end(node.target), sheet.end(node.target) + rest.index("=") + 1, f" = {target} {operator}"
            )
        ]
        if not wrapped and needs_parentheses(node):
            edits += [sheet.insert(sheet.start(node.value), "("), sheet.insert(sheet.end(node.value), ")")]
        yield from draft(
            say(
                "Write `{target} = {target} {operator} …` instead of changing `{target}` in place",
                target=target,
                operator=operator,
            ),
            SAFE,
            edits,
            note,
        )
        return
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield from _into_clone(sheet, node, where)
        return
    if isinstance(node, ast.Call):
        yield from _call(sheet, node, where)


def _in_expression(sheet: Sheet, node: ast.AST) -> bool:
    """Whether the result of a call is used, as in ``sum(p.pow_(2).sum() for p in …)``."""
    stmt = sheet.statement(node)
    return isinstance(node, ast.Call) and not (isinstance(stmt, ast.Expr) and node in _chain(stmt.value))


def _call(sheet: Sheet, call: ast.Call, where: Trace) -> Iterator[Fix]:
    note = say("the same values, in a new tensor")
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr.endswith("_") and not func.attr.endswith("__"):
        method = func.attr
        owner = func.value
        stmt = sheet.statement(call)
        if isinstance(owner, ast.Subscript):
            yield from _into_clone(sheet, owner, where)
            return
        if method in FILLING or torchdb.method(method[:-1]) is None:
            yield from _filled(sheet, call, func, owner, where)
            return
        end = sheet.end(func)
        edits = [sheet.replace(end - 1, end, "")]
        if isinstance(stmt, ast.Expr) and call in _chain(stmt.value):  # nothing takes the result
            if not isinstance(owner, ast.Name | ast.Attribute):
                yield from _viewed_clone(sheet, stmt, owner, where)
                return
            if not _can_rebind(sheet, stmt, owner, where):
                return
            target = sheet.segment(owner)
            edits.append(sheet.insert(sheet.start(stmt), f"{target} = "))
            title = say(
                "Write `{target} = {target}.{method}(…)` instead of changing `{target}` in place",
                target=target,
                method=method[:-1],
            )
        else:
            title = say("`{new}` instead of `{old}`", new=method[:-1], old=method)
            choice = sheet.parents.get(call)
            if isinstance(choice, ast.IfExp):  # ``x.mul_(y) if inplace else x.mul(y)``: both arms are the same now
                other = choice.orelse if choice.body is call else choice.body
                text = sheet.segment(call).replace(f".{method}(", f".{method[:-1]}(", 1)
                edits = [sheet.rewrite(choice, text)] if sheet.segment(other) == text else edits
        yield from draft(title, SAFE, edits, note)
        return
    if any(k.arg == "inplace" for k in call.keywords):
        yield from draft(say("Turn `inplace=True` off"), SAFE, [set_keyword(sheet, call, "inplace", "False")], note)
    for keyword in call.keywords:
        stmt = sheet.statement(call)
        if keyword.arg == "out" and isinstance(stmt, ast.Expr) and stmt.value is call:
            owner = keyword.value
            if isinstance(owner, ast.Name | ast.Attribute) and not _can_rebind(sheet, stmt, owner, where):
                continue
            target = sheet.segment(owner)
            edits_out = [sheet.insert(sheet.start(stmt), f"{target} = "), drop_keyword(sheet, call, "out")]
            yield from draft(
                say("Give `{target}` the result instead of writing into it", target=target), SAFE, edits_out, note
            )


def _chain(node: ast.expr) -> list[ast.expr]:
    """A call and those that it is called on: ``x.add_(y).mul_(2)``, ``x.add_(y)``."""
    found: list[ast.expr] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        found.append(node)
        node = node.func.value
    return found


def _filled(sheet: Sheet, call: ast.Call, func: ast.Attribute, owner: ast.expr, where: Trace) -> Iterator[Fix]:
    stmt = sheet.statement(call)
    if not isinstance(stmt, ast.Expr) or stmt.value is not call:
        return
    if not isinstance(owner, ast.Name | ast.Attribute):
        yield from _viewed_clone(sheet, stmt, owner, where)
        return
    if not _can_rebind(sheet, stmt, owner, where):
        return
    target = sheet.segment(owner)
    note = say("the old values stay for the backward that needs them")
    if func.attr == "copy_" and call.args:
        value = call.args[0]
        text = sheet.segment(value)
        fresh = isinstance(value, ast.BinOp) or (
            isinstance(value, ast.Call) and ast.unparse(value.func).partition(".")[0] in ("torch", "F", "nn")
        )
        code = text if fresh else f"{text}.clone()" if atomic(value) else f"({text}).clone()"
        yield from draft(
            say("Give `{target}` a copy instead of writing into it", target=target),
            SAFE,
            [sheet.rewrite(stmt, f"{target} = {code}")],
            note,
        )
    elif func.attr == "zero_":
        yield from draft(
            say("Give `{target}` new zeros instead of clearing it", target=target),
            SAFE,
            [sheet.rewrite(stmt, f"{target} = torch.zeros_like({target})")],
            note,
        )
    elif func.attr == "fill_" and call.args:
        value_text = sheet.segment(call.args[0])
        edit = sheet.rewrite(stmt, f"{target} = torch.full_like({target}, {value_text})")
        yield from draft(say("Give `{target}` a new tensor instead of filling it", target=target), SAFE, [edit], note)
    else:
        title = say("Clone `{name}` before writing into it", name=target)
        copies = say("what was saved for the backward keeps its values; each write copies `{name}`", name=target)
        yield from draft(title, SAFE, [_cloned(sheet, stmt, target)], copies)


def _viewed_clone(sheet: Sheet, stmt: ast.stmt, owner: ast.expr, where: Trace) -> Iterator[Fix]:
    """``x.unsqueeze(0).mul_(2)``: a line before the write that clones the tensor which the view shows."""
    base = _viewed(owner)
    if isinstance(base, ast.Name | ast.Attribute) and base is not owner and _can_rebind(sheet, stmt, base, where):
        name = sheet.segment(base)
        title = say("Clone `{name}` before writing into it", name=name)
        note = say("what was saved for the backward keeps its values; each write copies `{name}`", name=name)
        yield from draft(title, SAFE, [_cloned(sheet, stmt, name)], note)


def _into_clone(sheet: Sheet, target: ast.expr, where: Trace) -> Iterator[Fix]:
    """A line before the write that clones what is written into, so that what was saved stays."""
    base: ast.expr = target
    while isinstance(base, ast.Subscript):
        base = base.value
    stmt = sheet.statement(target)
    if stmt is None or not isinstance(base, ast.Name | ast.Attribute):
        return
    name = sheet.segment(base)
    if isinstance(value_of(where.frame, name), list | tuple | dict) or not _is_local(sheet, stmt, name):
        return
    if isinstance(base, ast.Attribute) and base.attr in ("data", "grad", "weight", "bias"):
        return
    edit = _cloned(sheet, stmt, name)
    title = say("Clone `{name}` before writing into it", name=name)
    yield from draft(
        title,
        SAFE,
        [edit],
        say("what was saved for the backward keeps its values; each write copies `{name}`", name=name),
    )


def _cloned(sheet: Sheet, stmt: ast.stmt, name: str) -> Edit | None:
    """A line before a statement that clones a name: where gradients are on, as far as it has a value there."""
    return sheet.insert_before(_before_switch(sheet, stmt, name), f"{name} = {name}.clone()")


def _before_switch(sheet: Sheet, stmt: ast.stmt, name: str) -> ast.stmt:
    """The outermost ``with`` around a statement that switches gradients off behind where a name was bound, else itself."""
    for outer in sheet.blocks_up(stmt):
        if isinstance(outer, ast.With) and any(_no_graph(item.context_expr) for item in outer.items):
            if not any(name in bound_names(s) for s in walk(outer) if isinstance(s, ast.Assign)):
                stmt = outer
    return stmt


def _no_graph(node: ast.expr) -> bool:
    """Whether a context is one that switches gradients off."""
    return ast.unparse(node).rpartition(".")[2] in ("no_grad()", "inference_mode()", "set_grad_enabled(False)")


def _can_rebind(sheet: Sheet, stmt: ast.stmt, owner: ast.expr, where: Trace) -> bool:
    """Whether a new tensor can take a name's place: it is read later, and not only through a list it came from."""
    if isinstance(owner, ast.Attribute):
        holder = value_of(where.frame, ast.unparse(owner.value))
        return isinstance(holder, Instance) or (holder is None and isinstance(owner.value, ast.Attribute))
    text = ast.unparse(owner)
    if not _is_local(sheet, stmt, text) or _part_of_another(sheet, stmt, text):
        return False
    loop = sheet.loop(stmt)
    if not isinstance(loop, ast.For) and _own(sheet, stmt, text):
        return True
    here = stmt.end_lineno or stmt.lineno, stmt.end_col_offset or 0
    if isinstance(loop, ast.For) and text in {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}:
        return any((load.lineno, load.col_offset) > here for load in loads(loop, text))
    return any((load.lineno, load.col_offset) > here for load in loads(sheet.function(stmt), text)) or loop is not None


def _part_of_another(sheet: Sheet, stmt: ast.stmt, name: str) -> bool:
    """Whether a name is an element (``row = x[i]``) of a tensor that is read later, for which the write is meant."""
    function, here = sheet.function(stmt), (stmt.end_lineno or stmt.lineno, stmt.end_col_offset or 0)
    for node in walk(function):
        if not isinstance(node, ast.Assign) or name not in map(ast.unparse, node.targets):
            continue
        part = node.value
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id != name:
            if any((load.lineno, load.col_offset) > here for load in loads(function, part.value.id)):
                return True
    return False


def _is_local(sheet: Sheet, stmt: ast.stmt, name: str) -> bool:
    """Whether assigning a name in a function does not hide another one from outside that is read there, too."""
    function = sheet.function(stmt)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    if name in {arg.arg for arg in walk(function.args) if isinstance(arg, ast.arg)}:
        return True
    return any(
        (isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store))
        or (isinstance(n, ast.Global | ast.Nonlocal) and name in n.names)
        for n in walk(function)
    )


def _own(sheet: Sheet, stmt: ast.stmt, name: str) -> bool:
    """Whether a name is the function's own, given by plain assignments: then nobody else sees what is written into it."""
    function = sheet.function(stmt)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    if name in {arg.arg for arg in walk(function.args) if isinstance(arg, ast.arg)}:
        return False
    return any(isinstance(s, ast.Assign) and name in map(ast.unparse, s.targets) for s in walk(function))


def clone_before(problem: Problem) -> Iterator[Fix]:
    """For writes into a view or an overlapping tensor: write into a clone of it."""
    where = problem.event.where
    sheet = problem.sheet(where)
    node = where.node
    base = problem.event.data.get("base")
    if not sheet.has(node) or (base is not None and base.is_param):
        return
    owner: ast.expr | None = None
    if isinstance(node, ast.AugAssign):
        owner = node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
    elif isinstance(node, ast.Subscript):
        owner = node.value
    owner = _viewed(owner)
    stmt = sheet.statement(node)
    # Torch never writes into what overlaps: that is not meant for the tensor which it was expanded from.
    apart = problem.event.kind == "overlap" and isinstance(owner, ast.Name)
    if apart and _run_by_backward(where):
        apart = False  # what a hook writes is what it is for
    if isinstance(owner, ast.Name | ast.Attribute) and stmt is not None:
        if not (_is_local(sheet, stmt, ast.unparse(owner)) if apart else _can_rebind(sheet, stmt, owner, where)):
            return
        name = sheet.segment(owner)
        if isinstance(value_of(where.frame, name), list | tuple | dict):
            return
        edit = _cloned(sheet, stmt, name)
        yield from draft(
            say("Clone `{name}` before writing into it", name=name),
            SAFE,
            [edit],
            say("what `{name}` was taken from stays as it is", name=name),
        )


def clone_value(problem: Problem) -> Iterator[Fix]:
    """``x += x.T`` and ``h[1:] += h[:-1]``: read from a clone what is written at the same time."""
    where = problem.event.where
    sheet = problem.sheet(where)
    node = where.node
    value: ast.expr | None = None
    if isinstance(node, ast.AugAssign):
        value = node.value
    elif (
        isinstance(node, ast.Call)
        and node.args
        and isinstance(node.func, ast.Attribute)
        and node.func.attr.endswith("_")
    ):
        value = node.args[0]
    elif isinstance(node, ast.Subscript) and sheet.has(node):  # h[1:] = h[:-1]
        stmt = sheet.statement(node)
        value = stmt.value if isinstance(stmt, ast.Assign) and node in stmt.targets else None
    if value is None or not sheet.has(node) or not atomic(value):
        return
    text = " ".join(sheet.segment(value).split())
    edit = sheet.insert(sheet.end(value), ".clone()")
    yield from draft(
        say("Read from a clone: `{text}.clone()`", text=text), SAFE, [edit], say("the values before the write are read")
    )


def _viewed(node: ast.expr | None) -> ast.expr | None:
    """What an expression is a view of, as far as the names of its methods say."""
    while True:
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in ("data", "T", "mT")):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
            node = node.func.value
        else:
            return node


def clone_at_store(problem: Problem) -> Iterator[Fix]:
    """Where the saved tensor is a name that is written into later: save a clone of it."""
    event = problem.event
    built = event.data.get("built")
    saved = event.data.get("saved")
    if built is None or saved is None:
        return
    sheet = problem.sheet(built)
    if not sheet.has(built.node):
        return
    changed: Trace = event.data["changed"]
    target: ast.AST = changed.node
    if isinstance(target, ast.AugAssign):
        target = target.target
    elif isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute) and target.func.attr.endswith("_"):
        target = target.func.value
    named = _viewed(target) if isinstance(target, ast.expr) else None
    texts = {ast.unparse(named)} if isinstance(named, ast.Name | ast.Attribute) else set()
    if saved.tensor.name:
        texts.add(saved.tensor.name)
    for frame, site in built.chain():
        place = problem.sheet(site)
        if not place.has(site.node):
            return
        here = {name for name, value in names_in(frame) if isinstance(value, Tensor) and value.storage is saved.storage}
        for text in sorted(texts | here):
            if may_be_none(place, text):
                continue
            found = [
                n
                for n in ast.walk(site.node)
                if isinstance(n, ast.Name | ast.Attribute)
                and isinstance(n.ctx, ast.Load)
                and (ast.unparse(n) == text or ast.unparse(n).endswith(f".{text}"))
            ]
            edits = [place.insert(place.end(_indexed(place, n)), ".clone()") for n in found]
            yield from draft(
                say("Compute with a clone of `{text}`", text=text),
                SAFE,
                edits,
                say("later writes into `{text}` no longer meet what is saved", text=text),
            )


def _indexed(sheet: Sheet, node: ast.expr) -> ast.expr:
    """The expression with the index behind it, if there is one: a clone of less."""
    around = sheet.parents.get(node)
    return around if isinstance(around, ast.Subscript) and around.value is node else node


def clone_result(problem: Problem) -> Iterator[Fix]:
    """Where an op saves its own result: let what is written into later be a clone of it."""
    event = problem.event
    built, saved = event.data.get("built"), event.data.get("saved")
    if built is None or saved is None or not saved.is_output:
        return
    for _, site in built.chain():
        sheet = problem.sheet(site)
        stmt = sheet.statement(site.node) if sheet.has(site.node) else None
        if not isinstance(stmt, ast.Assign) or stmt.value is not site.node or len(stmt.targets) != 1:
            continue
        name = sheet.short(stmt.targets[0])
        note = say("`{name}` can be changed without touching what is saved", name=name)
        title = say("Let `{name}` be a clone of the saved result", name=name)
        yield from draft(title, SAFE, call_on(sheet, stmt.value, "clone"), note)


def through_data(problem: Problem) -> Iterator[Fix]:
    """A write through ``.data`` that autograd cannot see: multiply by a mask, or write out of place."""
    where: Trace = problem.event.data["changed"]
    sheet = problem.sheet(where)
    node = where.node
    if not sheet.has(node):
        return
    base: ast.AST = node
    if isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
        base = base.func.value
    if isinstance(base, ast.AugAssign):
        base = base.target
    subscript = base if isinstance(base, ast.Subscript) else None
    while isinstance(base, ast.Subscript):
        base = base.value
    if not isinstance(base, ast.Attribute) or base.attr != "data":
        return
    owner = sheet.segment(base.value)
    stmt = sheet.statement(node)
    if stmt is None or not isinstance(base.value, ast.Name | ast.Attribute):
        return
    note = say("gradients are computed from the values that are really used")
    start, end = sheet.end(base.value), sheet.end(base)
    if subscript is not None:
        if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and stmt.targets[0] is subscript:
            mask, value = sheet.segment(subscript.slice), sheet.segment(stmt.value)
            if isinstance(stmt.value, ast.Constant) and isinstance(subscript.slice, ast.Compare):
                edit = sheet.rewrite(stmt, f"{owner} = {owner}.masked_fill({mask}, {value})")
                yield from draft(
                    say("Fill a new `{owner}` where `{mask}`", owner=owner, mask=mask), UNSAFE, [edit], note
                )
        clone = sheet.insert_before(stmt, f"{owner} = {owner}.clone()")
        yield from draft(
            say("Write into a clone of `{owner}` that autograd sees", owner=owner),
            UNSAFE,
            [clone, sheet.replace(start, end, "")],
            note,
        )
        return
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(stmt, ast.Expr)
        and node.func.attr.endswith("_")
    ):
        tail = sheet.end(node.func)
        edits = [
            sheet.insert(sheet.start(stmt), f"{owner} = "),
            sheet.replace(start, end, ""),
            sheet.replace(tail - 1, tail, ""),
        ]
        if node.func.attr not in FILLING:
            yield from draft(
                say("Give `{owner}` the result instead of writing through `.data`", owner=owner), UNSAFE, edits, note
            )
    if isinstance(stmt, ast.AugAssign):
        operator = OPERATORS[type(stmt.op)]
        rest = sheet.text[end : sheet.start(stmt.value)]
        edits = [sheet.replace(start, end + rest.index("=") + 1, f" = {owner} {operator}")]
        if "(" not in rest and needs_parentheses(stmt):
            edits += [sheet.insert(sheet.start(stmt.value), "("), sheet.insert(sheet.end(stmt.value), ")")]
        yield from draft(
            say(
                "Write `{owner} = {owner} {operator} …` instead of changing it through `.data`",
                owner=owner,
                operator=operator,
            ),
            UNSAFE,
            edits,
            note,
        )
