"""Warnings name the line that they come from; the recorder's own frames must not be counted among those lines.

Python counts frames (``stacklevel``) and torch's C++ code names the innermost one. Both are set right here.
"""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def install(replace: Callable[[Any, str, Callable[[Any], Any]], None]) -> None:
    """Stand behind ``warnings`` until the recording stops."""
    replace(warnings, "warn", _warning)
    replace(warnings, "_showwarnmsg", _showing)


def _warning(original: Any) -> Any:
    @functools.wraps(original)
    def warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **more: Any) -> None:
        level = 1 + (_depth(stacklevel) if stacklevel > 0 else stacklevel)
        original(message, category, level, source, **more)

    return warn


def _depth(stacklevel: int) -> int:
    """The frame that a stacklevel means, counted with the frames that would not be there without us."""
    frame: Any = sys._getframe(2)
    depth, left = 0, stacklevel
    skip = 0
    while frame is not None:
        depth += 1
        code = frame.f_code
        if code.co_filename.startswith(_HERE):
            pass
        elif code.co_name == "handle_torch_function":
            skip = 1  # and the function of torch that called it, which has been counted already
        elif skip:
            skip = 0
        else:
            left -= 1
            if not left:
                return depth
        frame = frame.f_back
    return stacklevel


def _showing(original: Any) -> Any:
    shown: set[tuple[str, str, int, str]] = set()

    @functools.wraps(original)
    def show(message: Any) -> None:
        if message.filename.startswith(_HERE):
            frame: Any = sys._getframe(1)
            while frame is not None and frame.f_code.co_filename.startswith(_HERE):
                frame = frame.f_back
            sys.modules[__package__ + ".mode"].__dict__.get("__warningregistry__", {}).clear()
            if frame is not None:
                message.filename, message.lineno, message.line = frame.f_code.co_filename, frame.f_lineno, None
            key = str(message.message), message.category.__name__, message.lineno, message.filename
            if key in shown and _action(message) in ("default", "module", "once"):
                return
            shown.add(key)
        original(message)

    return show


def _action(message: Any) -> str:
    """What the filters say about a warning."""
    for action, pattern, category, module, line in warnings.filters:
        if (
            issubclass(message.category, category)
            and (pattern is None or pattern.match(str(message.message)))
            and (module is None or module.match(os.path.splitext(os.path.basename(message.filename))[0]))
            and line in (0, message.lineno)
        ):
            return str(action)
    return "default"
