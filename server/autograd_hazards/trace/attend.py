"""Attends a whole process: waits until torch is imported, starts a recording, and writes it down at the end."""

from __future__ import annotations

import atexit
import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Callable
from types import ModuleType, TracebackType
from typing import Any


class WaitForTorch(importlib.abc.MetaPathFinder):
    """Calls back when torch has been imported, and is out of the way from then on."""

    def __init__(self, then: Callable[[], None]) -> None:
        self.then = then

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.loader is None:
            return spec
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            del loader.exec_module
            self.then()

        loader.exec_module = exec_module
        return spec


class Attendance:
    """The recording of one process."""

    def __init__(self, path: str, sample: int = 1) -> None:
        self.path = path
        self.sample = sample
        self.recording: Any = None
        self.process = os.getpid()
        atexit.register(self.finish)
        leave = os._exit

        def _exit(status: int) -> None:
            if os.getpid() == self.process:
                self.finish()
            leave(status)

        os._exit = _exit  # type: ignore[assignment]
        if "torch" in sys.modules:
            self.start()
        else:
            sys.meta_path.insert(0, WaitForTorch(self.start))

    def start(self) -> None:
        from .install import Recording

        self.recording = Recording(self.sample)
        self.recording.start()
        self.recording.recorder.events.on_loud = self.write

    def uncaught(self, error: BaseException) -> None:
        """The program ends with ``error``: show its traceback without our frames."""
        if self.recording is not None:
            self.recording.uncaught(error)
        if isinstance(error, SystemExit):
            return
        hook = sys.excepthook

        def show(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
            from .tracebacks import strip_all

            strip_all(value)
            hook(kind, value, value.__traceback__)

        sys.excepthook = show

    def finish(self) -> None:
        """Stop recording and write what was found."""
        if os.getpid() != self.process or self.recording is None:
            return
        recording, self.recording = self.recording, None
        recording.stop()
        from .record import write

        write(self.path, recording)

    def write(self) -> None:
        """What is known so far, in case the process is killed."""
        if self.recording is not None and os.getpid() == self.process:
            from .record import write

            write(self.path, self.recording)
