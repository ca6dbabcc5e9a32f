"""Where values leave the graph: detach, ``.data``, numbers, ``torch.tensor`` of tensors, ops without a derivative."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import torch

from .frames import Chain
from .graph import Node

if TYPE_CHECKING:
    from .recorder import Recorder

REMEMBERED = 4  # times that the sources of one place are looked at


class Cut:
    """One place where the graph of ``source`` was left behind."""

    __slots__ = ("chain", "kind", "leaves", "shape", "source")

    def __init__(self, kind: str, chain: Chain, source: Node | None, shape: Any) -> None:
        self.kind = kind
        self.chain = chain
        self.source = source
        self.shape = shape
        self.leaves: list[Any] = []


class Cuts:
    """Which tensors without a graph come from tensors with one, and where the graph was left."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._of: dict[int, tuple[Any, tuple[Cut, ...]]] = {}
        self._limit = 4096
        self.scope: Chain | None = None

    def of(self, value: Any) -> tuple[Cut, ...]:
        """The cuts behind a tensor."""
        found = self._of.get(id(value))
        return found[1] if found is not None and found[0]() is value else ()

    def _set(self, tensor: Any, cuts: tuple[Cut, ...]) -> None:
        if len(self._of) > self._limit:
            self._of = {key: entry for key, entry in self._of.items() if entry[0]() is not None}
            self._limit = 2 * len(self._of) + 4096
        self._of[id(tensor)] = weakref.ref(tensor), cuts[-4:]

    def switched(self, on: bool) -> None:
        if not on:
            self.scope = self.recorder.frames.here()[0]

    def without_graph(self, name: str, result: Any, args: Any) -> None:
        """An op gave a tensor without a graph."""
        found: tuple[Cut, ...] = ()
        attached = None
        for arg in _flat(args):
            if arg.requires_grad:
                attached = attached if attached is not None else arg
            elif self._of:
                found += self.of(arg)
        if attached is not None and not result.requires_grad:
            if not torch.is_grad_enabled():
                chain = self.scope or self.recorder.frames.here()[0]
                found += (self._cut("no_grad", chain, attached),)
            else:
                found += (self._cut(name, self.recorder.frames.here()[0], attached),)
        if found:
            self._set(result, found)

    def with_graph(self, name: str, node: Node, args: Any) -> None:
        """An op gave a tensor with a graph: what its inputs were cut from is remembered with the node."""
        if not self._of:
            return
        found: tuple[Cut, ...] = ()
        for arg in _flat(args):
            if not arg.requires_grad:
                found += self.of(arg)
        if found:
            node.cuts = found[-4:]

    def made(self, name: str, result: Any, args: Any) -> None:
        """A call whose point is to leave the graph."""
        kind = {"__array__": "numpy", "__float__": "item", "__int__": "item", "tolist": "item"}.get(name, name)
        sources = [arg for arg in _flat(args) if arg.requires_grad]
        if not isinstance(result, torch.Tensor):
            return
        if result.requires_grad:
            fn = result.grad_fn
            if fn is not None:
                self.recorder.computed(name, result, args)
            return
        found: tuple[Cut, ...] = ()
        for arg in _flat(args):
            if not arg.requires_grad:
                found += self.of(arg)
        if sources:
            found += (
                self._cut(
                    "tensor()" if kind in ("tensor", "as_tensor", "asarray") else kind,
                    self.recorder.frames.here()[0],
                    sources[0],
                ),
            )
        if found:
            self._set(result, found)

    def _cut(self, kind: str, chain: Chain, source: Any) -> Cut:
        fn = source.grad_fn
        node = self.recorder.graphs.known(fn) if fn is not None else None
        cut = Cut(kind, chain, None, tuple(source.shape))
        if fn is None:
            cut.leaves = [self.recorder.graphs.leaf(source, chain)]
        elif node is not None:
            cut.source = node
        return cut


def _flat(args: Any) -> list[Any]:
    found: list[Any] = []
    for arg in args:
        if isinstance(arg, torch.Tensor):
            found.append(arg)
        elif isinstance(arg, (tuple, list)):
            found += [item for item in arg[:64] if isinstance(item, torch.Tensor)]
    return found
