"""The state of one run: frames, grad mode, decisions, budget, events."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..limits import checkpoint
from .counts import Count
from .events import Event
from .frames import Frame, Loops, Trace
from .tensor import Tensor
from .values import Instance, LibValue, Unknown, Value


class Abort(Exception):
    """The run has used up its budget."""


class Raised(Exception):
    """An exception of the interpreted program: an Instance of an exception class, or Unknown.

    ``event`` is what torch refused, ``before`` how many events came before it; ``handled`` is the exception that the
    program was handling when it raised this one.
    """

    def __init__(self, value: Value, trace: Trace | None) -> None:
        super().__init__()
        self.value = value
        self.trace = trace
        self.event: Event | None = None
        self.before = 0
        self.handled: Raised | None = None


class Call:
    """Arguments of a call to a model, and the call's node."""

    __slots__ = ("args", "kwargs", "node")

    def __init__(self, node: ast.AST, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.node = node
        self.args = args
        self.kwargs = kwargs

    def get(self, index: int, name: str, default: Value = None) -> Value:
        """The argument at ``index`` or called ``name``."""
        if 0 <= index < len(self.args):
            return self.args[index]
        return self.kwargs.get(name, default)

    def has(self, index: int, name: str) -> bool:
        return 0 <= index < len(self.args) or name in self.kwargs

    def rest(self, skip: int) -> Call:
        """The same call without its first ``skip`` positional arguments."""
        return Call(self.node, self.args[skip:], self.kwargs)


class Plan:
    """Decisions of one path: what to answer at the n-th undecidable question, and what was asked."""

    def __init__(self, forced: list[bool], policy: str = "true") -> None:
        self.forced = forced
        self.policy = policy
        self.asked: list[tuple[Any, bool]] = []

    def answer(self, key: Any, default: bool) -> bool:
        n = len(self.asked)
        if n < len(self.forced):
            value = self.forced[n]
        elif self.policy == "false":
            value = not default
        elif self.policy == "alternate":
            value = default if n % 2 == 0 else not default
        else:
            value = default
        self.asked.append((key, value))
        return value


class Machine:
    """One run of the program on the abstract machine. The interpreter's functions take it as their first argument."""

    def __init__(self, session: Any, plan: Plan) -> None:
        self.session = session  # project, torchdb and limits: shared by all runs
        self.plan = plan
        self.events: list[Event] = []
        self.failures: list[Event] = []  # what Python would raise here: no rule reads it
        self.frame: Frame = None  # type: ignore[assignment]  # set by the first activation
        self.loops: Loops = ()
        self.grad_enabled: bool | None = True
        self.inference = False
        self.mode_trace: Trace | None = None  # where grad mode was last switched off
        self.callee: Instance | None = None  # the library module being called
        self.clobbered: dict[Tensor, Any] = {}  # arguments that an in-place activation changed inside a call
        self.seq = 0
        self.steps = 0
        self.limit = session.limits.steps
        self.look = 0  # the step at which to look at the clock next
        self.depth = 0
        self.loop_ids = 0
        self.abridged: dict[int, int] = {}  # loops of which only so many iterations are followed
        self.containers: dict[int, list[Any]] = {}  # what such loops fill: the container, where, and how far
        self.partial = False  # a forward was not followed through all its layers
        self.cut_short = False  # the values that a loop is being given stand for more than they are
        self.modules: dict[Any, Any] = {}
        self.assumptions: list[str] = []
        self.tracks: dict[Any, Any] = {}  # ledgers of library models, by name
        self.reached: set[ast.stmt] = set()
        self.called: set[Any] = set()
        self.patches: dict[tuple[Any, str], Value] = {}  # attributes that the program gave to library classes
        self.emitted: dict[Any, int] = {}
        self.guessed = False  # an unknown index chose one of several elements: the others may be meant
        self.anomaly: list[Trace] = []
        self.autocast = 0
        self.over = False  # the run has ended
        self.handlers: list[Any] = []  # try statements being executed, innermost last
        self.backwards: list[Any] = []
        from .ledger import Ledger

        self.ledger = Ledger(self)

    # -- where we are
    def here(self, node: ast.AST | None = None) -> Trace:
        frame = self.frame
        return Trace(frame, node if node is not None else frame.stmt or frame.module.source, self.loops)

    def tick(self) -> None:
        self.steps += 1
        if self.steps >= self.look:
            if self.steps > self.limit or time.thread_time() > self.session.deadline:
                raise Abort
            checkpoint()
            self.look = min(self.steps + 64, self.limit + 1)

    def next_seq(self) -> int:
        self.seq += 1
        return self.seq

    # -- events
    def emit(self, kind: str, where: Trace, *, loud: bool = False, assumed: tuple[str, ...] = (), **data: Any) -> Event:
        """Report an event. A loud one raises in the program where the program would catch it itself."""
        if loud and self.tracks.get("definitions only"):
            if kind in ("numpy", "leaf", "view") and not self.backwards and not self._always_with_gradients(where):
                return Event(kind, where, loud, assumed, data)  # a function that nobody calls may be meant for no_grad
            if not self.backwards:
                assumed = (*assumed, "called with gradients on")
        about = data.get("tensor")
        if isinstance(about, Tensor) and about.attrs is not None and "opaque" in about.attrs:
            assumed = (*assumed, "a network that cannot be read")
        event = Event(kind, where, loud, assumed, data)
        event.stmt = where.stmt
        event.uses = self.ledger.uses
        place = kind, where.site.key
        self.emitted[place] = self.emitted.get(place, 0) + 1
        if self.emitted[place] <= 4:
            self.events.append(event)
        if loud and self.handlers:
            handler = self.handlers[-1]
            event.caught = True
            if handler.frame is self.frame or handler.specific:
                self.events = [e for e in self.events if e is not event]
            exception = self.session.make_exception("RuntimeError", kind)
            raised = Raised(exception, where)
            raised.event, raised.before = event, len(self.events)
            exception.data = raised
            raise raised
        if loud:
            self.uncaught(self.tracks.get("handling"))
        return event

    def uncaught(self, error: Raised | None) -> None:
        """An exception leaves the program: what was caught and raised again, or led to it, was not caught after all."""
        while error is not None:
            if error.event is not None:
                error.event.caught = False
                if error.event not in self.events:
                    self.events.insert(error.before, error.event)
            error = error.handled

    def fail(self, name: str, message: str, where: Trace) -> None:
        """Note an exception of Python's own. The run may go on without it, since our values are not always exact."""
        event = Event("exception", where, False, (), {"name": name, "message": message})
        event.stmt = where.stmt
        place = "exception", event.where.site.key
        self.emitted[place] = self.emitted.get(place, 0) + 1
        if self.emitted[place] == 1:
            self.failures.append(event)

    @staticmethod
    def _always_with_gradients(where: Trace) -> bool:
        """Whether the place is in a constructor or a forward: those are called with gradients on."""
        return any(
            getattr(frame.function, "name", "") in ("__init__", "forward", "training_step")
            for frame, _ in where.chain()
        )

    # -- decisions
    def decide(self, key: Any, default: bool = True) -> bool:
        return self.plan.answer(key, default)

    def truth(self, value: Value, node: ast.AST) -> bool:
        """Whether ``value`` is true; an undecidable one is decided once per path."""
        answer = self.known_truth(value, node)
        if answer is not None:
            return answer
        if isinstance(value, Unknown):
            return bool(value.derive(("truth", id(self)), make=lambda: self.decide(self.frame.site(node).key)))
        return self.decide(self.frame.site(node).key)

    def known_truth(self, value: Value, node: ast.AST | None = None) -> bool | None:
        if type(value) is Count and value.cyclic:
            return None if value else False
        if value is None or isinstance(
            value, bool | int | float | complex | str | bytes | tuple | list | dict | set | frozenset | range
        ):
            return bool(value)
        if isinstance(value, Unknown):
            return None
        if isinstance(value, Tensor):
            if isinstance(value.elements, bool | int | float):
                return bool(value.elements)
            return None
        if isinstance(value, Instance):
            truth: bool | None = self.session.interp.instance_truth(self, value, node)
            return truth
        if isinstance(value, LibValue) and "." in value.name:
            return None  # a setting of a library; a whole module is true
        return True

    # -- modes
    @contextmanager
    def grad_mode(self, mode: str, where: Trace | None = None) -> Iterator[None]:
        """Run under ``off``, ``on`` or ``inference`` grad mode, switched at ``where``."""
        before = self.grad_enabled, self.inference, self.mode_trace
        self.set_mode(mode, where)
        try:
            yield
        finally:
            self.grad_enabled, self.inference, self.mode_trace = before

    def set_mode(self, mode: str, where: Trace | None = None) -> None:
        self.mode_trace = where
        if mode == "off":
            self.grad_enabled = False
        elif mode == "on":
            self.grad_enabled = not self.inference  # enable_grad does not leave inference mode
        elif mode == "inference":
            self.grad_enabled, self.inference = False, True
        elif mode == "inference_off":
            self.grad_enabled, self.inference = True, False
        else:
            self.grad_enabled = None
