"""What happens to gradients, and where graphs are cut: the bookkeeping behind the hazards that torch is silent about."""

from __future__ import annotations

import ast
import itertools
import re
from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import autograd, overwritten
from .frames import Trace, carried, same_iteration
from .tensor import Mutation, Node, Storage, Tensor
from .values import Instance, Unknown, Value

if TYPE_CHECKING:
    from .autograd import Backward
    from .core import Machine, Raised


class Cut:
    """A place where the graph of ``sources`` was left behind: detach, ``.data``, ``.item()``, ``torch.tensor`` of tensors …"""

    __slots__ = ("kind", "sources", "tensor", "trace", "trained")

    def __init__(self, kind: str, sources: Sequence[Tensor], tensor: Any, trace: Trace) -> None:
        self.kind = kind
        self.sources = list(sources)
        self.tensor = tensor
        self.trace = trace
        self.trained = False  # something with a graph is computed from what is left


class Contribution:
    """What one backward added to the gradient of one leaf, and what became of it."""

    __slots__ = ("backward", "consumed", "erased", "leaf")

    def __init__(self, leaf: Tensor, backward: Backward) -> None:
        self.leaf = leaf
        self.backward = backward
        self.consumed: list[tuple[Any, Trace]] = []  # (optimizer, step)
        self.erased: Trace | None = None


PURE = frozenset(
    {"detach", "clamp", "clip", "add", "mul", "sub", "div", "abs", "exp", "squeeze", "unsqueeze", "view", "reshape", "transpose", "permute", "masked_fill",
     "relu", "sigmoid", "tanh", "float", "long", "half", "double", "contiguous", "scatter", "index_fill", "clamp_min", "clamp_max"}
)  # fmt: skip
REWARD = re.compile(r"\brs?\b|\brew|reward|_rew|\br_", re.IGNORECASE)
TARGET = re.compile(r"target|teacher|pseudo|soft_?label", re.IGNORECASE)
LOG_PROBABILITY = re.compile(r"log_?p|log_?softmax|logits?_pi|categorical", re.IGNORECASE)
ADVANTAGE = re.compile(r"adv|td|delta|baseline|return|gain", re.IGNORECASE)
CRITIC = re.compile(r"(?:^|[_.])(?:d|dis|disc|discriminator|critic|netd)(?:$|[_.\d])|optim(?:izer)?_?D(?:$|[_.])|_D(?:$|[_.])|critic", re.IGNORECASE)
EDITS = frozenset({"clamp_", "clip_", "clamp_min_", "clamp_max_", "renorm_", "hardtanh_"})


