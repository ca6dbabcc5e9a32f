"""Witnesses of what one call does to autograd on real torch: hooks, a version-bump oracle, a second backward."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.autograd.graph import increment_version, saved_tensors_hooks

Call = Callable[[Mapping[str, Any]], Any]
STALE = "modified by an inplace operation"
FREED = "second time"
REFUSES_GRAD = ("not differentiable with respect to", "derivative for", "not implemented", "don't support automatic")
MULTIPLE = "returns multiple views"


@dataclass
class Run:
    """One forward call: the tensors given (by parameter name) and the tensors that came back."""

    inputs: dict[str, list[torch.Tensor]]
    outputs: list[list[torch.Tensor]]
    values: dict[str, Any]

    def differentiable(self) -> list[torch.Tensor]:
        return [o for group in self.outputs for o in group if o.requires_grad]


@dataclass
class Witness:
    """What was seen for one set of parameters that require grad."""

    requires_grad: frozenset[str]
    node: bool = False
    runs_backward: bool = False
    hooked: set[str] = field(default_factory=set)
    hooked_out: set[int] = field(default_factory=set)
    hidden: bool = False
    clone_of_written: bool = False
    refused: set[str] = field(default_factory=set)
    refused_out: set[int] = field(default_factory=set)
    second_refused: bool = False


@dataclass
class Facts:
    """The row that the witnesses together give."""

    saves: dict[str, tuple[str, ...]]
    saves_out: tuple[int, ...]
    hidden: bool
    diff: tuple[str, ...]
    bumped: tuple[str, ...]
    returns: tuple[str, ...]
    nondiff: tuple[int, ...]
    clones_self: bool
    witnesses: list[Witness]
    notes: list[str]


def tensors_of(value: Any) -> list[torch.Tensor]:
    """The tensors of an argument or result: one, several of a list, or none."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for item in value for t in tensors_of(item)]
    return []


def groups_of(value: Any, listed: bool) -> list[list[torch.Tensor]]:
    """Outputs by index of the return annotation; a list of views is one output where `listed`."""
    if isinstance(value, torch.Tensor):
        return [[value]]
    if listed:
        return [tensors_of(value)]
    if isinstance(value, (list, tuple)):
        return [tensors_of(item) for item in value]
    return [[]]


def _fresh(value: Any, requires_grad: bool, leaf: bool) -> Any:
    if isinstance(value, torch.Tensor):
        copy = value.detach().clone()
        if requires_grad and (copy.is_floating_point() or copy.is_complex()):
            copy.requires_grad_()
            return copy if leaf else copy.clone()
        return copy
    if isinstance(value, (list, tuple)) and any(isinstance(v, torch.Tensor) for v in value):
        return type(value)(_fresh(v, requires_grad, leaf) for v in value)
    return value


def forward(call: Call, values: Mapping[str, Any], needs: frozenset[str], writes: Sequence[str], listed: bool) -> Run:
    """Call once on fresh copies; parameters in `needs` require grad, those in `writes` are no leaves then."""
    torch.default_generator.manual_seed(0)
    given = {k: _fresh(v, k in needs, k not in writes) for k, v in values.items()}
    inputs = {k: tensors_of(v) for k, v in given.items() if tensors_of(v)}
    result = call(given)
    return Run(inputs, groups_of(result, listed), given)


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata


def _kept(run: Run, writes: Sequence[str]) -> set[int]:
    """The storages of the inputs which the op does not write."""
    return {_storage(t) for name, tensors in run.inputs.items() if name not in writes for t in tensors}


def _backward(run: Run) -> None:
    outputs = run.differentiable()
    torch.autograd.backward(outputs, [torch.ones_like(o) for o in outputs])


def witness(
    call: Call, values: Mapping[str, Any], needs: frozenset[str], writes: Sequence[str], listed: bool
) -> Witness:
    """All that can be seen for one choice of parameters that require grad."""
    seen = Witness(needs)
    packed: list[torch.Tensor] = []
    armed = False

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        if armed:
            packed.append(tensor)
        return tensor

    def hooked_call(given: Mapping[str, Any]) -> Any:
        nonlocal armed
        armed = True
        before.update({k: v.detach().clone() for k in writes if isinstance(v := given.get(k), torch.Tensor)})
        try:
            return call(given)
        finally:
            armed = False

    before: dict[str, torch.Tensor] = {}
    with saved_tensors_hooks(pack, lambda t: t):
        run = forward(hooked_call, values, needs, writes, listed)
    owner: dict[int, str | int] = {}
    for index, group in enumerate(run.outputs):
        for tensor in group:
            owner[_storage(tensor)] = index
    for name, tensors in run.inputs.items():
        for tensor in tensors:
            if name not in writes:
                owner[_storage(tensor)] = name
            else:
                owner.setdefault(_storage(tensor), name)
    for tensor in packed:
        who = owner.get(_storage(tensor))
        if who is None:
            seen.hidden = True
            if any(tensor.shape == old.shape and torch.equal(tensor.detach(), old) for old in before.values()):
                seen.clone_of_written = True
        elif isinstance(who, int):
            seen.hooked_out.add(who)
        else:
            seen.hooked.add(who)
    seen.node = bool(run.differentiable())
    if not seen.node:
        return seen
    run = forward(call, values, needs, writes, listed)
    try:
        _backward(run)
    except (RuntimeError, NotImplementedError):
        return seen
    seen.runs_backward = True
    try:
        _backward(run)
    except RuntimeError as error:
        seen.second_refused = FREED in str(error)
    places: list[str | int] = [n for n in run.inputs if n not in writes]
    places += [i for i, group in enumerate(run.outputs) if group]
    for place in places:
        run = forward(call, values, needs, writes, listed)
        group = run.inputs[place] if isinstance(place, str) else run.outputs[place]
        if isinstance(place, int) and any(_storage(t) in _kept(run, writes) for t in group):
            continue  # a view of an input: the input already speaks for it
        storages = {_storage(o) for o in run.differentiable()}
        bumped = {_storage(t) for t in group}
        with torch.no_grad():
            increment_version(group)
        try:
            _backward(run)
        except RuntimeError as error:
            if MULTIPLE in str(error) and storages & bumped:
                continue  # the outputs themselves are multi-output views: writing there is refused whatever was saved
            if STALE not in str(error) and MULTIPLE not in str(error):
                raise
            if isinstance(place, int):
                seen.refused_out.add(place)
            else:
                seen.refused.add(place)
    return seen


