"""Worker processes end when nobody wants their results any more, whatever they are doing at that time."""

from __future__ import annotations

import subprocess
import threading
import time
from typing import Any

import pytest

from autograd_hazards import workers
from autograd_hazards.limits import Cancelled, cancelled_by

SLEEP = "lambda seconds: __import__('time').sleep(seconds)"


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2, 1.0])
def test_a_process_that_is_just_being_started_ends_too(delay: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it is given at first may not fit into the pipe: it is taken once the interpreter has started."""
    made: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            made.append(self)

    def slowly(stream: Any, data: bytes) -> None:
        time.sleep(0.3)
        send(stream, data)

    send = workers._send
    monkeypatch.setattr(workers, "_send", slowly)
    monkeypatch.setattr(workers.subprocess, "Popen", Noted)
    flag = threading.Event()
    timer = threading.Timer(delay, flag.set)
    timer.start()
    with pytest.raises(Cancelled), cancelled_by(flag):
        list(workers.run(eval, (SLEEP,), [60.0], jobs=1, limit=100))
    end = time.monotonic() + 20
    while any(process.poll() is None for process in made):
        assert time.monotonic() < end, "a process goes on"
        time.sleep(0.05)
