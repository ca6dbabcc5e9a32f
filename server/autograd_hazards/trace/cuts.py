"""Where values leave the graph: detach, ``.data``, numbers, ``torch.tensor`` of tensors, ops without a derivative."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import torch

from . import graph
from .frames import Chain
from .graph import Leaf, Node

if TYPE_CHECKING:
    from .recorder import Recorder

REMEMBERED = 4  # times that the sources of one place are looked at
PLACES = 2000  # places that are remembered
# Ways out of the graph that nobody takes on purpose with a term of a loss.
BREAKING = frozenset(
    {"tensor()", "item", "data", "numpy", "long", "int", "short", "byte", "bool", "argmax", "argmin", "grad"}
)
_SUMS = frozenset(
    {"add", "sub", "rsub", "__radd__", "__add__", "__sub__", "__rsub__", "add_", "sub_", "__iadd__", "__isub__"}
)


class Cut:
    """One place where the graph of ``source`` was left behind."""

    __slots__ = ("chain", "kind", "leaves", "masked", "trained")

    def __init__(self, kind: str, chain: Chain) -> None:
        self.kind = kind
        self.chain = chain
        self.leaves: list[Leaf] = []  # what the value left behind was computed from
        self.trained = False  # something with a graph is computed from what is left
        self.masked: Chain | None = None


class Cuts:
    """Which tensors without a graph come from tensors with one, and where the graph was left."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._of: dict[int, tuple[Any, tuple[Cut, ...]]] = {}
        self._limit = 4096
        self.scope: Chain | None = None  # where gradients were switched off
        self.scope_kind = "no_grad"
        self.inference: Chain | None = None  # where inference mode was last switched on
        self.last: Cut | None = None  # the cut that was met last
        self.places: dict[tuple[str, Chain], list[Cut]] = {}

    def of(self, value: Any) -> tuple[Cut, ...]:
        """The cuts behind a tensor."""
        found = self._of.get(id(value))
        return found[1] if found is not None and found[0]() is value else ()

    def _set(self, tensor: Any, cuts: tuple[Cut, ...]) -> None:
        if len(self._of) > self._limit:
            self._of = {key: entry for key, entry in self._of.items() if entry[0]() is not None}
            self._limit = 2 * len(self._of) + 4096
        self._of[id(tensor)] = weakref.ref(tensor), cuts[-4:]

    def switched(self, was: bool, on: bool) -> None:
        """Grad mode went from ``was`` to ``on``."""
        if on:
            self.scope = None
        elif was or self.scope is None:
            self.scope, within = self.recorder.frames.entered()
            self.scope_kind = "checkpoint" if within else "no_grad"

    def without_graph(self, name: str, result: Any, args: Any) -> None:
        """An op gave a tensor without a graph."""
        found: tuple[Cut, ...] = ()
        attached = None
        for arg in graph.tensors_in(args):
            if arg.requires_grad:
                if self.recorder.collected is not None and graph.is_leaf(arg):
                    self.recorder.collected[id(arg)] = arg
                attached = attached if attached is not None else arg
            elif self._of:
                found += self.of(arg)
        if attached is not None and not result.requires_grad:
            if not torch.is_grad_enabled():
                chain = self.scope or self.recorder.frames.here()[0]
                found += (self._cut(self.scope_kind, chain, attached),)
            else:
                found += (self._cut(name, self.recorder.frames.here()[0], attached),)
        if found:
            self._set(result, found)

    def with_graph(self, name: str, node: Node, args: Any) -> None:
        """An op gave a tensor with a graph: what its inputs were cut from is remembered with the node."""
        found: tuple[Cut, ...] = ()
        for below in node.next:
            if type(below) is Node and below.cuts:
                found += below.cuts
        if self._of:
            own: tuple[Cut, ...] = ()
            for arg in graph.tensors_in(args):
                if not arg.requires_grad:
                    own += self.of(arg)
            for cut in own:
                cut.trained = True
            if own and name in _SUMS:
                breaking = tuple(cut for cut in own if cut.kind in BREAKING)
                if breaking and all(arg.numel() == 1 for arg in graph.tensors_in(args)):
                    node.dead = breaking
            found += own
        if found:
            node.cuts = tuple(dict.fromkeys(found))[-4:]

    def made(self, name: str, result: Any, args: Any) -> None:
        """A call whose point is to leave the graph."""
        if name in ("numpy", "__array__"):
            self.recorder.exports.add(args[0], result)
        kind = {"__array__": "numpy", "__float__": "item", "__int__": "item", "tolist": "item"}.get(name, name)
        sources = [arg for arg in graph.tensors_in(args) if arg.requires_grad]
        if not isinstance(result, torch.Tensor):
            return
        if result.requires_grad and graph.fn_of(result) is not None:
            self.recorder.computed(name, result, args)
            return
        found: tuple[Cut, ...] = ()
        for arg in graph.tensors_in(args):
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
            if result.requires_grad:
                self.masked(result)

    def gradients(self, result: Any) -> None:
        """Gradients that ``autograd.grad`` gave without a graph."""
        chain, _ = self.recorder.frames.here()
        for tensor in graph.tensors_in((result,)):
            if not tensor.requires_grad:
                self._set(tensor, (Cut("grad", chain),))

    def masked(self, tensor: Any) -> None:
        """``requires_grad`` is switched on for a tensor without a graph."""
        number = tensor.numel() == 1
        cuts = [
            cut
            for cut in self.of(tensor)
            if cut.kind == "tensor()" or (number and cut.kind not in ("grad", "no_grad", "checkpoint"))
        ]
        if cuts:
            chain, _ = self.recorder.frames.here()
            self.recorder.graphs.leaf(tensor, chain).masked = cuts[0], chain

    def carry(self, result: Any) -> None:
        """What a function that ran without gradients gave comes from where they were switched off."""
        for tensor in graph.tensors_in((result,)):
            if not tensor.requires_grad and not self.of(tensor) and self.last is not None:
                self._set(tensor, (self.last,))

    def _cut(self, kind: str, chain: Chain, source: Any) -> Cut:
        cut = self.last = self._known(kind, chain, source)
        return cut

    def _known(self, kind: str, chain: Chain, source: Any) -> Cut:
        known = self.places.get((kind, chain))
        if known is None:
            if len(self.places) >= PLACES:
                return Cut(kind, chain)
            known = self.places[kind, chain] = []
        elif len(known) >= REMEMBERED:
            if kind in ("no_grad", "checkpoint") and graph.fn_of(source) is None:
                self._behind(known[-1], source)
            return known[-1]
        cut = Cut(kind, chain)
        known.append(cut)
        self._behind(cut, source)
        return cut

    def _behind(self, cut: Cut, source: Any) -> None:
        """Remember the leaves that ``source`` hangs on."""
        if len(cut.leaves) > 4096:
            return
        fn = graph.fn_of(source)
        if fn is None:
            base = source._base  # a view made without gradients says that it requires them when its base does
            leaf = self.recorder.graphs.leaf(source if base is None else base, cut.chain)
            if leaf not in cut.leaves[-64:]:
                cut.leaves.append(leaf)
            return
        node = self.recorder.graphs.known(fn)
        if node is not None:
            cut.leaves += [record for record in graph.below([node], 4000) if type(record) is Leaf]
