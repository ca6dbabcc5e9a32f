"""Which parts of a program are run, how often, and what is made of the runs.

An entry is run once per path: a plan answers the undecidable conditions. What all runs that reach a place report is
certain; what only some report rests on an assumption.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import torchdb
from ..limits import checkpoint
from . import attributes, autograd, calls, importing, symbolic
from .autograd import Backward
from .core import Abort, Machine, Plan, Raised
from .events import Event
from .frames import Frame
from .memory import Memory, function_names
from .session import Limits, Session, does_work, session_of
from .syntax import walk
from .tensor import Tensor
from .values import (
    ClassMethod,
    Function,
    Instance,
    ModuleValue,
    NoGradWrapped,
    Property,
    StaticMethod,
    Unknown,
    UserClass,
    Value,
)


@dataclass
class Analysis:
    """The events of a program; which functions its runs called, as ``path::qualified.name``; the lines of its files."""

    events: list[Event] = field(default_factory=list)
    called: set[str] = field(default_factory=set)
    nodes: set[Any] = field(default_factory=set)
    defects: list[str] = field(default_factory=list)  # entries given up since the machine itself failed on them
    lines: Callable[[str], list[str]] = lambda path: []
    hurried: bool = False  # an entry was left that more runs are meant for: see ``Limits.hasty``


Start = Callable[[Machine], None]


def analyse(
    project: Any,
    paths: Sequence[Path],
    limits: Limits | None = None,
    *,
    called: Iterable[str] = (),
    torch_version: str | None = None,
    memory: Memory | None = None,
    only: Container[str] | None = None,
) -> Analysis:
    """Run the modules at ``paths`` as programs, then every function of theirs that nothing called.

    ``called`` names functions that other programs call (``path::qualified.name``): they are no entries of their own.
    With ``memory``, entries are not run again as long as nothing that they reached has changed. With ``only``, entries
    that it does not name (a file's path for the program itself) are left out.
    """
    torchdb.use_version(torch_version)
    session = session_of(project, limits or Limits())
    memory = memory or Memory()
    memory.begin(project, torch_version)
    result = Analysis()
    result.lines = lambda path: project.module_at(Path(path)).parsed.lines
    modules = [project.module_at(Path(p)) for p in paths]
    memory.rests_on(session.follow(modules))
    names: dict[Any, str] = {}
    known = frozenset(called)
    trees = {module: module.parsed.tree for module in modules}
    deadline = time.thread_time() + session.limits.total  # reading a huge file takes no time from its runs
    for module in modules:
        if does_work(trees[module]) and (only is None or str(module.path) in only):
            _remembered(session, result, module.path, _main_entry(module), deadline, memory)
    for module in modules:
        own = function_names(module)
        names.update(own)
        result.nodes |= {node for node, name in own.items() if name in known}
        for node, start in _uncalled(module, result.nodes):
            if node in result.nodes or (only is not None and own[node] not in only):
                continue  # another entry has reached it meanwhile
            if time.thread_time() > deadline:
                break
            _remembered(session, result, node, start, deadline, memory)
    memory.end()
    for module in set(session.loaded.values()):
        if session.follows(module):
            names.update(function_names(module))
    result.called = {names[node] for node in result.nodes if node in names}
    return result


def _main_entry(module: Any) -> Start:
    def start(m: Machine) -> None:
        value = ModuleValue("__main__", str(module.path), module)
        m.modules[module.path] = value
        importing.run_module(m, value, "__main__")

    return start


# Steps after which an entry that showed nothing is left; not seconds, as what is found must not hang on the machine.
DULL = 30_000


# -- paths ------------------------------------------------------------------------------------------------------------
def _remembered(session: Session, result: Analysis, key: object, start: Start, deadline: float, memory: Memory) -> None:
    """Run one entry, or take what its last runs gave."""
    checkpoint()
    kept = memory.find(key)
    if kept is None:
        own = Analysis()
        before = dict(session.loaded)
        session.loaded.clear()
        began = time.thread_time()
        _explore(session, own, start, deadline)
        kept = memory.outcome(own.events, own.nodes, own.defects, dict(session.loaded), time.thread_time() - began)
        session.loaded.update(before)
        if own.hurried:
            result.hurried = True
        else:
            memory.keep(key, kept)
    result.events += kept.events
    result.nodes |= kept.called
    result.defects += kept.defects
    session.loaded.update(kept.loaded)


def _explore(session: Session, result: Analysis, start: Start, deadline: float) -> None:
    """Run one entry along several paths, until every answer to every question was tried or the budget is used."""
    began = time.thread_time()
    session.deadline = min(deadline, began + session.limits.total / 2)  # no entry takes all the time
    seen: dict[tuple[Any, ...], Event] = {}
    present: dict[tuple[Any, ...], int] = {}
    failed: dict[tuple[Any, ...], Event] = {}
    reached: list[set[Any]] = []
    plans = [Plan([]), Plan([], "false"), Plan([], "alternate")]
    tried: set[tuple[Any, bool]] = set()
    questions: dict[Any, list[bool]] = {}
    runs = steps = 0
    idle = 0  # runs that met no graph at all
    stale = 0  # runs in a row that showed nothing new
    covered: set[Any] = set()
    called: set[Any] = set()
    while plans and runs < session.limits.runs:
        plan = plans.pop(0)
        m = Machine(session, plan)
        try:
            complete = _run(m, start)
        except Exception as error:  # noqa: BLE001 - our own defect costs this entry, is reported, and hides no other finding
            result.defects.append(_described(error))
            break
        runs += 1
        steps += m.steps
        called |= m.called
        session.loaded.update(
            m.modules and {v.path: v.source for v in m.modules.values() if v.path.endswith((".py", ".ipynb"))}
        )
        reached.append(m.reached)
        size, known = len(covered), len(seen)
        covered |= m.reached
        for key in {e.key: e for e in m.events}:
            present[key] = present.get(key, 0) + 1
        for event in m.events:
            seen.setdefault(event.key, event)
        for event in m.failures:
            present[event.key] = present.get(event.key, 0) + 1
            failed.setdefault(event.key, event)
        asked = plan.asked
        stale = stale + 1 if len(covered) == size and len(seen) == known else 0
        idle += m.seq == 0 and not m.events
        if session.limits.hasty and not complete:
            result.hurried = True
            break
        if not asked or stale >= 2 or idle >= 2:
            break
        for i, (key, answer) in enumerate(asked):
            tried.add((key, answer))
            if (key, not answer) not in questions:
                questions[key, not answer] = [a for _, a in asked[:i]] + [not answer]
        if not plans:
            for (key, answer), forced in list(questions.items()):
                if (key, answer) not in tried:
                    tried.add((key, answer))
                    plans.append(Plan(forced))
                    break
        now = time.thread_time()
        if runs >= 2 and not seen and steps > DULL:
            break  # dear, and nothing on the two most different paths
        if session.limits.hasty and steps >= session.limits.steps:
            result.hurried = bool(plans)
            break
        if now - began > session.limits.seconds or now > session.deadline or (not complete and runs >= 3):
            break
    result.nodes |= {node for node in called if not _left_early(node, covered)}
    for key, event in (*seen.items(), *failed.items()):
        possible = sum(1 for r in reached if event.stmt in r) if event.stmt is not None else len(reached)
        event.certain = present[key] >= possible
        event.runs = present[key]
        result.events.append(event)


def _left_early(function: Any, covered: set[Any]) -> bool:
    """Whether no run came to any backward of the function: what its caller gives it shows nothing of its training."""
    statements: list[ast.stmt] | None = getattr(function, "_backwards", None)
    if statements is None:
        body = getattr(function, "body", None)
        statements = (
            [
                stmt
                for stmt in walk(function)
                if isinstance(stmt, ast.Expr)
                and isinstance(stmt.value, ast.Call)
                and isinstance(stmt.value.func, ast.Attribute)
                and stmt.value.func.attr == "backward"
            ]
            if isinstance(body, list)
            else []
        )
        function._backwards = statements
    return bool(statements) and not any(stmt in covered for stmt in statements)


def _described(error: Exception) -> str:
    """A defect of our own in one line: what was raised, and where in our source."""
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f" ({Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno})" if where is not None else ""
    return f"{type(error).__name__}: {str(error)[:200]}{place}"


def _run(m: Machine, start: Start) -> bool:
    """One run; False when it was cut short."""
    complete = True
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 6_000))
    try:
        start(m)
    except (Abort, RecursionError):
        complete = False
    except Raised as error:
        m.ledger.uncaught(error)
    finally:
        sys.setrecursionlimit(limit)
    m.handlers = []
    m.over = True
    m.ledger.finish(complete)
    m.ledger.forget()
    return complete


# -- functions that nothing called ------------------------------------------------------------------------------------
SINKS = frozenset(
    {"backward", "step", "grad", "zero_grad", "numpy", "retain_grad", "detach_", "clip_grad_norm_", "clip_grad_value_", "clip_grad_norm", "set_detect_anomaly",
     "detect_anomaly", "set_grad_enabled", "manual_backward"}
)  # fmt: skip


class Outline:
    """What a function does as far as its text shows: whether autograd could object to it, and whom it calls."""

    __slots__ = ("calls", "sink")

    def __init__(self, node: ast.AST) -> None:
        self.sink = False
        self.calls: set[str] = set()
        for child in walk(node):
            kind = type(child)
            if kind is ast.Attribute:
                name = child.attr  # type: ignore[attr-defined]
                if name in SINKS or (name[-1] == "_" and name[0] != "_"):
                    self.sink = True
            elif kind is ast.Call:
                func = child.func  # type: ignore[attr-defined]
                if isinstance(func, ast.Name):
                    self.calls.add(func.id)
                elif isinstance(func, ast.Attribute):
                    self.calls.add(func.attr)
            elif kind is ast.AugAssign:
                self.sink = True
            elif kind is ast.Subscript:
                if isinstance(child.ctx, ast.Store):  # type: ignore[attr-defined]
                    self.sink = True
            elif kind is ast.keyword and child.arg in ("inplace", "requires_grad", "out"):  # type: ignore[attr-defined]
                self.sink = True


def outline(node: ast.AST) -> Outline:
    found: Outline | None = getattr(node, "_outline", None)
    if found is None:
        found = Outline(node)
        node._outline = found  # type: ignore[attr-defined]
    return found


def _uncalled(module: Any, called: set[Any]) -> list[tuple[Any, Start]]:
    """Functions worth an entry: those that could meet a hazard themselves or through what they call; callers first."""
    functions: list[tuple[Any, ast.ClassDef | None]] = []
    for node in module.parsed.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append((node, None))
        elif isinstance(node, ast.ClassDef):
            functions.extend(
                (item, node) for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
            )
    callers: dict[str, set[str]] = {}
    for node, _ in functions:
        checkpoint()
        for name in outline(node).calls:
            callers.setdefault(name, set()).add(node.name)
    pending = [node.name for node, _ in functions if outline(node).sink]
    reaching = set(pending)
    while pending:
        more = callers.get(pending.pop(), set()) - reaching
        reaching |= more
        pending.extend(more)
    called_names = {name for node, _ in functions for name in outline(node).calls if name != node.name}
    wanted = [(n, o) for n, o in functions if n.name in reaching and n not in called and n.name != "__init__"]
    wanted.sort(key=lambda entry: entry[0].name in called_names)
    return [
        (node, _function_entry(module, node, owner))
        for node, owner in wanted
        if outline(node).sink or outline(node).calls & reaching
    ]


def _function_entry(module: Any, node: Any, owner: ast.ClassDef | None) -> Start:
    def start(m: Machine) -> None:
        m.tracks["definitions only"] = True
        m.modules = m.session.definitions
        value = importing.load(m, module)
        frame = Frame(value, None, None, None, None, value.attrs)
        frame.stmt = node
        m.frame = frame
        if owner is None:
            func = value.attrs.get(node.name)
            run_symbolic(m, func, None, node)
            return
        cls = value.attrs.get(owner.name)
        if isinstance(cls, UserClass):
            instance = make_symbolic(m, cls, owner)
            run_symbolic(m, cls.attrs.get(node.name), instance, node)

    return start


def make_symbolic(m: Machine, cls: UserClass, node: ast.ClassDef) -> Instance:
    """An object of the class, made with arguments that nobody knows."""
    instance = Instance(cls, m.here(node))
    init = attributes.class_attribute(cls, "__init__")
    if isinstance(init, Function):
        args = _arguments(m, init, 1, node, False)
        calls.call(m, init, [instance, *args], {}, node)
    elif init is not attributes.MISSING and init is not None:
        calls.call(m, attributes.bind(init, instance), [], {}, node)
    return instance


def run_symbolic(m: Machine, func: Value, instance: Instance | None, node: Any) -> None:
    mode = None
    while isinstance(func, StaticMethod | ClassMethod | NoGradWrapped | Property):
        if isinstance(func, NoGradWrapped):
            mode = func.mode
        if isinstance(func, StaticMethod):
            instance = None
        func = func.getter if isinstance(func, Property) else func.func
    if not isinstance(func, Function):
        return
    is_forward = instance is not None and instance.is_a("torch.nn.Module") and func.name == "forward"
    args = _arguments(m, func, 0 if instance is None else 1, node, is_forward)
    names: dict[str, Value] = dict(
        zip(
            [a.arg for a in func.node.args.posonlyargs + func.node.args.args][0 if instance is None else 1 :],
            args,
            strict=False,
        )
    )
    if instance is not None:
        own = {f"self.{k}": v for k, v in instance.attrs.items()}
        symbolic.own_optimizers(m, own, node)
        for key, value in own.items():
            instance.attrs[key[5:]] = value
    symbolic.own_optimizers(m, names, node)
    symbolic.own_schedulers(m, names, symbolic.uses(func.node), node)
    args = list(names.values()) + args[len(names) :]
    m.tracks["in sight"] = [*([instance] if instance is not None else []), *args]
    if mode is not None:
        m.set_mode(mode)
    if isinstance(func.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        result = calls.call(m, func, [*([instance] if instance is not None else []), *args], {}, node)
        if is_forward:
            _later_backward(m, result, node)
        m.ledger.escaped([result], node)


def _later_backward(m: Machine, result: Value, node: ast.AST) -> None:
    """What a backward of a forward's result would meet."""
    from .models.torch_ops import flatten

    values = list(result.values()) if isinstance(result, dict) else [result]
    roots = [t for t in flatten(values) if isinstance(t, Tensor) and t.grad_fn is not None]
    edges = [e for t in roots if (e := autograd.edge(m, t)) is not None]
    if not edges or m.grad_enabled is not True:
        return
    backward = Backward(m.here(node), roots, True, False, None)
    backward.assumed = True
    before = len(m.events)
    autograd.walk(m, backward, edges, None, accumulate=False)
    m.ledger.later.append(backward)
    for event in m.events[before:]:
        event.assumed = (*event.assumed, "a backward of the result")


def _arguments(m: Machine, func: Function, skip: int, node: ast.AST, tensors: bool) -> list[Value]:
    spec = func.node.args
    used = symbolic.uses(func.node)
    params = [*spec.posonlyargs, *spec.args][skip:]
    defaults = [None] * (len(params) - len(func.defaults)) + list(func.defaults)
    values: list[Value] = []
    for i, param in enumerate(params):
        annotation = ast.unparse(param.annotation) if param.annotation is not None else ""
        default = defaults[i] if i < len(defaults) and len(func.defaults) >= len(params) - i else attributes.MISSING
        if isinstance(default, str | bool | int | float) and not isinstance(default, bool):
            values.append(default)
            continue
        values.append(symbolic.argument(m, param.arg, used.get(param.arg, set()), annotation, node, tensors))
    return values


__all__ = ["Analysis", "Unknown", "analyse"]
