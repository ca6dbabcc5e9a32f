"""Sums, lists and attributes that keep the graphs of past iterations."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from .frames import Trace, carried, same_iteration
from .records import nodes_below, reaches
from .tensor import Node, Tensor
from .unread import Unread
from .values import Instance, Unknown, Value


class Kept(Unread):
    """Graphs that stay in memory."""

    def accumulated(self, name: str, old: Value, value: Value, result: Value, node: ast.AST) -> None:
        """``total += loss``: keeps the graph of every term unless a backward uses it."""
        if not isinstance(result, Tensor) or not isinstance(value, Tensor) or value.grad_fn is None or not self.m.loops:
            return
        fn = result.grad_fn
        if fn is not None and (result.shape in ((), (1,)) or (result.shape is None and result is not old)):
            self.kept.append((fn, self.m.here(node), name, "sum", value.grad_fn))

    def renewed(self, name: str, value: Tensor, node: ast.AST) -> None:
        """``total = total + loss``: the same, written as an assignment."""
        if value.grad_fn is not None and value.shape in ((), (1,)):
            self.kept.append((value.grad_fn, self.m.here(node), name, "sum", value.grad_fn))

    def put(self, value: Value, node: ast.AST) -> None:
        """A tensor, or a record with tensors, goes into a container: stories speak of the place."""
        record = isinstance(value, Instance) and value.is_a("builtins.tuple")
        for item in value.attrs.values() if record else value if isinstance(value, tuple) else (value,):
            if isinstance(item, Tensor) and item.grad_fn is not None:
                item.stored = self.m.here(node)

    def stored(self, container: Any, value: Value, node: ast.AST) -> None:
        """A list that grows. Entries of a dict replace each other, and a function nobody calls may hand its list on."""
        self.put(value, node)
        if isinstance(container, dict) or self.m.tracks.get("definitions only"):
            return
        if not self.m.loops or self.m.grad_enabled is False:
            return
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,):
            if isinstance(item, Tensor) and item.grad_fn is not None:
                self.kept.append((item.grad_fn, self.m.here(node), item.name, "list", item.grad_fn))
                self.holders[item.grad_fn] = container
                return

    def attribute_set(self, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
        if name == "requires_grad" and isinstance(value, bool) and owner.is_a("torch.nn.Module"):
            self.m.emit("module_flag", self.m.here(node), module=owner)
        if isinstance(value, Tensor) and self.conversions and owner.is_a("torch.nn.Module"):
            fn = value.grad_fn  # a copy of another dtype is kept instead of the parameter
            kept = fn.edges[0] if fn is not None and fn.op == "to" and fn.edges else value
            if isinstance(kept, Tensor) and kept.is_param:
                self.used_as_leaf(kept)
        if isinstance(value, Tensor) and self.m.loops:
            self.renewed_in_place(owner.attrs.get(name), value, node)

    def renewed_in_place(self, old: Value, value: Tensor, node: ast.AST) -> None:
        """An attribute or entry of a dict gets a value computed from the one that it held since an earlier iteration."""
        fn = value.grad_fn
        if fn is None or not isinstance(old, Tensor) or old.grad_fn is None or old is value:
            return
        if reaches(fn, old.grad_fn, 40) and carried(old.grad_fn.trace.loops, self.m.loops):
            self.kept.append((fn, self.m.here(node), value.assigned, "state", old.grad_fn))

    def _kept_graphs(self) -> None:
        if not self.kept:
            return
        executed: set[Node] = set().union(*(b.executed for b in self.m.backwards)) if self.m.backwards else set()
        inputs = {e for n in executed for e in n.edges}
        handed = nodes_below(self.escaped_nodes) - executed  # whoever gets them may go back through them
        groups: dict[Any, list[tuple[Node, Trace, str, str, Any]]] = {}
        for entry in self.kept:
            groups.setdefault(entry[1].site.key, []).append(entry)
        for entries in groups.values():
            if len(entries) < 2 or same_iteration(entries[0][1].loops, entries[-1][1].loops):
                continue
            _, trace, name, how, term = entries[-1]
            if how == "list" and (_unrolled([e[0] for e in entries]) or _parts_of_a_forward(entries[-2][1], trace)):
                continue
            if how == "list":
                if not any(node.keeps for e in entries[-2:] for node in nodes_below([e[0]], 400)):
                    continue  # views of parameters and the like: their graphs hold no memory
                entries = [e for e in entries if e[0] not in executed or self._own_backward(e[0], e[1])]
                if len(entries) < 2 or self._short_lived(entries, executed):
                    continue
            elif any(e[0] in executed for e in entries):
                continue
            if any(e[0] in inputs or e[0] in self.escaped_nodes or e[0] in handed for e in entries):
                continue
            if how == "sum" and not _grows([e[0] for e in entries]):
                continue
            self.m.emit(
                "graph_kept",
                trace,
                name=name,
                how=how,
                backwarded=any(e[4] in executed for e in entries),
                built=term.trace,
            )

    def _short_lived(self, entries: Sequence[Any], executed: set[Node]) -> bool:
        """Whether each iteration of an outer loop makes its list anew, no backward runs while the list is filled, and
        what it holds is part of what a backward goes through (or there is none)."""
        lists = [self.holders.get(e[0]) for e in entries]
        if len({id(one) for one in lists}) < 2:
            return False
        same = [e[1] for e, one in zip(entries, lists, strict=True) if one is lists[-1]]
        if len(same) < 2:
            return True
        shared = next((i for i, (a, b) in enumerate(zip(same[0].loops, same[-1].loops, strict=False)) if a != b), 0)
        around = same[-1].loops[: shared + 1]
        if any(b.trace.loops[: shared + 1] == around for b in self.m.backwards):
            return False
        return not self.m.backwards or not executed.isdisjoint(nodes_below([e[0] for e in entries], 400))

    def _own_backward(self, node: Node, kept: Trace) -> bool:
        """Whether what is kept is the root of a backward in the iteration that keeps it: then nothing needs it later."""
        around = kept.loops[: len(node.trace.loops)]  # handlers and callbacks may keep it in loops of their own
        mine = [b for b in self.m.backwards if node in b.executed]
        return all(b.trace.loops[: len(around)] == around and any(r.grad_fn is node for r in b.roots) for b in mine)

    def escaped(self, values: Iterable[Value], node: ast.AST) -> None:
        """Values handed to code that cannot be followed."""
        for value in values:
            if isinstance(value, Tensor):
                if value.grad_fn is not None:
                    self.escaped_nodes.add(value.grad_fn)
            elif isinstance(value, Instance):
                if hasattr(value.data, "handed"):
                    self.clears += 1
                    self.handed(value, node)
            elif isinstance(value, Unknown):
                self.handed_on[id(value)] = value, self.m.seq
            elif isinstance(value, list | tuple) and len(value) < 200:
                self.escaped(value, node)
            elif isinstance(value, dict) and len(value) < 200:
                self.escaped(list(value.values()), node)


def _parts_of_a_forward(before: Trace, last: Trace) -> bool:
    """Whether both were put in by one call of a module's forward: its result holds their graphs in any case."""
    calls = {id(frame) for frame, _ in before.chain()}
    for frame, _ in last.chain():
        if frame.function is not None and frame.function.name == "forward" and isinstance(frame.first_arg, Instance):
            if frame.first_arg.is_a("torch.nn.Module"):
                return id(frame) in calls
    return False


def _unrolled(nodes: Sequence[Node]) -> bool:
    """Whether each is computed from what the one before was computed from: a state holds those graphs in any case."""
    older, newer = nodes_below([nodes[-2]], 2000), nodes_below([nodes[-1]], 4000)
    return any(
        node in newer and node.trace.loops and carried(node.trace.loops, nodes[-1].trace.loops) for node in older
    )


def _grows(nodes: Sequence[Node]) -> bool:
    """Whether a later sum hangs on an earlier one; several sums may take turns at one place."""
    return any(reaches(b, a, 40) for step in range(1, 5) for a, b in zip(nodes, nodes[step:], strict=False))
