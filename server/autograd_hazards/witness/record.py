"""What the writer and the reader of ``.autograd-hazards/last-run.json`` must agree on: where it is, and what lines are
known by."""

from __future__ import annotations

from functools import lru_cache

from ..cache import blake2b

FOLDER, FILE = ".autograd-hazards", "last-run.json"
VERSION = 2


@lru_cache(maxsize=1 << 15)  # an editor asks for every line of a file after every key
def digest(line: str) -> str:
    """What a line is known by. White space at its end does not count; its indentation does, as it has a meaning."""
    return blake2b(line.rstrip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
