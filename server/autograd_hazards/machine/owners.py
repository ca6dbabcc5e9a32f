"""Which optimizer holds which parameters: what gets gradients and is stepped by nobody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .records import Records, groups_of
from .tensor import Tensor
from .values import Instance, UserClass

if TYPE_CHECKING:
    from .autograd import Backward


LOSS = re.compile(r"loss|criteri|objective", re.IGNORECASE)


class Owners(Records):
    """Parameters and the optimizers that hold them."""

    def trains(self) -> bool:
        """Whether some optimizer holds a parameter that requires grad."""
        return any(p.requires_grad for o in self.optimizers for group in groups_of(o) for p in group)

    def _unowned(self) -> None:
        """Parameters that get gradients and are in no optimizer, beside an optimizer that steps."""
        m = self.m
        stepping = [o for o in self.optimizers if o.data.steps and not o.data.assumed]
        if not stepping or any(o.data.assumed for o in self.optimizers):
            return
        owned = {p for o in self.optimizers for group in groups_of(o) for p in group}
        orphans = {
            c.leaf: backward
            for backward in m.backwards
            if backward.inputs is None
            for c in backward.contributions
            if c.leaf.is_param
            and c.leaf not in owned
            and (c.leaf.attrs is None or "opaque" not in c.leaf.attrs)
            and not c.consumed
        }
        if not orphans or any("read" in b.consumed for b in orphans.values()):
            return
        for optimizer in stepping:
            mine = {p for group in groups_of(optimizer) for p in group}
            if mine and not mine & self.ever:
                self._report("stale_optimizer", optimizer, next(iter(orphans)), orphans)
                return
        for module in self.modules:
            params = _parameters(module)
            lost = [p for p in params if p in orphans]
            trained = self.ever.intersection(params)
            holder = next((o for o in stepping if any(trained.intersection(group) for group in groups_of(o))), None)
            if lost and holder is not None:
                mine = {p for group in groups_of(holder) for p in group}
                if lost[0].origin == "Parameter" or any(p.origin != "Parameter" for p in mine):
                    self._report("unowned_parameters", holder, lost[0], orphans)
                return  # whoever picks single parameters, and no layer, means those
        for module in self.modules:
            lost = [
                p for p in module.attrs.values() if isinstance(p, Tensor) and p.origin == "Parameter" and p in orphans
            ]
            if lost and _consumed_elsewhere(orphans[lost[0]]):  # a loss or layer with parameters of its own
                self._report("unowned_parameters", stepping[0], lost[0], orphans)
                return
        if self._part_replaced(stepping, orphans):
            return
        if self._stepped_in_vain(stepping, orphans) or self._loss_with_weights(stepping, orphans):
            return
        trained_classes = {m.cls for m in self.modules if self.ever.intersection(_parameters(m)) & owned}
        for module in self.modules:  # a twin of a network that is trained
            params = _parameters(module)
            lost = [p for p in params if p in orphans and not p.storage.log and not p.storage.silent]
            if lost and module.cls in trained_classes and not owned.intersection(params):
                if _consumed_elsewhere(orphans[lost[0]]):
                    self._report("unowned_parameters", stepping[0], lost[0], orphans)
                    return

    def _part_replaced(self, stepping: list[Instance], orphans: dict[Tensor, Backward]) -> bool:
        """A layer was replaced after the optimizer took the parameters: it holds the old one, which no loss reaches."""
        for optimizer in stepping:
            mine = {p for group in groups_of(optimizer) for p in group}
            idle = [p for p in mine - self.ever if p.requires_grad and not p.storage.log and not p.storage.silent]
            beside = [p for p, b in orphans.items() if any(c.leaf in mine and c.consumed for c in b.contributions)]
            if idle and len(idle) == len(beside) and sorted(p.name for p in idle) == sorted(p.name for p in beside):
                self._report("stale_optimizer", optimizer, beside[0], orphans, True)
                return True
        return False

    def _stepped_in_vain(self, stepping: list[Instance], orphans: dict[Tensor, Backward]) -> bool:
        """A network was replaced after its optimizer had trained it: the steps since then find no gradient."""
        for optimizer in stepping:
            mine = {p for group in groups_of(optimizer) for p in group}
            last = max((i for i, b in enumerate(self.m.backwards) if mine.intersection(b.leaves)), default=None)
            idle = self.idle_since.get(optimizer)
            if last is None or idle is None or not mine or mine & set(orphans):
                continue
            late = {p: b for p, b in orphans.items() if b in self.m.backwards[last + 1 :] and b in idle}
            classes = {m.cls for m in self.modules if mine.intersection(_parameters(m))}
            twin = next((m for m in self.modules if m.cls in classes and late.keys() & _parameters(m).keys()), None)
            if twin is not None or _same_shapes(mine, late):
                self._report("stale_optimizer", optimizer, next(iter(late)), late, True)
                return True
        return False

    def _loss_with_weights(self, stepping: list[Instance], orphans: dict[Tensor, Backward]) -> bool:
        """A loss of the program's own has layers, which no optimizer was given."""
        for module in self.modules:
            if not isinstance(module.cls, UserClass) or not LOSS.search(module.cls.name):
                continue
            lost = [p for p in _parameters(module) if p in orphans]
            if lost and all(not p.storage.log and not p.storage.silent for p in lost):
                if _consumed_elsewhere(orphans[lost[0]]):
                    self._report("unowned_parameters", stepping[0], lost[0], orphans)
                    return True
        return False

    def _report(
        self, kind: str, optimizer: Instance, tensor: Tensor, orphans: dict[Tensor, Backward], replaced: bool = False
    ) -> None:
        backward = orphans[tensor]
        self.m.emit(
            kind,
            optimizer.data.trace,
            tensor=tensor,
            made=tensor.created,
            backward=backward.trace,
            step=optimizer.data.steps[0],
            optimizer=optimizer,
            replaced=replaced,
        )


def _same_shapes(some: set[Tensor], others: dict[Tensor, Backward]) -> bool:
    """Whether two networks have parameters of the same known shapes."""
    shapes = [sorted(str(p.shape) for p in params) for params in (some, others)]
    known = all(p.shape is not None and None not in p.shape for p in (*some, *others))
    return bool(others) and known and shapes[0] == shapes[1]


def _consumed_elsewhere(backward: Backward) -> bool:
    return any(c.consumed for c in backward.contributions)


def _parameters(module: Instance) -> dict[Tensor, None]:
    """The parameters below a module, by its attributes."""
    found: dict[Tensor, None] = {}
    stack: list[object] = [module]
    seen: set[int] = set()
    while stack and len(seen) < 2000:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Tensor) and value.is_param:
            found[value] = None
        elif isinstance(value, Instance) and value.is_a("torch.nn.Module"):
            stack.extend(value.attrs.values())
    return found
