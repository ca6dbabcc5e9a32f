"""Lazy access to the generated tables: a file is read on the first question, a row is decoded when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .model import ModuleFacts, OptimizerFacts, Overload, SchedulerFacts
from .rows import decode_module, decode_optimizer, decode_overload, decode_scheduler

if TYPE_CHECKING:
    from .wheel import Differences

DATA = Path(__file__).with_name("data")


class _Version:
    """The selected torch version; one per process, as a project runs one torch."""

    selected: tuple[int, int] | None = None
    own: Differences | None = None
    """What was read from the wheel of a version that the tables do not cover."""


@cache
def _file(name: str) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return data


def _number(text: str) -> tuple[int, int]:
    parts = text.split(".")
    return int(parts[0]), int("".join(c for c in parts[1] if c.isdigit())) if len(parts) > 1 else 0


def use_version(text: str | None) -> None:
    """Answer for that torch from now on, e.g. "2.1" or "2.1.2+cpu"; None for the version of the base table.

    A version that the tables do not cover is answered for by what `learn` has read, or else as the nearest that they do.
    Raises ValueError where the text is no version.
    """
    _Version.selected = None if text is None else _number(text)
    _Version.own = None if text is None or covers(text) else _read(text)
    _overloads.cache_clear()


def version() -> str:
    """The torch version that the base table was generated from, e.g. "2.13"."""
    return str(_file("base.json")["version"])


def covered() -> tuple[str, str]:
    """The oldest and the newest torch version that the tables cover, e.g. "2.1" and "2.13"."""
    tables = _file("deltas.json")["tables"]
    oldest, newest = (".".join(map(str, _number(tables[i]))) for i in (0, -1))
    return oldest, newest


def covers(text: str) -> bool:
    """Whether the tables know a version by themselves. Raises ValueError where the text is no version."""
    oldest, newest = covered()
    return _number(oldest) <= _number(text) <= _number(newest)


def knows(text: str) -> bool:
    """Whether there are facts of a version: in the tables, or read from its files. Raises ValueError where it is none."""
    return covers(text) or _read(text) is not None


def learn(text: str, packages: Path) -> bool:
    """Read what a torch that the tables do not cover has from its files in a ``site-packages`` folder.

    Nothing of it is imported. False where it cannot be read; nothing is read where the tables cover the version.
    """
    from . import installed

    return covers(text) or installed.learn(
        text, packages, _file("formulas.json")["ops"], _file("base.json")["bindings"]
    )


def _read(text: str) -> Differences | None:
    """What was read of a version. Few projects have one that must be read, so its code is loaded late."""
    from . import installed

    return installed.differences(text)


def _delta(key: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row as it was in the selected version; deltas are listed oldest last and each holds until its version."""
    selected, own = _Version.selected, _Version.own
    if own is not None:
        changed = own.changed.get(key)
        return row if changed is None else {**{k: v for k, v in row.items() if k not in ("s", "o", "v")}, **changed}
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
    own = _Version.own
    if bound is None:
        added = own.added.get(space, {}).get(name) if own is not None else None
        return tuple(decode_overload(signature, row) for signature, row in added) if added else None
    if own is not None and all(key in own.gone for _, key in bound):
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


def is_tensor_attribute(name: str) -> bool | None:
    """Whether tensors have a public attribute of that name; None where the selected torch is newer than the table."""
    selected = _Version.selected
    if selected is not None and selected > _number(version()):
        return None
    return name in _tensor_attributes()


@cache
def _tensor_attributes() -> frozenset[str]:
    return frozenset(_file("modules.json")["tensor"])
