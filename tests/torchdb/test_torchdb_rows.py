"""Every row that has a sample call is tried through the public API: what it predicts is what torch does."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("torch")
import torch

import gen_torchdb
import torchdb_probe
import torchdb_python
import torchdb_values
from autograd_hazards import torchdb
from autograd_hazards.torchdb import Overload, database


def public(space: str, name: str) -> Any:
    if space == "method":
        return getattr(torch.Tensor, name)
    owner: Any = torch.nn.functional if space == "functional" else torch
    for part in name.split("."):
        owner = getattr(owner, part)
    return owner


def rows(space: str) -> Iterator[tuple[str, Overload, dict[str, str]]]:
    """Name, overload and sample call in public names of every row that has one."""
    samples = gen_torchdb.recipes()
    base = database._file("base.json")
    ask = {"torch": torchdb.function, "method": torchdb.method, "functional": torchdb.functional}[space]
    for name in torchdb.names(space):
        bound = base["bindings"][space][name]
        for (_, key), overload in zip(bound, ask(name) or (), strict=True):
            sample = samples.get(key) or torchdb_python.RECIPES.get(key)
            known = {p.name for p in overload.params}
            if sample is None or key in gen_torchdb.DISAGREE:
                continue
            if "self" in sample and "self" not in known:
                sample = {("input" if k == "self" else k): v for k, v in sample.items()}
            starless = {k.lstrip("*") for k in sample}
            required = {p.name for p in overload.params if p.required}
            if starless <= known and required <= starless:
                yield name, overload, sample


def call_of(space: str, name: str) -> torchdb_probe.Call:
    function = public(space, name)

    def call(given: Any) -> Any:
        # methods take self by position; so do C functions of which the schema's name is hidden
        if any(k.startswith("*") for k in given) or space == "functional":
            return torchdb_python.caller(function)(given)
        if space == "method":
            return function(given["self"], **{k: v for k, v in given.items() if k != "self"})
        return function(**given)

    return call


def disagreements(space: str, name: str, overload: Overload, sample: dict[str, str]) -> list[str]:
    call = call_of(space, name)
    values = torchdb_values.values_of(sample)
    writes = tuple(w for w in overload.writes if w in values)
    listed = overload.returns[0].startswith("multiview") or name in ("split", "meshgrid", "broadcast_tensors")
    needs = frozenset(k for k in values if k.lstrip("*") in overload.diff and torchdb_probe.can_require_grad(values[k]))
    if not needs:
        return []
    seen = torchdb_probe.witness(call, values, needs, writes, listed)
    if not seen.runs_backward:
        return []
    active = {n.lstrip("*") for n in needs}
    predicted = {
        n
        for n, when in overload.saves.items()
        if (not when or active & set(when)) and n in {k.lstrip("*") for k in values}
    }
    refused = {n.lstrip("*") for n in seen.refused}
    result = []
    if predicted != refused:
        result.append(f"{name}: predicted {sorted(predicted)}, torch refuses {sorted(refused)}")
    if set(overload.saves_out) != seen.refused_out:
        result.append(f"{name}: predicted outputs {overload.saves_out}, torch refuses {sorted(seen.refused_out)}")
    if bool(predicted or overload.saves_out or overload.hidden) != seen.second_refused:
        result.append(f"{name}: second backward refused: {seen.second_refused}")
    return result


@pytest.mark.parametrize(("space", "least"), [("torch", 700), ("method", 500), ("functional", 110)])
def test_rows_predict_torch(space: str, least: int) -> None:
    torch.set_num_threads(1)
    wrong, count = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, overload, sample in rows(space):
            count += 1
            try:
                wrong += disagreements(space, name, overload, sample)
            except TypeError as error:
                wrong.append(f"{name}: the signature does not call: {str(error)[:200]}")
    assert not wrong, "\n".join(wrong)
    assert count >= least


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        ("f3", "f3", "ab"),
        ("f2,3", "f3,2", "ab"),
        ("f2,3,3", "f3,3", "ab"),
        ("f2,3,3", "f2,3,3", "ab"),
        ("f4,2,3,3", "f4,2,3,3", "ab"),
        ("f4,2,3,3", "f3", "ab"),
        ("f3,3", "f2,3,3", "a"),
        ("f3", "f2,3,3", "a"),
        ("f2,3,3", "f4,2,3,3", "b"),
    ],
)
def test_matmul_holds_its_factors_unless_it_copies_a_batch(first: str, second: str, held: str) -> None:
    values = torchdb_values.values_of({"a": first, "b": second})
    facts = torchdb_probe.probe(lambda given: torch.matmul(given["a"], given["b"]), values)
    other = {"a": ("b",), "b": ("a",)}
    assert facts.saves == {name: other[name] for name in held}
    assert facts.hidden == (held != "ab")
