"""What is known of the nodes of live graphs: where they were made, and what they saved.

Torch lets every node carry a dictionary (its anomaly metadata) that lives exactly as long as the node. The record of a
node lies there, so no graph is kept alive by being watched.
"""

from __future__ import annotations

import heapq
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from .frames import Chain
from .memory import Memories, Memory

KEY = "autograd_hazards"


class Saved:
    """One tensor that a node keeps for its backward, with the version it had."""

    __slots__ = ("attribute", "index", "is_leaf", "leaf", "memory", "seq", "shape", "version")

    def __init__(
        self, attribute: str, index: int, memory: Memory, version: int, shape: tuple[int, ...], seq: int
    ) -> None:
        self.attribute = attribute
        self.index = index
        self.memory = memory
        self.version = version
        self.shape = shape
        self.seq = seq  # when it was saved
        self.is_leaf = False
        self.leaf: Any = None


class Leaf:
    """A tensor in which gradients accumulate, and the gradients that are in it."""

    __slots__ = ("__weakref__", "chain", "ever", "grads", "masked", "ref")

    def __init__(self, tensor: Any, chain: Chain) -> None:
        self.ref = weakref.ref(tensor)
        self.chain = chain
        self.ever = False  # it has had a gradient
        self.masked: Any = None  # (cut, where requires_grad was switched on) for a value that has lost its graph
        self.grads: list[Any] = []  # contributions that its .grad is made of


class Node:
    """A node of a graph. ``next`` holds records of nodes, leaves, and None where nothing is differentiated."""

    __slots__ = (
        "__weakref__", "again", "broken", "chain", "cuts", "dead", "freed", "function", "keeps", "maybe", "module", "next", "op", "packed", "saved",
        "scaled", "seq", "sequence", "terms", "walked", "walks",
    )  # fmt: skip

    def __init__(self, op: str, chain: Chain, seq: int, sequence: int) -> None:
        self.op = op
        self.chain = chain
        self.seq = seq
        self.sequence = sequence  # torch's own number: the engine prefers high ones
        self.next: tuple[Any, ...] = ()
        self.saved: list[Saved] = []
        self.keeps = False  # a second backward is refused once the first has freed it
        self.function: Any = None  # the class of a custom Function
        self.again = False  # a checkpoint: computed again in the backward, with what the tensors in ``maybe`` hold then
        self.maybe: list[Saved] = []  # what a node inside this one may have saved, which cannot be asked
        self.broken: list[tuple[str, str]] = []  # saved, and changed by the op itself: (attribute, what torch says)
        self.scaled = False  # what a GradScaler gave
        self.packed = False  # saved under hooks of the program: not looked at
        self.freed: Any = None
        self.walked: Any = None
        self.terms = 0  # of a running sum, before this one
        self.walks = 0  # backwards that went through it
        self.module: Any = None
        self.cuts: tuple[Any, ...] = ()
        self.dead: Any = None


class Graphs:
    """Makes and finds the records of nodes."""

    def __init__(self, memories: Memories) -> None:
        self.memories = memories
        self.leaves: dict[int, Leaf] = {}
        self._shapes: dict[type, tuple[str, tuple[str, ...]]] = {}
        self.count = 0
        self._limit = 4096

    def known(self, fn: Any) -> Node | None:
        found: Node | None = fn.metadata.get(KEY)
        return found

    def leaf(self, tensor: Any, chain: Chain) -> Leaf:
        found = self.leaves.get(id(tensor))
        if found is None or found.ref() is not tensor:
            found = self.leaves[id(tensor)] = Leaf(tensor, chain)
            if len(self.leaves) > self._limit:
                self.leaves = {key: leaf for key, leaf in self.leaves.items() if leaf.ref() is not None}
                self._limit = 2 * len(self.leaves) + 4096
        return found

    def note(self, fn: Any, chain: Chain, seq: int, packed: bool, limit: int = 100_000) -> Node:
        """The record of ``fn``; made now, with those of all nodes below that nothing is known of, if it has none."""
        meta = fn.metadata
        found: Node | None = meta.get(KEY)
        if found is not None:
            return found
        made = meta[KEY] = self._record(fn, chain, seq, packed)
        todo = [(fn, made)]
        while todo:
            current, record = todo.pop()
            below: list[Any] = []
            for child, _ in current.next_functions:
                if child is None:
                    below.append(None)
                    continue
                kind = type(child)
                if kind.__name__ == "AccumulateGrad":
                    below.append(self.leaf(child.variable, chain))
                    continue
                meta = child.metadata
                known = meta.get(KEY)
                if known is None:
                    known = meta[KEY] = self._record(child, chain, seq, packed)
                    if limit:
                        limit -= 1
                        todo.append((child, known))
                below.append(known)
            record.next = tuple(below)
        return made

    def _record(self, fn: Any, chain: Chain, seq: int, packed: bool) -> Node:
        kind = type(fn)
        shape = self._shapes.get(kind)
        if shape is None:
            shape = self._shapes[kind] = _shape(fn)
        how, names = shape
        node = Node(fn.name(), chain, seq, fn._sequence_nr())
        self.count += 1
        if how == "custom":
            node.function = getattr(kind, "_forward_cls", None)
            if packed:
                node.packed = True
                return node
            for index, tensor in enumerate(fn.saved_tensors):
                self._save(node, "saved_tensors", index, tensor)
            return node
        if how == "slices":
            node.keeps = True
            return node
        if not names:
            return node
        node.keeps = True
        if packed:
            node.packed = True
            return node
        for name in names:
            try:
                value = getattr(fn, name)
            except RuntimeError as error:  # an in-place op has changed what it had saved itself
                node.broken.append((name, str(error)))
                continue
            if value is None:
                continue
            if isinstance(value, (tuple, list)):
                for index, tensor in enumerate(value):
                    self._save(node, name, index, tensor)
            else:
                self._save(node, name, -1, value)
        return node

    def _save(self, node: Node, name: str, index: int, tensor: Any) -> None:
        if tensor is None:
            return
        node.keeps = True
        memory = self.memories.keep(tensor)
        if memory is None:
            return
        try:
            version = tensor._version
        except RuntimeError:  # inference tensors have none
            return
        saved = Saved(name, index, memory, version, tuple(tensor.shape), node.seq)
        if is_leaf(tensor):
            saved.is_leaf = True
            saved.leaf = self.leaf(tensor, node.chain)
        node.saved.append(saved)


