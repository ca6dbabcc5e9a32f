"""Gradients: what each backward added to which leaf, which step used it, what cleared it."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch

from . import ending
from .frames import Chain
from .graph import Leaf
from .memory import address_of
from .scaling import Scaling

if TYPE_CHECKING:
    from .backward import Backward
    from .recorder import Recorder


class Contribution:
    """What one backward added to the gradient of one leaf."""

    __slots__ = ("backward", "consumed", "erased", "unscaled")

    def __init__(self, backward: Backward) -> None:
        self.backward = backward
        self.consumed: list[tuple[int, Chain, int]] = []  # (optimizer, step, when)
        self.erased: Chain | None = None
        self.unscaled = False  # a GradScaler has taken its scale off


class Fate:
    """What became of the gradients that the backwards at one place computed."""

    __slots__ = ("erased", "ref", "runs", "taken")

    def __init__(self) -> None:
        self.runs = 0
        self.taken = False  # read by the program, or not accumulated
        self.erased: Chain | None = None  # where they were cleared, unused
        self.ref: Any = None

    def tensor(self) -> Any:
        return self.ref() if self.ref is not None else None


class Owner:
    """What is known of an optimizer."""

    __slots__ = ("chain", "leaves", "number", "ref", "steps")

    def __init__(self, optimizer: Any, chain: Chain, number: int) -> None:
        self.ref = weakref.ref(optimizer)
        self.chain = chain
        self.number = number
        self.steps: list[Chain] = []
        self.leaves: list[Leaf] = []  # its parameters that require grad, as of the last step

    def parameters(self) -> Iterable[Any]:
        optimizer = self.ref()
        for group in optimizer.param_groups if optimizer is not None else ():
            yield from group["params"]


class Ledger:
    """The gradients of a run."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.owners: dict[int, Owner] = {}
        self.everyone: list[Owner] = []
        self.sample = 1  # of how many iterations one is watched, counted by the steps of optimizers
        self.steps = 0
        self.backwards = 0
        self.numbers = 0
        self.scaling = Scaling(recorder)
        self.retaining: set[Chain] = set()  # places of backwards that keep the graph
        self.reused: set[Chain] = set()  # places of those whose graph a later one needed
        self.edits: list[
            tuple[Leaf, list[Contribution], Chain]
        ] = []  # of parameters with gradients that wait for a step
        self.fates: dict[Chain, Fate] = {}
        self.schedules: list[tuple[Owner, Chain]] = []  # schedulers that stepped first
        self.clips: dict[Chain, tuple[Chain, str, set[int]]] = {}  # that found nothing to clip
        self.summed: list[tuple[Backward, set[int]]] = []  # backwards of sums with cut terms, and what was stepped
        self.passing: list[tuple[Any, Any, Any, Chain, Owner]] = []
        self.grads_read = False  # the program reads gradients of parameters itself

    def attach(self, replace: Callable[[Any, str, Callable[[Any], Any]], None]) -> None:
        """Stand behind the functions that make, clear and apply gradients."""
        recorder = self.recorder
        ledger = self

        def making(original: Any) -> Any:
            @functools.wraps(original)
            def init(self: Any, *args: Any, **kwargs: Any) -> None:
                if not recorder.paused:
                    recorder.safely(ledger._made, self)
                original(self, *args, **kwargs)

            return init

        def adding(original: Any) -> Any:
            @functools.wraps(original)
            def add_param_group(self: Any, param_group: Any) -> Any:
                try:
                    return original(self, param_group)
                except ValueError as error:
                    recorder.safely(ledger._refused, error, param_group)
                    raise

            return add_param_group

        def clearing(original: Any) -> Any:
            @functools.wraps(original)
            def zero_grad(self: Any, *args: Any, **kwargs: Any) -> Any:
                result = original(self, *args, **kwargs)
                if not recorder.paused:
                    recorder.safely(ledger._zeroed, self)
                return result

            return zero_grad

        self.scaling.attach(replace)
        replace(torch.optim.Optimizer, "__init__", making)
        replace(torch.optim.Optimizer, "add_param_group", adding)
        replace(torch.optim.Optimizer, "zero_grad", clearing)
        replace(torch.nn.Module, "zero_grad", clearing)
        hooks = sys.modules[torch.optim.Optimizer.__module__]
        before = hooks.register_optimizer_step_pre_hook(self._stepping)
        after = hooks.register_optimizer_step_post_hook(self._stepped)
        recorder.undo += [before.remove, after.remove]

    def owner(self, optimizer: Any) -> Owner:
        found = self.owners.get(id(optimizer))
        if found is None or found.ref() is not optimizer:
            self.numbers += 1
            found = self.owners[id(optimizer)] = Owner(optimizer, self.recorder.frames.here()[0], self.numbers)
            if len(self.everyone) < 1000:
                self.everyone.append(found)
        return found

    def _made(self, optimizer: Any) -> None:
        self.owner(optimizer)

    def _refused(self, error: BaseException, group: Any) -> None:
        from .kinds import kind_of

        kind = kind_of(str(error))
        params = group.get("params", ()) if isinstance(group, dict) else ()
        culprits = (
            [p for p in params if isinstance(p, torch.Tensor) and not p.is_leaf]
            if isinstance(params, (list, tuple))
            else []
        )
        if kind is not None:
            self.recorder.events.refused(
                kind, error, "add_param_group", tuple(culprits), self.recorder.frames.here()[0]
            )

    def leaf(self, tensor: Any) -> Leaf | None:
        found = self.recorder.graphs.leaves.get(id(tensor))
        return found if found is not None and found.ref() is tensor else None

    def ran(self, backward: Backward, accumulate: bool) -> None:
        """A backward has run; ``accumulate`` when its gradients went into leaves."""
        self.backwards += 1
        masks = [leaf.masked for leaf in backward.leaves if leaf.masked is not None] if accumulate else []
        if masks and not backward.inputs and len(masks) == len(backward.leaves):
            cut, chain = masks[0]
            events = self.recorder.events
            events.add("broken_graph_masked", chain, chain, cut=events.places(cut.chain))
        fate = self.fates.setdefault(backward.chain, Fate())
        fate.runs += 1
        fate.taken = fate.taken or not accumulate or backward.inputs
        for leaf in backward.leaves:
            leaf.ever = True
            if not accumulate:
                continue
            fate.ref = leaf.ref
            leaf.grads.append(Contribution(backward))
            if len(leaf.grads) > 64:
                del leaf.grads[:32]

    def erase(self, tensor: Any, chain: Chain) -> None:
        """The gradient of ``tensor`` is gone."""
        leaf = self.leaf(tensor)
        if leaf is not None:
            for contribution in leaf.grads:
                if not contribution.consumed and contribution.erased is None:
                    contribution.erased = chain
                    backward = contribution.backward
                    backward.lost += 1
                    fate = self.fates.get(backward.chain)
                    if fate is not None and not backward.consumed and backward.lost >= len(backward.leaves):
                        fate.erased = chain
            leaf.grads = []

    def read(self, tensor: Any) -> None:
        """The program reads the gradient of ``tensor`` itself."""
        self.grads_read = True
        self.used(tensor)

    def used(self, tensor: Any) -> None:
        """The gradient of ``tensor`` is used by something else than a step that is seen."""
        leaf = self.leaf(tensor)
        for contribution in leaf.grads if leaf is not None else ():
            backward = contribution.backward
            fate = self.fates.get(backward.chain)
            if fate is not None:
                fate.taken = True
            if backward.dead and "read" not in backward.consumed:
                ending.consumed(self.recorder, backward, None)
            if "read" not in backward.consumed:
                backward.consumed.append("read")

    def scheduled(self, optimizer: Any) -> None:
        """A scheduler steps."""
        owner = self.owner(optimizer)
        if not owner.steps and len(self.schedules) < 10:
            self.schedules.append((owner, self.recorder.frames.here()[0]))

    def clipped(self, parameters: Any) -> None:
        """Gradients are clipped: are there any that a step has not used yet?"""
        leaves = [leaf for tensor in parameters if (leaf := self.leaf(tensor)) is not None]
        grads = [contribution for leaf in leaves for contribution in leaf.grads]
        self.scaling.clipped(leaves)
        chain, _ = self.recorder.frames.here()
        if parameters and not any(not contribution.consumed for contribution in grads):
            order = "after" if grads else "before"
            if chain not in self.clips and not self.grads_read:
                self.clips[chain] = chain, order, {id(leaf) for leaf in leaves}
        else:
            self.clips.pop(chain, None)

    def overwritten(self, targets: Any) -> None:
        """Tensors were overwritten: those that are gradients hold none of the contributions any more."""
        addresses = {address_of(tensor) for tensor in targets} - {0}
        for leaf in self.recorder.graphs.leaves.values():
            if leaf.grads:
                tensor = leaf.ref()
                if tensor is not None and tensor.grad is not None and address_of(tensor.grad) in addresses:
                    leaf.grads = []

    def _zeroed(self, owner: Any) -> None:
        chain, _ = self.recorder.frames.here()
        params = owner.parameters() if isinstance(owner, torch.nn.Module) else self.owner(owner).parameters()
        for tensor in params:
            self.erase(tensor, chain)

    def _stepping(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if not self.recorder.paused:
            self.recorder.safely(self._check_step, optimizer)
            self.recorder.stepping = not args[1:] and type(optimizer).__module__.startswith("torch.")

    def _check_step(self, optimizer: Any) -> None:
        """Are the gradients that a step is about to apply the ones that it should see?"""
        owner = self.owner(optimizer)
        number = owner.number
        chain, _ = self.recorder.frames.here()
        mine = {id(tensor) for tensor in owner.parameters()}
        self.scaling.applied(leaf for tensor in owner.parameters() if (leaf := self.leaf(tensor)) is not None)
        self._check_edits(mine, chain)
        for tensor in owner.parameters():
            leaf = self.leaf(tensor)
            if leaf is None or len(leaf.grads) < 2 or tensor.grad is None:
                continue
            stale = next((c for c in leaf.grads if any(n == number for n, *_ in c.consumed)), None)
            fresh = next((c for c in reversed(leaf.grads) if not any(n == number for n, *_ in c.consumed)), None)
            if stale is not None:
                if fresh is not None and fresh.backward is not stale.backward:
                    step = next(t for n, t, _ in stale.consumed if n == number)
                    self._tell("gradients_not_cleared", chain, tensor, stale.backward, fresh.backward, step)
                    return
                continue
            foreign = next((c for c in leaf.grads if not c.consumed and self._others(c.backward, number)), None)
            if foreign is not None and fresh is not None and fresh.backward is not foreign.backward:
                if self._went_on(foreign.backward, leaf) or self._carried(foreign.backward, fresh.backward):
                    step = self._step_of(foreign.backward, number, fresh.backward.seq)
                    if step is not None:
                        self._tell("foreign_gradients", chain, tensor, foreign.backward, fresh.backward, step)
                        return
            elif foreign is None:
                pair = self._both(owner, mine, leaf)
                if pair is not None and len(self.passing) < 64:
                    self.passing.append((*pair, tensor, chain, owner))
                    return

    def edited(self, target: Any) -> None:
        """A tensor was put within bounds: if it is a parameter, do gradients wait for a step that moves it out again?"""
        address = address_of(target)
        for leaf in self.recorder.graphs.leaves.values():
            tensor = leaf.ref() if leaf.grads else None
            if isinstance(tensor, torch.nn.Parameter) and address and address_of(tensor) == address:
                waiting = [contribution for contribution in leaf.grads if not contribution.consumed]
                if waiting and len(self.edits) < 1000:
                    self.edits.append((leaf, waiting, self.recorder.frames.here()[0]))

    def _check_edits(self, mine: set[int], chain: Chain) -> None:
        events = self.recorder.events
        for leaf, waiting, edit in self.edits:
            tensor = leaf.ref()
            if tensor is not None and id(tensor) in mine and any(c in leaf.grads and not c.consumed for c in waiting):
                events.add(
                    "edited_before_step",
                    (edit, chain),
                    chain,
                    changed=events.places(edit),
                    name=self.recorder.name_of(tensor),
                )
        self.edits = [entry for entry in self.edits if id(entry[0].ref()) not in mine]

    @staticmethod
    def _others(backward: Backward, number: int) -> bool:
        return any(by != number and by != "read" for by in backward.consumed)

    def _went_on(self, backward: Backward, leaf: Leaf) -> bool:
        """Whether a loss went on from the network that it trains into the one that made its input, which holds ``leaf``."""
        order = {id(other): i for i, other in enumerate(backward.leaves)}
        used = [
            i
            for i, other in enumerate(backward.leaves)
            if any(c.backward is backward and c.consumed for c in other.grads)
        ]
        return bool(used) and max(used) < order.get(id(leaf), -1)

    def _carried(self, foreign: Backward, fresh: Backward) -> bool:
        """Whether the gradients are of an earlier iteration of the loop that ``fresh`` runs in."""
        calls = self.recorder.calls.get(fresh.chain, [])
        return len(calls) > 1 and calls[-2] < foreign.seq < fresh.seq == calls[-1]

    def _step_of(self, backward: Backward, number: int, before: int) -> Chain | None:
        """The step of another optimizer that has used what ``backward`` computed, before a certain time."""
        for leaf in backward.leaves:
            for contribution in leaf.grads:
                if contribution.backward is backward:
                    steps: list[tuple[int, Chain, int]] = contribution.consumed
                    for by, chain, when in steps:
                        if by != number and when < before:
                            return chain
        return None

    def _both(self, owner: Owner, mine: set[int], leaf: Leaf) -> tuple[Backward, Backward] | None:
        """Two losses went backward before a step: one that trains only this network, and one that passes through it."""
        backwards = list(dict.fromkeys(c.backward for c in leaf.grads if not c.consumed))
        if len(backwards) != 2:
            return None
        own = next((b for b in backwards if all(id(other.ref()) in mine for other in b.leaves)), None)
        if own is None:
            return None
        other = backwards[1] if backwards[0] is own else backwards[0]
        order = {id(passed.ref()): i for i, passed in enumerate(other.leaves)}
        last = max((order[key] for key in mine if key in order), default=-1)
        for rival in self.owners.values():
            theirs = {id(tensor) for tensor in rival.parameters()}
            if rival is not owner and theirs and not theirs & mine and mine | theirs >= set(order):
                found = [order[key] for key in theirs if key in order]
                if found and min(found) > last:
                    return own, other
        return None

    def _tell(self, kind: str, chain: Chain, tensor: Any, first: Backward, second: Backward, earlier: Chain) -> None:
        events = self.recorder.events
        events.add(
            kind, chain, chain,
            name=self.recorder.name_of(tensor), first=events.places(first.chain), second=events.places(second.chain),
            earlier=events.places(earlier),
        )  # fmt: skip

    def _stepped(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.recorder.stepping = False
        if self.sample > 1 and not self.recorder.stopped:
            self._rest()
        if not self.recorder.paused:
            self.recorder.safely(self._note_step, optimizer)

    def _rest(self) -> None:
        """Decide whether the next iteration is watched: two in a row, since many hazards need the second one."""
        self.steps += 1
        rests = self.steps % (2 * self.sample) >= 2
        if rests and not self.recorder.paused:
            for leaf in self.recorder.graphs.leaves.values():
                leaf.grads = []  # who clears them now is not seen
            self.recorder.calls.clear()
        self.recorder.paused = rests

    def _note_step(self, optimizer: Any) -> None:
        owner = self.owner(optimizer)
        chain, _ = self.recorder.frames.here()
        now = self.recorder.tick()
        if len(owner.steps) < 8:
            owner.steps.append(chain)
        graphs = self.recorder.graphs
        owner.leaves = [graphs.leaf(tensor, owner.chain) for tensor in owner.parameters() if tensor.requires_grad]
        for held in owner.leaves:
            if not held.ever:
                parameter = held.ref()
                held.ever = parameter is not None and parameter.grad is not None
        for tensor in owner.parameters():
            leaf = self.leaf(tensor)
            if leaf is None or tensor.grad is None:
                continue
            for contribution in leaf.grads:
                contribution.consumed.append((owner.number, chain, now))
                contribution.backward.used.add(id(leaf))
                if owner.number not in contribution.backward.consumed:
                    contribution.backward.consumed.append(owner.number)
                    ending.consumed(self.recorder, contribution.backward, owner)

    def ended(self) -> None:
        """What only shows at the end of a run."""
        events = self.recorder.events
        for own, other, tensor, chain, owner in self.passing:
            if self._others(other, owner.number):
                events.add(
                    "foreign_gradients", chain, chain, name=self.recorder.name_of(tensor), first=events.places(other.chain),
                    second=events.places(own.chain), made=events.places(self.recorder.place_of_parameter(tensor) or chain),
                )  # fmt: skip
        ending.tell(self.recorder)
