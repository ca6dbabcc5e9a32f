"""Finds what autograd knows at each place of a file: its programs are run once more, and a recorder looks on.

What is said of a place is what the tensor, optimizer or network was when the place was evaluated, the first times in each
run. A second run answers the questions that cannot be decided the other way round; only what holds in both is said.
"""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from .. import torchdb
from . import evaluate, execute
from .autograd import Backward
from .core import Machine, Plan
from .entries import Start, _main_entry, _run, _uncalled
from .facts import (
    BackwardFact,
    Change,
    ChangeFact,
    Fact,
    Known,
    ModuleFact,
    OptimizerFact,
    Requires,
    Spot,
    TensorFact,
    together,
)
from .memory import function_names
from .models.nn_core import named_parameters, walk
from .records import groups_of
from .session import Limits, does_work, session_of
from .tensor import Mutation, Node, Tensor
from .values import Instance, Unknown, Value

# Seconds of processor time for the facts of one file.
TIME = 2.0
_MOST_NAMES = 12
_MOST_NETWORKS = 200
_MOST_PROGRAMS = 6  # of other files that are run for the sake of this one
_VISITS = 32  # of a place in one run
_LONGEST = 40  # characters of an expression that serves as a name

# Optimizers whose step raises the version of each parameter by one, whatever they are given (probed by a test).
ONCE = frozenset({"SGD", "Adam", "RMSprop", "Adagrad", "Adadelta", "Adamax", "RAdam", "Rprop", "SparseAdam"})


def facts_of(project: Any, path: Any, torch_version: str | None = None, programs: Sequence[Any] = ()) -> list[Known]:
    """The facts of a file, in the order of its text. ``programs`` are files that import it, nearest first."""
    torchdb.use_version(torch_version)
    session = session_of(project, Limits())
    module = project.module_at(path)
    session.follow([module])
    session.deadline = time.thread_time() + TIME
    recorder = _Recorder(str(module.path))
    reached: set[Any] = set()
    with _looking_on(recorder):
        if does_work(module.parsed.tree):
            recorder.explore(session, _main_entry(module), reached)
        for other in map(project.module_at, programs[:_MOST_PROGRAMS]):
            if not function_names(module).keys() <= reached and does_work(other.parsed.tree):
                session.follow([module, other])
                recorder.explore(session, _main_entry(other), reached)
        for node, start in _uncalled(module, reached):
            if node not in reached and time.thread_time() < session.deadline:
                recorder.explore(session, start, reached, guessed=node.name)
    session.deadline = math.inf
    return recorder.known()


class _Seen:
    """A tensor at a visit of a place; what becomes of it afterwards is looked up at the end of the run."""

    __slots__ = ("detached", "fn", "leaf", "logged", "requires", "saves", "tensor")

    def __init__(self, tensor: Tensor, saves: tuple[str, ...]) -> None:
        self.tensor = tensor
        self.fn = tensor.grad_fn
        self.requires = tensor.requires_grad
        self.leaf = tensor.is_leaf
        self.logged = len(tensor.storage.log)
        self.saves = saves
        source = tensor.detached_from
        self.detached = source is not None and source.requires_grad is True

    def fact(self) -> TensorFact:
        fn, log = self.fn, self.tensor.storage.log
        before = [mutation for mutation in log[: self.logged] if mutation.cause != "init"]
        after = [mutation for mutation in log[self.logged :] if mutation.cause != "init"]
        requires: Requires = "unknown" if self.requires is None else "yes" if self.requires else "no"
        return TensorFact(
            requires_grad=requires,
            leaf=self.leaf,
            parameter=self.tensor.is_param,
            op=fn.op if fn is not None else "",
            made=_spot(fn.trace) if fn is not None else None,
            saves=self.saves,
            changed=_change(before[-1]) if before else None,
            later=_change(after[0]) if after else None,
            freed=_spot(fn.freed.trace) if fn is not None and fn.freed is not None else None,
            detached=self.detached,
        )