def _shape(fn: Any) -> tuple[str, tuple[str, ...]]:
    """How nodes of this class keep tensors: (way, attributes)."""
    if hasattr(fn, "saved_tensors") and hasattr(fn, "save_for_backward"):
        return "custom", ()
    names = [name for name in dir(type(fn)) if name.startswith("_raw_saved_")]
    if not names and type(fn).__name__ == "CopySlices":
        return "slices", ()
    return "plain", tuple("_saved_" + name[len("_raw_saved_") :] for name in names)


def fn_of(tensor: Any) -> Any:
    """A tensor's ``grad_fn``.

    Of a view whose base was changed so that torch refuses the view a history (one of several views of an ``unbind``,
    say), it is the history of the base: asking for it must not raise.
    """
    try:
        return tensor.grad_fn
    except RuntimeError:
        base = tensor._base
        return base.grad_fn if base is not None else None


def is_leaf(tensor: Any) -> bool:
    """Whether gradients accumulate in a tensor."""
    return bool(tensor.requires_grad) and fn_of(tensor) is None


def below(roots: Iterable[Any], limit: int = 200_000) -> list[Any]:
    """The records that the graphs of ``roots`` hold, nodes and leaves, roots first."""
    found: list[Any] = []
    seen = set()
    stack = list(roots)
    while stack and len(found) < limit:
        current = stack.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        found.append(current)
        if type(current) is Node:
            stack.extend(current.next)
    return found


def needed(roots: Iterable[Any], targets: Iterable[Any], through: bool) -> set[int]:
    """Ids of the records that a backward limited to ``targets`` runs: those on a way from ``roots`` to one of them.

    ``backward(inputs=...)`` runs the nodes of the targets too (``through``). ``autograd.grad`` takes the gradient
    before such a node, and runs it only if it is itself on the way to another target. Measured on torch 2.1 to 2.14.
    """
    wanted = {id(target) for target in targets}
    memo: dict[int, bool] = {}
    run: set[int] = set()
    stack = [(root, False) for root in roots if root is not None]
    while stack:
        current, done = stack.pop()
        key = id(current)
        if done:
            above = any(memo.get(id(e), False) for e in current.next if e is not None)
            memo[key] = above or key in wanted
            if above or (through and key in wanted):
                run.add(key)
        elif key not in memo:
            if type(current) is Node:
                memo[key] = False
                stack.append((current, True))
                stack.extend((e, False) for e in current.next if e is not None)
            else:
                memo[key] = key in wanted
                if memo[key]:
                    run.add(key)
    return run


def in_engine_order(roots: Iterable[Any], only: set[int] | None = None) -> Iterator[Node]:
    """The nodes in the order in which the engine runs them: of those that are ready, the one made last."""
    waiting: dict[int, int] = {}
    seen: set[int] = set()
    stack = [root for root in roots if type(root) is Node]
    starts = list({id(root): root for root in stack}.values())
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for edge in node.next:
            if type(edge) is Node:
                waiting[id(edge)] = waiting.get(id(edge), 0) + 1
                stack.append(edge)
    ready = [(-node.sequence, index, node) for index, node in enumerate(starts) if not waiting.get(id(node))]
    heapq.heapify(ready)
    tie = len(ready)
    while ready:
        _, _, node = heapq.heappop(ready)
        if only is None or id(node) in only:
            yield node
        for edge in node.next:
            if type(edge) is Node:
                waiting[id(edge)] -= 1
                if not waiting[id(edge)]:
                    tie += 1
                    heapq.heappush(ready, (-edge.sequence, tie, edge))


def path_to(roots: Iterable[Any], target: Node) -> list[Node]:
    """The nodes from a root down to ``target``."""
    parents: dict[int, Any] = {}
    stack = []
    for root in roots:
        if type(root) is Node and id(root) not in parents:
            parents[id(root)] = None
            stack.append(root)
    while stack:
        node = stack.pop()
        if node is target:
            path = [node]
            while parents[id(path[-1])] is not None:
                path.append(parents[id(path[-1])])
            return path[::-1]
        for edge in node.next:
            if type(edge) is Node and id(edge) not in parents:
                parents[id(edge)] = node
                stack.append(edge)
    return [target]


def tensors_in(args: Any) -> list[Any]:
    """The tensors among arguments, and in lists among them."""
    found: list[Any] = []
    for arg in args:
        if isinstance(arg, torch.Tensor):
            found.append(arg)
        elif isinstance(arg, (tuple, list)):
            found += [item for item in arg[:64] if isinstance(item, torch.Tensor)]
    return found
