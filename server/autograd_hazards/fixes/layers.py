"""In-place layers: ``inplace=True`` turned off where the layer is made or called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.fixes.arguments import drop_argument, drop_keyword, set_keyword
from autograd_hazards.fixes.draft import SAFE, UNSAFE, Problem, draft
from autograd_hazards.fixes.sheet import Sheet
from autograd_hazards.machine.frames import Site, Trace
from autograd_hazards.messages import say
from autograd_hazards.rules.causes import ACTIVATIONS

# How many arguments come before ``inplace`` in the constructor or function, where it is often given by position.
POSITION = {"ReLU": 0, "ReLU6": 0, "SiLU": 0, "Mish": 0, "Hardswish": 0, "Hardsigmoid": 0, "SELU": 0, "CELU": 1,
            "ELU": 1, "LeakyReLU": 1, "Dropout": 1, "Dropout2d": 1, "Dropout3d": 1, "relu": 1}  # fmt: skip


READS = say("what reads the layer's input afterwards reads the values from before the layer")


def not_inplace(problem: Problem) -> Iterator[Fix]:
    """Turn the flag off at the layer that writes; else at the one whose result is written."""
    for site in _makers(problem):
        sheet = problem.sheet(site)
        if not sheet.has(site.node) or not isinstance(site.node, ast.Call):
            continue
        for fix in _without(sheet, site.node):
            # What reads the layer's input afterwards reads other values then.
            yield fix if problem.event.loud else replace(fix, applicability=UNSAFE, note=READS)


def _makers(problem: Problem) -> Iterator[Site]:
    event = problem.event
    places: list[Trace | None] = []
    mutation = event.data.get("mutation")
    for module in (event.data.get("module"), getattr(mutation, "module", None)):
        places.append(getattr(module, "site", None))
    places += [event.data.get("changed"), event.where]
    node = event.data.get("node")
    places.append(getattr(getattr(node, "module", None), "site", None))
    for trace in places:
        if trace is not None:
            yield trace.site


def _without(sheet: Sheet, call: ast.Call) -> Iterator[Fix]:
    name = (
        call.func.attr
        if isinstance(call.func, ast.Attribute)
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )
    edit: Edit | None = None
    flag = next((k for k in call.keywords if k.arg == "inplace"), None)
    if flag is not None:
        edit = (
            drop_keyword(sheet, call, "inplace")
            if isinstance(flag.value, ast.Constant)
            else set_keyword(sheet, call, "inplace", "False")
        )
    else:
        at = POSITION.get(name)
        last = call.args[-1] if call.args else None
        if at is not None and len(call.args) == at + 1 and isinstance(last, ast.Constant) and last.value is True:
            edit = drop_argument(sheet, call, last)
        elif name in ACTIVATIONS:
            yield from _function(sheet, call, name)
            return
    title = say("Let `{name}` give a new tensor (no `inplace=True`)", name=name)
    yield from draft(
        title, SAFE, [edit] if edit is not None else None, say("the same values; the layer's input keeps its own")
    )


def _function(sheet: Sheet, call: ast.Call, name: str) -> Iterator[Fix]:
    """``F.relu_(x)`` and ``x.relu_()``."""
    end = sheet.end(call.func)
    edits: list[Edit | None] = [sheet.replace(end - 1, end, "")]
    stmt = sheet.statement(call)
    if isinstance(stmt, ast.Expr) and stmt.value is call:
        target = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
        if not isinstance(target, ast.Name | ast.Attribute):
            return
        edits.append(sheet.insert(sheet.start(stmt), f"{sheet.segment(target)} = "))
    yield from draft(
        say("`{new}` instead of `{old}`", new=name[:-1], old=name),
        SAFE,
        edits,
        say("the same values, in a new tensor"),
    )