class Ledger:
    """One run's records. The machine calls it at each transition; ``finish`` emits what only shows at the end."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.ever: set[Tensor] = set()  # leaves that ever got a gradient
        self.grad_storages: dict[Storage, Tensor] = {}
        self.cuts: list[Cut] = []
        self.optimizers: list[Instance] = []
        self.dead_terms: list[tuple[Node, tuple[Cut, ...], Trace]] = []
        self.confirmed_dead: list[tuple[Backward, tuple[Cut, ...], Trace]] = []
        self.kept: list[tuple[Node, Trace, str, str, Any]] = []
        self.sums: dict[tuple[Any, ...], int] = {}
        self.escaped_nodes: set[Node] = set()
        self.escaped_all = False
        self.early_schedules: list[tuple[Any, Any, Trace]] = []
        self.idle_clips: list[tuple[list[Tensor], Trace, str]] = []
        self.edits: list[tuple[Tensor, Mutation]] = []
        self.clips: list[Trace] = []
        self.attached_products: list[Any] = []
        self.steps = 0
        self.scope_cut: Cut | None = None
        self.scopes: list[Cut] = []
        self.conversions: dict[Tensor, Trace] = {}  # leaves that a conversion may have replaced
        self.constrained: dict[Tensor, tuple[Mutation, Trace | None]] = {}  # clamped parameters, and the step since
        self.masks: list[tuple[Tensor, Trace]] = []
        self.bootstraps: dict[Node, bool] = {}  # and whether a reward is named in it
        self.products: list[tuple[Node, Tensor, Trace, bool]] = []
        self.uncertain = False  # something unknown may have touched gradients

    # -- cuts ---------------------------------------------------------------------------------------------------------
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
                if not cuts or (isinstance(dead, Tensor) and dead.requires_grad) or not isinstance(dead, Unknown | Tensor):
                    continue
                if live.shape not in ((), (1,), None) or (isinstance(dead, Tensor) and dead.shape not in ((), (1,))):
                    continue
                if any(c.kind != "grad" and s.grad_fn is not None and _reaches(s.grad_fn, live.grad_fn, 40) for c in cuts for s in c.sources):
                    continue  # x - x.detach(): the value is taken off on purpose
                self.dead_terms.append((live.grad_fn, cuts, self.m.here(node)))

    def into_numpy(self, tensor: Tensor, node: ast.AST) -> tuple[Cut, ...]:
        """A tensor goes to NumPy: where it was only detached to be let in, the graph ends here for good."""
        here = self.m.here(node)
        return tuple(Cut("numpy", c.sources, tensor, here) if c.kind in ("detach", "data") else c for c in tensor.cuts)

    def masked(self, tensor: Tensor, node: ast.AST) -> None:
        """``requires_grad`` switched on for what was cut: a hazard if a loss then has nothing else to train."""
        cuts = [c for c in tensor.cuts if c.kind not in ("grad", "no_grad") and (c.kind != "detach" or tensor.shape == ())]
        if cuts:
            self.masks.append((tensor, self.m.here(node)))

    # -- gradients ----------------------------------------------------------------------------------------------------
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
            self.grad_storages[grad.storage] = grad
        made = Contribution(leaf, backward)
        contributions_of(grad).append(made)
        backward.contributions.append(made)
        self.ever.add(leaf)
        if leaf.hooks:
            m.session.interp.run_hooks(m, leaf, backward)

    def read_grad(self, tensor: Tensor, node: ast.AST) -> Value:
        grad = tensor.grad
        if isinstance(grad, Tensor):
            if node not in clearing_reads(self.m.frame.stmt):
                for c in contributions_of(grad):
                    c.backward.consume("read")
        return grad

    def set_grad(self, tensor: Tensor, value: Value, node: ast.AST) -> None:
        if isinstance(tensor.grad, Tensor) and value is not tensor.grad:
            self._erase(tensor, self.m.here(node))
        tensor.grad = value if isinstance(value, Tensor | None) else Tensor(self.m.here(node), False, tensor.shape)
        if isinstance(tensor.grad, Tensor):
            tensor.grad.facets = tensor.grad.facets or {"contributions": [], "of": tensor}
            self.grad_storages[tensor.grad.storage] = tensor.grad
            self.ever.add(tensor)

    def _erase(self, leaf: Tensor, trace: Trace) -> None:
        if isinstance(leaf.grad, Tensor):
            for c in contributions_of(leaf.grad):
                if c.erased is None and not c.consumed:
                    c.erased = trace
                    c.backward.erased.append(trace)

    def zeroed(self, params: Sequence[Tensor], node: ast.AST, owner: Any = None, to_none: bool = True) -> None:
        """``zero_grad``."""
        trace = self.m.here(node)
        for p in params:
            self._erase(p, trace)
            if to_none:
                p.grad = None
            elif isinstance(p.grad, Tensor):
                contributions_of(p.grad).clear()

    def started(self, backward: Backward) -> None:
        pass

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
                self.m.emit("broken_graph_masked", trace, tensor=tensor, cuts=tensor.cuts, cut=tensor.cuts[0].trace, backward=backward.trace)
        self.masks = [entry for entry in self.masks if reached != {entry[0]}]
        for product, factor, trace, sure in self.products:
            if product in backward.executed:
                self.m.emit("product_reaches", trace, tensor=factor, made=factor.created, backward=backward.trace, target=product.op != "mul", sure=sure)
        self.products = [entry for entry in self.products if entry[0] not in backward.executed]

    def gradients_taken(self, backward: Backward) -> None:
        backward.consume("read")
        for leaf in backward.leaves:
            self.ever.add(leaf)

    # -- optimizers ---------------------------------------------------------------------------------------------------
    def optimizer_made(self, optimizer: Instance, node: ast.AST) -> None:
        self.optimizers.append(optimizer)
        if self.conversions:
            for group in _groups(optimizer):
                for p in group:
                    self.used_as_leaf(p)

    def stepping(self, optimizer: Instance, own: Any, params: Sequence[Tensor], node: ast.AST) -> None:
        """Before the parameters change: are these gradients the ones the step should see?"""
        m = self.m
        here = m.here(node)
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
            foreign = next((c for c in contributions if not c.consumed and any(o is not optimizer and o != "read" for o in c.backward.consumed)), None)
            if foreign is not None and stale is None and fresh is not None and fresh.backward is not foreign.backward:
                other_step = next((t for c in foreign.backward.contributions for o, t in c.consumed), None)
                if other_step is not None and self._leaks(foreign, fresh.backward, p, node):
                    m.emit("foreign_gradients", here, tensor=p, first=foreign.backward.trace, second=fresh.backward.trace, step=here,
                           earlier=other_step, optimizer=optimizer)  # fmt: skip
            if stale is None and foreign is None and len(contributions) > 1:
                pair = self._both_backwards(optimizer, params, contributions)
                if pair is not None:
                    sure = bool(CRITIC.search(ast.unparse(node.func) if isinstance(node, ast.Call) else ""))
                    m.emit("foreign_gradients", here, tensor=p, first=pair[1].trace, second=pair[0].trace, step=here, earlier=None,
                           optimizer=optimizer, sure=sure)  # fmt: skip
            for c in contributions:
                scaler = c.backward.scaled
                if scaler is not None:
                    scaler.note_step(m, optimizer, here)
        for p, mutation in self.edits:
            if p in params and isinstance(p.grad, Tensor) and any(not c.consumed for c in contributions_of(p.grad)):
                m.emit("edited_before_step", here, tensor=p, mutation=mutation, changed=mutation.trace, step=here, optimizer=optimizer)
        self.edits = [(p, mut) for p, mut in self.edits if p not in params]

    def _both_backwards(self, optimizer: Instance, params: Sequence[Tensor], contributions: Sequence[Contribution]) -> tuple[Backward, Backward] | None:
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
        last = max((order[p] for p in mine if p in order), default=-1)
        for rival in self.optimizers:
            theirs = {p for g in _groups(rival) for p in g}
            if rival is not optimizer and theirs and not theirs & mine and mine | theirs >= set(order):
                found = [order[p] for p in theirs if p in order]
                if found and min(found) > last:
                    return own, other
        return None

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
        for p in params:
            if p in self.constrained and isinstance(p.grad, Tensor):
                self.constrained[p] = (self.constrained[p][0], here)
            if isinstance(p.grad, Tensor):
                for c in contributions_of(p.grad):
                    c.consumed.append((optimizer, here))
                    c.backward.consume(optimizer)

    def scheduled(self, scheduler: Instance, optimizer: Value, node: ast.AST) -> None:
        if isinstance(optimizer, Instance) and optimizer.data is not None and not getattr(optimizer.data, "steps", [1]):
            self.early_schedules.append((scheduler, optimizer, self.m.here(node)))

    def clipped(self, params: Sequence[Tensor], node: ast.AST) -> None:
        """``clip_grad_*``: is there a gradient to clip, and is it at its true scale?"""
        here = self.m.here(node)
        self.clips.append(here)
        known = list(params)
        contributions = [c for p in known if isinstance(p.grad, Tensor) for c in contributions_of(p.grad)]
        fresh = [c for c in contributions if not c.consumed]
        if known and not fresh and not any(isinstance(p.grad, Tensor) and not contributions_of(p.grad) for p in known):
            self.idle_clips.append((known, here, "after" if contributions else "before"))
        scaled = next((c for c in fresh if c.backward.scaled is not None and not c.backward.scaled.is_unscaled(known)), None)
        if scaled is not None:
            self.m.emit("clip_scaled", here, backward=scaled.backward.trace, scaler=scaled.backward.scaled)

    # -- writes -------------------------------------------------------------------------------------------------------
    def written(self, target: Tensor, mutation: Mutation) -> None:
        grad = self.grad_storages.get(target.storage)
        if grad is not None and mutation.op in ("zero_", "fill_"):
            for c in contributions_of(grad):
                if c.erased is None and not c.consumed:
                    c.erased = mutation.trace
                    c.backward.erased.append(mutation.trace)
            contributions_of(grad).clear()
        if mutation.op in overwritten.ACTIVATIONS and mutation.cause == "inplace":
            overwritten.mutated(self.m, target, mutation)
        if mutation.op in EDITS:
            owner = origin_of(target)
            if owner.is_param:
                self.constrained[owner] = (mutation, None)
            if owner.is_param and isinstance(owner.grad, Tensor) and any(not c.consumed for c in contributions_of(owner.grad)):
                self.edits.append((owner, mutation))

    def replaced(self, owner: Tensor, value: Tensor, node: ast.AST) -> None:
        """``p.data = p.data.clamp(…)`` between a backward and its step."""
        made = value.created.node
        name = made.func.attr if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) else ""
        if f"{name}_" in EDITS and owner.is_param and isinstance(owner.grad, Tensor):
            if any(not c.consumed for c in contributions_of(owner.grad)):
                self.edits.append((owner, Mutation(self.m.here(node), "data", f"{name}_", False, owner)))

    def product(self, left: Value, right: Value, result: Value, node: ast.AST) -> None:
        """A product of a log-probability and a weight that has a graph of its own (an advantage that was not detached)."""
        for logp, weight in ((left, right), (right, left)):
            if not (isinstance(logp, Tensor) and isinstance(weight, Tensor) and isinstance(result, Tensor)):
                return
            if weight.grad_fn is None or logp.grad_fn is None or result.grad_fn is None:
                return
            if weight.grad_fn.op not in ("sub", "rsub", "add", "div", "mul", "neg") or not self._log_probability(logp.grad_fn):
                continue
            if LOG_PROBABILITY.search(_names(weight.grad_fn, 3)):
                continue
            if weight.grad_fn.op not in ("sub", "rsub") and not ADVANTAGE.search(weight.name or ""):
                continue
            mine = {p for p in autograd.leaves_of(self.m, weight) if p.is_param}
            if mine - autograd.leaves_of(self.m, logp):
                self.products.append((result.grad_fn, weight, self.m.here(node), True))
                return

    def bootstrapped(self, left: Value, right: Value, result: Value, node: ast.AST) -> None:
        """``reward + gamma * value``: an estimate made of a network's own estimate."""
        if not isinstance(node, ast.BinOp) or not isinstance(result, Tensor) or result.grad_fn is None:
            return
        for reward, value, text in ((left, right, node.left), (right, left, node.right)):
            if isinstance(reward, Tensor) and reward.requires_grad:
                continue
            fn = value.grad_fn if isinstance(value, Tensor) else None
            if fn is not None and fn.op == "mul" and len(fn.edges) == 1:
                self.bootstraps[result.grad_fn] = bool(REWARD.search(ast.unparse(text)))

    def compared(self, estimate: Value, target: Value, result: Value, node: ast.AST) -> None:
        """A loss or difference of an estimate and what it should become: does it also move the latter?"""
        if not isinstance(estimate, Tensor) or not isinstance(target, Tensor) or not isinstance(result, Tensor):
            return
        if estimate.grad_fn is None or target.grad_fn is None or result.grad_fn is None:
            return
        own = self._bootstrap(target.grad_fn)
        if own is not True and (result.grad_fn.op == "sub" or not TARGET.search(target.name or "")):
            return
        theirs = {p for p in autograd.leaves_of(self.m, target) if p.is_param}
        shared = theirs & autograd.leaves_of(self.m, estimate)
        if own is not False and shared:
            self.products.append((result.grad_fn, target, self.m.here(node), own is True))
        elif not own and theirs and not shared:
            trained = {p for o in self.optimizers for g in _groups(o) for p in g}
            if theirs & trained:
                self.products.append((result.grad_fn, target, self.m.here(node), True))

    def _bootstrap(self, node: Node) -> bool | None:
        """Whether the value is an estimate made of an estimate: True when of a reward too, None when of what is not told."""
        current: Any = node
        for _ in range(4):
            if current in self.bootstraps:
                return self.bootstraps[current] or None
            if not isinstance(current, Node) or len(current.edges) != 1:
                return False
            current = current.edges[0]
        return False

    def _log_probability(self, node: Node) -> bool:
        """Whether a value is a log-probability, by the names it was given or the call that it comes from."""
        if LOG_PROBABILITY.search(_names(node)):
            return True
        for frame, site in node.trace.chain():
            func = site.node.func if isinstance(site.node, ast.Call) else None
            name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            if LOG_PROBABILITY.search(name):
                return True
            if frame is self.m.frame:
                return False
        return False

    def parameter_used(self, parameter: Tensor) -> None:
        """A forward uses a parameter that was clamped, but stepped since."""
        mutation, step = self.constrained[parameter]
        if step is not None:
            del self.constrained[parameter]
            self.m.emit("edited_before_step", step, tensor=parameter, mutation=mutation, changed=mutation.trace, step=step, optimizer=None, used=self.m.here())

    def discarded(self, result: Tensor, call: ast.Call) -> None:
        """An expression statement that calls a method without effect."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in PURE and not any(k.arg == "out" for k in call.keywords):
            self.m.emit("discarded_result", self.m.here(call), op=name, tensor=result)

    def lost(self, value: Value, name: str, stmt: ast.stmt) -> None:
        """The last statement of a loop's body gave the loop variable a new value that nothing reads."""
        if isinstance(value, Tensor):
            self.m.emit("discarded_result", self.m.here(stmt), op="=", tensor=value, name=name)

    # -- memory -------------------------------------------------------------------------------------------------------
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

    def stored(self, container: Any, value: Value, node: ast.AST) -> None:
        if isinstance(value, Tensor) and value.grad_fn is not None and self.m.loops and self.m.grad_enabled is not False:
            self.kept.append((value.grad_fn, self.m.here(node), value.name, "list", value.grad_fn))

    def attribute_set(self, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
        if isinstance(value, Tensor) and self.conversions and owner.is_a("torch.nn.Module"):
            fn = value.grad_fn  # a copy of another dtype is kept instead of the parameter
            kept = fn.edges[0] if fn is not None and fn.op == "to" and fn.edges else value
            if isinstance(kept, Tensor) and kept.is_param:
                self.used_as_leaf(kept)
        if isinstance(value, Tensor) and value.grad_fn is not None:
            old = owner.attrs.get(name)
            if isinstance(old, Tensor) and old.grad_fn is not None and old is not value and self.m.loops:
                if _reaches(value.grad_fn, old.grad_fn, 40) and carried(old.grad_fn.trace.loops, self.m.loops):
                    self.kept.append((value.grad_fn, self.m.here(node), f"self.{name}", "state", old.grad_fn))

    def loop_ended(self, loop: int) -> None:
        pass

    def escaped(self, values: Iterable[Value], node: ast.AST) -> None:
        """Values handed to code that cannot be followed."""
        for value in values:
            if isinstance(value, Tensor):
                if value.grad_fn is not None:
                    self.escaped_nodes.add(value.grad_fn)
            elif isinstance(value, list | tuple) and len(value) < 200:
                self.escaped(value, node)
            elif isinstance(value, dict) and len(value) < 200:
                self.escaped(list(value.values()), node)

    def converted(self, tensor: Tensor, node: ast.AST) -> None:
        """``.to()``/``.cuda()`` on a new leaf: on another device the result is not that leaf any more."""
        inner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if tensor.is_leaf and tensor.requires_grad and isinstance(inner, ast.Call) and tensor.created.node is inner:
            self.conversions[tensor] = self.m.here(node)

    def used_as_leaf(self, tensor: Tensor) -> None:
        """A converted leaf is kept as a module's parameter, given to an optimizer or asked for its gradient."""
        trace = self.conversions.pop(tensor, None)
        if trace is not None:
            self.m.emit("leaf_converted", trace, tensor=tensor)

    def uncaught(self, error: Raised) -> None:
        self.m.tracks["uncaught"] = error

    def unknown_backward(self) -> None:
        """A backward of something unknown: gradients may have come from it."""
        self.uncertain = True

    def unknown_zero(self) -> None:
        self.uncertain = True

    def forget(self) -> None:
        """Modules are shared between entries: their parameters start the next one without gradients."""
        for backward in self.m.backwards:
            for c in backward.contributions:
                c.leaf.grad = None

    # -- the end ------------------------------------------------------------------------------------------------------
    def finish(self, complete: bool) -> None:
        """Emit what only the whole run shows. ``complete`` is False when the run was cut short."""
        m = self.m
        for trace in m.anomaly:
            m.emit("anomaly_mode", trace, scoped=False)
        for scheduler, optimizer, trace in self.early_schedules:
            if optimizer.data.steps:
                m.emit("scheduler_first", trace, step=optimizer.data.steps[0], optimizer=optimizer, scheduler=scheduler)
        if not complete:
            return
        if self.uncertain:
            return
        stepped_params = {p for o in self.optimizers if o.data.steps for g in _groups(o) for p in g}
        self._erased_gradients()
        for params, trace, order in self.idle_clips:
            if any(p in stepped_params for p in params):
                m.emit("clip_without_gradients", trace, order=order)
        self._dead_terms()
        if not m.guessed:
            self._cut_off()
        self._kept_graphs()
        self._needless_retain()
        self._useless_terms()
        self._wasted()

    def _erased_gradients(self) -> None:
        owned = {p for o in self.optimizers for g in _groups(o) for p in g}
        for backward in self.m.backwards:
            if backward.consumed or not backward.erased or not self.steps or backward.inputs is not None or not backward.trace.loops:
                continue
            mine = [c for c in backward.contributions if c.leaf in owned]
            if mine and all(c.erased is not None for c in mine):
                trace = mine[0].erased
                assert trace is not None
                self.m.emit("gradients_erased", trace, backward=backward.trace, tensor=mine[0].leaf)

    def _dead_terms(self) -> None:
        for backward, cuts, trace in self.confirmed_dead:
            for cut in cuts:
                self.m.emit("dead_term", trace, cut=cut.trace, cut_kind=cut.kind, backward=backward.trace, source=cut.sources[0])

    def _cut_off(self) -> None:
        """Parameters that are stepped and never got a gradient, behind a cut."""
        m = self.m
        if not self.m.backwards:
            return
        for optimizer in self.optimizers:
            if not optimizer.data.steps or optimizer.data.assumed:
                continue
            starved = {p for g in _groups(optimizer) for p in g if p not in self.ever and p.requires_grad}
            if not starved:
                continue
            for cut in self.cuts:
                if cut.kind == "item" and not cut.trained:
                    continue  # a number to be shown
                reached = set().union(*(autograd.leaves_of(m, s) for s in cut.sources)) & starved
                if reached:
                    m.emit("parameters_cut_off", cut.trace, cut_kind=cut.kind, step=optimizer.data.steps[0], optimizer=optimizer,
                           tensor=min(reached, key=lambda t: t.name), source=cut.sources[0], whole=len(reached) == len(starved))  # fmt: skip
                    break
            else:
                untouched = {p for p in starved if not p.storage.log and not p.storage.silent}  # an average of other weights is meant
                scope = next((c for c in self.scopes if c.trained and any(autograd.leaves_of(m, s) & untouched for s in c.sources)), None)
                if scope is not None:
                    m.emit("parameters_cut_off", scope.trace, cut_kind="no_grad", step=optimizer.data.steps[0], optimizer=optimizer,
                           tensor=scope.sources[0], source=scope.sources[0], whole=False)  # fmt: skip

    def _kept_graphs(self) -> None:
        if not self.kept:
            return
        executed: set[Node] = set().union(*(b.executed for b in self.m.backwards)) if self.m.backwards else set()
        inputs = {e for n in executed for e in n.edges}
        groups: dict[Any, list[tuple[Node, Trace, str, str, Any]]] = {}
        for entry in self.kept:
            groups.setdefault(entry[1].site.key, []).append(entry)
        for entries in groups.values():
            if len(entries) < 2 or same_iteration(entries[0][1].loops, entries[-1][1].loops):
                continue
            node, trace, name, how, term = entries[-1]
            if how == "list":
                entries = [e for e in entries if e[0] not in executed or self._own_backward(e[0], e[1])]
                if len(entries) < 2:
                    continue
            elif any(e[0] in executed for e in entries):
                continue
            if any(e[0] in inputs or e[0] in self.escaped_nodes for e in entries):
                continue
            if how == "sum" and not any(_reaches(b[0], a[0], 40) for a, b in itertools.pairwise(entries)):
                continue
            self.m.emit("graph_kept", trace, name=name, how=how, backwarded=any(e[4] in executed for e in entries), built=term.trace)

    def _own_backward(self, node: Node, kept: Trace) -> bool:
        """Whether what is kept is the root of a backward in the iteration that keeps it: then nothing needs it later."""
        around = kept.loops
        mine = [b for b in self.m.backwards if node in b.executed]
        return all(b.trace.loops[: len(around)] == around and any(r.grad_fn is node for r in b.roots) for b in mine)

    def _needless_retain(self) -> None:
        for backward in self.m.backwards:
            if backward.retain_given and not backward.create_graph and not backward.reused and backward.executed:
                self.m.emit("needless_retain", backward.trace, backward=backward)

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
            stepped = {p for o in optimizers for g in _groups(o) for p in g}
            for node in terms:
                reach = leaves_below(node)
                if reach & used or not isinstance(node, Node):
                    continue
                cuts = [c for out in node.outputs for c in out.cuts if c.kind in ("detach", "data")]
                for cut in cuts:
                    if set().union(*(autograd.leaves_of(self.m, s) for s in cut.sources)) & stepped:
                        self.m.emit("term_cut_off", cut.trace, term=node.trace, backward=backward.trace, optimizer=optimizers[0], source=cut.sources[0])
                        break

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
                self.m.emit("gradients_wasted", backward.trace, zero=trace, tensor=erased[0].leaf)


# -- helpers ----------------------------------------------------------------------------------------------------------
def contributions_of(grad: Tensor) -> list[Contribution]:
    if grad.facets is None:
        grad.facets = {}
    found: list[Contribution] = grad.facets.setdefault("contributions", [])
    return found


def clearing_reads(stmt: ast.stmt | None) -> frozenset[ast.AST]:
    """Mentions of ``.grad`` in a statement that only clear it or ask whether it is there (cached)."""
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
        found = frozenset(nodes)
        stmt._clearing = found  # type: ignore[attr-defined]
    return found


def cuts_of(value: Value) -> tuple[Cut, ...]:
    if isinstance(value, Tensor):
        return value.cuts
    if isinstance(value, Unknown):
        return value.facets.get("cuts", ()) if value.facets else ()
    if isinstance(value, Instance):
        found: tuple[Cut, ...] = value.data.get("cuts", ()) if isinstance(value.data, dict) else getattr(value.data, "cuts", ())
        return found
    return ()


def origin_of(tensor: Tensor) -> Tensor:
    """The tensor that a chain of detach, ``.data`` and views started from."""
    while True:
        if tensor.is_param:
            return tensor
        if tensor.detached_from is not None:
            tensor = tensor.detached_from
        elif tensor.base is not None:
            tensor = tensor.base
        else:
            return tensor


def _groups(optimizer: Instance) -> Iterable[list[Tensor]]:
    groups = optimizer.attrs.get("param_groups")
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict) and isinstance(group.get("params"), list):
            yield [p for p in group["params"] if isinstance(p, Tensor)]


