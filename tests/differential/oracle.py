"""Ask torch: a worker process that imports torch once, runs each program it is given, and reports the first error.

As a script this is the worker: one JSON list of programs a line in, one JSON list of ``[kind, row, message]`` a line
out. Kind ``invalid`` marks an error that autograd has no part in: the generator's fault, no verdict.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.differential.verdict import Verdict, kind_of

FILENAME = "program.py"
PATIENCE = 5
"""Seconds that a program may run."""


class Oracle:
    """The worker, as seen from the process that asks. Use it in a ``with`` statement."""

    def __enter__(self) -> Oracle:
        command = [sys.executable, "-B", "-W", "ignore", __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)

    def ask(self, programs: Sequence[str]) -> None:
        """Hand over programs; the answers are ready for ``answer`` some time later."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(list(programs)) + "\n")
        self._process.stdin.flush()

    def answer(self) -> list[Verdict]:
        """The verdicts on the programs of the oldest unanswered ``ask``."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the torch process ended")
        self.messages: list[str] = []
        verdicts = []
        for kind, row, message in json.loads(line):
            verdicts.append(Verdict(kind, row))
            self.messages.append(message)
        return verdicts

    def verdict(self, program: str) -> Verdict:
        """The verdict on one program."""
        self.ask([program])
        return self.answer()[0]


def _run(text: str, torch: Any) -> tuple[str, int, str]:
    """Run a program as ``__main__`` would be run: its first error's kind, row and message."""
    torch.manual_seed(0)
    signal.alarm(PATIENCE)
    try:
        exec(compile(text, FILENAME, "exec"), {"__name__": "__main__"})
    except Exception as error:  # noqa: BLE001 - whatever the program raises is the answer
        return _first(error)
    finally:
        signal.alarm(0)
        torch.set_grad_enabled(True)
    return "", 0, ""


def _first(error: BaseException) -> tuple[str, int, str]:
    """The earliest error of a chain: one raised while another was handled came second."""
    chain = [error]
    while chain[-1].__context__ is not None:
        chain.append(chain[-1].__context__)
    for link in reversed(chain):
        row = _row(link)
        if row and (kind := kind_of(str(link))):
            return kind, row, str(link)
    return "invalid", _row(error), f"{type(error).__name__}: {error}"


def _row(error: BaseException) -> int:
    row, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILENAME:
            row = step.tb_lineno
        step = step.tb_next
    return row


def _no_fits_that_numbers_end(torch: Any) -> None:
    """LBFGS stops where the gradient is zero; how often it calls its closure must not hang on numbers."""
    step = torch.optim.LBFGS.step

    def counted(self: Any, closure: Any) -> Any:
        calls = 0

        def count() -> Any:
            nonlocal calls
            calls += 1
            return closure()

        result = step(self, count)
        if calls < min(2, self.param_groups[0]["max_iter"]):
            raise ArithmeticError("the gradients are zero")
        return result

    torch.optim.LBFGS.step = counted


def _serve() -> None:
    import torch
    import torch._dynamo  # optimizers import it at their first step

    def give_up(*_: object) -> None:
        raise TimeoutError(f"the program runs for more than {PATIENCE} s")

    signal.signal(signal.SIGALRM, give_up)
    _no_fits_that_numbers_end(torch)

    torch.set_num_threads(1)
    answers = os.fdopen(os.dup(1), "w")
    sys.stdout = sys.stderr  # what a program prints must not look like an answer
    for line in sys.stdin:
        answers.write(json.dumps([_run(text, torch) for text in json.loads(line)]) + "\n")
        answers.flush()


if __name__ == "__main__":
    _serve()
