"""Steps of the wrong optimizer, and tensors that an optimizer holds although they take no gradients."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .frames import Trace
from .records import Records, contributions_of, groups_of
from .tensor import Tensor
from .values import Instance

if TYPE_CHECKING:
    from .autograd import Backward


class Choice(Records):
    """Whether the optimizers that step are the ones whose parameters the losses reach."""

    def idle_step(self, optimizer: Instance, params: Sequence[Tensor], here: Trace) -> None:
        """A step that finds no new gradient, while those of another optimizer wait for theirs."""
        if optimizer.data.assumed or not params or _fresh(params):
            return
        self.idle_since.setdefault(optimizer, []).extend(self.m.backwards[-1:])
        for other in self.optimizers:
            if other is optimizer or other.data.assumed:
                continue
            waiting = _fresh([p for group in groups_of(other) for p in group if p not in params])
            if waiting:
                self.idle_steps.append((optimizer, other, waiting[-1], here))
                return

    def frozen_by_default(self, weight: Tensor, given: object, node: ast.AST) -> None:
        """``from_pretrained`` without a word on ``freeze``."""
        self.frozen[weight] = (self.m.here(node), given)

    def _wrong_optimizers(self) -> None:
        """A step for which no loss left anything, where the optimizer that the loss is for never uses its gradients."""
        for optimizer, other, backward, trace in self.idle_steps:
            mine = {p for group in groups_of(other) for p in group}
            left = [c for c in backward.contributions if c.leaf in mine]
            if left and not any(c.consumed for c in left) and "read" not in backward.consumed:
                self.m.emit("wrong_optimizer", trace, optimizer=optimizer, other=other, backward=backward.trace,
                            made=other.data.trace, tensor=left[0].leaf)  # fmt: skip
        told = {id(other) for _, other, _, _ in self.idle_steps}
        stepping = [o for o in self.optimizers if o.data.steps]
        for optimizer in self.optimizers:
            if optimizer.data.steps or optimizer.data.assumed or id(optimizer) in told or not stepping:
                continue
            elsewhere = {p for o in stepping for group in groups_of(o) for p in group}
            own = [p for group in groups_of(optimizer) for p in group if p not in elsewhere]
            source = self._reaches_only(set(own))
            if source is not None and optimizer.data.zeroed:
                taken = [trace for c in source.contributions for o, trace in c.consumed if isinstance(o, Instance)]
                self.m.emit("optimizer_never_steps", taken[0] if taken else optimizer.data.trace, optimizer=optimizer,
                            backward=source.trace, made=optimizer.data.trace, step=stepping[0].data.steps[0],
                            tensor=own[0])  # fmt: skip

    def _reaches_only(self, mine: set[Tensor]) -> Backward | None:
        """A backward that gives some of these tensors gradients which nothing uses, when all do that."""
        found = None
        for backward in self.m.backwards:
            for c in backward.contributions:
                if c.leaf in mine:
                    if c.consumed or "read" in backward.consumed:
                        return None
                    found = backward
        return found

    def _without_gradients(self) -> None:
        """Parameter groups of which nothing requires grad, though nobody froze it."""
        for optimizer in self.optimizers:
            if not optimizer.data.steps or optimizer.data.assumed:
                continue
            for group in groups_of(optimizer):
                whole = bool(group) and all(p in self.frozen or _plain(p) for p in group)
                for p in group:
                    if p._requires_grad is not False or p in self.ever:
                        continue
                    if p in self.frozen:
                        trace, given = self.frozen[p]
                        self.m.emit("frozen_by_default", trace, tensor=p, given=given, whole=whole, optimizer=optimizer,
                                    step=optimizer.data.steps[0], held=optimizer.data.trace)  # fmt: skip
                    elif whole and p.grad_fn is None:
                        self.m.emit("never_requires_grad", optimizer.data.trace, tensor=p, made=p.created,
                                    step=optimizer.data.steps[0], optimizer=optimizer)  # fmt: skip


def _plain(tensor: Tensor) -> bool:
    """A tensor that never required grad: nn.Parameter(…, requires_grad=False) and frozen layers say that they are meant."""
    return not tensor.is_param and tensor._requires_grad is False


def _fresh(params: Sequence[Tensor]) -> list[Backward]:
    """The backwards whose gradients lie on these parameters and no step has used."""
    found: dict[Backward, None] = {}
    for p in params:
        if isinstance(p.grad, Tensor):
            grads = contributions_of(p.grad)
            if not grads and p.grad.facets is not None and "contributions" not in p.grad.facets:
                return []
            for c in grads:
                if not c.consumed and c.erased is None:
                    found[c.backward] = None
    return list(found)
