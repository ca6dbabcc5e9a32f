"""What only the whole run shows: parameters that never got a gradient, terms that trained nothing, gradients unused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import torch

from . import graph
from .backward import Backward
from .cuts import Cut
from .graph import Leaf

if TYPE_CHECKING:
    from .ledger import Owner
    from .recorder import Recorder

_CONTAINERS = (torch.nn.Sequential, torch.nn.ModuleList, torch.nn.ModuleDict)
# What cuts a loss from parameters, most telling first. Gradients switched off around something are often meant.
_ORDER = ("tensor()", "data", "numpy", "detach", "checkpoint", "no_grad")


def tell(recorder: Recorder) -> None:
    """Note the events of a finished run."""
    ledger = recorder.ledger
    if recorder.anomaly is not None and torch.is_anomaly_enabled() and ledger.backwards:
        recorder.events.add("anomaly_mode", recorder.anomaly, recorder.anomaly, scoped=False)
    stepping = [owner for owner in ledger.everyone if owner.steps]
    if not ledger.backwards:
        return
    for owner in stepping:
        _cut_off(recorder, owner)
    _useless(recorder)
    _erased(recorder, stepping)
    _converted(recorder, stepping)
    for owner, chain in ledger.schedules:
        if owner.steps:
            recorder.events.add("scheduler_first", chain, chain, step=recorder.events.places(owner.steps[0]))
    for chain, order, params in ledger.clips.values():
        if any(id(leaf) in params for owner in stepping for leaf in owner.leaves):
            recorder.events.add("clip_without_gradients", chain, chain, order=order)
    _unowned(recorder, stepping)
    recorder.sums.tell()
    if ledger.sample == 1:  # else a later backward may not have been seen
        for chain in ledger.retaining - ledger.reused:
            recorder.events.add("needless_retain", chain, chain)


def _cut_off(recorder: Recorder, owner: Owner) -> None:
    starved = {id(leaf) for leaf in owner.leaves if not leaf.ever}  # stepped, and never had a gradient
    if not starved:
        return
    candidates: list[tuple[int, Cut, list[Leaf]]] = []
    for (kind, _), cuts in recorder.cuts.places.items():
        if kind == "item" or (kind in ("no_grad", "checkpoint") and not any(cut.trained for cut in cuts)):
            continue
        for cut in cuts:
            reached = [leaf for leaf in cut.leaves if id(leaf) in starved]
            if reached:
                rank = (_ORDER.index(kind) if kind in _ORDER else 0) + (0 if cut.trained else 10)
                candidates.append((rank, cut, reached))
                break
    if not candidates:
        return
    rank, cut, reached = min(candidates, key=lambda entry: entry[0])
    if cut.kind == "no_grad":
        return  # often meant: an encoder that is only looked through
    events = recorder.events
    name = recorder.name_of(reached[0].ref())
    if cut.kind == "checkpoint":
        events.add("checkpoint_cuts", cut.chain, cut.chain, name=name)
        return
    events.add(
        "parameters_cut_off", cut.chain, cut.chain, cut_kind=cut.kind, name=name, step=events.places(owner.steps[0])
    )


def _erased(recorder: Recorder, stepping: list[Owner]) -> None:
    """Backwards in a loop whose gradients were always cleared before anything used them."""
    for chain, fate in recorder.ledger.fates.items():
        if stepping and fate.runs > 1 and fate.erased is not None and not fate.taken:
            events = recorder.events
            events.add(
                "gradients_erased",
                chain,
                fate.erased,
                backward=events.places(chain),
                name=recorder.name_of(fate.tensor()),
            )


def _converted(recorder: Recorder, stepping: list[Owner]) -> None:
    """A parameter was converted once, and the copy is what every iteration uses: no optimizer can hold it."""
    owned = {id(leaf) for owner in stepping for leaf in owner.leaves}
    for node in recorder.conversions:
        leaf = node.next[0] if len(node.next) == 1 else None
        if stepping and node.walks > 1 and type(leaf) is Leaf and id(leaf) not in owned:
            recorder.events.add("leaf_converted", node.chain, node.chain)


def _unowned(recorder: Recorder, stepping: list[Owner]) -> None:
    """Parameters that get gradients and are in no optimizer, beside an optimizer that steps."""
    ledger = recorder.ledger
    owned = {id(leaf) for owner in ledger.everyone for leaf in owner.leaves}
    owned |= {id(leaf) for owner in ledger.everyone for t in owner.parameters() if (leaf := ledger.leaf(t)) is not None}
    lost = [
        (leaf, tensor)
        for leaf in recorder.graphs.leaves.values()
        if (tensor := leaf.ref()) is not None
        and id(leaf) not in owned
        and any(not grads.consumed and not grads.backward.inputs for grads in leaf.grads)
    ]
    if not lost or ledger.grads_read or not stepping:
        return
    if _unregistered(recorder, stepping, lost, owned):
        return
    orphans = [(leaf, tensor) for leaf, tensor in lost if isinstance(tensor, torch.nn.Parameter)]
    if not orphans:
        return
    for owner in stepping:
        if owner.leaves and not any(leaf.ever for leaf in owner.leaves):
            _report(recorder, "stale_optimizer", owner, *orphans[0])
            return
    held = {id(tensor): tensor for _, tensor in orphans}
    for module in list(recorder.modules):
        params = list(module.parameters()) if isinstance(module, _CONTAINERS) or not _of_torch(module) else []
        missing = next((tensor for tensor in params if id(tensor) in held), None)
        trained = {id(leaf) for tensor in params if (leaf := ledger.leaf(tensor)) is not None and leaf.ever}
        holder = next((o for o in stepping if any(id(leaf) in trained for leaf in o.leaves)), None)
        if missing is not None and holder is not None:
            leaf = ledger.leaf(missing)
            picked = not any(recorder.is_of_layer(tensor) for tensor in holder.parameters())
            if leaf is not None and not (picked and recorder.is_of_layer(missing)):
                _report(recorder, "unowned_parameters", holder, leaf, missing)
            return  # whoever picks single parameters, and no layer, means those


def _unregistered(recorder: Recorder, stepping: list[Owner], lost: list[tuple[Leaf, Any]], owned: set[int]) -> bool:
    """Layers in plain containers and plain tensors of a module, which its ``parameters()`` leaves out."""
    ledger, events = recorder.ledger, recorder.events
    by_tensor = {id(tensor): (leaf, tensor) for leaf, tensor in lost}
    registered = {
        id(tensor) for module in list(recorder.modules) if not _of_torch(module) for tensor in module.parameters()
    }
    told = False
    for module in list(recorder.modules):
        if _of_torch(module):
            continue
        for name, value in list(vars(module).items()):
            held = _held(value, 3) if not name.startswith("_") or isinstance(value, torch.Tensor) else []
            mine = [
                by_tensor[id(tensor)] for tensor in held if id(tensor) in by_tensor and id(tensor) not in registered
            ]
            if not mine or any((leaf := ledger.leaf(tensor)) is not None and id(leaf) in owned for tensor in held):
                continue
            leaf, tensor = mine[0]
            events.add(
                "module_not_registered", (type(module), name), recorder.place_of_parameter(tensor) or leaf.chain,
                name=recorder.name_of(tensor), holder=type(value).__name__ if not isinstance(value, torch.Tensor) else "",
                attribute=name, owner=_class_of(module), backward=events.places(leaf.grads[-1].backward.chain),
                step=events.places(stepping[0].steps[0]),
            )  # fmt: skip
            told = True
    return told


def _of_torch(module: Any) -> bool:
    return type(module).__module__.partition(".")[0] == "torch"


def _held(value: Any, depth: int) -> list[Any]:
    """The leaves that a plain attribute of a module holds: a tensor, or what lies in a container."""
    if isinstance(value, torch.Tensor):
        return [value] if graph.is_leaf(value) else []
    if isinstance(value, torch.nn.Module):
        return list(value.parameters())
    if depth and type(value) in (list, tuple, dict, set):
        items = list(value.values() if isinstance(value, dict) else value)[:100]
        return [tensor for item in items for tensor in _held(item, depth - 1)]
    return []


def _class_of(module: Any) -> dict[str, Any]:
    """Where the class of a module, and those that it comes from, are written: their constructors say so."""
    codes = [getattr(cls.__dict__.get("__init__"), "__code__", None) for cls in type(module).__mro__]
    found = [
        {"file": os.path.abspath(code.co_filename), "row": code.co_firstlineno} for code in codes if code is not None
    ]
    return {"name": type(module).__name__, "constructors": found}


def _report(recorder: Recorder, kind: str, owner: Owner, leaf: Leaf, tensor: Any) -> None:
    events = recorder.events
    made = recorder.place_of_parameter(tensor) or leaf.chain
    events.add(
        kind, owner.chain, owner.chain,
        name=recorder.name_of(tensor), made=events.places(made), backward=events.places(leaf.grads[-1].backward.chain),
        step=events.places(owner.steps[0]),
    )  # fmt: skip


def consumed(recorder: Recorder, backward: Backward, owner: Owner | None) -> None:
    """A step of ``owner`` (or the program itself) uses what ``backward`` computed: did all terms of its loss take part?"""
    events = recorder.events
    for node in backward.dead:
        cut = node.dead[0]
        if cut.leaves or cut.kind == "grad":
            events.add(
                "dead_term", (cut.chain, node.chain), node.chain,
                cut=events.places(cut.chain), cut_kind=cut.kind, backward=events.places(backward.chain),
            )  # fmt: skip
    if backward.terms and owner is not None and len(recorder.ledger.summed) < 500:
        recorder.ledger.summed.append((backward, {id(leaf) for leaf in owner.leaves}))


def _useless(recorder: Recorder) -> None:
    """Addends of a loss that move nothing that is stepped, since the way there is detached."""
    events = recorder.events
    for backward, stepped in recorder.ledger.summed:
        for term, leaves, cuts in backward.terms:
            if leaves & backward.used:
                continue
            for cut in cuts:
                if cut.kind in ("detach", "data") and any(id(leaf) in stepped for leaf in cut.leaves):
                    events.add(
                        "term_cut_off", (cut.chain, term.chain), cut.chain,
                        term=events.places(term.chain), backward=events.places(backward.chain),
                    )  # fmt: skip
                    break
