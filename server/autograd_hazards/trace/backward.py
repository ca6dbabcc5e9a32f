"""Stands in front of torch's engine and watches every backward: what it will meet, whether it fails, what it frees."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
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
        "at",
        "chain",
        "consumed",
        "dead",
        "inputs",
        "terms",
        "leaves",
        "lost",
        "past",
        "used",
        "nodes",
        "retain",
        "roots",
        "scaled",
        "seq",
        "stale",
    )

    def __init__(self, chain: Chain, seq: int, retain: bool) -> None:
        self.chain = chain
        self.at = chain  # where it raises: within the backward of a Function, if that asks for what is gone
        self.seq = seq
        self.retain = retain
        self.roots: list[Any] = []
        self.leaves: list[Leaf] = []
        self.consumed: list[Any] = []
        self.nodes: list[Node] = []
        self.past: list[Any] = []  # weak references to the roots, once it has run
        self.dead: list[Node] = []  # sums with a term that has lost its graph
        self.terms: list[tuple[Node, set[int], tuple[Any, ...]]] = []  # terms with cuts: (node, leaves, cuts)
        self.scaled = False  # the loss was scaled by a GradScaler
        self.inputs = False  # it was limited to some inputs
        self.used: set[int] = set()  # ids of the leaves whose gradient a step has applied
        self.lost = 0  # leaves whose gradient was cleared, unused
        self.stale: list[tuple[Node, Saved, Write]] = []

    def leave(self) -> None:
        """It has ended. A node knows the backward that freed it: one that knew its nodes would keep them in a cycle."""
        self.past = [weakref.ref(root) for root in self.roots]
        self.nodes = []
        self.roots = []
        self.stale = []


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
        accumulate = bool(given.get("accumulate_grad"))
        recorder.safely(self._prepare, backward, tensors, given.get("inputs") or (), accumulate)
        try:
            if recorder.compiled:
                with self._mode.left():
                    result = self._engine.run_backward(tensors, *args, **kwargs)
            elif recorder.inside(self._mode):
                result = self._engine.run_backward(tensors, *args, **kwargs)
            else:
                with self._mode:
                    result = self._engine.run_backward(tensors, *args, **kwargs)
        except RuntimeError as error:
            recorder.safely(self._failed, backward, error, tensors)
            raise
        recorder.safely(self._done, backward, accumulate, bool(given.get("create_graph")))
        if given.get("create_graph"):
            recorder.safely(self._differentiable, backward, result)
        return result

    def _prepare(self, backward: Backward, tensors: Any, inputs: Any, accumulate: bool) -> None:
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
            wanted = graph.needed(backward.roots, targets, accumulate)
            reached = [record for record in reached if id(record) in wanted]
        backward.nodes = [record for record in reached if type(record) is Node]
        backward.leaves = _in_order(backward.nodes, [record for record in reached if type(record) is Leaf])
        backward.inputs = bool(inputs)
        backward.scaled = any(node.scaled for node in backward.nodes)
        backward.dead = [node for node in backward.nodes if node.dead]
        if len(backward.roots) == 1 and type(backward.roots[0]) is Node:
            backward.terms = _terms(backward.roots[0])
        backward.stale = self._stale(tensors, backward.nodes)

    def _differentiable(self, backward: Backward, gradients: Any) -> None:
        """The gradients have graphs themselves, which were made here."""
        recorder = self._recorder
        given = [g for g in gradients or () if g is not None]
        if not given:
            tensors = [leaf.ref() for leaf in backward.leaves]
            given = [t.grad for t in tensors if t is not None and t.grad is not None]
        seq = recorder.tick()
        recorder.last_made[backward.chain] = seq
        for gradient in given:
            if (fn := graph.fn_of(gradient)) is not None:
                recorder.graphs.note(fn, backward.chain, seq, recorder.blind())

    def _done(self, backward: Backward, accumulate: bool, differentiable: bool) -> None:
        recorder = self._recorder
        for node, saved, write in backward.stale:
            recorder.events.stale(backward, node, saved, write)
        for node in backward.nodes:
            if not backward.retain and node.freed is None:
                node.freed = backward
            if node.walked is not None and node.keeps:
                recorder.ledger.reused.add(node.walked.chain)
            node.walked = backward
            node.walks += 1
        recorder.sums.walked(backward.nodes)
        if backward.retain and accumulate and not differentiable:
            recorder.ledger.retaining.add(backward.chain)
        calls = self.calls.setdefault(backward.chain, [])
        calls.append(backward.seq)
        del calls[:-2]
        recorder.ledger.ran(backward, accumulate)
        backward.leave()

    def _record(self, tensor: Any, chain: Chain) -> Any:
        """The record of what a gradient of ``tensor`` goes to."""
        recorder = self._recorder
        fn = graph.fn_of(tensor)
        if fn is None:
            return recorder.graphs.leaf(tensor, chain) if tensor.requires_grad else None
        return recorder.graphs.note(fn, chain, recorder.seq, recorder.blind())

    def _stale(self, tensors: Any, nodes: list[Node]) -> list[tuple[Node, Saved, Write]]:
        """What was written to since it was saved, and torch will not notice. Asked of torch itself, node by node."""
        suspects: dict[int, list[tuple[Saved, Write]]] = {}
        found = []
        for node in nodes:
            if node.freed is not None:
                continue
            if node.again:
                for saved in node.maybe:
                    write = saved.memory.first_after(saved.seq)
                    if write is not None:
                        found.append((node, saved, write))
                        break
            for saved in node.saved:
                if saved.memory.last > saved.seq:
                    write = saved.memory.first_after(saved.seq)
                    if write is not None and not _unread(node, saved):
                        suspects.setdefault(id(node), []).append((saved, write))
        if not suspects or self._recorder.blind():
            return found
        for fn, record in _real(tensors):
            for saved, write in suspects.get(id(record), ()):
                try:
                    getattr(fn, saved.attribute)
                except RuntimeError:
                    continue  # torch will notice
                found.append((record, saved, write))
        return found

    def _failed(self, backward: Backward, error: RuntimeError, tensors: Any) -> None:
        message = str(error)
        backward.at = self._recorder.frames.of_traceback(error.__traceback__) + backward.chain
        nodes = backward.nodes
        kind = kind_of(message)
        events = self._recorder.events
        ordered = list(graph.in_engine_order(backward.roots, {id(node) for node in nodes}))
        if kind == "version":
            found = self._changed(ordered, message, tensors)
            if found is not None:
                events.version(backward, *found, error)
                self._ended(backward, ordered, found[0])
                return
        elif kind == "freed":
            gone = next((node for node in ordered if node.freed is not None and node.keeps), None)
            if gone is not None:
                events.freed(backward, gone, error)
                self._ended(backward, ordered, gone)
                return
        if kind is not None:
            events.refused(kind, error, "backward", tuple(tensors), backward.chain, backward, nodes)

    @staticmethod
    def _ended(backward: Backward, ordered: list[Node], failing: Node) -> None:
        """A backward that failed has freed what it had gone through by then."""
        for node in ordered:
            if node is failing:
                break
            if not backward.retain and node.freed is None:
                node.freed = backward
        backward.leave()

    def _changed(self, ordered: list[Node], message: str, tensors: Any) -> tuple[Node, Saved, Write] | None:
        """Which node fails with a version error: the first one for which torch says just that when it is asked."""
        suspects = {
            id(node): node
            for node in ordered
            if node.freed is None and any(saved.memory.last > saved.seq for saved in node.saved)
        }
        guilty: dict[int, Saved] = {}
        for fn, record in _real(tensors):
            if id(record) not in suspects:
                continue
            for saved in record.saved:
                if saved.memory.last > saved.seq and id(record) not in guilty:
                    try:
                        getattr(fn, saved.attribute)
                    except RuntimeError as told:
                        if str(told)[:200] == message[:200]:
                            guilty[id(record)] = saved
        details = details_of(message)
        for node in ordered:
            found = guilty.get(id(node))
            if found is None and node.maybe and node.freed is None:
                found = next((saved for saved in node.maybe if _fits(saved, details)), None)
            write = _first_counted(found) if found is not None else None
            if found is not None and write is not None:
                return node, found, write
        return _fitting(list(suspects.values()), details)


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


def _real(tensors: Any) -> Iterator[tuple[Any, Node]]:
    """The nodes of torch below some tensors, each with its record."""
    seen: set[int] = set()
    stack = [fn for tensor in tensors if (fn := graph.fn_of(tensor)) is not None]
    while stack:
        fn = stack.pop()
        record = fn.metadata.get(graph.KEY) if type(fn).__name__ != "AccumulateGrad" else None
        if record is None or id(record) in seen:
            continue
        seen.add(id(record))
        yield fn, record
        stack.extend(child for child, _ in fn.next_functions if child is not None)


def _fits(saved: Saved, details: dict[str, Any]) -> bool:
    """Whether a message is about this tensor: same shape and version, and written to as often as it says."""
    if saved.memory.last <= saved.seq or "version" not in details:
        return False
    counted = [write for write in saved.memory.writes if write.seq > saved.seq and write.counted]
    return (
        list(saved.shape) == details["shape"]
        and saved.version == details["expected"]
        and any(write.version == details["version"] for write in counted)
    )


def _fitting(nodes: list[Node], details: dict[str, Any]) -> tuple[Node, Saved, Write] | None:
    """Of nodes whose saved tensors were written to, the one that fits a message best."""
    best: tuple[int, Node, Saved, Write] | None = None
    for node in nodes:
        for saved in node.saved:
            write = _first_counted(saved)
            if write is not None:
                score = 4 * (list(saved.shape) == details.get("shape")) + 2 * (saved.version == details.get("expected"))
                score += 1 if write.counted else 0
                if best is None or score > best[0]:
                    best = score, node, saved, write
    return best[1:] if best is not None else None


def _first_counted(saved: Saved) -> Write | None:
    """The first write after a save that torch has counted; if there is none that is known, the first write."""
    after = [write for write in saved.memory.writes if write.seq > saved.seq]
    for write in after:
        if write.counted and write.version > saved.version:
            return write
    return after[0] if after else None
