"""Takes our frames out of tracebacks, so that a program's errors look as they do without us."""

from __future__ import annotations

import os
from types import TracebackType

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


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
        filename = trace.tb_frame.f_code.co_filename
        name = trace.tb_frame.f_code.co_name
        if filename.startswith(_HERE) or (not entries and name.startswith("_run_") and filename == "<frozen runpy>"):
            pass
        elif name == "handle_torch_function" and filename.endswith(os.path.join("torch", "overrides.py")):
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
