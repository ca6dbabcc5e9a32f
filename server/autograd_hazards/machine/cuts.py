"""Where graphs are cut, and what is cut off by it: dead terms of losses, parameters behind a cut."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import autograd
from .frames import carried
from .records import Cut, Records, cuts_of, groups_of, leaves_below, reaches
from .tensor import Node, Tensor
from .values import Instance, Unknown, Value

if TYPE_CHECKING:
    from .core import Machine


class Cuts(Records):
    """Cuts of graphs."""

    def cut(self, kind: str, sources: Sequence[Tensor], out: Tensor, node: ast.AST) -> None:
        """``out`` was computed from ``sources`` without their graph."""
        if self.m.grad_enabled is False and kind != "data":
            self.carry_cuts(sources, [out])
            return
        attached = [s for s in sources if s.requires_grad and not s.is_leaf]
        if not attached:
            self.carry_cuts(sources, [out])
            return
        made = Cut(kind, attached, out, self.m.here(node))
        self.cuts.append(made)
        out.cuts = (*out.cuts, made)[-4:]

    def cut_number(self, kind: str, source: Tensor, number: Unknown, node: ast.AST) -> None:
        made = Cut(kind, [source], number, self.m.here(node))
        self.cuts.append(made)
        number.facet("cuts", lambda: (made,))

    def shielded(self, inputs: Iterable[Value], rg: bool | None) -> Cut | None:
        """An op under no_grad on inputs that require grad: one cut for the whole scope."""
        if not rg:
            return None
        scope = self.m.mode_trace
        if scope is None:
            return None
        sources = [t for t in inputs if isinstance(t, Tensor) and t.requires_grad]
        sources.sort(key=lambda t: not t.is_param)  # parameters are met here alone, what they act on elsewhere too
        if self.scope_cut is None or self.scope_cut.trace is not scope:
            self.scope_cut = Cut("no_grad", sources[:1], None, scope)
            self.scopes.append(self.scope_cut)
        elif len(self.scope_cut.sources) < 64:
            self.scope_cut.sources.extend(sources[:1])
        return self.scope_cut

    def carry_cuts(self, inputs: Iterable[Value], outs: Iterable[Tensor]) -> None:
        """What is computed from a cut value inherits the cut."""
        found: tuple[Cut, ...] = ()
        for value in inputs:
            cuts = cuts_of(value)
            if cuts:
                found = tuple(dict.fromkeys((*found, *cuts)))[:4] if found else cuts
        if found:
            for out in outs:
                if isinstance(out, Tensor):
                    out.cuts = tuple(dict.fromkeys((*out.cuts, *found)))[:4] if out.cuts else found
                    if out.grad_fn is not None:
                        for cut in found:
                            cut.trained = True

    def carry_into(self, made: Unknown, inputs: Iterable[Value]) -> None:
        """The same for an unknown result."""
        found = tuple(dict.fromkeys(c for value in inputs for c in cuts_of(value)))[:4]
        if found:
            made.facet("cuts", lambda: found)

    def term(self, left: Value, right: Value, node: ast.AST) -> None:
        """An addition: one side with a graph, the other one cut off from its own."""
        for live, dead in ((left, right), (right, left)):
            if isinstance(live, Tensor) and live.requires_grad and live.grad_fn is not None:
                cuts = cuts_of(dead)
                if (
                    not cuts
                    or (isinstance(dead, Tensor) and dead.requires_grad)
                    or not isinstance(dead, Unknown | Tensor)
                ):
                    continue
                if live.shape not in ((), (1,), None) or (isinstance(dead, Tensor) and dead.shape not in ((), (1,))):
                    continue
                if any(
                    c.kind != "grad" and s.grad_fn is not None and reaches(s.grad_fn, live.grad_fn, 40)
                    for c in cuts
                    for s in c.sources
                ):
                    continue  # x - x.detach(): the value is taken off on purpose
                if all(carried(c.trace.loops, self.m.loops) for c in cuts):
                    continue  # the value of an earlier iteration: a constant in this one
                self.dead_terms.append((live.grad_fn, cuts, self.m.here(node)))

    def into_numpy(self, tensor: Tensor, node: ast.AST) -> tuple[Cut, ...]:
        """A tensor goes to NumPy: where it was only detached to be let in, the graph ends here for good."""
        here = self.m.here(node)
        return tuple(Cut("numpy", c.sources, tensor, here) if c.kind in ("detach", "data") else c for c in tensor.cuts)

    def masked(self, tensor: Tensor, node: ast.AST) -> None:
        """``requires_grad`` switched on for what was cut: a hazard if a loss then has nothing else to train."""
        cuts = [
            c for c in tensor.cuts if c.kind not in ("grad", "no_grad") and (c.kind != "detach" or tensor.shape == ())
        ]
        if cuts:
            self.masks.append((tensor, self.m.here(node)))

    def _dead_terms(self) -> None:
        for backward, cuts, trace in self.confirmed_dead:
            for cut in cuts:
                self.m.emit(
                    "dead_term", trace, cut=cut.trace, cut_kind=cut.kind, backward=backward.trace, source=cut.sources[0]
                )

    def _cut_off(self) -> None:
        """Parameters that are stepped and never got a gradient, behind a cut."""
        m = self.m
        if not self.m.backwards:
            return
        for optimizer in self.optimizers:
            if not optimizer.data.steps or optimizer.data.assumed:
                continue
            starved = {p for g in groups_of(optimizer) for p in g if p not in self.ever and p.requires_grad}
            if not starved:
                continue
            for cut in self.cuts:
                if not cut.trained and cut.kind in ("item", "detach", "data", "numpy", "comparison"):
                    continue  # only to be shown
                reached = set().union(*(autograd.leaves_of(m, s) for s in cut.sources)) & starved
                if reached:
                    m.emit("parameters_cut_off", cut.trace, cut_kind=cut.kind, step=optimizer.data.steps[0], optimizer=optimizer,
                           tensor=min(reached, key=lambda t: t.name), source=cut.sources[0], whole=len(reached) == len(starved))  # fmt: skip
                    break
            else:
                untouched = {
                    p for p in starved if not p.storage.log and not p.storage.silent
                }  # an average of other weights is meant
                scope = next(
                    (
                        c
                        for c in self.scopes
                        if c.trained and any(autograd.leaves_of(m, s) & untouched for s in c.sources)
                    ),
                    None,
                )
                if scope is not None:
                    m.emit("parameters_cut_off", scope.trace, cut_kind="no_grad", step=optimizer.data.steps[0], optimizer=optimizer,
                           tensor=scope.sources[0], source=scope.sources[0], whole=False)  # fmt: skip
                else:
                    self._used_without_graph(optimizer, untouched)

    def _used_without_graph(self, optimizer: Instance, starved: set[Tensor]) -> None:
        """A parameter that the loss only ever meets as ``p.data`` or ``p.detach()``."""
        if not starved:
            return
        for backward in self.m.backwards:
            for node in backward.executed:
                for saved in node.saved:
                    tensor = saved.tensor
                    if tensor.detached_from in starved and tensor.origin in ("data", "detach"):
                        source = tensor.detached_from
                        self.m.emit("parameters_cut_off", tensor.created, cut_kind=tensor.origin, optimizer=optimizer,
                                    step=optimizer.data.steps[0], tensor=source, source=source, whole=False)  # fmt: skip
                        return

    def _useless_terms(self) -> None:
        """Addends of a loss that move nothing that is stepped, since the way there is detached."""
        for backward in self.m.backwards:
            optimizers = [o for o in backward.consumed if isinstance(o, Instance)]
            if not optimizers or len(backward.roots) != 1:
                continue
            terms = addends(self.m, backward.roots[0])
            if len(terms) < 2:
                continue
            used = {c.leaf for c in backward.contributions if c.consumed}
            stepped = {p for o in optimizers for g in groups_of(o) for p in g}
            for node in terms:
                reach = leaves_below(node)
                if reach & used or not isinstance(node, Node):
                    continue
                cuts = [c for out in node.outputs for c in out.cuts if c.kind in ("detach", "data")]
                for cut in cuts:
                    if set().union(*(autograd.leaves_of(self.m, s) for s in cut.sources)) & stepped:
                        self.m.emit(
                            "term_cut_off",
                            cut.trace,
                            term=node.trace,
                            backward=backward.trace,
                            optimizer=optimizers[0],
                            source=cut.sources[0],
                        )
                        break


def addends(m: Machine, root: Tensor) -> list[Any]:
    """The terms of a loss that is a sum, seen through scaling by numbers."""
    return [node for node, ends in _sum_of(m, root) if ends]


def summed(m: Machine, root: Tensor) -> set[Any]:
    """The terms of a loss and the partial sums they are in."""
    return {node for node, _ in _sum_of(m, root)}


def _sum_of(m: Machine, root: Tensor) -> list[tuple[Any, bool]]:
    """The nodes of a sum from ``root`` on, and whether each is a term (or a sum or multiple of others)."""
    found: list[tuple[Any, bool]] = []
    stack: list[Any] = [autograd.edge(m, root)]
    while stack and len(found) < 96:
        node = stack.pop()
        if isinstance(node, Node) and node.op in ("add", "sub", "rsub", "add_", "sub_") and len(node.edges) == 2:
            stack.extend(node.edges)
            found.append((node, False))
        elif (
            isinstance(node, Node)
            and node.op in ("mul", "div", "neg", "to", "add", "sub", "rsub", "add_", "sub_")
            and len(node.edges) == 1
        ):
            stack.extend(node.edges)
            found.append((node, False))
        elif node is not None:
            found.append((node, True))
    return found
