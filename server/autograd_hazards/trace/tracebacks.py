"""Takes our frames out of tracebacks, so that a program's errors look as they do without us."""

from __future__ import annotations

import functools
import os
import traceback
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def install(replace: Callable[[Any, str, Callable[[Any], Any]], None]) -> None:
    """Stand behind ``traceback`` until the recording stops: what a program prints of an error that it has caught."""
    replace(traceback.TracebackException, "__init__", _summing_up)
    replace(traceback, "walk_stack", _walking)


def _summing_up(original: Any) -> Any:
    @functools.wraps(original)
    def init(self: Any, exc_type: Any, exc_value: Any, exc_traceback: Any, **kwargs: Any) -> None:
        original(self, exc_type, exc_value, stripped(exc_traceback), **kwargs)

    return init


def _walking(original: Any) -> Any:
    @functools.wraps(original)
    def walk_stack(frame: Any) -> Iterator[tuple[Any, int]]:
        walked = original(frame)
        return walked if frame is None else _without_ours(walked)  # without a frame it counts those of its callers

    return walk_stack


def _without_ours(walked: Iterator[tuple[Any, int]]) -> Iterator[tuple[Any, int]]:
    skip = False  # a function of torch that has handed its call to the mode, which calls it again
    for frame, line in walked:
        if frame.f_code.co_filename.startswith(_HERE):
            continue
        if _hands_on(frame):
            skip = True
        elif skip:
            skip = False
        else:
            yield frame, line


def _hands_on(frame: Any) -> bool:
    code = frame.f_code
    name: str = code.co_name
    return name == "handle_torch_function" and str(code.co_filename).endswith(os.path.join("torch", "overrides.py"))


def strip_all(error: BaseException) -> None:
    """Strip ``error`` and everything it came from."""
    seen: set[int] = set()
    stack: list[BaseException | None] = [error]
    while stack:
        current = stack.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = stripped(current.__traceback__)
        stack += [current.__cause__, current.__context__]


def stripped(trace: TracebackType | None) -> TracebackType | None:
    """The traceback without the frames of the recorder.

    A function of torch that is written in Python hands the call to the mode, which calls the function again: its first
    frame and the frame of ``handle_torch_function`` are ours as well.
    """
    entries: list[TracebackType] = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(_HERE):
            pass
        elif _hands_on(trace.tb_frame):
            if entries:
                entries.pop()
        else:
            entries.append(trace)
        trace = trace.tb_next
    found: TracebackType | None = None
    for entry in reversed(entries):
        entry.tb_next = found
        found = entry
    return found
