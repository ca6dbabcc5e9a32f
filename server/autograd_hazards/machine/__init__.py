"""The abstract autograd machine: runs a program on a model of autograd and reports events.

It knows no rules, no editor protocol and no edits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .entries import Analysis, analyse
from .events import Event
from .memory import Memory, function_names
from .session import Limits


def run_text(text: str, filename: str = "program.py") -> list[Event]:
    """The events of one program given as text, in execution order, the loud ones that torch would raise among them."""
    events: list[Event] = _machine(text, filename)[0].events
    return events


def debug_values(text: str, filename: str = "program.py") -> dict[str, Any]:
    """The names of the module after a run: for tests of the models."""
    return _machine(text, filename)[1]


def _machine(text: str, filename: str) -> tuple[Any, dict[str, Any]]:
    from ..program.project import Project
    from .core import Machine, Plan
    from .entries import _main_entry, _run
    from .session import Session

    path = Path("/program") / filename
    project = Project([path.parent], {path: text})
    machine = Machine(Session(project, Limits(steps=400_000)), Plan([]))
    module = project.module_at(path)
    _run(machine, _main_entry(module))
    attrs: dict[str, Any] = machine.modules[module.path].attrs
    return machine, attrs


__all__ = ["Analysis", "Event", "Limits", "Memory", "analyse", "debug_values", "function_names", "run_text"]
