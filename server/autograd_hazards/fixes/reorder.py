"""Steps and backwards in the right order: the step moved below the backward that needs the old weights, with
``inputs=`` wherever that backward would otherwise add to gradients that a moved step still has to apply."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import add_keyword, set_keyword
from autograd_hazards.fixes.draft import UNSAFE, Problem, draft
from autograd_hazards.fixes.retain import repeats_loss
from autograd_hazards.fixes.scope import (
    MODULE,
    SCHEDULER,
    bound_names,
    held,
    networks,
    optimizer_at,
    parameters,
    reach,
    read_names,
    site_in,
    spelled_parameters,
    value_of,
    written,
)
from autograd_hazards.fixes.sheet import Sheet, receiver
from autograd_hazards.machine.frames import Frame, Trace
from autograd_hazards.machine.models.nn_core import named_buffers
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Instance
from autograd_hazards.messages import joined, quoted, say

# Methods that change the list, set, dict or queue that they are called on.
CHANGING = {
    "append",
    "appendleft",
    "extend",
    "insert",
    "add",
    "update",
    "pop",
    "popleft",
    "clear",
    "remove",
    "setdefault",
}


@dataclass(frozen=True)
class Scene:
    """A step and a backward that meet in one block: ``step`` and ``back`` are its statements, in this order."""

    sheet: Sheet
    frame: Frame
    block: list[ast.stmt]
    step: ast.stmt
    back: ast.stmt
    step_call: ast.AST
    back_call: ast.AST


def scene(problem: Problem) -> Scene | None:
    """The innermost activation that contains both; None when the step does not come first in one block of it."""
    return _scene(problem, problem.event.data["changed"])


def _scene(problem: Problem, changed: Trace) -> Scene | None:
    mine = {id(frame): frame for frame, _ in changed.chain()}
    frame = next((f for f, _ in problem.event.where.chain() if id(f) in mine), None)
    if frame is None:
        return None
    first, second = site_in(changed, frame), site_in(problem.event.where, frame)
    assert first is not None and second is not None
    sheet = problem.sheet(first)
    if not sheet.has(first.node) or not sheet.has(second.node):
        return None
    met = sheet.meeting(first.node, second.node)
    if met is None or met[0] is met[1]:
        return None
    block = sheet.block(met[0])
    if block.index(met[0]) > block.index(met[1]):
        return None
    return Scene(sheet, frame, block, met[0], met[1], first.node, second.node)


def step_later(problem: Problem) -> Iterator[Fix]:
    """Move the step, and what belongs to it, below the last backward that needs the weights."""
    at = scene(problem)
    if at is None:
        return
    targets = [at.back]
    last = [stmt for stmt in at.block if _calls(stmt, "backward")][-1:]
    if last and at.block.index(last[0]) > at.block.index(at.back):
        targets.append(last[0])
    if not _stepped(at, at.step):  # an edit of the parameters: the step would move them away from it again
        targets += [stmt for stmt in at.block[at.block.index(targets[-1]) + 1 :] if _stepped(at, stmt)][:1]
    for target in targets:
        yield from _moved(problem, at, target)


def parameter_edit_later(problem: Problem) -> Iterator[Fix]:
    """An edit of parameters or buffers between a forward and its backward: below the backward, or the forward after it."""
    tensor = problem.event.data["saved"].tensor
    frames = [frame for frame, _ in problem.event.where.chain()]
    if tensor.is_param or any(
        tensor is buffer for frame in frames for _, module in networks(frame) for _, buffer in named_buffers(module)
    ):
        yield from step_later(problem)
        yield from forward_later(problem)


def step_after_both(problem: Problem) -> Iterator[Fix]:
    """Where two backwards share a graph and a step lies between them: the step below both; the graph kept if need be."""
    event = problem.event
    first: Trace | None = event.data.get("first")
    at = _scene(problem, first) if first is not None else None
    if first is None or at is None or repeats_loss(problem):
        return
    begin, end = at.block.index(at.step), at.block.index(at.back)
    between = [stmt for stmt in at.block[begin:end] if _stepped(at, stmt) and not _backwards(at, stmt)]
    if not between:
        return
    calls = _calls(between[0], "step")
    for fix in _moved(problem, replace(at, step=between[0], step_call=calls[0]), at.back):
        yield fix
        sheet = problem.sheet(first)
        if isinstance(first.node, ast.Call) and sheet.has(first.node):
            keep = set_keyword(sheet, first.node, "retain_graph", "True")
            if keep is not None:
                also = say("Keep the graph: `retain_graph=True` in `{code}`", code=sheet.short(first.node))
                yield replace(fix, title=joined([fix.title, also], say("; ")), edits=(*fix.edits, keep))


def _moved(problem: Problem, at: Scene, target: ast.stmt) -> Iterator[Fix]:
    sheet, block = at.sheet, at.block
    begin, end = block.index(at.step), block.index(target)
    between = block[begin : end + 1]
    backwards = [(stmt, call) for stmt in between for call in _backwards(at, stmt)]
    whole = bool(_backwards(at, at.step))  # a helper goes backward and steps: then nothing waits for the step
    if whole:
        backwards = [pair for pair in backwards if pair[0] is not at.step]
    later = {id(call): _reached(problem, at, call) for _, call in backwards}
    everything: set[Tensor] = set().union(*later.values()) if later else set()
    moved = [at.step]
    optimizers: list[tuple[str, Instance]] = _stepped(at, at.step)
    mutation = problem.event.data.get("mutation")
    if not optimizers and mutation is not None and mutation.optimizer is not None:
        optimizers = [(receiver(sheet, at.step_call), mutation.optimizer)]
    for stmt in between[1:-1]:
        stepped = _stepped(at, stmt)
        if stepped and not _backwards(at, stmt) and any(held(o) & everything for _, o in stepped):
            following = between[between.index(stmt) + 1 :]
            rest = [_reached(problem, at, call) for s in following for call in _backwards(at, s)]
            if any(held(o) & leaves for _, o in stepped for leaves in rest):
                moved.append(stmt)
                optimizers += stepped
    moved += [
        stmt
        for stmt in between[1:-1]
        if stmt not in moved and (_belongs(at, stmt, optimizers) or _edits_parameters(at, stmt, optimizers))
    ]
    moved.sort(key=block.index)
    passed = [stmt for stmt in between if stmt not in moved]
    if any(_depends(sheet, one, other) or _depends(sheet, other, one) for one in moved for other in passed):
        return
    pending: set[Tensor] = set().union(*(held(o) for _, o in optimizers)) if optimizers else set()
    edits: list[Edit | None] = []
    notes: list[str] = []
    for _, call in backwards if not whole else []:
        if not later[id(call)] & pending:
            continue
        own = _own_optimizers(at, call, {id(o) for _, o in optimizers}, later[id(call)])
        place = _place_of(problem, at, call, own)
        if not own or place is None:
            return
        there, frame, backward, own = place
        # Gradients of two losses for the same parameters cannot wait side by side for their steps.
        if any(held(optimizer) & later[id(call)] & pending for _, optimizer in own):
            return
        edits.append(add_keyword(there, backward, "inputs", _spelled(frame, own)))
        text = " + ".join(text for text, _ in own)
        notes.append(
            say("`{code}` only gives gradients to what `{text}` steps", code=_loss(there, backward), text=text)
        )
    following = block[end + 1 :]
    again = {id(o) for stmt in following[:2] for _, o in _stepped(at, stmt)}
    if moved == [at.step] and optimizers and all(id(o) in again for _, o in optimizers):
        title = say(
            "One step for both losses: no `{code}` before `{other}`",
            code=sheet.short(at.step),
            other=sheet.short(target),
        )
        yield from draft(
            title, UNSAFE, [sheet.remove(at.step)], say("the later step applies the sum of both gradients")
        )
        return
    shift = sheet.move(moved, target, after=True)
    if shift is None:
        return
    what = quoted([sheet.short(stmt) for stmt in moved if stmt is at.step or _stepped(at, stmt)])
    title = say("Move {what} below `{code}`", what=what, code=sheet.short(target))
    note = joined(list(dict.fromkeys(notes)), say("; ")) or say("each optimizer applies the gradient of its own loss")
    if not optimizers:
        note = say("the backward meets the values that the forward has used")
    yield from draft(title, UNSAFE, [*shift, *edits], note)


def _place_of(
    problem: Problem, at: Scene, call: ast.Call, own: list[tuple[str, Instance]]
) -> tuple[Sheet, Frame, ast.Call, list[tuple[str, Instance]]] | None:
    """Where the backward that a call in the block makes is written, and how the optimizers are named there.

    None where it lies in a helper that others call, too, or that cannot name them.
    """
    if _direct(call):
        return at.sheet, at.frame, call, own
    where: Trace = problem.event.where
    if call is not at.back_call or not isinstance(where.node, ast.Call) or not _direct(where.node):
        return None
    sheet = problem.sheet(where)
    named = [(written(where.frame, optimizer), optimizer) for _, optimizer in own]
    if not sheet.has(where.node) or not all(text for text, _ in named):
        return None
    name = getattr(sheet.function(where.node), "name", "")
    calls = {node for tree in (sheet.tree, at.sheet.tree) for node in walk(tree) if isinstance(node, ast.Call)}
    return (sheet, where.frame, where.node, named) if sum(_called(node) == name for node in calls) == 1 else None


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _loss(sheet: Sheet, call: ast.AST) -> str:
    return sheet.short(call).partition(".backward")[0]


def _calls(stmt: ast.AST, method: str) -> list[ast.Call]:
    return [
        n
        for n in ast.walk(stmt)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == method
    ]


def backward_calls(sheet: Sheet, stmt: ast.AST) -> list[ast.Call]:
    """The calls in a piece of code that go backward, themselves or in a function of the same file."""
    names = {"backward", "manual_backward", *_helpers(sheet)}
    found = [node for node in walk(stmt) if isinstance(node, ast.Call) and _called(node) in names]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def _backwards(at: Scene, stmt: ast.AST) -> list[ast.Call]:
    """As ``backward_calls``, without the steps of optimizers: a method of the file may be called ``step``, too."""
    return [call for call in backward_calls(at.sheet, stmt) if not _stepped(at, call)]


def _helpers(sheet: Sheet) -> set[str]:
    """The functions and methods of a file that go backward."""
    return {
        name
        for name, bodies in sheet.functions.items()
        if any(isinstance(n, ast.Attribute) and n.attr == "backward" for body in bodies for n in walk(body))
    }


def _direct(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "backward"


def _stepped(at: Scene, stmt: ast.AST) -> list[tuple[str, Instance]]:
    """The optimizers that a statement steps, as it names them."""
    found = []
    for call in _calls(stmt, "step"):
        text = receiver(at.sheet, call)
        optimizer = optimizer_at(at.frame, text)
        if optimizer is None and call.args:  # scaler.step(optimizer)
            text = at.sheet.segment(call.args[0])
            optimizer = optimizer_at(at.frame, text)
        if optimizer is not None:
            found.append((text, optimizer))
    return found


def _reached(problem: Problem, at: Scene, call: ast.Call) -> set[Tensor]:
    """The leaves that a backward in the block reaches, as far as the machine has seen it."""
    if call is at.back_call:
        return reach(problem.event.data["backward"].roots)
    losses: list[ast.expr] = list(call.args)
    if _direct(call) and isinstance(call.func, ast.Attribute):
        loss = call.func.value
        losses = [loss.args[0] if isinstance(loss, ast.Call) and loss.args else loss]  # scaler.scale(loss)
    found: set[Tensor] = set()
    for name in set().union(*map(read_names, losses)):
        value = value_of(at.frame, name)
        if isinstance(value, Tensor):
            found |= reach([value])
    return found


def _belongs(at: Scene, stmt: ast.stmt, optimizers: list[tuple[str, Instance]]) -> bool:
    """Whether a statement clears the gradients of a moved step, or follows it as its scheduler or scaler does."""
    if (
        not isinstance(stmt, ast.Expr)
        or not isinstance(stmt.value, ast.Call)
        or not isinstance(stmt.value.func, ast.Attribute)
    ):
        return False
    text, method = receiver(at.sheet, stmt.value), stmt.value.func.attr
    value = value_of(at.frame, text)
    if method == "zero_grad":
        if isinstance(value, Instance) and value.is_a(MODULE):
            return any(parameters(value) & held(o) for _, o in optimizers)
        return any(value is o for _, o in optimizers)
    if method == "step" and isinstance(value, Instance) and value.is_a(SCHEDULER):
        return any(value.attrs.get("optimizer") is o for _, o in optimizers)
    return False


def _edits_parameters(at: Scene, stmt: ast.stmt, optimizers: list[tuple[str, Instance]]) -> bool:
    """Whether a loop goes over the parameters of a moved step, as the clipping of weights and moving averages do."""
    if not isinstance(stmt, ast.For) or _backwards(at, stmt):
        return False
    owners = [value_of(at.frame, receiver(at.sheet, call)) for call in _calls(stmt.iter, "parameters")]
    return any(
        isinstance(owner, Instance) and owner.is_a(MODULE) and parameters(owner) & held(o)
        for owner in owners
        for _, o in optimizers
    )


def _own_optimizers(at: Scene, call: ast.Call, others: set[int], leaves: set[Tensor]) -> list[tuple[str, Instance]]:
    """The optimizers that a backward is for: those stepped behind it, up to the next backward, that are not ``others``."""
    stmt = next((s for s in at.block if call in set(ast.walk(s))), None)
    found: dict[int, tuple[str, Instance]] = {}
    for later in at.block[at.block.index(stmt) :] if stmt is not None else []:
        if found and later is not stmt and _backwards(at, later):
            break
        for text, optimizer in _stepped(at, later):
            if id(optimizer) not in others and held(optimizer) & leaves:
                found.setdefault(id(optimizer), (text, optimizer))
    return list(found.values())


def _spelled(frame: Frame, optimizers: list[tuple[str, Instance]]) -> str:
    """Code for the list of the parameters of all these optimizers."""
    parts = [spelled_parameters(frame, optimizer, text) for text, optimizer in optimizers]
    return parts[0] if len(parts) == 1 else "[" + ", ".join(f"*{_bare(part)}" for part in parts) + "]"


def _bare(part: str) -> str:
    """``x`` of ``list(x)``: what a star needs."""
    return part[len("list(") : -1] if part.startswith("list(") else part


# -- the other way round


def forward_later(problem: Problem) -> Iterator[Fix]:
    """Compute the later loss after the step, with the weights as they are then."""
    at = scene(problem)
    if at is None:
        return
    built = problem.event.data.get("built")
    site = site_in(built, at.frame) if built is not None else None
    if site is None or not at.sheet.has(site.node):
        return
    sheet, block = at.sheet, at.block
    start = next((s for s in sheet.blocks_up(site.node) if s in block), None)
    if start is None or block.index(start) >= block.index(at.step):
        return
    begin, end = block.index(start), block.index(at.step)
    # A statement that the backward shares with the step (as `backward(); step()` in one helper) is left where it is.
    moved = [start]
    made = bound_names(start)
    for stmt in block[begin + 1 : end]:
        if made & read_names(stmt) and not _backwards(at, stmt):
            moved.append(stmt)
            made |= _touched(stmt)
    # What others need as well is computed again; the rest moves.
    kept = [s for s in block[begin : end + 1] if s not in moved]
    copied: list[ast.stmt] = []
    for stmt in reversed(moved):
        if any(bound_names(stmt) & read_names(s) for s in (*kept, *copied)):
            copied.append(stmt)
    moved = [s for s in moved if s not in copied or _feeds(s, moved, copied)]
    if not moved or all(s in copied for s in moved) or any(bound_names(s) & made for s in kept):
        return
    if any(isinstance(s, ast.Return | ast.FunctionDef) for s in moved):
        return
    last = at.step
    for stmt in block[end + 1 : block.index(at.back)]:
        if made & read_names(stmt):
            break
        if _stepped(at, stmt) or _belongs(at, stmt, [(t, o) for t, o in _stepped(at, at.step)]):
            last = stmt
    if not all(sheet.alone(s) for s in (*moved, last)):
        return
    text = "".join(sheet.whole(s) for s in moved)
    edits = [sheet.replace(*sheet.lines_of(s), "") for s in moved if s not in copied]
    _, behind = sheet.lines_of(last)
    edits.append(sheet.insert(behind, text.replace("\r\n", "\n")))
    names = quoted(sorted(bound_names(moved[-1]))) or say("the loss")
    title = say("Compute {names} after `{code}`", names=names, code=sheet.short(last))
    yield from draft(title, UNSAFE, edits, say("{names} is computed with the weights after the step", names=names))


def _feeds(stmt: ast.stmt, moved: list[ast.stmt], copied: list[ast.stmt]) -> bool:
    """Whether a copied statement gives a moved one something, directly or through other copies."""
    names = bound_names(stmt)
    later = moved[moved.index(stmt) + 1 :]
    return any(names & read_names(s) and (s not in copied or _feeds(s, moved, copied)) for s in later)


def earlier_half(problem: Problem) -> Iterator[Fix]:
    """Swap the halves: the later loss goes backward, and is stepped, before the step that is in its way."""
    at = scene(problem)
    if at is None:
        return
    sheet, block = at.sheet, at.block
    back, step = block.index(at.back), block.index(at.step)
    begin = back
    while begin - 1 > step and _is_clearing(block[begin - 1]):
        begin -= 1
    end = back
    while end + 1 < len(block) and _is_updating(block[end + 1]):
        end += 1
    # The half that goes up lands before the earlier half's own zero_grad and backward.
    target = step
    while (
        target > 0
        and (_is_clearing(block[target - 1]) or _backwards(at, block[target - 1]))
        and isinstance(block[target - 1], ast.Expr)
    ):
        target -= 1
    half = block[begin : end + 1]
    needed = set().union(*(read_names(s) for s in half))
    if any(needed & _touched(s) for s in block[target:begin]) or isinstance(at.step, ast.For | ast.While):
        return
    edits = sheet.move(half, block[target], after=False)
    stepped = _stepped(at, at.step)
    pending: set[Tensor] = set().union(*(held(o) for _, o in stepped))
    # A gradient that waits for the earlier step must not grow by the later loss.
    waiting = any(_backwards(at, stmt) for stmt in block[:target])
    cleared = any(_belongs(at, stmt, stepped) for stmt in block[target:step])
    grown = any(_reached(problem, at, call) & pending for call in _backwards(at, at.back))
    if edits is None or (waiting and not cleared and grown):
        return
    title = say("Move `{code}` and its step above `{other}`", code=sheet.short(at.back), other=sheet.short(at.step))
    yield from draft(title, UNSAFE, edits, say("the two updates change places"))


def _touched(stmt: ast.stmt) -> set[str]:
    """The names that a statement binds, and those whose objects it may change by calling a method of theirs."""
    found = bound_names(stmt)
    for node in ast.walk(stmt):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            found.add(ast.unparse(node.func.value))
    return found


def _depends(sheet: Sheet, later: ast.stmt, earlier: ast.stmt) -> bool:
    """Whether a statement reads what another one binds or fills, or an attribute that a method called there sets."""
    if _touched(earlier) & read_names(later):
        return True
    functions = {n.func for n in walk(later) if isinstance(n, ast.Call)}
    read = [n for n in walk(later) if isinstance(n, ast.Attribute) and n not in functions]
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr not in ("backward", "detach")
        and _sets(sheet, call.func.attr, {n.attr for n in read if ast.unparse(n.value) == ast.unparse(call.func.value)})
        for call in walk(earlier)
    )


def _sets(sheet: Sheet, method: str, attributes: set[str]) -> bool:
    """Whether a method sets one of these attributes of its object, itself or through others; one of elsewhere may."""
    if not attributes:
        return False
    bodies = sheet.functions
    if method not in bodies:
        return True
    reached, todo = {method}, [method]
    while todo:
        for node in (n for body in bodies[todo.pop()] for n in walk(body)):
            if not isinstance(node, ast.Attribute):
                continue
            if isinstance(node.ctx, ast.Store) and node.attr in attributes:
                return True
            if node.attr in bodies and node.attr not in reached:
                reached.add(node.attr)
                todo.append(node.attr)
    return False


def _is_clearing(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and bool(_calls(stmt, "zero_grad"))


def _is_updating(stmt: ast.stmt) -> bool:
    names = ("step", "update", "clip_grad_norm_", "clip_grad_value_", "unscale_")
    return isinstance(stmt, ast.Expr) and any(_calls(stmt, name) for name in names)
