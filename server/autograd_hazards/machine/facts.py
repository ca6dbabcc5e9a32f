"""What autograd knows at each place of a file: found by running its entries once more and looking on.

The result is plain data: what tensors, optimizers and modules the names and calls of the file stand for, what each
``backward`` reaches and frees, what each ``step`` or in-place call changes.
"""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .. import torchdb
from . import evaluate, execute
from .autograd import Backward
from .core import Machine, Plan
from .entries import Start, _main_entry, _run, _uncalled
from .records import groups_of
from .session import Limits, does_work, session_of
from .tensor import Mutation, Tensor
from .values import Instance, Value

# Seconds of processor time for the facts of one file.
TIME = 3.0
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file."""

    filename: str
    row: int


@dataclass(frozen=True, slots=True)
class Change:
    """A write: by which op, or by an optimizer's ``step``, and which version it made."""

    op: str
    spot: Spot
    version: int
    step: bool = False


@dataclass(frozen=True, slots=True)
class TensorFact:
    """A tensor as it is at a place. ``requires_grad`` None: it depends on what is not known.

    ``op`` is the op that made it, at ``made``; ``saves`` names what that op saved for its backward. ``changes`` are the
    writes before, ``later`` those after it was here; ``freed`` is the backward that frees its graph.
    """

    name: str
    requires_grad: bool | None
    leaf: bool
    parameter: bool
    op: str
    made: Spot | None
    saves: tuple[str, ...]
    version: int
    changes: tuple[Change, ...]
    later: tuple[Change, ...]
    freed: Spot | None
    detached: bool


@dataclass(frozen=True, slots=True)
class OptimizerFact:
    """An optimizer and the parameters that it holds; ``whole`` says that the names stand for all of them."""

    kind: str
    count: int
    names: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class ModuleFact:
    """A network: how many of its parameters require grad, of how many."""

    kind: str
    trained: int
    count: int


@dataclass(frozen=True, slots=True)
class BackwardFact:
    """A call of ``backward`` or ``grad``: which leaves it reaches, whether and from where the graph is freed."""

    count: int
    names: tuple[str, ...]
    whole: bool
    frees: bool
    built: tuple[Spot, ...]
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeFact:
    """A call that writes to tensors: an optimizer's ``step``, or an op in place."""

    step: bool
    count: int
    names: tuple[str, ...]
    whole: bool
    op: str
    version: int


Fact = TensorFact | OptimizerFact | ModuleFact | BackwardFact | ChangeFact


@dataclass(frozen=True, slots=True)
class Known:
    """A place in the file (rows from 1, columns in UTF-8 bytes from 0) and the facts about what stands there.

    ``name_end`` is where one stops pointing at it: for a call the end of what is called, before the arguments.
    """

    start: tuple[int, int]
    name_end: tuple[int, int]
    end: tuple[int, int]
    facts: tuple[Fact, ...]

    def holds(self, row: int, column: int) -> bool:
        """Whether a position points at it."""
        return self.start <= (row, column) <= self.name_end


def at(known: Iterable[Known], row: int, column: int) -> Known | None:
    """The innermost place that a position points at."""
    best: Known | None = None
    for place in known:
        if place.holds(row, column) and (
            best is None or (place.start >= best.start and place.name_end <= best.name_end)
        ):
            best = place
    return best


def facts_of(project: Any, path: Any, torch_version: str | None = None) -> list[Known]:
    """The facts of a file, in the order of its text."""
    torchdb.use_version(torch_version)
    session = session_of(project, Limits())
    module = project.module_at(path)
    session.follow([module])
    session.deadline = time.thread_time() + TIME
    recorder = _Recorder(str(module.path))
    reached: set[Any] = set()
    with _looking_on(recorder):
        starts: list[tuple[Any, Start]] = []
        if does_work(module.parsed.tree):
            starts.append((None, _main_entry(module)))
        for _, start in starts:
            recorder.run(session, start, reached)
        for node, start in _uncalled(module, reached):
            if node not in reached and time.thread_time() < session.deadline:
                recorder.run(session, start, reached)
    session.deadline = math.inf
    return recorder.known()


class _Seen:
    """A tensor at its first visit of a place."""

    __slots__ = ("changed", "fn", "requires", "tensor", "version")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.fn = tensor.grad_fn
        self.requires = tensor.requires_grad
        self.version = tensor.storage.version
        self.changed = len(tensor.storage.log)


