"""Parameters that no module knows of: in plain lists and dicts, in plain tensors, made anew in each forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .frames import Trace
from .records import Records, groups_of
from .tensor import Tensor
from .values import Instance, LibValue, Unknown, UserClass

if TYPE_CHECKING:
    from .autograd import Backward

NESTING = 3  # containers in containers that are looked into


class Registration(Records):
    """What ``parameters()`` of a module leaves out although its forward trains on it."""

    def _unregistered(self) -> None:
        m = self.m
        if not self.modules:
            return
        reached = {leaf: b for b in (*m.backwards, *self.later) if b.inputs is None for leaf in b.leaves}
        owned = {p for o in self.optimizers for group in groups_of(o) for p in group}
        stepping = [o for o in self.optimizers if o.data.steps and not o.data.assumed]
        if not stepping and (self.optimizers or m.backwards):
            return  # whoever makes no optimizer at all does not say what is to be trained
        known = _registered(self.modules)
        reported: set[int] = set()
        for module in self.modules:
            for name, holder, items in _hidden(module, known):
                lost = [p for p in items if p in reached and p not in owned and p._requires_grad]
                if not lost or any(p in owned for p in items) or id(holder) in reported:
                    continue
                if not stepping and not _own_work(module, lost[0], name):
                    continue
                reported.add(id(holder))
                self._not_registered(module, name, holder, lost[0], reached[lost[0]], stepping)
        self._made_in_forward(reached, owned, stepping)

    def without_parameters(self, module: Instance, node: ast.AST) -> None:
        """An optimizer asks a module for its parameters and gets none: torch refuses to make it."""
        if not isinstance(module.cls, UserClass) or module.cls.open:
            return
        known = _registered([module])
        if _something_unknown(module):
            return  # it may be a network with parameters
        hidden = next((name for name, _, _ in _hidden(module, known)), None)
        self.m.emit("no_parameters", self.m.here(node), loud=True, owner=module, attribute=hidden)

    def _not_registered(
        self, module: Instance, name: str, holder: Any, tensor: Tensor, backward: Backward, stepping: list[Instance]
    ) -> None:
        if any(change.cause not in ("init", "load") for change in (*tensor.storage.log, *tensor.storage.silent)):
            return  # updated by hand
        self.m.emit(
            "module_not_registered",
            tensor.created,
            assumed=() if stepping else ("no optimizer in sight",),
            tensor=tensor,
            holder=holder,
            attribute=name,
            owner=module,
            backward=backward.trace,
            step=stepping[0].data.steps[0] if stepping else None,
            optimizer=stepping[0] if stepping else None,
        )

    def _made_in_forward(self, reached: dict[Tensor, Backward], owned: set[Tensor], stepping: list[Instance]) -> None:
        """A layer built by each forward has new weights every time."""
        found: dict[Any, list[tuple[Tensor, Instance]]] = {}
        for leaf in reached:
            if not leaf.is_param or leaf in owned or not leaf._requires_grad or leaf.storage.log or leaf.storage.silent:
                continue
            if leaf.origin == "Parameter" or (leaf.attrs is not None and "opaque" in leaf.attrs):
                continue
            owner = _forward_around(leaf.created)
            if owner is not None:
                found.setdefault(leaf.created.site.key, []).append((leaf, owner))
        for made in found.values():
            leaf, owner = made[0]
            if stepping and len({id(t.created.frame) for t, _ in made}) < 2:
                continue  # made once: a layer whose sizes were not known before
            self.m.emit(
                "module_made_in_forward",
                leaf.created,
                assumed=() if stepping else ("no optimizer in sight",),
                tensor=leaf,
                owner=owner,
                backward=reached[leaf].trace,
            )


def _forward_around(made: Trace) -> Instance | None:
    """The module in whose forward something was made, when no constructor lies between."""
    for frame, _ in made.chain():
        function = frame.function
        if function is None or function.name == "__init__":
            return None
        if function.name == "forward" and isinstance(frame.first_arg, Instance):
            if frame.first_arg.is_a("torch.nn.Module"):
                return frame.first_arg
    return None


def _own_work(module: Instance, tensor: Tensor, name: str) -> bool:
    """Whether the module's own methods made the parameter, and nothing of its class hands it out."""
    if tensor.attrs is not None and "opaque" in tensor.attrs:
        return False
    if not any(frame.first_arg is module for frame, _ in tensor.created.chain()):
        return False
    cls = module.cls
    if not isinstance(cls, UserClass) or cls.module is None or cls.open:
        return False
    text: str = cls.module.source.parsed.text
    return not any("arameters" in line for line in text.split("\n") if name in line)


def _something_unknown(module: Instance) -> bool:
    """Whether an attribute of the module, or of a module below it, is not known."""
    stack, seen = [module], set[int]()
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        for part in value.attrs.values():
            if isinstance(part, Unknown | LibValue):
                return True
            if isinstance(part, Instance) and part.is_a("torch.nn.Module"):
                stack.append(part)
    return False


def _registered(modules: list[Instance]) -> set[int]:
    """Every module and parameter that lies below one of the modules by its attributes."""
    found: set[int] = set()
    stack: list[Any] = list(modules)
    while stack:
        value = stack.pop()
        if id(value) in found:
            continue
        found.add(id(value))
        for part in value.attrs.values():
            if isinstance(part, Tensor):
                if part.is_param:
                    found.add(id(part))
            elif isinstance(part, Instance) and part.is_a("torch.nn.Module"):
                stack.append(part)
    return found


def _hidden(module: Instance, known: set[int]) -> Iterator[tuple[str, Any, list[Tensor]]]:
    """Attributes that hold trainable things a module does not register: their names, values and tensors."""
    for name, value in module.attrs.items():
        if isinstance(value, list | tuple | dict | set):
            tensors = list(_contents(value, known, 0))
        elif isinstance(value, Tensor) and not value.is_param and value.is_leaf and value._requires_grad:
            tensors = [value]
        else:
            continue
        if tensors:
            yield name, value, tensors


def _contents(container: Any, known: set[int], depth: int) -> Iterator[Tensor]:
    """Parameters, and those of modules, in a container; without what is registered elsewhere."""
    for item in list(container.values() if isinstance(container, dict) else container)[:200]:
        if isinstance(item, list | tuple | dict | set):
            if depth < NESTING:
                yield from _contents(item, known, depth + 1)
        elif id(item) in known:
            continue
        elif isinstance(item, Tensor):
            if item.is_leaf and item._requires_grad:
                yield item
        elif isinstance(item, Instance) and item.is_a("torch.nn.Module"):
            yield from _below(item)


def _below(module: Instance) -> Iterator[Tensor]:
    stack: list[Any] = [module]
    seen: set[int] = set()
    while stack and len(seen) < 500:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        for part in value.attrs.values():
            if isinstance(part, Tensor) and part.is_param:
                yield part
            elif isinstance(part, Instance) and part.is_a("torch.nn.Module"):
                stack.append(part)
