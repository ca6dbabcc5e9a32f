"""Run programs under torch, importing torch once: the server half forks itself for each program.

As a script this is the server: it reads one JSON request a line (``{"main": path, "cwd": path}``) and answers with one
JSON line (``{"code": int, "out": str, "err": str}``). Each program runs in a fresh fork, so none sees another's state.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

TIMEOUT = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended. ``code`` is the exit status, negative for a signal."""

    code: int
    out: str
    err: str


class Zygote:
    """A process with torch imported, to fork programs from. Use it in a ``with`` statement."""

    def __enter__(self) -> Zygote:
        self._process = subprocess.Popen(
            [sys.executable, "-B", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=TIMEOUT)

    def run(self, main: Path, cwd: Path) -> Outcome:
        """Run the script ``main`` as ``__main__`` in the folder ``cwd``."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"main": str(main), "cwd": str(cwd)}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the torch process ended while running {main}")
        return Outcome(**json.loads(line))


def _become(main: str, cwd: str, out: int, err: int) -> None:
    """Turn this fork into a fresh interpreter that runs ``main``; never returns."""
    import runpy
    import signal
    import traceback

    os.dup2(out, 1)
    os.dup2(err, 2)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    signal.alarm(TIMEOUT)
    os.chdir(cwd)
    sys.argv = [main]
    sys.path[0] = os.path.dirname(main)
    code = 0
    try:
        runpy.run_path(main, run_name="__main__")
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter itself does
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _serve() -> None:
    import torch
    import torch._dynamo  # optimizers import it at their first step, a second each time
    import torch.utils.checkpoint
    import torch.utils.data

    torch.set_num_threads(1)
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if not child:
                _become(request["main"], request["cwd"], out.fileno(), err.fileno())
            _, status = os.waitpid(child, 0)
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8", "replace"))
        answer = {"code": os.waitstatus_to_exitcode(status), "out": texts[0], "err": texts[1]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
