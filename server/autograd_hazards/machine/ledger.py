"""The bookkeeping behind the hazards that torch is silent about; the machine tells it of each transition."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from .contributions import Gradients
from .cuts import Cuts, summed
from .kept import Kept
from .leaves import Leaves
from .owners import Owners
from .products import Products
from .records import groups_of
from .registration import Registration
from .tensor import Node, Tensor
from .unread import Unread
from .untrained import Untrained
from .values import Instance

if TYPE_CHECKING:
    from .autograd import Backward
    from .core import Raised
    from .frames import Trace


def _network_below(start: Any) -> Trace | None:
    """Where the nearest layer with parameters below a node was called."""
    queue = deque([start])
    seen: set[Node] = set()
    while queue and len(seen) < 400:
        node = queue.popleft()
        if not isinstance(node, Node) or node in seen:
            continue
        if any(isinstance(e, Tensor) and e.is_param for e in node.edges):
            return node.trace
        seen.add(node)
        queue.extend(node.edges)
    return None


class Ledger(Cuts, Gradients, Kept, Leaves, Owners, Products, Registration, Unread, Untrained):
    """One run's records. The machine calls it at each transition; ``finish`` emits what only shows at the end."""

    def finished(self, backward: Backward) -> None:
        """After a backward: additions whose live side it executed had a dead side."""
        remaining = []
        for entry in self.dead_terms:
            if entry[0] in backward.executed:
                if any(entry[0] in summed(self.m, root) for root in backward.roots):
                    self.confirmed_dead.append((backward, entry[1], entry[2]))
            else:
                remaining.append(entry)
        self.dead_terms = remaining
        reached = set(backward.leaves)
        for tensor, trace in self.masks:
            if reached == {tensor}:
                self.m.emit(
                    "broken_graph_masked",
                    trace,
                    tensor=tensor,
                    cuts=tensor.cuts,
                    cut=tensor.cuts[0].trace,
                    backward=backward.trace,
                )
        self.masks = [entry for entry in self.masks if reached != {entry[0]}]
        for product, factor, trace, sure in self.products:
            if product in backward.executed:
                self.m.emit(
                    "product_reaches",
                    trace,
                    tensor=factor,
                    made=factor.created,
                    backward=backward.trace,
                    target=product.op != "mul",
                    origin=_network_below(factor.grad_fn),
                    sure=sure,
                )
        self.products = [entry for entry in self.products if entry[0] not in backward.executed]

    def uncaught(self, error: Raised) -> None:
        """The program ends by an exception. Those of torch are events of their own."""
        self.m.tracks["uncaught"] = error
        self.m.uncaught(error)
        kind = error.value.cls.name if isinstance(error.value, Instance) else ""
        if error.trace is not None and kind not in ("", "RuntimeError", "SystemExit", "KeyboardInterrupt"):
            self.m.fail(kind, "", error.trace)

    def unknown_gradients(self) -> None:
        """A backward or a zeroing of something unknown: any gradient may have changed by it."""
        self.uncertain = True

    def forget(self) -> None:
        """Modules are shared between entries: their parameters start the next one without gradients."""
        for backward in self.m.backwards:
            for c in backward.contributions:
                c.leaf.grad = None

    def finish(self, complete: bool) -> None:
        """Emit what only the whole run shows. ``complete`` is False when the run was cut short."""
        m = self.m
        # an object can be made both optimizer and module: what the module's constructor leaves is no optimizer's state
        self.optimizers = [o for o in self.optimizers if hasattr(o.data, "steps")]
        for trace in m.anomaly:
            m.emit("anomaly_mode", trace, scoped=False)
        self._early_schedules()
        followed = complete and not self.unread and not self.uncertain and not m.guessed and not m.partial
        known = followed and not m.tracks.get("definitions only")
        useful = {backward.trace.site for backward in m.backwards if backward.consumed}
        for event in m.events:
            event.known = known
            idle = known and self.steps > 0 and event.uses == self.uses
            event.idle = idle and event.where.site not in useful
        if not complete:
            return
        self._passed_through()
        if self.uncertain:
            return
        stepped_params = {p for o in self.optimizers if o.data.steps for g in groups_of(o) for p in g}
        self._erased_gradients()
        for params, trace, order, before in self.idle_clips:
            late = {c.leaf for b in m.backwards[before:] for c in b.contributions}
            if any(p in stepped_params and (order == "after" or p in late) for p in params):
                m.emit("clip_without_gradients", trace, order=order)
        self._dead_terms()
        whole = not m.guessed and not m.partial
        if whole:
            self._cut_off()
            self._untrained()
        self._kept_graphs()
        self._needless_retain()
        self._useless_terms()
        self._wasted()
        self._unregistered()
        self._without_gradients()
        self._wrong_optimizers()
        if whole:
            self._unowned()

    def _needless_retain(self) -> None:
        # In a loop over losses of one graph all but the last backward need what they keep.
        needed = {backward.trace.site for backward in self.m.backwards if backward.reused}
        for backward in self.m.backwards:
            if backward.trace.site in needed:
                continue
            if self.m.tracks.get("definitions only") and backward.trace.frame.function is None:
                continue  # of the module's own code only some was run
            if backward.retain_given and not backward.create_graph and backward.executed:
                self.m.emit("needless_retain", backward.trace, backward=backward)
