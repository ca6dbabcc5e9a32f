"""Optimizers and schedulers that cannot be read, or that are handed to code which cannot: what is assumed of them."""

from __future__ import annotations

import ast
import re
from typing import Any

from ..source.patterns import lazy
from .frames import Trace, carried
from .records import Records
from .values import Instance, Unknown, Value

TRAINS = lazy(r"train|fit|epoch|optimi", re.IGNORECASE)
OPTIMIZER = lazy(r"(?:^|[._])opt(?:im(?:i[sz]ers?)?|s)?(?:$|[._\d])|solver", re.IGNORECASE)


class Unread(Records):
    """What is known of optimizers from their calls alone."""

    def handed(self, optimizer: Instance, node: ast.AST) -> None:
        """A function that cannot be followed gets an optimizer: one that trains steps it."""
        func = node.func if isinstance(node, ast.Call) else None
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if TRAINS.search(name):
            optimizer.data.handed.append(self.m.here(node))

    def scheduled(self, scheduler: Instance, optimizer: Value, node: ast.AST) -> None:
        """A scheduler's step: does it come before any of its optimizer's?"""
        if not isinstance(optimizer, Instance) or not hasattr(optimizer.data, "steps"):
            return
        if len(optimizer.data.steps) <= optimizer.data.before and not optimizer.data.handed:
            self.early_schedules.append((scheduler, optimizer, self.m.here(node)))

    def _early_schedules(self) -> None:
        for scheduler, optimizer, trace in self.early_schedules:
            own: Any = optimizer.data
            assumed = ("nothing has stepped before",) if own.assumed else ()
            steps = own.steps[own.before :]
            if not steps and own.handed:
                steps, assumed = own.handed, ("a function that cannot be read steps",)
            if steps:
                self.m.emit("scheduler_first", trace, assumed=assumed, step=steps[0], optimizer=optimizer,
                            scheduler=scheduler)  # fmt: skip

    def unread_backward(self, node: ast.AST) -> None:
        self.last_backward = self.m.here(node)

    def unread_step(self, optimizer: Unknown, node: ast.AST) -> None:
        """``optimizer.step()`` of which only the name is known: was anything cleared since the last one?"""
        func = node.func if isinstance(node, ast.Call) else None
        if not isinstance(func, ast.Attribute) or not OPTIMIZER.search(ast.unparse(func.value)):
            return
        here = self.m.here(node)
        last = self.last_backward
        if self.m.backwards and not self.m.backwards[-1].failed:
            newest = self.m.backwards[-1].trace
            last = newest if last is None or carried(last.loops, newest.loops) else last
        before, state = self.unread_steps.get(here.site), (self.clears, self.handed_on.get(id(optimizer)))
        if before is not None and last is not None and before[1] == state and carried(before[0].loops, here.loops):
            if before[2] is not None and carried(before[2].loops, last.loops):
                self.m.emit("never_cleared", here, assumed=("an optimizer that cannot be read",), first=before[2],
                            second=last, earlier=before[0])  # fmt: skip
        self.unread_steps[here.site] = here, state, last

    def cleared(self) -> None:
        """Something, known or not, cleared gradients."""
        self.clears += 1


def is_scheduler(name: str, used: set[str]) -> bool:
    """Whether an argument is a learning-rate scheduler by its name and use."""
    return "sched" in name.lower() and "step" in used


__all__ = ["Trace", "Unread", "is_scheduler"]
