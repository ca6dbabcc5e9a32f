"""What the writer and the reader of ``.autograd-hazards/last-run.json`` must agree on: where it is, and what lines are
known by."""

from __future__ import annotations

from functools import lru_cache

FOLDER, FILE = ".autograd-hazards", "last-run.json"
VERSION = 2


@lru_cache(maxsize=1 << 15)  # an editor asks for every line of a file after every key
def digest(line: str) -> str:
    """What a line is known by. White space at its end does not count; its indentation does, as it has a meaning."""
    import hashlib  # not before it is needed: it loads OpenSSL, which takes 4 MB of an editor's memory

    return hashlib.sha1(line.rstrip().encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:16]
