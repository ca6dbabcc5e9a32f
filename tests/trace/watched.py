"""Run programs under the recorder, importing torch once: as ``tests/rules/zygote.py``, with a recording in each fork.

As a script this is the server: it reads one JSON request a line (``{"main": path, "cwd": path, "record": path or null}``)
and answers with one JSON line (``{"code": int, "out": str, "err": str}``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

TIMEOUT = 60
TRACE = Path(__file__).resolve().parents[2] / "server" / "autograd_hazards" / "trace"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended, and what was recorded. ``code`` is the exit status, negative for a signal."""

    code: int
    out: str
    err: str
    record: dict[str, Any] = field(default_factory=dict)


class Watched:
    """A process with torch imported, to fork programs from. Use it in a ``with`` statement."""

    def __init__(self, python: str = sys.executable) -> None:
        self.python = python

    def __enter__(self) -> Watched:
        self._process = subprocess.Popen(
            [self.python, "-B", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._folder = tempfile.TemporaryDirectory()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=TIMEOUT)
        self._folder.cleanup()

    def run(self, main: Path, cwd: Path, watch: bool = True) -> Outcome:
        """Run the script ``main`` as ``__main__`` in the folder ``cwd``, recorded unless ``watch`` is false."""
        assert self._process.stdin is not None and self._process.stdout is not None
        path = Path(self._folder.name) / "record.json"
        path.unlink(missing_ok=True)
        request = {"main": str(main), "cwd": str(cwd), "record": str(path) if watch else None}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the torch process ended while running {main}")
        record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return Outcome(**json.loads(line), record=record)


def _become(main: str, cwd: str, record: str | None, out: int, err: int) -> None:
    """Turn this fork into a fresh interpreter that runs ``main``; never returns."""
    import atexit
    import signal

    os.dup2(out, 1)
    os.dup2(err, 2)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    signal.alarm(TIMEOUT)
    os.chdir(cwd)
    code = 0
    attendance = None
    try:
        import bootstrap

        if record is None:
            import types

            sys.path[0] = "placeholder"
            bootstrap._script([main], types.ModuleType("__main__"))
        else:
            attendance = bootstrap.load_package().Attendance(record)
            import types

            bootstrap._script([main], types.ModuleType("__main__"))
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:  # noqa: BLE001 - as the interpreter itself does
        if attendance is not None:
            attendance.uncaught(error)
            sys.excepthook(type(error), error, error.__traceback__)
        else:
            import traceback

            traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _serve() -> None:
    import torch
    import torch._dynamo  # optimizers import it at their first step, a second each time
    import torch.utils.checkpoint
    import torch.utils.data

    sys.path.insert(0, str(TRACE))
    import bootstrap  # noqa: F401

    torch.set_num_threads(1)
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if not child:
                sys.path.pop(0)
                _become(request["main"], request["cwd"], request["record"], out.fileno(), err.fileno())
            _, status = os.waitpid(child, 0)
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8", "replace"))
        answer = {"code": os.waitstatus_to_exitcode(status), "out": texts[0], "err": texts[1]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
