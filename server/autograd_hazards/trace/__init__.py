"""The run-time witness: runs a program unchanged under a recorder and writes down what autograd meets.

This folder is the only code of ours that imports torch. It needs nothing else, neither the rest of this package: the
command ``run`` hands it to the interpreter of the program. What it writes is plain data; ``autograd_hazards.witness``
makes findings of it.
"""

from __future__ import annotations

from typing import Any

__all__ = ["witness"]


def __getattr__(name: str) -> Any:
    if name == "witness":
        from .session import witness

        return witness
    raise AttributeError(name)
