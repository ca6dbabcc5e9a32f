"""Comparing what the machine computes with what Python computes."""

from __future__ import annotations

from typing import Any

from autograd_hazards.machine import debug_values
from autograd_hazards.machine.values import Instance

SIMPLE = (str, bytes, int, float, complex, bool, type(None))


def plain(value: Any) -> Any:
    """``value`` in built-in containers; raises ValueError for what has no plain form."""
    if isinstance(value, SIMPLE):
        return value
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    if isinstance(value, set | frozenset):
        return {plain(v) for v in value}
    if isinstance(value, range):
        return ("range", value.start, value.stop, value.step)
    if type(value).__name__ in ("deque", "Deque"):
        return [plain(v) for v in value]
    if isinstance(value, Instance) and value.is_a("typing.NamedTuple"):
        return tuple(plain(v) for v in value.attrs.values())
    if isinstance(value, Instance) and value.data is not None:
        return plain(value.data)
    raise ValueError(f"not plain: {value!r}")


def native_values(text: str) -> dict[str, Any]:
    """The plain names of the program's module after Python ran it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "program.py", "exec"), names)
    return plain_names(names)


def machine_values(text: str) -> dict[str, Any]:
    """The plain names of the program's module after the machine ran it."""
    return plain_names(debug_values(text))


def plain_names(names: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in names.items():
        if name.startswith("__"):
            continue
        try:
            found[name] = plain(value)
        except ValueError:
            continue
    return found
