"""Kind and row of a program's first refused line: as torch says, and as the machine says."""

from __future__ import annotations

import traceback
import warnings
from typing import Any

from autograd_hazards.machine import run_text

KINDS = (
    ("second time", "freed"),
    ("modified by an inplace operation", "version"),
    ("a view of a leaf", "view"),
    ("a leaf variable that requires grad", "leaf"),
    ("output of a function that returns multiple views", "multiview"),
    ("does not require grad", "no_grad_graph"),
    ("scalar outputs", "non_scalar"),
    ("can't call numpy()", "numpy"),
    ("deepcopy protocol", "other"),
)


def torch_verdict(text: str) -> tuple[str, int]:
    """("", 0) when the program runs. The row is the innermost one in the program itself."""
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
    except Exception as error:  # noqa: BLE001  # whatever torch raises is the answer
        rows = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "program.py"]
        message = str(error).lower()
        kind = next((k for part, k in KINDS if part in message), f"invalid: {type(error).__name__}: {error}")
        return kind, rows[-1] or 0
    finally:
        torch.set_grad_enabled(True)
    return "", 0


def machine_verdict(text: str) -> tuple[str, int]:
    """The first event that torch would raise."""
    events: list[Any] = [e for e in run_text(text) if e.loud]
    return (events[0].kind, events[0].where.site.row) if events else ("", 0)
