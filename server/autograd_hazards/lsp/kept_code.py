"""The code of lsprotocol's classes, kept between starts.

lsprotocol makes some 550 classes with attrs, which writes a script for each and compiles it: a good part of the time
until the server answers. Python keeps the compiled code of modules; this keeps that of those scripts, in the user's own
cache folder. A script is known by its hash, so other versions of attrs or lsprotocol find nothing that is not theirs.
"""

from __future__ import annotations

import builtins
import marshal
import sys
from pathlib import Path
from types import CodeType

from autograd_hazards.cache import blake2b
from autograd_hazards.user_folder import cache_folder
from autograd_hazards.whole_file import write_whole

_SIZE = 16  # bytes of a hash


def load_types() -> None:
    """Import ``lsprotocol.types`` with what an earlier start has kept, and keep what it had not."""
    folder = cache_folder()
    if folder is None or sys.implementation.name != "cpython":
        import lsprotocol.types

        return
    import attr._make

    file = folder / f"lsprotocol-{sys.implementation.cache_tag}-{sys.hexversion:x}.bin"
    kept = _Kept(_read(file))
    # The name is a built-in there; while the classes are made, the module has one of its own.
    attr._make.compile = kept.compile  # type: ignore[attr-defined]
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        del attr._make.compile  # type: ignore[attr-defined]
    if kept.missed and not sys.dont_write_bytecode:
        _write(file, kept.used)


class _Kept:
    """Stands for ``compile``."""

    def __init__(self, known: dict[bytes, CodeType]) -> None:
        self.known = known
        self.used: dict[bytes, CodeType] = {}
        self.missed = 0

    def compile(self, script: str, filename: str, mode: str) -> CodeType:
        """The code of a script."""
        key = blake2b(f"{filename}\0{mode}\0{script}".encode(), digest_size=_SIZE).digest()
        code = self.known.get(key)
        if code is None:
            self.missed += 1
            code = builtins.compile(script, filename, mode)
        self.used[key] = code
        return code


def _read(file: Path) -> dict[bytes, CodeType]:
    """What is kept; nothing when there is none, or when the file is not as it was written."""
    try:
        data = file.read_bytes()
        if blake2b(data[_SIZE:], digest_size=_SIZE).digest() != data[:_SIZE]:
            return {}
        known = marshal.loads(data[_SIZE:])
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(file: Path, codes: dict[bytes, CodeType]) -> None:
    data = marshal.dumps(codes)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(file, blake2b(data, digest_size=_SIZE).digest() + data)
    except OSError:  # a folder that cannot be written costs only time
        return
