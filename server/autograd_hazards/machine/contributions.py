"""Gradients: what each backward added to which leaf, which step used it, what cleared it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..source.patterns import lazy
from .choice import Choice
from .frames import Trace, carried
from .records import Contribution, Cut, contributions_of, groups_of
from .tensor import Tensor
from .values import Instance, Value

if TYPE_CHECKING:
    from .autograd import Backward
    from .core import Machine

CRITIC = lazy(
    r"(?:^|[_.])(?:d|dis|disc|discriminator|critic|netd)(?:$|[_.\d])|optim(?:izer)?_?D(?:$|[_.])|_D(?:$|[_.])|critic",
    re.IGNORECASE,
)


class Gradients(Choice):
    """Gradients of leaves."""

    def accumulate(self, m: Machine, leaf: Tensor, backward: Backward) -> None:
        """AccumulateGrad: ``leaf.grad += …`` and its hooks."""
        grad = leaf.grad
        if not isinstance(grad, Tensor):
            grad = Tensor(backward.trace, backward.create_graph, leaf.shape, leaf.dtype)
            grad.facets = {"contributions": [], "of": leaf}
            grad.label = f"{leaf.name}.grad" if leaf.name else "grad"
            if not backward.create_graph:
                grad.cuts = (Cut("grad", backward.roots, grad, backward.trace),)
            leaf.grad = grad
            self.grad_storages[grad.storage.memory] = grad
        made = Contribution(leaf, backward)
        contributions_of(grad).append(made)
        backward.contributions.append(made)
        self.ever.add(leaf)
        if leaf.hooks:
            m.session.interp.run_hooks(m, leaf, backward)

    def read_grad(self, tensor: Tensor, node: ast.AST) -> Value:
        grad = tensor.grad
        if node not in clearing_reads(self.m.frame.stmt):
            self.uses += 1
            if isinstance(grad, Tensor):
                for c in contributions_of(grad):
                    c.backward.consume("read")
                    c.backward.read.add(tensor)
        return grad

    def set_grad(self, tensor: Tensor, value: Value, node: ast.AST) -> None:
        self.clears += 1
        if isinstance(tensor.grad, Tensor) and value is not tensor.grad:
            self._erase(tensor, self.m.here(node))
        tensor.grad = value if isinstance(value, Tensor | None) else Tensor(self.m.here(node), False, tensor.shape)
        if isinstance(tensor.grad, Tensor):
            tensor.grad.facets = tensor.grad.facets or {"contributions": [], "of": tensor}
            self.grad_storages[tensor.grad.storage.memory] = tensor.grad
            self.ever.add(tensor)

    def _erase(self, leaf: Tensor, trace: Trace) -> None:
        if isinstance(leaf.grad, Tensor):
            for c in contributions_of(leaf.grad):
                if c.erased is None and not c.consumed:
                    c.erased = trace
                    c.backward.erased.append(trace)

    def zeroed(self, params: Sequence[Tensor], node: ast.AST, owner: Any = None, to_none: bool = True) -> None:
        """``zero_grad``."""
        self.clears += 1
        trace = self.m.here(node)
        if isinstance(owner, Instance) and hasattr(owner.data, "zeroed"):
            owner.data.zeroed = True
        # After an error, what there is of gradients is dropped on purpose.
        handling = self.m.tracks.get("handling") is not None
        for p in params:
            if not handling:
                self._erase(p, trace)
            if to_none:
                p.grad = None
            elif isinstance(p.grad, Tensor):
                contributions_of(p.grad).clear()

    def gradients_taken(self, backward: Backward) -> None:
        backward.consume("read")
        for leaf in backward.leaves:
            self.ever.add(leaf)

    def stepping(self, optimizer: Instance, own: Any, params: Sequence[Tensor], node: ast.AST) -> None:
        """Before the parameters change: are these gradients the ones the step should see?"""
        m = self.m
        here = m.here(node)
        self.idle_step(optimizer, params, here)
        for p in params:
            if not isinstance(p.grad, Tensor):
                continue
            contributions = contributions_of(p.grad)
            if not contributions:
                continue
            stale = next((c for c in contributions if any(o is optimizer for o, _ in c.consumed)), None)
            fresh = next((c for c in reversed(contributions) if not any(o is optimizer for o, _ in c.consumed)), None)
            if stale is not None and fresh is not None and fresh.backward is not stale.backward:
                m.emit("gradients_not_cleared", here, tensor=p, first=stale.backward.trace, second=fresh.backward.trace, step=here,
                       earlier=next(t for o, t in stale.consumed if o is optimizer), optimizer=optimizer)  # fmt: skip
            foreign = next(
                (
                    c
                    for c in contributions
                    if not c.consumed and any(o is not optimizer and o != "read" for o in c.backward.consumed)
                ),
                None,
            )
            summed = foreign is not None and fresh is not None and _summed(foreign.backward, fresh.backward, here)
            alone = foreign is None or fresh is None or fresh.backward is foreign.backward or summed
            if foreign is not None and fresh is not None and stale is None and not alone:
                other_step = next((t for c in foreign.backward.contributions for o, t in c.consumed), None)
                used = foreign.backward.first_use
                before = used is not None and fresh.backward not in m.backwards[:used]
                sure = self._leaks(foreign, fresh.backward, p, node)
                if other_step is not None and before and (sure or set(params).issuperset(fresh.backward.leaves)):
                    m.emit("foreign_gradients", here, tensor=p, first=foreign.backward.trace, second=fresh.backward.trace, step=here,
                           earlier=other_step, optimizer=optimizer, sure=sure)  # fmt: skip
            if stale is None and foreign is None and len(contributions) > 1:
                self._left_by_readers(optimizer, params, contributions, p, here)
                pair = self._both_backwards(optimizer, params, contributions)
                if pair is not None:
                    sure = pair[2] and bool(CRITIC.search(ast.unparse(node.func) if isinstance(node, ast.Call) else ""))
                    self.both_backwards.append((pair[0], pair[1], p, here, optimizer, sure))
            for c in contributions:
                scaler = c.backward.scaled
                if scaler is not None:
                    scaler.note_step(m, optimizer, here)
        for p, mutation in self.edits:
            if p in params and isinstance(p.grad, Tensor) and any(not c.consumed for c in contributions_of(p.grad)):
                m.emit(
                    "edited_before_step",
                    here,
                    tensor=p,
                    mutation=mutation,
                    changed=mutation.trace,
                    step=here,
                    optimizer=optimizer,
                )
        self.edits = [(p, mut) for p, mut in self.edits if p not in params]

    def _left_by_readers(
        self,
        optimizer: Instance,
        params: Sequence[Tensor],
        contributions: Sequence[Contribution],
        p: Tensor,
        here: Trace,
    ) -> None:
        """Backwards that were called for the gradient of an input have left theirs on the parameters as well."""
        mine = set(params)
        readers = [c.backward for c in contributions if not c.consumed and c.backward.read - mine]
        own = next((c.backward for c in contributions if not c.consumed and not c.backward.read - mine), None)
        if not readers or own is None:
            return
        sites = [b.trace.site for b in readers]
        self.m.emit("foreign_gradients", here, tensor=p, first=readers[0].trace, second=own.trace, step=here, earlier=None,
                    optimizer=optimizer, sure=len(sites) > len(set(sites)))  # fmt: skip

    def _both_backwards(
        self, optimizer: Instance, params: Sequence[Tensor], contributions: Sequence[Contribution]
    ) -> tuple[Backward, Backward, bool] | None:
        """Two losses went backward before this step: one that trains only this network, and one that only passes through it.

        The second goes on into the network of another optimizer, which made the input: a generator's or an actor's loss.
        """
        backwards = list(dict.fromkeys(c.backward for c in contributions if not c.consumed))
        mine = set(params)
        own = next((b for b in backwards if mine.issuperset(b.leaves)), None)
        if own is None or len(backwards) != 2:
            return None
        other = backwards[1] if backwards[0] is own else backwards[0]
        order = {leaf: i for i, leaf in enumerate(other.leaves)}
        reached = [order[p] for p in mine if p in order]
        last, first = max(reached, default=-1), min(reached, default=-1)
        for rival in self.optimizers:
            theirs = {p for g in groups_of(rival) for p in g}
            if rival is not optimizer and theirs and not theirs & mine and mine | theirs >= set(order):
                found = [order[p] for p in theirs if p in order]
                if found and min(found) > last:
                    return own, other, True
                if found and min(found) > first and max(found) < last:
                    return own, other, False  # it reads out by this network, and takes the other one in between
        return None

    def _passed_through(self) -> None:
        """Of two losses before a step the second is another network's only when that one is then trained with it."""
        for own, other, tensor, here, optimizer, sure in self.both_backwards:
            if any(o is not optimizer and o != "read" for o in other.consumed):
                self.m.emit("foreign_gradients", here, tensor=tensor, first=other.trace, second=own.trace, step=here, earlier=None,
                            optimizer=optimizer, sure=sure)  # fmt: skip

    def _leaks(self, foreign: Contribution, fresh: Backward, p: Tensor, node: ast.AST) -> bool:
        """Whether gradients that another optimizer's loss left here are meant: a generator may be trained by two losses."""
        order = {leaf: i for i, leaf in enumerate(foreign.backward.leaves)}
        used = [order[c.leaf] for c in foreign.backward.contributions if c.consumed and c.leaf in order]
        if used and max(used) < order.get(p, -1):
            return True  # the loss went on from the network it trains into the one that made its input
        if carried(foreign.backward.trace.loops, fresh.trace.loops):
            return True
        text = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        return bool(CRITIC.search(text))

    def stepped(self, optimizer: Instance, own: Any, params: Sequence[Tensor], node: ast.AST) -> None:
        here = self.m.here(node)
        self.steps += 1
        self.uses += 1
        for p in params:
            if p in self.constrained and isinstance(p.grad, Tensor):
                self.constrained[p] = (self.constrained[p][0], here)
            if isinstance(p.grad, Tensor):
                for c in contributions_of(p.grad):
                    c.consumed.append((optimizer, here))
                    c.backward.consume(optimizer)
                    if c.backward.first_use is None:
                        c.backward.first_use = len(self.m.backwards)

    def clipped(self, params: Sequence[Tensor], node: ast.AST) -> None:
        """``clip_grad_*``: is there a gradient to clip, and is it at its true scale?"""
        here = self.m.here(node)
        known = list(params)
        contributions = [c for p in known if isinstance(p.grad, Tensor) for c in contributions_of(p.grad)]
        fresh = [c for c in contributions if not c.consumed]
        if known and not fresh and not any(isinstance(p.grad, Tensor) and not contributions_of(p.grad) for p in known):
            self.idle_clips.append((known, here, "after" if contributions else "before", len(self.m.backwards)))
        scaled = next(
            (c for c in fresh if c.backward.scaled is not None and not c.backward.scaled.is_unscaled(known)), None
        )
        if scaled is not None:
            self.m.emit("clip_scaled", here, backward=scaled.backward.trace, scaler=scaled.backward.scaled)

    def _erased_gradients(self) -> None:
        owned = {p for o in self.optimizers for g in groups_of(o) for p in g}
        for backward in self.m.backwards:
            if (
                backward.consumed
                or not backward.erased
                or not self.steps
                or backward.inputs is not None
                or not backward.trace.loops
            ):
                continue
            mine = [c for c in backward.contributions if c.leaf in owned]
            if mine and all(c.erased is not None for c in mine):
                trace = mine[0].erased
                assert trace is not None
                self.m.emit("gradients_erased", trace, backward=backward.trace, tensor=mine[0].leaf)

    def _wasted(self) -> None:
        """A backward that went on into a network whose gradients were then thrown away."""
        for backward in self.m.backwards:
            if backward.failed or not any(isinstance(o, Instance) for o in backward.consumed):
                continue
            order = {leaf: i for i, leaf in enumerate(backward.leaves)}
            mine = backward.contributions
            consumed = [order[c.leaf] for c in mine if c.consumed and c.leaf in order]
            erased = [c for c in mine if c.erased is not None and not c.consumed and c.leaf.is_param]
            if consumed and erased and max(consumed) < min(order.get(c.leaf, 0) for c in erased):
                trace = erased[0].erased
                assert trace is not None
                self.m.emit("gradients_wasted", backward.trace, zero=trace, tensor=erased[0].leaf, passed=backward)


