"""Whatever is passed to a layer, the machine goes on and claims nothing."""

from __future__ import annotations

import inspect

import pytest

from autograd_hazards.machine import run_text
from autograd_hazards.machine.models import load_for, load_models, registry

torch = pytest.importorskip("torch")
load_models()
load_for("torch.distributions.Normal")
NAMES = sorted({n[9:] for n in registry.CLASSES if n.startswith("torch.nn.") and n.count(".") == 2 and "._" not in n})
DISTRIBUTIONS = sorted(n for n in registry.CLASSES if n.startswith("torch.distributions.") and n.count(".") == 2)
ODD = (
    "a",
    "a, a, a",
    "3, 4, 5, 6",
    "'x', None",
    "[], {}",
    "-1, 0",
    "a=a",
    "*a, **a",
    "torch.zeros(2)",
    "10**30, 10**30",
    "",
)


@pytest.mark.parametrize("name", NAMES)
def test_odd_arguments(name: str) -> None:
    for args in ODD:
        text = (
            "import torch, unknown\nimport torch.nn as nn\na = unknown.value()\nx = torch.randn(2, 3)\n"
            f"layer = nn.{name}({args})\n"
            "results = [layer(a), layer(x), layer(x, a), layer(a, x, x), layer(), layer('x')]\n"
            "class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = layer\n"
            "own = Own()\nlist(own.parameters())\nown.eval()\nown.state_dict()\n"
        )
        assert run_text(text) == []


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_odd_distributions(name: str) -> None:
    for args in ODD:
        text = (
            f"import torch, unknown\na = unknown.value()\nd = {name}({args})\n"
            "results = [d.log_prob(a), d.log_prob(torch.zeros(2)), d.sample(), d.rsample((3,)), d.entropy()]\n"
            "others = [d.mean, d.stddev, d.probs]\n"
            "k = torch.distributions.kl_divergence(d, d)\n"
        )
        assert run_text(text) == []


def test_every_layer_of_torch_is_there() -> None:
    layers = {n for n, c in vars(torch.nn).items() if inspect.isclass(c) and issubclass(c, torch.nn.Module)}
    missing = layers - set(NAMES) - {"Container", "DataParallel"}
    assert not missing


def test_every_distribution_of_torch_is_there() -> None:
    made = {n.rpartition(".")[2] for n in DISTRIBUTIONS}
    given = {n for n, c in vars(torch.distributions).items() if inspect.isclass(c)}
    assert not given - made