def _returns(
    call: Call, values: Mapping[str, Any], writes: Sequence[str], listed: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How outputs relate to inputs, and which inputs had their version moved."""
    given = {k: _fresh(v, False, True) for k, v in values.items()}
    inputs = {k: tensors_of(v) for k, v in given.items() if tensors_of(v)}
    versions = {k: [t._version for t in ts] for k, ts in inputs.items()}
    torch.default_generator.manual_seed(0)
    outputs = groups_of(call(given), listed)
    result = []
    for group in outputs:
        text = "new"
        for name, tensors in inputs.items():
            for tensor in group:
                if any(tensor is t for t in tensors):
                    text = f"alias:{name}"
                elif text == "new" and any(_storage(tensor) == _storage(t) for t in tensors):
                    many = "MULTI" in str(torch._C._autograd._get_creation_meta(tensor)) if tensor._is_view() else False
                    text = f"{'multiview' if many else 'view'}:{name}"
        result.append(text)
    bumped = tuple(k for k, ts in inputs.items() if [t._version for t in ts] != versions[k])
    return tuple(result), bumped


def can_require_grad(value: Any) -> bool:
    """Whether an argument can require grad at all."""
    tensors = tensors_of(value)
    return bool(tensors) and all(t.is_floating_point() or t.is_complex() for t in tensors)


def probe(call: Call, values: Mapping[str, Any], writes: Sequence[str] = (), listed: bool = False) -> Facts:
    """Derive the row of one call; raises what the call raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        returns, bumped = _returns(call, values, writes, listed)
        writes = tuple(dict.fromkeys([*writes, *bumped]))
        candidates, singles = [], []
        for name in (k for k, v in values.items() if can_require_grad(v)):
            try:
                singles.append(witness(call, values, frozenset({name}), writes, listed))
            except RuntimeError as error:
                if not any(text in str(error) for text in REFUSES_GRAD):
                    raise
                continue
            candidates.append(name)
        together = witness(call, values, frozenset(candidates), writes, listed) if candidates else None
        everything = [*singles, *([together] if together is not None and len(candidates) > 1 else [])]
        diff = tuple(k for k, w in zip(candidates, singles, strict=True) if w.node)
        notes: list[str] = []
        live = [w for w in everything if w.node]
        for w in live:
            if w.runs_backward and (w.hooked != w.refused or w.hooked_out != w.refused_out):
                notes.append(
                    f"{sorted(w.requires_grad)}: hook {sorted(w.hooked)}{sorted(w.hooked_out)} "
                    f"oracle {sorted(w.refused)}{sorted(w.refused_out)}"
                )

        def held(w: Witness) -> set[str]:
            return w.refused if w.runs_backward else w.hooked

        def held_out(w: Witness) -> set[int]:
            return w.refused_out if w.runs_backward else w.hooked_out

        saves: dict[str, tuple[str, ...]] = {}
        alone = {next(iter(w.requires_grad)): w for w in singles if w.node}
        for name in values:
            when = tuple(k for k in diff if name in held(alone[k]))
            if when:
                saves[name] = () if len(when) == len(diff) else when
        outs = sorted({i for w in live for i in held_out(w)})
        hidden = any(w.hidden or (w.second_refused and not held(w) and not held_out(w)) for w in live)
        for w in live:
            expected = {n for n, c in saves.items() if not c or w.requires_grad & set(c)}
            if expected != held(w):
                notes.append(f"{sorted(w.requires_grad)}: row says {sorted(expected)}, seen {sorted(held(w))}")
            refused = bool(expected or outs or hidden)
            if w.runs_backward and refused != w.second_refused:
                notes.append(
                    f"{sorted(w.requires_grad)}: second backward refused {w.second_refused}, row says {refused}"
                )
        nondiff: tuple[int, ...] = ()
        needs = frozenset(candidates)
        run = forward(call, values, needs, writes, listed)
        nondiff = tuple(i for i, g in enumerate(run.outputs) if not any(t.requires_grad for t in g))
        return Facts(
            saves,
            tuple(outs),
            hidden,
            diff,
            bumped,
            returns,
            nondiff,
            any(w.clone_of_written for w in live),
            everything,
            notes,
        )