class _Recorder:
    def __init__(self, path: str) -> None:
        self.path = path
        self.places: dict[ast.AST, list[list[Fact | None]]] = {}  # for each place, what each run showed, by kind
        self.guesses: dict[ast.AST, str] = {}
        self._visits: dict[ast.AST, list[_Seen | Fact]] = {}  # of this run
        self._backwards: dict[ast.AST, list[BackwardFact]] = {}
        self._writes: dict[ast.AST, list[tuple[Tensor, Mutation]]] = {}
        self._changes: dict[ast.AST, list[ChangeFact]] = {}
        self._networks: dict[str, Instance] = {}  # that the file has names for
        self._saves: dict[Node, tuple[str, ...]] = {}

    def explore(self, session: Any, start: Start, reached: set[Any], guessed: str = "") -> None:
        """Run one entry on its first path, and on another when a question could not be decided."""
        plan = Plan([])
        self._look(session, start, plan, reached, guessed)
        if plan.asked and time.thread_time() < session.deadline:
            self._look(session, start, Plan([], "false"), reached, guessed)

    def _look(self, session: Any, start: Start, plan: Plan, reached: set[Any], guessed: str) -> None:
        m = Machine(session, plan)
        finished, written = m.ledger.finished, m.ledger.written

        def on_finished(backward: Backward) -> None:
            if backward.trace.frame.module.path == self.path:
                mine = self._backwards.setdefault(backward.trace.node, [])
                if len(mine) < _VISITS:
                    mine.append(self._backward(backward))
            finished(backward)

        def on_written(tensor: Tensor, mutation: Mutation) -> None:
            if mutation.trace.frame.module.path == self.path and mutation.module is None:
                mine = self._writes.setdefault(mutation.trace.node, [])
                if len(mine) < 5000:
                    mine.append((tensor, mutation))
            written(tensor, mutation)

        m.ledger.finished = on_finished  # type: ignore[method-assign]
        m.ledger.written = on_written  # type: ignore[method-assign, assignment]
        _run(m, start)
        reached |= m.called
        self._take(guessed)

    def _take(self, guessed: str) -> None:
        """Bring what this run showed to what earlier ones did."""
        for node in list(self._writes):
            self.settle(node)
        for node in {**self._visits, **self._backwards, **self._changes}:
            if guessed and node in self.places and node not in self.guesses:
                continue  # a program that was found says more than a guess
            if guessed:
                self.guesses[node] = guessed
            seen = [v.fact() if isinstance(v, _Seen) else v for v in self._visits.get(node, ())]
            groups: tuple[Sequence[Fact], ...] = (self._backwards.get(node, ()), self._changes.get(node, ()), seen)
            kinds = self.places.setdefault(node, [[], [], []])
            for kind, group in zip(kinds, groups):
                if group:
                    kind.append(_first_times(group))  # None where nothing holds each time
        for kept in (self._visits, self._backwards, self._changes, self._networks, self._saves):
            kept.clear()

    def see(self, m: Machine, node: ast.AST, value: Value) -> None:
        """A place was evaluated; the first times count."""
        if m.frame.module.path != self.path:
            return
        if node in self._writes:
            self.settle(node)
        module = isinstance(value, Instance) and value.is_a("torch.nn.Module")
        if module and isinstance(node, ast.Name | ast.Attribute) and len(self._networks) < _MOST_NETWORKS:
            name = ast.unparse(node)
            if name != "self":
                self._networks.setdefault(name, value)
        visits = self._visits.get(node, ())
        if len(visits) >= _VISITS:
            return
        found: _Seen | Fact | None = None
        if isinstance(value, Tensor):
            found = _Seen(value, self._saved_by(value.grad_fn))
        elif module:
            held = [tensor for _, tensor in named_parameters(value)]
            trained = sum(p.requires_grad is True for p in held)
            if not any(_stands_for_many(p) for p in held) and _is_known(value):
                found = ModuleFact(value.cls.name, len(held), trained)
        elif isinstance(value, Instance) and value.is_a("torch.optim.Optimizer"):
            held = list(dict.fromkeys(p for group in groups_of(value) for p in group))
            if held:
                found = OptimizerFact(value.cls.name, *self._named(held))
        if found is not None:
            self._visits.setdefault(node, []).append(found)

    def settle(self, node: ast.AST) -> None:
        """What has been written at a place was all written at this time."""
        writes = self._writes.pop(node, None)
        if not writes:
            return
        mine = self._changes.setdefault(node, [])
        if len(mine) < _VISITS:
            mine.append(self._changed(node, writes))

    def known(self) -> list[Known]:
        """The places with what is said of them."""
        found = []
        for node, kinds in self.places.items():
            row = getattr(node, "lineno", None)
            if row is None or not isinstance(node, ast.expr | ast.stmt):
                continue
            facts = tuple(fact for group in kinds if group and (fact := together(group)) is not None)
            if facts:
                named = node.func if isinstance(node, ast.Call) else node
                guess = self.guesses.get(node, "")
                found.append(Known((row, node.col_offset), _end(named), _end(node), facts, guess))
        return sorted(found, key=lambda known: (known.start, known.end))

    # -- names, as they are at that time

    def _named(self, tensors: list[Tensor]) -> tuple[int | None, tuple[str, ...], bool]:
        """How many parameters these are, if that is known, and names for them, and whether those stand for all.

        Names are those of networks (or parts of them) that have just these, or else the parameters' own.
        """
        many = any(_stands_for_many(tensor) for tensor in tensors)
        count = None if many else len(tensors)
        left = dict.fromkeys(tensors)
        names: dict[str, None] = {}
        for name, part in self._parts():
            if not left:
                break
            held = [tensor for _, tensor in named_parameters(part)]
            if held and all(tensor in left for tensor in held):
                names[name] = None
                for tensor in held:
                    del left[tensor]
        paths = self._paths() if left else {}
        whole = True
        for tensor in left:
            name = paths.get(tensor) or _own_name(tensor)
            whole = whole and bool(name)
            if name:
                names[name] = None
        return count, tuple(names)[:_MOST_NAMES], whole and len(names) <= _MOST_NAMES

    def _parts(self) -> Iterator[tuple[str, Instance]]:
        """The networks that the file has names for, and their parts: what is larger first."""
        seen: dict[int, None] = {}
        for depth in range(4):
            for name, network in self._networks.items():
                for path, part in walk(network, name):
                    if path.count(".") - name.count(".") == depth and id(part) not in seen:
                        seen[id(part)] = None
                        yield path, part

    def _paths(self) -> dict[Tensor, str]:
        """The dotted names of parameters of these networks."""
        found: dict[Tensor, str] = {}
        for name, network in self._networks.items():
            for path, tensor in named_parameters(network, name):
                found.setdefault(tensor, path)
        return found

    def _saved_by(self, fn: Node | None) -> tuple[str, ...]:
        """Names for what an op saved, taken when its result is first seen; none where one has no name.

        In a line of this file they are what stands there; elsewhere nothing is called by a name.
        """
        if fn is None or fn.kind == "checkpoint" or fn.op == "checkpoint":
            return ()
        names = self._saves.get(fn)
        if names is None:
            written = self._written(fn.trace.node) if fn.trace.frame.module.path == self.path else {}
            paths = self._paths() if any(saved.tensor.is_param for saved in fn.saved) else {}
            told = [
                "" if saved.is_output else written.get(saved.tensor) or paths.get(saved.tensor) for saved in fn.saved
            ]
            names = self._saves[fn] = tuple(dict.fromkeys(name for name in told if name is not None))
        return names

    def _written(self, node: ast.AST) -> dict[Tensor, str]:
        """The tensors that names in an expression or statement stood for when they were seen last, by what stands there."""
        found: dict[Tensor, str] = {}
        for part in ast.walk(node):
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript):
                seen = self._visits.get(part)
                if seen and isinstance(seen[-1], _Seen):
                    text = _text(part)
                    if text:
                        found.setdefault(seen[-1].tensor, text)
        return found

    # -- facts

    def _backward(self, backward: Backward) -> BackwardFact:
        leaves = list(dict.fromkeys(backward.leaves))
        built = dict.fromkeys(_spot(root.grad_fn.trace) for root in backward.roots if root.grad_fn is not None)
        receiver = _receiver(backward.trace.node)
        named = [receiver] if receiver and len(backward.roots) == 1 else [_own_name(root) for root in backward.roots]
        roots = tuple(dict.fromkeys(name for name in named if name))
        return BackwardFact(*self._named(leaves), not backward.retain, tuple(built), roots)

    def _changed(self, node: ast.AST, writes: list[tuple[Tensor, Mutation]]) -> ChangeFact:
        tensors = list(dict.fromkeys(tensor for tensor, _ in writes))
        first = writes[0][1]
        step = first.cause == "step"
        if step:
            kind = first.optimizer.cls.name if isinstance(first.optimizer, Instance) else ""
            once = kind in ONCE and len(writes) == len(tensors)
            return ChangeFact(True, *self._named(tensors), first.op, once)
        if len(tensors) == 1:
            text = _receiver(node) or self._written(node).get(tensors[0])
            if text:
                return ChangeFact(False, 1, (text,), True, first.op, False)
        return ChangeFact(False, *self._named(tensors), first.op, False)


