"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever reads half of it. Raises OSError."""
    # The process' number keeps two runs at the same time apart.
    temporary = path.with_name(f".new-{os.getpid()}-{path.name}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
