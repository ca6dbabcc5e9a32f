"""lsprotocol's classes, each made when it is first used.

lsprotocol has some 550 classes that attrs makes: it writes a script for each and compiles it, which takes longer than all
else until the server answers, and half of its memory. A session uses a tenth of them.
"""

from __future__ import annotations

import threading
from typing import Any

import attrs

_MAKING = threading.RLock()
_define = attrs.define


def load_types() -> None:
    """Import ``lsprotocol.types`` without making its classes."""
    attrs.define = _later  # type: ignore[assignment]
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = _define
    from lsprotocol import _hooks

    # It would go through all of them. A version that does without this mark makes them all, then: that costs time only.
    _hooks._resolved_forward_references = True


def _later(cls: Any = None, **options: Any) -> Any:
    """Stands for ``attrs.define``."""
    if not isinstance(cls, type) or options:
        return _define(cls, **options)
    made = cls  # the same object later: lsprotocol's annotations name it already

    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        _make(made)
        made.__init__(self, *args, **kwargs)  # type: ignore[misc]

    cls.__init__ = first  # type: ignore[misc]
    cls.__attrs_attrs__ = _Fields()  # type: ignore[attr-defined]
    return cls


class _Fields:
    """Stands for what attrs knows of a class."""

    def __get__(self, instance: object, owner: Any) -> Any:
        _make(owner)
        return owner.__attrs_attrs__


def _make(cls: Any) -> None:
    """Let attrs make a class, and resolve what its annotations name."""
    from lsprotocol import types

    with _MAKING:
        if not isinstance(cls.__dict__.get("__attrs_attrs__"), _Fields):
            return  # it was made meanwhile
        # In place, with its own ``__init__`` instead of ours.
        _define(cls, slots=False, init=True)
        attrs.resolve_types(cls, types.ALL_TYPES_MAP, {})
