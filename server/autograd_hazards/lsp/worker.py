"""The one thread that analyses. Urgent work goes first, and work that nobody waits for any more is stopped."""

from __future__ import annotations

import ctypes
import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

from autograd_hazards.limits import Cancelled, TimeUp, cancelled_by

logger = logging.getLogger(__name__)

# What an editor waits for after each key, what a person asked for, and what can wait.
EDIT, REQUEST, BACKGROUND = 0, 1, 2
# Seconds after which urgent work that is not done lets other work go first.
_TURN = 0.1
# The machine recurses with the program that it runs; only what is used of a stack takes memory.
_STACK = 256 * 1024 * 1024


@dataclass(eq=False)
class Job:
    """A piece of work. ``key`` tells which job replaces which (None: it replaces none); ``limit`` is in seconds of wall time.

    It is not begun before ``start``, as ``time.monotonic`` tells it.
    """

    key: object
    priority: int
    work: Callable[[], Any]
    limit: float
    order: int
    start: float
    future: Future[Any] = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    again: bool = False  # it was stopped for something more urgent and starts anew afterwards
    began: float = 0.0
    deadline: float = 0.0


class Worker:
    """Runs jobs one after the other in its own thread."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._running: Job | None = None
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._ended = False
        self._given_up: WeakSet[Future[Any]] = WeakSet()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        try:
            before = threading.stack_size(_STACK)
        except (ValueError, RuntimeError):  # a platform that does not allow it
            before = None
        self._thread = threading.Thread(target=self._loop, name="analysis", daemon=True)
        self._thread.start()
        if before is not None:
            threading.stack_size(before)

    def submit(
        self, key: object, priority: int, work: Callable[[], Any], limit: float = 60.0, pause: float = 0.0
    ) -> Future[Any]:
        """Do ``work`` soon. A job of the same key, waiting or running, is given up; less urgent ones wait.

        So does one that has been running for longer than its turn: a huge file shall not keep others from being answered.

        With a ``pause`` it is not begun before so many seconds are over, and nor is what is less urgent: what comes meanwhile
        may replace it.
        """
        job = Job(key, priority, work, limit, next(self._numbers), time.monotonic() + pause)
        with self._changed:
            running = self._running
            if key is not None:
                for other in [waiting for waiting in self._jobs if waiting.key == key]:
                    self._drop(other)
            if running is not None and key is not None and running.key == key:
                running.again = False
                running.stop.set()
            elif running is not None and not running.stop.is_set():
                if running.priority <= priority < BACKGROUND and time.monotonic() - running.began > _TURN:
                    running.priority = BACKGROUND
                if running.priority > priority:
                    running.again = True
                    running.stop.set()
            self._jobs.append(job)
            self._changed.notify()
        return job.future

    def withdraw(self, key: object) -> None:
        """Give up the job of this key, if there is one."""
        with self._changed:
            for job in [waiting for waiting in self._jobs if waiting.key == key]:
                self._drop(job)
            if self._running is not None and self._running.key == key:
                self._running.again = False
                self._running.stop.set()

    def cancel(self, future: Future[Any]) -> None:
        """Give up the job of this future."""
        with self._changed:
            for job in [waiting for waiting in self._jobs if waiting.future is future]:
                self._drop(job)
            if self._running is not None and self._running.future is future:
                self._running.again = False
                self._running.stop.set()

    def _drop(self, job: Job) -> None:
        """Take a waiting job out."""
        self._jobs.remove(job)
        self._given_up.add(job.future)
        job.future.cancel()

    def relieve(self) -> None:
        """Give up a job that has used up its time: called now and then by another thread."""
        with self._changed:
            job, thread = self._running, self._thread
            if job is None or thread is None or thread.ident is None or time.monotonic() < job.deadline:
                return
            job.deadline += 5.0  # it may need a moment
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(TimeUp))

    def gave_up(self, future: Future[Any]) -> bool:
        """Whether the work of a cancelled future was given up here, and not by the one who waited for it."""
        with self._changed:
            return future in self._given_up

    @property
    def busy(self) -> bool:
        """Whether anything is being done or waits."""
        with self._changed:
            return self._running is not None or bool(self._jobs)

    def end(self) -> None:
        """Give up everything and let the thread end."""
        with self._changed:
            self._ended = True
            for job in list(self._jobs):
                self._drop(job)
            if self._running is not None:
                self._running.again = False
                self._running.stop.set()
            self._changed.notify()

    def _loop(self) -> None:
        while True:
            try:
                job = self._next()
                if job is None:
                    return
                self._do(job)
            except TimeUp:  # it struck when the job had just ended
                continue

    def _next(self) -> Job | None:
        with self._changed:
            while True:
                job = min(
                    self._jobs, key=lambda waiting: (waiting.priority, waiting.start, waiting.order), default=None
                )
                if job is None and self._ended:
                    return None
                pause = job.start - time.monotonic() if job is not None else None
                if job is not None and pause is not None and pause <= 0:
                    break
                self._changed.wait(pause)
            self._jobs.remove(job)
            job.began = time.monotonic()
            job.deadline = job.began + job.limit
            self._running = job
            return job

    def _do(self, job: Job) -> None:
        outcome: Any = None
        error: BaseException | None = None
        try:
            with cancelled_by(job.stop):
                outcome = job.work()
        except (Cancelled, TimeUp) as stopped:
            error = stopped
        except Exception as failure:
            logger.exception("the analysis failed")
            error = failure
        finally:
            with self._changed:
                self._running = None
        if isinstance(error, Cancelled) and job.again and not self._ended:
            with self._changed:
                job.again = False
                job.stop = threading.Event()
                job.start = time.monotonic()
                if job.key is None or not any(waiting.key == job.key for waiting in self._jobs):
                    self._jobs.append(job)
                    return
        if isinstance(error, Cancelled):
            with self._changed:
                self._given_up.add(job.future)
            job.future.cancel()
        elif not job.future.set_running_or_notify_cancel():
            return
        elif isinstance(error, TimeUp):
            job.future.set_exception(TimeoutError(f"it took longer than {job.limit:g} s"))
        elif error is not None:
            job.future.set_exception(error)
        else:
            job.future.set_result(outcome)
