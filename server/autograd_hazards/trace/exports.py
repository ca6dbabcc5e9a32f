"""Arrays that share memory with tensors. Writes to them pass torch by; a checksum shows them."""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Any

from .frames import Chain
from .memory import Memory, Write

if TYPE_CHECKING:
    from .recorder import Recorder

MOST_ARRAYS, MOST_BYTES = 16, 1 << 20  # what is looked at after every call; more is not watched


class Exports:
    """The arrays that tensors were turned into and that still live."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.shared: list[tuple[Any, Memory, int, Chain]] = []  # (array, memory, checksum, where it was made)

    def add(self, tensor: Any, array: Any) -> None:
        """``array`` was made of ``tensor``."""
        memory = self.recorder.memories.keep(tensor)
        if memory is None or not hasattr(array, "nbytes"):
            return
        if len(self.shared) >= MOST_ARRAYS or array.nbytes > MOST_BYTES:
            self.check()
            if len(self.shared) >= MOST_ARRAYS or array.nbytes > MOST_BYTES:
                self.recorder.unwatched.add("writes to some numpy arrays that share memory with tensors")
                return
        self.shared.append((array, memory, _checksum(array), self.recorder.frames.here()[0]))

    def check(self) -> None:
        """Compare all arrays with what they held; log what has changed, unless a call of torch is known to have done it."""
        recorder = self.recorder
        kept = []
        for entry in self.shared:
            array, memory, checksum, chain = entry
            now = _checksum(array)
            if now != checksum and not any(write.seq > recorder.checked for write in memory.writes):
                write = Write(recorder.tick(), chain, "numpy", "numpy", 0, False, ())
                memory.writes.append(write)
                memory.last = write.seq
            if sys.getrefcount(array) > _OURS:
                kept.append((array, memory, now, chain))
        self.shared = kept
        recorder.checked = recorder.seq


_OURS = 3  # references to an array that only we hold: the entry, the local name, the argument


def _checksum(array: Any) -> int:
    return zlib.crc32(array.tobytes())
