"""Worker processes: many files analysed side by side, where a crash or a hang costs the one file it happened on.

A worker is a fresh interpreter that reads tasks from its standard input and answers on its standard output, both as
length-prefixed pickles. It is started by its own command line and not by ``multiprocessing``, so that nothing of the
caller's ``__main__`` is imported again and nothing of the analysed project can shadow the standard library.
"""

from __future__ import annotations

import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from autograd_hazards.limits import checkpoint
from autograd_hazards.messages import Text, say

_LENGTH = struct.Struct("<Q")
_START = (
    "import sys; sys.path[0] = {package!r}; from autograd_hazards.workers import serve; serve()"
    # The first entry is the current folder, in which a file of the project may be called random.py.
)


_LOOK = 0.05  # seconds between two looks at whether the results are still wanted


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no result for a task: a sentence for the person who asked."""

    reason: str


def default_jobs() -> int:
    """How many workers suit this machine: one per usable core, eight at most (each holds its own project)."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return min(cores, 8)


def run(
    factory: Callable[..., Callable[[Any], Any]],
    arguments: tuple[Any, ...],
    tasks: Sequence[Any],
    *,
    jobs: int,
    limit: float,
) -> Iterator[tuple[Any, Any]]:
    """Run ``factory(*arguments)(task)`` for every task in ``jobs`` processes; yields (task, result) as they come.

    ``factory`` is a module-level function; it is called once per process. A task that takes longer than ``limit``
    seconds, or during which its process dies, yields a Failure, and a new process takes over. When the caller leaves
    early, or is told to stop (see ``limits.checkpoint``), the processes are ended in the middle of their tasks.
    """
    todo: queue.SimpleQueue[Any] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Any, Any]] = queue.SimpleQueue()
    for task in tasks:
        todo.put(task)
    setup = pickle.dumps((factory, arguments))
    working: set[_Worker] = set()
    left = threading.Event()
    threads = [
        threading.Thread(target=_supervise, args=(setup, todo, done, limit, working, left), daemon=True)
        for _ in range(min(jobs, len(tasks)))
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in tasks:
            yield _next(done)
    except BaseException:  # left early: Ctrl-C, an error at the caller
        left.set()  # first: a process that is being started just now ends itself
        for worker in list(working):
            worker.process.kill()
        raise


def _next(done: queue.SimpleQueue[tuple[Any, Any]]) -> tuple[Any, Any]:
    """The next result, unless it is not wanted any more."""
    while True:
        try:
            return done.get(timeout=_LOOK)
        except queue.Empty:
            checkpoint()


def _supervise(
    setup: bytes,
    todo: queue.SimpleQueue[Any],
    done: queue.SimpleQueue[tuple[Any, Any]],
    limit: float,
    working: set[_Worker],
    left: threading.Event,
) -> None:
    worker: _Worker | None = None
    try:
        while not left.is_set():
            try:
                task = todo.get_nowait()
            except queue.Empty:
                return
            if worker is None:
                worker = _Worker(setup)
                working.add(worker)
                if left.is_set():
                    worker.process.kill()
                    return
            result, alive = worker.ask(task, limit)
            if not alive:
                worker.stop()
                working.discard(worker)
                worker = None
            done.put((task, result))
    finally:
        if worker is not None:
            worker.stop()
            working.discard(worker)


class _Worker:
    """One process and the pipes to it."""

    def __init__(self, setup: bytes) -> None:
        package = str(Path(__file__).resolve().parent.parent)
        isolated = ["-I"] if sys.flags.isolated else []
        self.process = subprocess.Popen(
            [sys.executable, *isolated, "-c", _START.format(package=package)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # an editor's server has no console on Windows
        )
        self.broken = False
        try:
            _send(self._stdin, setup)
        except OSError:
            self.broken = True

    @property
    def _stdin(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def ask(self, task: Any, limit: float) -> tuple[Any, bool]:
        """The result (or a Failure) of one task, and whether the process can take another."""
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self.process.kill()

        timer = threading.Timer(limit, expire)
        timer.daemon = True
        timer.start()
        try:
            assert self.process.stdout is not None
            _send(self._stdin, pickle.dumps(task))
            return pickle.loads(_receive(self.process.stdout)), True
        except (OSError, EOFError):
            if expired.is_set():
                return Failure(
                    say("its analysis took longer than {limit} s and was stopped", limit=f"{limit:g}")
                ), False
            return Failure(say("the process that analysed it died ({how})", how=_how(self.process))), False
        finally:
            timer.cancel()

    def stop(self) -> None:
        """End the process. An idle one ends by itself when its input does."""
        try:
            self._stdin.close()
        except OSError:  # it died with something unread
            self.process.kill()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def _how(process: subprocess.Popen[bytes]) -> Text:
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return say("no answer")
    return say("signal {number}", number=-code) if code < 0 else say("exit status {number}", number=code)


def _send(stream: IO[bytes], data: bytes) -> None:
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def serve() -> None:
    """The life of a worker process: build the worker function, then answer tasks until the input ends."""
    incoming = sys.stdin.buffer
    # What anything prints must not end up between the answers.
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        factory, arguments = pickle.loads(_receive(incoming))
        work = factory(*arguments)
        while True:
            _send(outgoing, pickle.dumps(work(pickle.loads(_receive(incoming)))))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return
