"""Memory that some backward needs: for each storage with a live graph on it, what has been written to it since.

Torch counts writes per tensor family; ``.data`` and numpy step around that counter. So writes are logged here per
storage, whatever the counter says, and a storage is known by a weak reference, which keeps its address from being
given to another one.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

from .frames import Chain

KEPT = 64  # writes of one storage that are remembered


class Write:
    """One change of a storage. ``cause`` is ``inplace``, ``step``, ``load``, ``init`` or ``numpy``."""

    __slots__ = ("cause", "chain", "counted", "module", "op", "optimizer", "seq", "shape", "version")

    def __init__(self, seq: int, chain: Chain, cause: str, op: str, version: int, counted: bool, shape: Any) -> None:
        self.seq = seq
        self.chain = chain
        self.cause = cause
        self.op = op
        self.version = version  # of the tensor that was written through, afterwards
        self.counted = counted  # that tensor's counter moved
        self.shape = shape
        self.module: Any = None  # where the library module that did it was made
        self.optimizer: Any = None


class Memory:
    """One storage that live graphs have saved."""

    __slots__ = ("__weakref__", "_free", "address", "last", "watched", "writes")

    def __init__(self, storage: Any) -> None:
        self.address: int = storage._cdata
        self._free = (type(storage)._free_weak_ref, storage._weak_ref())
        self.writes: deque[Write] = deque(maxlen=KEPT)
        self.last = 0  # when it was last written to
        self.watched = False  # shared with numpy

    def __del__(self) -> None:
        free, weak = self._free
        free(weak)

    def first_after(self, seq: int) -> Write | None:
        for write in self.writes:
            if write.seq > seq:
                return write
        return None


class Memories:
    """The storages that live graphs have saved, by address."""

    def __init__(self) -> None:
        self._known: weakref.WeakValueDictionary[int, Memory] = weakref.WeakValueDictionary()

    def find(self, tensor: Any) -> Memory | None:
        """The storage of ``tensor`` when a graph has saved it; None also for tensors without a storage."""
        try:
            return self._known.get(tensor.untyped_storage()._cdata)
        except (RuntimeError, NotImplementedError):
            return None

    def size(self) -> int:
        """How many storages are known."""
        return len(self._known)

    def keep(self, tensor: Any) -> Memory | None:
        """The storage of ``tensor``, known from now on as long as the result is kept."""
        try:
            storage = tensor.untyped_storage()
            address = storage._cdata
        except (RuntimeError, NotImplementedError):
            return None
        found = self._known.get(address)
        if found is None:
            found = self._known[address] = Memory(storage)
        return found


def address_of(tensor: Any) -> int:
    """Where the elements of ``tensor`` lie; 0 for tensors that have no memory of their own (sparse, in transforms)."""
    try:
        address: int = tensor.data_ptr()
    except (RuntimeError, NotImplementedError):
        return 0
    return address