class _Recorder:
    def __init__(self, path: str) -> None:
        self.path = path
        self.values: dict[ast.AST, Any] = {}
        self.backwards: dict[ast.AST, Backward] = {}
        self.writes: dict[ast.AST, list[tuple[Tensor, Mutation]]] = {}
        self.modules: dict[tuple[str, Instance], None] = {}  # networks that the file has names for
        self._networks: list[tuple[str, set[Tensor]]] | None = None

    def run(self, session: Any, start: Start, reached: set[Any]) -> None:
        """Run one entry on its first path."""
        m = Machine(session, Plan([]))
        finished, written = m.ledger.finished, m.ledger.written

        def on_finished(backward: Backward) -> None:
            if backward.trace.frame.module.path == self.path:
                self.backwards.setdefault(backward.trace.node, backward)
            finished(backward)

        def on_written(tensor: Tensor, mutation: Mutation) -> None:
            if mutation.trace.frame.module.path == self.path and mutation.module is None:
                mine = self.writes.setdefault(mutation.trace.node, [])
                if len(mine) < 5000:
                    mine.append((tensor, mutation))
            written(tensor, mutation)

        m.ledger.finished = on_finished  # type: ignore[method-assign]
        m.ledger.written = on_written  # type: ignore[method-assign, assignment]
        _run(m, start)
        reached |= m.called

    def see(self, m: Machine, node: ast.AST, value: Value) -> None:
        """A place was evaluated; the first time counts."""
        if m.frame.module.path != self.path:
            return
        if isinstance(value, Instance) and isinstance(node, ast.Name | ast.Attribute) and len(self.modules) < 500:
            name = ast.unparse(node)
            if name != "self" and value.is_a("torch.nn.Module"):
                self.modules[name, value] = None
        if node in self.values:
            return
        if isinstance(value, Tensor):
            self.values[node] = _Seen(value)
        elif isinstance(value, Instance) and (value.is_a("torch.optim.Optimizer") or value.is_a("torch.nn.Module")):
            self.values[node] = value

    def known(self) -> list[Known]:
        found = []
        for node in {**self.values, **self.backwards, **self.writes}:
            row = getattr(node, "lineno", None)
            if row is None or not isinstance(node, ast.expr | ast.stmt):
                continue
            facts = tuple(self._facts(node))
            if facts:
                named = node.func if isinstance(node, ast.Call) else node
                found.append(Known((row, node.col_offset), _end(named), _end(node), facts))
        return sorted(found, key=lambda known: (known.start, known.end))

    def _named(self, tensors: list[Tensor]) -> tuple[tuple[str, ...], bool]:
        """Names for some parameters: of networks in the file that together have just these, or else the first few.

        The second says whether the names stand for all of them.
        """
        if self._networks is None:
            self._networks = [(name, set(_parameters(module))) for name, module in self.modules]
            self._networks.sort(key=lambda item: -len(item[1]))
        left = set(tensors)
        found: dict[str, None] = {}
        for name, parameters in self._networks:
            if parameters and parameters <= left:
                left -= parameters
                found[name] = None
        if found and not left:
            return tuple(found)[:_MOST_NAMES], len(found) <= _MOST_NAMES
        names = dict.fromkeys(t.name for t in tensors if t.name)
        return tuple(names)[:_MOST_NAMES], len(names) == len(tensors) <= _MOST_NAMES

    def _facts(self, node: ast.AST) -> Iterator[Fact]:
        backward = self.backwards.get(node)
        if backward is not None:
            yield self._backward(backward)
        writes = self.writes.get(node)
        if writes:
            yield self._changes(writes)
        value = self.values.get(node)
        if isinstance(value, _Seen):
            yield _tensor(value)
        elif isinstance(value, Instance) and value.is_a("torch.optim.Optimizer"):
            held = list(dict.fromkeys(p for group in groups_of(value) for p in group))
            yield OptimizerFact(value.cls.name, len(held), *self._named(held))
        elif isinstance(value, Instance):
            held = _parameters(value)
            if held:
                trained = sum(p.requires_grad is True for p in held)
                yield ModuleFact(value.cls.name, trained, len(held))

    def _backward(self, backward: Backward) -> BackwardFact:
        leaves = list(dict.fromkeys(backward.leaves))
        built = dict.fromkeys(_spot(root.grad_fn.trace) for root in backward.roots if root.grad_fn is not None)
        roots = tuple(dict.fromkeys(root.name for root in backward.roots if root.name))
        return BackwardFact(len(leaves), *self._named(leaves), not backward.retain, tuple(built), roots)

    def _changes(self, writes: list[tuple[Tensor, Mutation]]) -> ChangeFact:
        tensors = list(dict.fromkeys(tensor for tensor, _ in writes))
        first = writes[0][1]
        version = first.tensor.storage.log.index(first) + 1 if first in first.tensor.storage.log else 0
        return ChangeFact(first.cause == "step", len(tensors), *self._named(tensors), first.op, version)