def _summed(first: Backward, second: Backward, step: Trace) -> bool:
    """Whether one statement in a loop over losses went backward twice since the last pass of the step: a sum is meant."""
    places = [[site for _, site in backward.trace.chain()] for backward in (first, second)]
    around = step.loops
    return first is not second and places[0] == places[1] and first.trace.loops[: len(around)] == around


LOOKED_AT = frozenset({"item", "norm", "isnan", "isfinite", "isinf"})


def _looked_at(call: ast.Call) -> set[ast.AST]:
    """``p.grad`` in ``p.grad.norm().item()`` and the like: a number that is shown, not a use."""
    found: set[ast.AST] = set()
    inner: ast.AST = call
    seen = False
    while True:
        if isinstance(inner, ast.Call):
            inner = inner.func
        elif isinstance(inner, ast.Attribute):
            seen = seen or inner.attr in LOOKED_AT
            if inner.attr in ("grad", "data") and seen:
                found.add(inner)
            inner = inner.value
        else:
            return found


def clearing_reads(stmt: ast.stmt | None) -> frozenset[ast.AST]:
    """Mentions of ``.grad`` in a statement that only clear it, ask whether it is there or look at its size (cached)."""
    if stmt is None:
        return frozenset()
    found: frozenset[ast.AST] | None = getattr(stmt, "_clearing", None)
    if found is None:
        nodes: set[ast.AST] = set()
        for node in ast.walk(stmt):
            if isinstance(node, ast.Attribute) and node.attr in ("zero_", "detach_", "requires_grad_"):
                inner = node.value
                nodes.add(inner.value if isinstance(inner, ast.Attribute) and inner.attr == "data" else inner)
            elif isinstance(node, ast.Compare) and all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
                nodes.add(node.left)
            elif isinstance(node, ast.Call):
                nodes.update(_looked_at(node))
        found = frozenset(nodes)
        stmt._clearing = found  # type: ignore[attr-defined]
    return found
