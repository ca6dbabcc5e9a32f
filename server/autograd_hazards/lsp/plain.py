"""Parameters of our own requests: pygls gives them as named tuples, we read them as JSON."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """The JSON value that pygls made objects of."""
    if hasattr(value, "_asdict"):
        return {name: plain(inner) for name, inner in value._asdict().items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value
