"""Lazy access to the generated tables: a file is read on the first question, a row is decoded when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from .model import ModuleFacts, OptimizerFacts, Overload, SchedulerFacts
from .rows import decode_module, decode_optimizer, decode_overload, decode_scheduler

DATA = Path(__file__).with_name("data")


class _Version:
    """The selected torch version; one per process, as a project runs one torch."""

    selected: tuple[int, int] | None = None


@cache
def _file(name: str) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return data


def _number(text: str) -> tuple[int, int]:
    parts = text.split(".")
    return int(parts[0]), int("".join(c for c in parts[1] if c.isdigit())) if len(parts) > 1 else 0


def use_version(text: str | None) -> None:
    """Answer for that torch from now on, e.g. "2.1" or "2.1.2+cpu"; None for the version of the base table.

    Raises ValueError where the text is no version.
    """
    _Version.selected = None if text is None else _number(text)
    _overloads.cache_clear()


def version() -> str:
    """The torch version that the base table was generated from, e.g. "2.13"."""
    return str(_file("base.json")["version"])


def _delta(key: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row as it was in the selected version; deltas are listed oldest last and each holds until its version."""
    selected = _Version.selected
    if selected is None:
        return row
    for entry in _file("deltas.json")["ops"].get(key, ()):
        if selected <= _number(entry["until"]):
            row = {**{k: v for k, v in row.items() if k not in ("s", "o", "v")}, **entry["row"]}
    return row


@lru_cache(maxsize=4096)
def _overloads(space: str, name: str) -> tuple[Overload, ...] | None:
    base = _file("base.json")
    bound = base["bindings"][space].get(name)
    if bound is None:
        return None
    result = []
    for signature, key in bound:
        result.append(decode_overload(base["signatures"][signature], _delta(key, base["rows"][key])))
    return tuple(result)


def function(name: str) -> tuple[Overload, ...] | None:
    """The overloads of `torch.<name>` ("exp", "linalg.norm", "fft.fft", "special.erf"), None where it is unknown."""
    return _overloads("torch", name)


def method(name: str) -> tuple[Overload, ...] | None:
    """The overloads of `Tensor.<name>`; the first parameter is self. None where it is unknown."""
    return _overloads("method", name)


def functional(name: str) -> tuple[Overload, ...] | None:
    """The overloads of `torch.nn.functional.<name>` with their Python signature, None where it is unknown."""
    return _overloads("functional", name)


def names(space: str) -> tuple[str, ...]:
    """All names of "torch", "method", "functional", "module", "optimizer" or "scheduler"."""
    if space in ("module", "optimizer", "scheduler"):
        return tuple(_file("modules.json")[space])
    return tuple(_file("base.json")["bindings"][space])


@cache
def module_facts(name: str) -> ModuleFacts | None:
    """The facts of `torch.nn.<name>`, None where it is unknown."""
    row = _file("modules.json")["module"].get(name)
    return None if row is None else decode_module(name, row)


@cache
def optimizer_facts(name: str) -> OptimizerFacts | None:
    """The facts of `torch.optim.<name>`, None where it is unknown."""
    row = _file("modules.json")["optimizer"].get(name)
    return None if row is None else decode_optimizer(name, row)


@cache
def scheduler_facts(name: str) -> SchedulerFacts | None:
    """The facts of `torch.optim.lr_scheduler.<name>`, None where it is unknown."""
    row = _file("modules.json")["scheduler"].get(name)
    return None if row is None else decode_scheduler(name, row)
