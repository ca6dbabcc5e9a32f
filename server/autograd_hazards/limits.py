"""A limit on the time that one piece of work may take in this process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Cancelled(BaseException):
    """Raised in the middle of work whose result nobody wants any more. No Exception, as ``TimeUp``."""


_wanted = threading.local()


@contextmanager
def cancelled_by(flag: threading.Event) -> Iterator[None]:
    """Let ``checkpoint`` raise Cancelled in the block, in this thread, once ``flag`` is set."""
    _wanted.flag = flag
    try:
        yield
    finally:
        _wanted.flag = None


def checkpoint() -> None:
    """Called now and then by long work: raises Cancelled when it shall stop."""
    _wanted.passed = work_done() + 1
    flag = getattr(_wanted, "flag", None)
    if flag is not None and flag.is_set():
        raise Cancelled


def work_done() -> int:
    """How much work this thread has done: how often it has passed a checkpoint, every 64 steps of the machine.

    Unlike time, it is the same on a machine that does much else.
    """
    return getattr(_wanted, "passed", 0)


class TimeUp(BaseException):
    """Raised in the middle of the work. No Exception, so that nothing on the way takes it for a failure of its own."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the block when it runs longer than ``seconds`` of wall time.

    Only the main thread of a POSIX process can be interrupted so; elsewhere there is no limit from here.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def expire(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
