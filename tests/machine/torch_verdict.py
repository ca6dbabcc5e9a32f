"""The kind of the first error of a program: as torch says, and as the machine says."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from autograd_hazards.machine import run_text

KINDS = (
    ("second time", "freed"),
    ("its base or another view of its base has been modified", "version"),  # a saved view of several
    ("is a view and is being modified inplace", "view"),
    ("output of a function that returns multiple views", "view"),
    ("a view of a leaf", "view"),
    ("a leaf variable that requires grad", "leaf"),
    ("modified by an inplace operation", "version"),
    ("does not require grad", "no_grad_graph"),
    ("inference tensor", "inference"),
    ("single memory location", "overlap"),
    ("scalar outputs", "non_scalar"),
)
SAME = {"multiview": "view", "custom_view": "view", "no_grad_view": "view", "inference_view": "view"}


def torch_kind(text: str) -> str:
    """ "" when the program runs; "invalid: …" when it is not about autograd."""
    names: dict[str, Any] = {"__name__": "program"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "program.py", "exec"), names)
    except Exception as error:  # noqa: BLE001  # whatever torch raises is the answer
        message = str(error).lower()
        return next((kind for part, kind in KINDS if part in message), f"invalid: {type(error).__name__}: {error}")
    finally:
        torch = sys.modules.get("torch")
        if torch is not None:
            torch.set_grad_enabled(True)
    return ""


def machine_kind(text: str) -> str:
    """The kind of the first event that torch would raise."""
    for event in run_text(text):
        if event.loud:
            return SAME.get(event.kind, event.kind)
    return ""