def _tensor(seen: _Seen) -> TensorFact:
    tensor, fn = seen.tensor, seen.fn
    log = tensor.storage.log
    changes = [_change(mutation, number) for number, mutation in enumerate(log, 1) if mutation.cause != "init"]
    before = tuple(c for c in changes if c.version <= seen.changed)
    after = tuple(c for c in changes if c.version > seen.changed)
    freed = fn.freed.trace if fn is not None and fn.freed is not None else None
    return TensorFact(
        name=tensor.name,
        requires_grad=seen.requires,
        leaf=fn is None and tensor.is_leaf,
        parameter=tensor.is_param,
        op=fn.op if fn is not None else "",
        made=_spot(fn.trace) if fn is not None else None,
        saves=tuple(dict.fromkeys(s.tensor.name or s.role or "a tensor" for s in fn.saved)) if fn is not None else (),
        version=seen.version,
        changes=before[-2:],
        later=after[:2],
        freed=_spot(freed) if freed is not None else None,
        detached=tensor.detached_from is not None or bool(tensor.cuts),
    )


def _change(mutation: Mutation, version: int) -> Change:
    return Change(mutation.op, _spot(mutation.trace), version, mutation.cause == "step")


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _spot(trace: Any) -> Spot:
    return Spot(trace.frame.module.path, trace.site.row)


def _parameters(module: Instance) -> list[Tensor]:
    """The parameters of a module and its submodules."""
    found: dict[Tensor, None] = {}
    pending, seen = [module], set()
    for current in pending:
        if id(current) in seen or len(pending) > 2000:
            continue
        seen.add(id(current))
        for value in (*current.attrs.values(), *_parts(current)):
            if isinstance(value, Tensor) and value.is_param:
                found[value] = None
            elif isinstance(value, Instance) and value.is_a("torch.nn.Module"):
                pending.append(value)
    return list(found)


def _parts(module: Instance) -> Iterator[Value]:
    for value in module.attrs.values():
        if isinstance(value, dict):
            yield from value.values()
        elif isinstance(value, list | tuple):
            yield from value


@contextmanager
def _looking_on(recorder: _Recorder) -> Iterator[None]:
    """Let the recorder see what names, attributes, calls and assignments give, in this thread's next runs."""
    expressions, statements = dict(evaluate.EXPRESSIONS), dict(execute.STATEMENTS)

    def watched(original: Any) -> Any:
        def run(m: Machine, node: Any) -> Value:
            value = original(m, node)
            recorder.see(m, node, value)
            return value

        return run

    def assigned(original: Any) -> Any:
        def run(m: Machine, node: Any) -> Any:
            signal = original(m, node)
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                    if isinstance(part, ast.Name):
                        recorder.see(m, part, evaluate.find_name(m, part.id))
            return signal

        return run

    for expression in (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript):
        evaluate.EXPRESSIONS[expression] = watched(expressions[expression])
    for statement in (ast.Assign, ast.AugAssign, ast.AnnAssign):
        execute.STATEMENTS[statement] = assigned(statements[statement])
    try:
        yield
    finally:
        evaluate.EXPRESSIONS.update(expressions)
        execute.STATEMENTS.update(statements)


__all__ = [
    "BackwardFact",
    "Change",
    "ChangeFact",
    "Fact",
    "Known",
    "ModuleFact",
    "OptimizerFact",
    "Spot",
    "TensorFact",
    "at",
    "facts_of",
]
