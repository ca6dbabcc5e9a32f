"""What names mean at a place: the values that the machine left in an activation, and how to write them down there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograd_hazards.machine.frames import Frame, Site, Trace
from autograd_hazards.machine.models.nn_core import named_parameters
from autograd_hazards.machine.records import leaves_below
from autograd_hazards.machine.syntax import walk
from autograd_hazards.machine.tensor import Tensor
from autograd_hazards.machine.values import Instance

OPTIMIZER = "torch.optim.Optimizer"
SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"
MODULE = "torch.nn.Module"
MOST_NAMED = 3  # networks in one list of parameters


def names_in(frame: Frame) -> Iterator[tuple[str, Any]]:
    """The names that code in an activation can use, nearest first, with their values; objects' attributes too."""
    seen: set[str] = set()
    spaces: list[dict[str, Any]] = []
    current: Frame | None = frame
    while current is not None:
        spaces.append(current.locals)
        current = current.enclosing
    spaces.append(frame.module.attrs)
    objects: list[tuple[str, Instance]] = []
    for space in spaces:
        for name, value in space.items():
            if name not in seen and name.isidentifier():
                seen.add(name)
                yield name, value
                if isinstance(value, Instance):
                    objects.append((name, value))
    for depth in range(2):
        inner: list[tuple[str, Instance]] = []
        for text, owner in objects:
            for name, value in owner.attrs.items():
                if name.isidentifier() and not name.startswith("__"):
                    yield f"{text}.{name}", value
                    if depth == 0 and isinstance(value, Instance):
                        inner.append((f"{text}.{name}", value))
        objects = inner


def value_of(frame: Frame, text: str) -> Any:
    """The value of a name, of a chain of attributes or of an item with a constant key, at the end of the run.

    None when it is not known.
    """
    owner, bracket, key = text.removesuffix("]").partition("[")
    if bracket and text.endswith("]"):
        items = value_of(frame, owner)
        try:
            return items[ast.literal_eval(key)] if isinstance(items, dict | list | tuple) else None
        except (ValueError, SyntaxError, LookupError, TypeError):  # not a constant, or not there
            return None
    return next((value for name, value in names_in(frame) if name == text), None)


def written(frame: Frame, wanted: Any) -> str:
    """How code in an activation can name an object; empty when it cannot."""
    return next((name for name, value in names_in(frame) if value is wanted), "")


def networks(frame: Frame) -> list[tuple[str, Instance]]:
    """The modules that code in an activation can name, each under its nearest name."""
    found: dict[int, tuple[str, Instance]] = {}
    for name, value in names_in(frame):
        if isinstance(value, Instance) and value.is_a(MODULE):
            found.setdefault(id(value), (name, value))
    return list(found.values())


def optimizer_at(frame: Frame, text: str) -> Instance | None:
    """The optimizer that ``text`` names, also behind a wrapper that keeps it in an attribute."""
    value = value_of(frame, text)
    return value if isinstance(value, Instance) and value.is_a(OPTIMIZER) else None


def held(optimizer: Any) -> set[Tensor]:
    """The parameters that an optimizer holds."""
    groups = optimizer.attrs.get("param_groups") if isinstance(optimizer, Instance) else None
    found: set[Tensor] = set()
    for group in groups if isinstance(groups, list) else []:
        params = group.get("params") if isinstance(group, dict) else None
        found.update(p for p in (params if isinstance(params, list) else []) if isinstance(p, Tensor))
    return found


def parameters(module: Instance) -> set[Tensor]:
    """The parameters of a network."""
    return {tensor for _, tensor in named_parameters(module)}


def reach(roots: Iterable[Any]) -> set[Tensor]:
    """The leaves that a backward of these tensors reaches."""
    found: set[Tensor] = set()
    for root in roots:
        if isinstance(root, Tensor) and root.grad_fn is not None:
            found |= leaves_below(root.grad_fn)
    return found


def spelled_parameters(frame: Frame, optimizer: Instance, text: str) -> str:
    """Code for the list of an optimizer's parameters; ``text`` names the optimizer."""
    params = held(optimizer)
    parts = [(name, mine) for name, value in networks(frame) if (mine := parameters(value)) and mine <= params]
    chosen: list[str] = []
    rest = set(params)
    for name, mine in sorted(parts, key=lambda part: -len(part[1])):  # the largest first, without what is in it
        if mine <= rest:
            chosen.append(name)
            rest -= mine
    if not rest and len(chosen) == 1:
        return f"list({chosen[0]}.parameters())"
    if not rest and len(chosen) <= MOST_NAMED:
        return "[" + ", ".join(f"*{name}.parameters()" for name in sorted(chosen)) + "]"
    return f'[p for group in {text}.param_groups for p in group["params"]]'


def site_in(trace: Trace, frame: Frame) -> Site | None:
    """Where in an activation a trace lies, or the call in it that led there."""
    return next((site for inner, site in trace.chain() if inner is frame), None)


def loads(node: ast.AST, text: str) -> list[ast.expr]:
    """The places in a piece of code that read a name or a chain of attributes, in order."""
    found: list[ast.expr] = []
    for child in walk(node):
        if (
            isinstance(child, ast.Name | ast.Attribute)
            and isinstance(child.ctx, ast.Load)
            and ast.unparse(child) == text
        ):
            found.append(child)
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def bound_names(stmt: ast.stmt) -> set[str]:
    """The names and attribute chains that a statement assigns or writes into, at any depth."""
    found: set[str] = set()
    for node in walk(stmt):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(ast.unparse(node))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(ast.unparse(node.value))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


def read_names(stmt: ast.AST) -> set[str]:
    """The names and attribute chains that a piece of code reads."""
    found = {
        ast.unparse(node)
        for node in walk(stmt)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    for node in walk(stmt):
        if isinstance(node, ast.AugAssign):
            found.add(ast.unparse(node.target))
    return found


def makers(stmts: Sequence[ast.stmt], needed: set[str]) -> list[ast.stmt]:
    """Those of some statements, in order, that names which are ``needed`` behind them are computed by."""
    found: list[ast.stmt] = []
    for stmt in reversed(stmts):
        if bound_names(stmt) & needed:
            found.insert(0, stmt)
            needed = needed | read_names(stmt)
    return found