def _first_times(facts: Sequence[Fact]) -> Fact | None:
    """What one run showed at a place: what it is each time, and what became of what was there first."""
    first, whole = facts[0], together(facts)
    if isinstance(first, TensorFact) and isinstance(whole, TensorFact):
        return replace(whole, changed=first.changed, later=first.later, freed=first.freed)
    return whole


def _is_known(network: Instance) -> bool:
    """Whether nothing that a network is made of is unknown: that might have parameters, too."""
    return not any(isinstance(value, Unknown) for _, part in walk(network, "") for value in part.attrs.values())


def _stands_for_many(tensor: Tensor) -> bool:
    """Whether it is all parameters of a network that cannot be read."""
    return tensor.attrs is not None and "opaque" in tensor.attrs


def _own_name(tensor: Tensor) -> str:
    return tensor.name.removesuffix("'s parameters")


def _receiver(node: ast.AST) -> str:
    """What an op in place, or a backward, is called on, or a statement writes to."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        return _text(node.func.value) if name == "backward" or (name.endswith("_") and name[:1] != "_") else ""
    if isinstance(node, ast.AugAssign):
        return _text(node.target)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return _text(node.targets[0].value)
    return ""


def _text(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST and "\n" not in text else ""


def _change(mutation: Mutation) -> Change:
    return Change(mutation.op, _spot(mutation.trace), mutation.cause == "step")


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _spot(trace: Any) -> Spot:
    return Spot(trace.frame.module.path, trace.site.row)


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
            recorder.settle(node)
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
