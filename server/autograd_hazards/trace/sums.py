"""Running sums and averages that keep the graph of every iteration, though no backward ever goes through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import graph
from .frames import Chain
from .graph import Node

if TYPE_CHECKING:
    from .recorder import Recorder

ADDING = frozenset({"add", "__add__", "__radd__", "add_", "__iadd__"})
TERMS = 3  # additions in a row from which on something is a running sum


class Sums:
    """Which places add one term after the other to the same sum."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.running: dict[
            Chain, tuple[str, Chain, Chain]
        ] = {}  # place -> ("sum" or "state", place in full, last term's)
        self.needed: set[Chain] = set()  # places whose sums a backward went through

    def added(self, node: Node, args: Any) -> None:
        """An addition gave ``node``: does it go on with a sum that the same place has made?"""
        place = node.chain[:3]
        if len(node.next) != 2:
            return
        index, so_far = _so_far(node, place)
        if so_far is None:
            return
        state = node.next[index] is not so_far
        if not state and any(t.numel() != 1 for t in graph.tensors_in(args)):
            return
        node.terms = so_far.terms + 1
        if node.terms < TERMS - 1 or place in self.running or len(self.running) > 1000:
            return
        term, before = node.next[1 - index], so_far.next[1 - index] if len(so_far.next) == 2 else None
        if type(term) is not Node or type(before) is not Node:
            return
        if not state and self.recorder.frames.inside("forward", node.chain):
            return
        if not _nodes(term) & _nodes(before):  # each from a forward of its own, not parts of one loss
            self.running[place] = "state" if state else "sum", node.chain, term.chain

    def walked(self, nodes: list[Node]) -> None:
        """A backward went through ``nodes``."""
        self.needed.update(node.chain[:3] for node in nodes if node.terms)

    def tell(self) -> None:
        """Note the sums that no backward needed."""
        events = self.recorder.events
        for place, (how, chain, term) in self.running.items():
            if place not in self.needed:
                events.add("graph_kept", place, chain, how=how, built=events.places(term))


def _so_far(node: Node, place: Chain) -> tuple[int, Node | None]:
    """Which of the addends is what the same place gave before, as it is or times a factor."""
    for index, below in enumerate(node.next):
        if type(below) is Node:
            if below.chain[:3] == place:
                return index, below
            if below.op.startswith("Mul") and below.next and type(below.next[0]) is Node:
                if below.next[0].chain[:3] == place:
                    return index, below.next[0]
    return 0, None


def _nodes(root: Node) -> set[int]:
    return {id(record) for record in graph.below([root], 2000) if type(record) is Node}