def _reaches(start: Any, target: Any, limit: int) -> bool:
    queue = deque([start])  # nearest first
    seen: set[Any] = set()
    while queue and len(seen) < limit:
        node = queue.popleft()
        if node is target:
            return True
        if node in seen or not isinstance(node, Node):
            continue
        seen.add(node)
        queue.extend(node.edges)
    return False


def _names(node: Any, limit: int = 12) -> str:
    """Ops and names along the last few nodes of a graph."""
    found: list[str] = []
    stack: list[Any] = [node]
    seen: set[Any] = set()
    while stack and len(seen) < limit:
        current = stack.pop(0)
        if current in seen or not isinstance(current, Node):
            continue
        seen.add(current)
        found.append(current.op)
        found.extend(t.name for t in current.outputs if t.name)
        stack.extend(current.edges)
    return " ".join(found)


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
        elif isinstance(node, Node) and node.op in ("mul", "div", "neg", "to", "add", "sub", "rsub", "add_", "sub_") and len(node.edges) == 1:
            stack.extend(node.edges)
            found.append((node, False))
        elif node is not None:
            found.append((node, True))
    return found


def leaves_below(node: Any) -> set[Tensor]:
    found: set[Tensor] = set()
    stack: list[Any] = [node]
    seen: set[Any] = set()
    while stack and len(seen) < 4000:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, Tensor):
            found.add(current)
        else:
            stack.extend(current.edges)
    return found
