"""What Python itself would raise is noted where the run goes on without it, and raised where the program catches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograd_hazards import machine
from autograd_hazards.program.project import Project


def noted(folder: Path, text: str) -> list[tuple[str, str]]:
    path = folder / "program.py"
    found = machine.analyse(Project([folder], {path: "import torch\nprint()\n" + text}), [path]).events
    return [(event.data["name"], event.data["message"]) for event in found if event.kind == "exception"]


@pytest.mark.parametrize(
    "value", ["[1]", "{'a': 1}", "(1, 2)", "'a'", "1", "1.5", "{1}", "frozenset()", "None", "range(3)", "torch.ones(2)"]
)
def test_an_attribute_that_a_type_does_not_have(value: str, tmp_path: Path) -> None:
    assert noted(tmp_path, f"x = {value}\nx.append_all\n") == [("AttributeError", "append_all")]


@pytest.mark.parametrize(
    "text",
    [
        "x = [1]\nhasattr(x, 'detach') or getattr(x, 'detach', None)\n",
        "x = torch.ones(2)\nhasattr(x, 'foo') or getattr(x, 'foo', None)\n",
        "x = [1]\ntry:\n    x.detach()\nexcept AttributeError:\n    pass\n",
        "class Items(list):\n    def detach(self):\n        return self\nItems([1]).detach()\n",
        "torch.Tensor.total = lambda self: self.sum()\ntorch.ones(2).total().backward\n",
        "x = torch.ones(2)\nx.mine = 3\nx.mine\n",
        "x = torch.ones(2)\nx.is_sparse_csr, x._private, x.xpu, x.bfloat16, 'a'.translate, (1).bit_length, {1}.pop\n",
        "def step(image, targets):\n    targets.boxes\n    image.decompose().backward()\n",
        "from somewhere import *\nnot_known.backward()\n",
        "print(__file__, __name__)\n",
    ],
)
def test_what_may_be_there_is_not_noted(text: str, tmp_path: Path) -> None:
    assert noted(tmp_path, text) == []


def test_a_tensor_without_the_attribute_has_none(tmp_path: Path) -> None:
    assert noted(tmp_path, "x = torch.ones(2)\nif hasattr(x, 'foo'):\n    raise ValueError(1)\n") == []
    assert noted(tmp_path, "x = torch.ones(2)\nif hasattr(x, 'sum'):\n    raise ValueError(1)\n") == [
        ("ValueError", "")
    ]


def test_a_name_that_is_not_bound_yet(tmp_path: Path) -> None:
    assert noted(tmp_path, "def f():\n    print(loss)\n    loss = 1\nf()\n") == [("NameError", "loss")]


def test_the_run_goes_on(tmp_path: Path) -> None:
    text = "x = [1]\nx.detach()\nw = torch.ones(2, requires_grad=True)\nw.add_(1)\n"
    path = tmp_path / "program.py"
    found = machine.analyse(Project([tmp_path], {path: "import torch\nprint()\n" + text}), [path]).events
    assert [event.kind for event in found if event.kind in ("exception", "leaf")] == ["leaf", "exception"]
