"""Versions of torch that the tables do not cover: what was read from a wheel is kept, in memory and on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import __version__
from ..user_folder import cache_folder
from ..whole_file import write_whole
from . import formulas, wheel
from .wheel import Differences

_KNOWN: dict[str, Differences | None] = {}
"""Version -> what was read of it, None where nothing could be."""


def learn(version: str, packages: Path, base: Any, known: Any) -> bool:
    """Read what the torch of that version in a ``site-packages`` folder has; False where it cannot be read.

    What was read is kept for other processes and later runs, as long as the wheel's files stay what they are.
    """
    if version in _KNOWN:
        return _KNOWN[version] is not None
    try:
        stamp = [
            __version__,
            str(packages),
            *(_state(packages / name) for name in (formulas.DERIVATIVES, wheel.DECLARATIONS)),
        ]
        found = _stored(version, stamp)
        if found is None:
            found = wheel.read(packages, base, known)
            _store(version, stamp, found)
    except (OSError, ValueError):
        found = None
    _KNOWN[version] = found
    return found is not None


def differences(version: str) -> Differences | None:
    """What is known of a version that was read, by this process or by one before it."""
    if version not in _KNOWN:
        _KNOWN[version] = _stored(version, None)
    return _KNOWN[version]


def forget() -> None:
    """Forget what is in memory."""
    _KNOWN.clear()


def _state(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]


def _file(version: str) -> Path | None:
    folder = cache_folder()
    name = "".join(c if c.isalnum() or c in ".+-" else "_" for c in version)
    return folder / "torch" / f"{name}.json" if folder is not None else None


def _stored(version: str, stamp: list[Any] | None) -> Differences | None:
    """What was stored; without a stamp, whatever wheel it was read from."""
    path = _file(version)
    try:
        data = json.loads(path.read_text(encoding="utf-8")) if path is not None else None
        if data is None or (data["of"] != stamp if stamp is not None else data["of"][0] != __version__):
            return None
        return Differences.from_json(data["facts"])
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None  # a cache that cannot be used is no cache


def _store(version: str, stamp: list[Any], found: Differences) -> None:
    path = _file(version)
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({"of": stamp, "facts": found.as_json()}).encode())
    except OSError:
        return  # it only costs time
