"""Gradients: what each backward added to which leaf, which step used it, what cleared it."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch

from .frames import Chain
from .graph import Leaf

if TYPE_CHECKING:
    from .backward import Backward
    from .recorder import Recorder


class Contribution:
    """What one backward added to the gradient of one leaf."""

    __slots__ = ("backward", "consumed", "erased")

    def __init__(self, backward: Backward) -> None:
        self.backward = backward
        self.consumed: list[tuple[int, Chain]] = []  # (optimizer, step)
        self.erased: Chain | None = None


class Owner:
    """What is known of an optimizer."""

    __slots__ = ("chain", "number", "ref", "steps")

    def __init__(self, optimizer: Any, chain: Chain, number: int) -> None:
        self.ref = weakref.ref(optimizer)
        self.chain = chain
        self.number = number
        self.steps: list[Chain] = []

    def parameters(self) -> Iterable[Any]:
        optimizer = self.ref()
        for group in optimizer.param_groups if optimizer is not None else ():
            yield from group["params"]


class Ledger:
    """The gradients of a run."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.owners: dict[int, Owner] = {}
        self.backwards = 0
        self.numbers = 0

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
        for leaf in backward.leaves:
            leaf.ever = True
            if not accumulate:
                continue
            leaf.grads.append(Contribution(backward))
            if len(leaf.grads) > 64:
                del leaf.grads[:32]

    def erase(self, tensor: Any, chain: Chain) -> None:
        """The gradient of ``tensor`` is gone."""
        leaf = self.leaf(tensor)
        if leaf is not None:
            for contribution in leaf.grads:
                if not contribution.consumed:
                    contribution.erased = chain
            leaf.grads = []

    def overwritten(self, targets: Any) -> None:
        """Tensors were overwritten: those that are gradients hold none of the contributions any more."""
        addresses = {tensor.data_ptr() for tensor in targets}
        for leaf in self.recorder.graphs.leaves.values():
            if leaf.grads:
                tensor = leaf.ref()
                if tensor is not None and tensor.grad is not None and tensor.grad.data_ptr() in addresses:
                    leaf.grads = []

    def _zeroed(self, owner: Any) -> None:
        chain, _ = self.recorder.frames.here()
        params = owner.parameters() if isinstance(owner, torch.nn.Module) else self.owner(owner).parameters()
        for tensor in params:
            self.erase(tensor, chain)

    def _stepping(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if not self.recorder.paused:
            self.recorder.safely(self._check_step, optimizer)

    def _check_step(self, optimizer: Any) -> None:
        owner = self.owner(optimizer)
        chain, _ = self.recorder.frames.here()
        for tensor in owner.parameters():
            leaf = self.leaf(tensor)
            if leaf is None or not leaf.grads or tensor.grad is None:
                continue
            stale = next((c for c in leaf.grads if any(n == owner.number for n, _ in c.consumed)), None)
            fresh = next((c for c in reversed(leaf.grads) if not any(n == owner.number for n, _ in c.consumed)), None)
            if stale is not None and fresh is not None and fresh.backward is not stale.backward:
                self._tell(
                    "gradients_not_cleared",
                    chain,
                    tensor,
                    stale.backward,
                    fresh.backward,
                    next(t for n, t in stale.consumed if n == owner.number),
                )
                break

    def _tell(self, kind: str, chain: Chain, tensor: Any, first: Backward, second: Backward, earlier: Chain) -> None:
        events = self.recorder.events
        events.add(
            kind, chain, chain,
            name=self.recorder.name_of(tensor), first=events.places(first.chain), second=events.places(second.chain),
            earlier=events.places(earlier),
        )  # fmt: skip

    def _stepped(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if not self.recorder.paused:
            self.recorder.safely(self._note_step, optimizer)

    def _note_step(self, optimizer: Any) -> None:
        owner = self.owner(optimizer)
        chain, _ = self.recorder.frames.here()
        if len(owner.steps) < 8:
            owner.steps.append(chain)
        for tensor in owner.parameters():
            leaf = self.leaf(tensor)
            if leaf is None or tensor.grad is None:
                continue
            for contribution in leaf.grads:
                contribution.consumed.append((owner.number, chain))
                if owner.number not in contribution.backward.consumed:
                    contribution.backward.consumed.append(owner.number)

    def ended(self) -> None:
        """What only shows at the end of a run."""
