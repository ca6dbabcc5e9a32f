"""Facts that were measured on torch, asked of the loader without torch."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograd_hazards import torchdb
from autograd_hazards.torchdb import Overload


@pytest.fixture(autouse=True)
def base_version() -> Iterator[None]:
    yield
    torchdb.use_version(None)


def one(space: str, name: str, *kinds: str, **keywords: str) -> Overload:
    ask = {"torch": torchdb.function, "method": torchdb.method, "functional": torchdb.functional}[space]
    found = torchdb.select(ask(name), kinds, keywords)
    assert found is not None, name
    return found


@pytest.mark.parametrize("name", ["exp", "sqrt", "tanh", "sigmoid", "reciprocal", "rsqrt"])
def test_saves_its_output_only(name: str) -> None:
    row = one("torch", name, "tensor")
    assert (dict(row.saves), row.saves_out) == ({}, (0,))


@pytest.mark.parametrize("name", ["log", "sin", "cos", "abs", "square", "erf"])
def test_saves_its_input_only(name: str) -> None:
    row = one("torch", name, "tensor")
    assert (dict(row.saves), row.saves_out) == ({"input": ()}, ())


@pytest.mark.parametrize("name", ["sum", "mean", "neg", "cumsum", "clone", "flip"])
def test_saves_nothing(name: str) -> None:
    row = one("method", name, "tensor", *(["int"] if name == "cumsum" else ["ints"] if name == "flip" else []))
    assert (dict(row.saves), row.saves_out, row.hidden) == ({}, (), False)


def test_a_factor_is_saved_only_where_the_other_requires_grad() -> None:
    for name, first, second in (("mul", "input", "other"), ("mm", "input", "mat2"), ("matmul", "input", "other")):
        row = one("torch", name, "tensor", "tensor")
        assert dict(row.saves) == {first: (second,), second: (first,)}, name
    linear = one("functional", "linear", "tensor", "tensor", "tensor")
    assert dict(linear.saves) == {"input": ("weight",), "weight": ("input",)}
    assert linear.diff == ("input", "weight", "bias")


def test_div_saves_the_divisor_always_and_the_dividend_sometimes() -> None:
    row = one("torch", "div", "tensor", "tensor")
    assert row.saves["input"] == ("other",)
    assert set(row.saves["other"]) in (set(), {"input", "other"})


def test_conv_saves_both_always() -> None:
    assert dict(one("functional", "conv2d", "tensor", "tensor").saves) == {"input": (), "weight": ()}


def test_a_number_is_wrapped_and_saved_by_mul_and_div_not_by_add() -> None:
    assert one("method", "mul", "tensor", "scalar").hidden_if_scalar == ("other",)
    assert one("method", "div", "tensor", "int").hidden_if_scalar == ("other",)
    assert one("method", "add", "tensor", "int").hidden_if_scalar == ()


def test_in_place_forms_keep_a_clone_of_what_they_destroy() -> None:
    for name in ("mul_", "clamp_", "pow_", "sin_"):
        row = one(
            "method",
            name,
            "tensor",
            *(["scalar"] if name in ("clamp_", "pow_") else ["tensor"] if name == "mul_" else []),
        )
        assert row.clones_self, name
        assert row.writes == ("self",), name
        assert row.returns == ("alias:self",), name
    assert not one("method", "exp_", "tensor").clones_self
    silu = one("functional", "silu", "tensor").inplace_variant
    assert silu is not None
    assert silu.writes == ("input",)
    assert not silu.saves


@pytest.mark.parametrize(
    ("name", "kinds", "relation"),
    [
        ("view", ("int", "int"), "view"),
        ("t", (), "view"),
        ("transpose", ("int", "int"), "view"),
        ("unsqueeze", ("int",), "view"),
        ("expand", ("int", "int"), "view"),
        ("narrow", ("int", "int", "int"), "view"),
        ("detach", (), "view"),
        ("chunk", ("int",), "multiview"),
        ("unbind", (), "multiview"),
        ("split", ("int",), "multiview"),
        ("reshape", ("ints",), "maybe_view"),
        ("contiguous", (), "maybe_view"),
        ("to", ("dtype",), "maybe_view"),
        ("float", (), "maybe_view"),
        ("flatten", (), "maybe_view"),
        ("clone", (), "new"),
    ],
)
def test_returns(name: str, kinds: tuple[str, ...], relation: str) -> None:
    assert one("method", name, "tensor", *kinds).returns[0].split(":")[0] == relation


def test_index_mask_and_target_are_saved_by_name() -> None:
    assert dict(one("method", "masked_fill", "tensor", "tensor", "scalar").saves) == {"mask": ()}
    assert dict(one("method", "index_select", "tensor", "int", "tensor").saves) == {"index": ()}
    assert "index" in one("torch", "gather", "tensor", "int", "tensor").saves
    assert dict(one("torch", "where", "tensor", "tensor", "tensor").saves) == {"condition": ()}
    assert dict(one("functional", "embedding", "tensor", "tensor").saves) == {"input": ()}
    assert "target" in one("functional", "cross_entropy", "tensor", "tensor").saves
    assert one("functional", "embedding", "tensor", "tensor").variants["max_norm=1.0"].writes == ("weight",)


def test_overloads_of_max_differ() -> None:
    assert (dict(one("method", "max", "tensor").saves), one("method", "max", "tensor").saves_out) == (
        {"self": ()},
        (0,),
    )
    along = one("method", "max", "tensor", "int")
    assert (dict(along.saves), along.saves_out, along.nondiff) == ({}, (1,), (1,))
    assert set(one("method", "max", "tensor", "tensor").saves) == {"self", "other"}


def test_pow_by_the_kind_of_its_exponent() -> None:
    assert one("torch", "pow", "tensor", "int").saves_out == ()
    assert one("torch", "pow", "tensor", "tensor").saves_out == (0,)
    assert one("torch", "pow", "int", "tensor").diff == ("exponent",)


def test_select_follows_the_parser() -> None:
    assert one("method", "sum", "tensor", dim="int").parameter("dim") is not None
    assert one("method", "to", "tensor", "dtype").params[1].kind == "dtype"
    assert one("method", "view", "tensor", "unknown").op == "view"
    assert torchdb.select(torchdb.function("exp"), (), {}) is None
    assert torchdb.select(torchdb.function("mm"), ("tensor", "int"), {}) is None
    assert torchdb.function("no_such_op") is None


def test_dropout_and_norm_flags() -> None:
    dropout = one("functional", "dropout", "tensor")
    assert dropout.hidden
    assert dropout.variants["training=False"].returns == ("alias:input",)
    assert set(one("functional", "layer_norm", "tensor", "ints").saves) == {"input", "weight", "bias"}


def test_older_versions() -> None:
    assert not one("method", "mean", "tensor").saves
    torchdb.use_version("2.1.2+cpu")
    assert dict(one("method", "mean", "tensor").saves) == {"self": ()}
    torchdb.use_version("2.3")
    assert not one("method", "mean", "tensor").saves
    with pytest.raises(ValueError):
        torchdb.use_version("nonsense")


def test_modules() -> None:
    linear = torchdb.module_facts("Linear")
    assert linear is not None
    assert linear.parameters == ("weight", "bias")
    assert dict(linear.saves) == {"weight": ("input",), "input": ("weight",)}
    norm = torchdb.module_facts("BatchNorm2d")
    assert norm is not None
    assert norm.silent_writes == ("running_mean", "running_var")
    assert norm.evaluation is not None
    assert norm.evaluation.silent_writes == ()
    relu = torchdb.module_facts("ReLU")
    assert relu is not None
    assert relu.inplace is not None
    assert relu.inplace.writes == ("input",)
    alpha = torchdb.module_facts("AlphaDropout")
    assert alpha is not None
    assert alpha.inplace is not None
    assert alpha.inplace.writes == ()
    lstm = torchdb.module_facts("LSTM")
    assert lstm is not None
    assert {"bias_ih_l0", "bias_hh_l0"} <= set(lstm.saves)
    assert lstm.saves_out == (0,)
    assert [p.name for p in lstm.params][:2] == ["input_size", "hidden_size"]


def test_optimizers_and_schedulers() -> None:
    for name in ("SGD", "Adam", "AdamW", "Adagrad"):
        facts = torchdb.optimizer_facts(name)
        assert facts is not None
        assert facts.bumps["default"]
        assert facts.bumps["foreach"]
        assert facts.bumps["fused"] is False
    lbfgs = torchdb.optimizer_facts("LBFGS")
    assert lbfgs is not None
    assert lbfgs.closure == "required"
    plateau, steps = torchdb.scheduler_facts("ReduceLROnPlateau"), torchdb.scheduler_facts("StepLR")
    assert plateau is not None
    assert steps is not None
    assert plateau.needs_metric
    assert not steps.needs_metric


def test_loading_is_fast_and_imports_no_torch() -> None:
    server = Path(torchdb.__file__).resolve().parents[2]
    code = (
        "import sys, time, dataclasses, json, pathlib\n"
        f"sys.path.insert(0, {str(server)!r})\n"
        "begin = time.process_time()\n"
        "from autograd_hazards import torchdb\n"
        "torchdb.function('mul')\n"
        "print(time.process_time() - begin)\n"
        "assert 'torch' not in sys.modules\n"
    )
    best = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(9)
    )
    assert best < 0.03


def test_every_row_decodes_and_the_data_is_small() -> None:
    begin = time.process_time()
    for space in ("torch", "method", "functional"):
        ask = {"torch": torchdb.function, "method": torchdb.method, "functional": torchdb.functional}[space]
        for name in torchdb.names(space):
            for overload in ask(name) or ():
                known = {p.name for p in overload.params}
                assert set(overload.saves) <= known, name
                assert {c for when in overload.saves.values() for c in when} <= known, name
                assert set(overload.writes) <= known, name
                for relation in overload.returns:
                    assert relation.partition(":")[2] in {*known, ""}, name
    for name in torchdb.names("module"):
        assert torchdb.module_facts(name) is not None
    assert time.process_time() - begin < 5
    folder = Path(torchdb.__file__).with_name("data")
    assert sum(p.stat().st_size for p in folder.iterdir()) < 600_000
