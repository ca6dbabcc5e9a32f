"""Stands in front of torch's engine and watches every backward: what it will meet, whether it fails, what it frees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import graph
from .frames import Chain
from .graph import Leaf, Node, Saved
from .kinds import details_of, kind_of
from .memory import Write

if TYPE_CHECKING:
    from .recorder import Recorder

# Saved, but not read by a backward in training mode; they change without a count in every forward.
_STATISTICS = ("_saved_running_mean", "_saved_running_var")
_CONVOLUTIONS = ("Convolution",)


class Backward:
    """One backward that has run or is running."""

    __slots__ = (
        "chain",
        "consumed",
        "dead",
        "inputs",
        "reused",
        "terms",
        "leaves",
        "lost",
        "used",
        "nodes",
        "retain",
        "roots",
        "seq",
        "stale",
    )

    def __init__(self, chain: Chain, seq: int, retain: bool) -> None:
        self.chain = chain
        self.seq = seq
        self.retain = retain
        self.roots: list[Any] = []
        self.leaves: list[Leaf] = []
        self.consumed: list[Any] = []
        self.nodes: list[Node] = []
        self.dead: list[Node] = []  # sums with a term that has lost its graph
        self.terms: list[tuple[Node, set[int], tuple[Any, ...]]] = []  # terms with cuts: (node, leaves, cuts)
        self.inputs = False  # it was limited to some inputs
        self.used: set[int] = set()  # ids of the leaves whose gradient a step has applied
        self.lost = 0  # leaves whose gradient was cleared, unused
        self.reused = False  # a later one went through a node that this one left alone
        self.stale: list[tuple[Node, Saved, Write]] = []


class Engine:
    """Torch's engine, watched. Everything that is not ``run_backward`` is the engine's own."""

    def __init__(self, engine: Any, recorder: Recorder, mode: Any) -> None:
        self._engine = engine
        self._recorder = recorder
        self._mode = mode
        self.calls: dict[Chain, list[int]] = {}  # when each place last ran a backward: the last two times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def run_backward(self, tensors: Any, *args: Any, **kwargs: Any) -> Any:
        recorder = self._recorder
        if recorder.paused:
            return self._engine.run_backward(tensors, *args, **kwargs)
        chain, _ = recorder.frames.here()
        names = ("grad_tensors", "keep_graph", "create_graph", "inputs", "allow_unreachable", "accumulate_grad")
        given = {**dict(zip(names, args)), **kwargs}
        backward = Backward(chain, recorder.tick(), bool(given.get("keep_graph")))
        recorder.safely(self._prepare, backward, tensors, given.get("inputs") or ())
        try:
            if recorder.inside(self._mode):
                result = self._engine.run_backward(tensors, *args, **kwargs)
            else:
                with self._mode:
                    result = self._engine.run_backward(tensors, *args, **kwargs)
        except RuntimeError as error:
            recorder.safely(self._failed, backward, error, tensors)
            raise
        recorder.safely(self._done, backward, bool(given.get("accumulate_grad")))
        return result

    def _prepare(self, backward: Backward, tensors: Any, inputs: Any) -> None:
        chain = backward.chain
        if self._recorder.exports.shared:
            self._recorder.exports.check()
        for tensor in tensors:
            record = self._record(tensor, chain)
            if record is not None:
                backward.roots.append(record)
        reached = graph.below(backward.roots)
        if inputs:
            targets = [record for tensor in inputs if (record := self._record(tensor, chain)) is not None]
            wanted = graph.needed(backward.roots, targets)
            reached = [record for record in reached if id(record) in wanted]
        backward.nodes = [record for record in reached if type(record) is Node]
        backward.leaves = _in_order(backward.nodes, [record for record in reached if type(record) is Leaf])
        backward.inputs = bool(inputs)
        backward.dead = [node for node in backward.nodes if node.dead]
        if len(backward.roots) == 1 and type(backward.roots[0]) is Node:
            backward.terms = _terms(backward.roots[0])
        backward.stale = self._stale(tensors, backward.nodes)

    def _done(self, backward: Backward, accumulate: bool) -> None:
        recorder = self._recorder
        for node, saved, write in backward.stale:
            recorder.events.stale(backward, node, saved, write)
        for node in backward.nodes:
            if not backward.retain and node.freed is None:
                node.freed = backward
            if node.walked is not None and node.keeps:
                node.walked.reused = True
            node.walked = backward
            node.walks += 1
        calls = self.calls.setdefault(backward.chain, [])
        calls.append(backward.seq)
        del calls[:-2]
        recorder.ledger.ran(backward, accumulate)
        backward.nodes = []
        backward.stale = []

    def _record(self, tensor: Any, chain: Chain) -> Any:
        """The record of what a gradient of ``tensor`` goes to."""
        recorder = self._recorder
        fn = tensor.grad_fn
        if fn is None:
            return recorder.graphs.leaf(tensor, chain) if tensor.requires_grad else None
        return recorder.graphs.note(fn, chain, recorder.seq, recorder.packing > 0)

    def _stale(self, tensors: Any, nodes: list[Node]) -> list[tuple[Node, Saved, Write]]:
        """What was written to since it was saved, and torch will not notice. Asked of torch itself, node by node."""
        suspects: dict[int, list[tuple[Saved, Write]]] = {}
        for node in nodes:
            if node.freed is not None:
                continue
            for saved in node.saved:
                if saved.memory.last > node.seq:
                    write = saved.memory.first_after(node.seq)
                    if write is not None and not _unread(node, saved):
                        suspects.setdefault(id(node), []).append((saved, write))
        if not suspects or self._recorder.packing:
            return []
        found = []
        seen = set()
        stack = [t.grad_fn for t in tensors if t.grad_fn is not None]
        while stack:
            fn = stack.pop()
            record = fn.metadata.get(graph.KEY) if type(fn).__name__ != "AccumulateGrad" else None
            if record is None or id(record) in seen:
                continue
            seen.add(id(record))
            for saved, write in suspects.get(id(record), ()):
                try:
                    getattr(fn, saved.attribute)
                except RuntimeError:
                    continue  # torch will notice
                found.append((record, saved, write))
            stack.extend(child for child, _ in fn.next_functions if child is not None)
        return found

    def _failed(self, backward: Backward, error: RuntimeError, tensors: Any) -> None:
        message = str(error)
        nodes = backward.nodes
        kind = kind_of(message)
        events = self._recorder.events
        if kind == "version":
            found = _changed(nodes, details_of(message))
            if found is not None:
                events.version(backward, *found, error)
                return
        elif kind == "freed":
            gone = [node for node in nodes if node.freed is not None and node.keeps]
            if gone:
                events.freed(backward, max(gone, key=lambda node: node.sequence), error)
                return
        if kind is not None:
            events.refused(kind, error, "backward", tuple(tensors), backward.chain, backward, nodes)


_ADDING = ("Add", "Sub", "Rsub")
_SCALING = ("Mul", "Div", "Neg", "ToCopy")


def _terms(root: Node) -> list[tuple[Node, set[int], tuple[Any, ...]]]:
    """The addends of a loss that is a sum, those that have lost a part of their graph: (node, leaves, cuts)."""
    terms: list[Any] = []
    stack: list[Any] = [root]
    while stack and len(terms) < 64:
        node = stack.pop()
        below = [edge for edge in node.next if edge is not None] if type(node) is Node else []
        if type(node) is Node and (
            (node.op.startswith(_ADDING) and len(below) == 2)
            or (node.op.startswith((*_ADDING, *_SCALING)) and len(below) == 1)
        ):
            stack += below
        else:
            terms.append(node)
    if len(terms) < 2:
        return []
    found = []
    for term in terms:
        if type(term) is Node and term.cuts:
            leaves = {id(record) for record in graph.below([term], 20_000) if type(record) is Leaf}
            found.append((term, leaves, term.cuts))
    return found


def _in_order(nodes: list[Node], leaves: list[Leaf]) -> list[Leaf]:
    """Leaves in the order in which the engine comes to them: each after the last node that feeds it."""
    order: dict[int, int] = {}
    for node in nodes:
        for edge in node.next:
            if type(edge) is Leaf and node.sequence < order.get(id(edge), 1 << 62):
                order[id(edge)] = node.sequence
    return sorted(leaves, key=lambda leaf: -order.get(id(leaf), 1 << 62))


def _unread(node: Node, saved: Saved) -> bool:
    """Whether a node keeps a tensor that its backward does not read, given what it has to differentiate."""
    if saved.attribute in _STATISTICS:
        return True
    if node.op.startswith(_CONVOLUTIONS) and len(node.next) > 1:
        if saved.attribute == "_saved_weight":
            return node.next[0] is None
        if saved.attribute == "_saved_input":
            return node.next[1] is None
    return False


def _changed(nodes: list[Node], details: dict[str, Any]) -> tuple[Node, Saved, Write] | None:
    """Which node fails with a version error: the one that the engine comes to first, and that fits the message."""
    candidates = []
    for node in nodes:
        if node.freed is not None:
            continue
        for saved in node.saved:
            if saved.memory.last > node.seq:
                write = _first_counted(saved, node.seq)
                if write is not None:
                    candidates.append((node, saved, write))
    if not candidates:
        return None

    def fit(entry: tuple[Node, Saved, Write]) -> tuple[int, int]:
        node, saved, _ = entry
        score = 0
        if "shape" in details:
            score += 4 * (list(saved.shape) == details["shape"])
        if "expected" in details:
            score += 2 * (saved.version == details["expected"])
        return score, node.sequence

    return max(candidates, key=fit)


def _first_counted(saved: Saved, seq: int) -> Write | None:
    after = [write for write in saved.memory.writes if write.seq > seq]
    for write in after:
        if write.counted and write.version > saved.version:
            return write
    return after[0] if after else None
