"""Losses of a training step that are shown and go backward nowhere."""

from __future__ import annotations

import ast

from .frames import Frame, Trace
from .records import Records, groups_of, nodes_below
from .syntax import walk
from .tensor import Node, Tensor
from .values import Function, Instance

_MOST = 200  # losses of one run that are looked at
_SHOWING = frozenset({"item", "data", "detach", "tolist", "cpu", "numpy"})
_PRINTING = frozenset({"print", "float", "str", "format", "repr"})


class Untrained(Records):
    """Which losses a step came and went by without."""

    def loss_named(self, name: str, value: Tensor, node: ast.AST) -> None:
        """A local name that says "loss" is given to a tensor with a graph."""
        if self.m.loops and len(self.losses) < _MOST and value.grad_fn is not None and self.m.grad_enabled:
            self.losses.append((name, value, value.grad_fn, self.m.here(node)))

    def passed_by(self, optimizer: Instance, here: Trace) -> None:
        """A step: the losses of this iteration that have not gone backward yet, where another one has."""
        last = self.m.backwards[-1].trace.loops if self.m.backwards else None
        for entry in self.losses:
            _, _, root, trace = entry
            depth = len(trace.loops)
            if root.walked is None and trace.loops == last and here.loops[:depth] == trace.loops:
                self.passed.setdefault(entry, []).append((optimizer, here))

    def _untrained(self) -> None:
        executed: set[Node] = set()
        for backward in self.m.backwards:
            executed |= backward.executed
        for (name, value, root, trace), steps in self.passed.items():
            if root in executed or not only_shown(name, trace.frame):
                continue
            own = nodes_below([root]) - executed
            if not executed or own & self.escaped_nodes:
                continue
            parameters = {e for n in own for e in n.edges if isinstance(e, Tensor) and e.is_param}
            for optimizer, step in steps:
                if any(p in parameters for group in groups_of(optimizer) for p in group):
                    self.m.emit("untrained_loss", trace, tensor=value, name=name, step=step, optimizer=optimizer)
                    break


def only_shown(name: str, frame: Frame) -> bool:
    """Whether a function reads a local name only to print it or to take its number."""
    function = frame.function
    body = function.node if isinstance(function, Function) else frame.module.source.parsed.tree
    parents = {child: node for node in walk(body) for child in ast.iter_child_nodes(node)}
    reads = [n for n in parents if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
    return bool(reads) and all(_shows(read, parents[read]) for read in reads)


def _shows(read: ast.Name, around: ast.AST) -> bool:
    """Whether what stands ``around`` a name prints it or takes its number."""
    if isinstance(around, ast.Attribute):
        return around.attr in _SHOWING
    if isinstance(around, ast.Call):
        func = around.func
        called = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        return called in _PRINTING and read in around.args
    return isinstance(around, ast.FormattedValue)
