"""NumPy beside the machine: what is known of arrays is true of them, and what torch refuses is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograd_hazards.machine import debug_values, run_text
from autograd_hazards.machine.values import Instance, Unknown

from .python_verdict import machine_verdict, torch_verdict

numpy = pytest.importorskip("numpy")
pytest.importorskip("torch")

DATA = Path(__file__).parent / "data" / "numpy"
SHAPES = (DATA / "shapes.py").read_text()
NUMBERS = (DATA / "numbers.py").read_text()


def native(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), names)
    return names


def test_shapes_and_kinds_are_true() -> None:
    found, expected = debug_values(SHAPES), native(SHAPES)
    kinds = {"f": "float", "i": "int", "b": "bool"}
    unknown = []
    for name, array in expected.items():
        if not isinstance(array, numpy.ndarray):
            continue
        value = found[name]
        assert isinstance(value, Instance), name
        if value.data.shape is None or None in value.data.shape:
            unknown.append(name)
            continue
        assert value.data.shape == array.shape, name
        assert value.data.dtype in (None, kinds[array.dtype.kind]) or name in ("cc",), name
    assert unknown == ["gg"]


def test_numbers_are_those_of_numpy() -> None:
    found, expected = debug_values(NUMBERS), native(NUMBERS)
    for name, value in expected.items():
        if len(name) == 1:
            assert found[name] == value, name


def test_what_numpy_draws_or_measures_is_unknown() -> None:
    text = "import numpy as np\na = np.random.rand(); b = np.mean([0.1])\n"
    text += "c = np.random.choice([1, 2]); d = np.ones(3).sum()"
    found = debug_values(text)
    assert all(isinstance(found[n], Unknown) for n in "abcd")


HEAD = "import torch\nimport numpy as np\nw = torch.ones(3, requires_grad=True)\nu = torch.ones(3)\na = np.ones(3)\n"
REFUSED = [
    "w.numpy()",
    "w * a",
    "np.sqrt(w)",
    "np.array(w)",
    "np.asarray(w)",
    "np.array([w.sum(), w.sum()])",
    "np.mean([w.sum(), 1.0])",
    "np.concatenate([w, w])",
    "np.stack([w, w])",
    "np.abs(w)",
    "np.argmax(w)",
    "np.log(w * 2)",
    "np.dot(w, a)",
    "np.append([1.0], w.sum())",
    "np.float32(w.sum())",
    "np.where(u > 0, w, u)",
    "a[:] = w",
    "np.allclose(w, w)",
    "np.random.choice(w)",
    "np.copy(w)",
    "np.clip(w, 0, 1)",
    "x = [float(v) for v in w]\nnp.exp((w * 2).sum())",
    "def f(t): return np.exp(t)\nf(u)\nf(w)",
    "list(map(np.sqrt, [u, w]))",
]
ALLOWED = [
    "w.detach().numpy()",
    "u.numpy()",
    "u * a",
    "np.sqrt(u)",
    "np.float64(3) * w",
    "(w * np.float32(2)).sum().backward()",
    "np.shape(w)",
    "np.ndim(w)",
    "np.squeeze(w)",
    "a[0] = w.sum()",
    "np.mean([w.sum().item()])",
    "np.array([float(w.sum())])",
    "torch.from_numpy(a) * w",
    "w.detach().numpy() * a",
    "np.array(w.tolist())",
    "np.random.seed(0)",
    "(w * torch.tensor(a)).sum().backward()",
    "np.exp(w.detach())",
    "a[u.long()]",
    "with torch.no_grad():\n    (w * 2).numpy()",
    "y = (w * float(a.mean())).sum(); y.backward()",
]


@pytest.mark.parametrize("line", REFUSED)
def test_refused_as_by_torch(line: str) -> None:
    expected = torch_verdict(HEAD + line)
    assert expected[0] == "numpy"
    assert machine_verdict(HEAD + line) == expected


@pytest.mark.parametrize("line", ALLOWED)
def test_allowed_as_by_torch(line: str) -> None:
    assert torch_verdict(HEAD + line) == ("", 0)
    assert machine_verdict(HEAD + line) == ("", 0)


@pytest.mark.parametrize("line", ["a * w", "np.sum(w)", "np.mean(w)", "np.max(w)", "np.std(w)", "np.any(w)"])
def test_refused_by_every_version_in_its_own_words(line: str) -> None:
    """Newer builds say TypeError where older ones said "Can't call numpy()"."""
    kind, row = torch_verdict(HEAD + line)
    assert row == 6 and (kind == "numpy" or "TypeError" in kind)
    assert machine_verdict(HEAD + line) == ("numpy", 6)


def test_plots_convert_what_they_draw() -> None:
    text = "import torch\nimport matplotlib.pyplot as plt\nw = torch.ones(3, requires_grad=True)\n"
    text += "plt.title('t')\nplt.plot([w.sum(), w.sum()])\n"
    assert machine_verdict(text) == ("numpy", 5)


def test_a_write_through_numpy_is_not_counted() -> None:
    text = HEAD + "y = (u * w).sum()\nu.numpy()[0] = 5\nu.numpy()\ny.backward()\n"
    assert torch_verdict(text) == ("", 0)
    assert machine_verdict(text) == ("", 0)


def test_arrays_remember_the_graph_they_were_cut_from() -> None:
    text = HEAD + "loss = torch.tensor((w * 2).sum().detach().numpy(), requires_grad=True)\nloss.backward()\n"
    assert [e.kind for e in run_text(text) if "mask" in e.kind]


def test_what_is_taken_by_an_array_remembers_where_that_was_cut() -> None:
    lines = [
        "scores = (w * 2).detach().numpy()",
        "gains = numpy.take_along_axis(torch.rand(3).numpy(), numpy.argsort(-scores), axis=0)",
        "loss = torch.tensor(1.0 - (gains * 0.5).sum(), requires_grad=True)",
        "loss.backward()",
    ]
    assert [e.kind for e in run_text("import numpy\n" + HEAD + "\n".join(lines) + "\n") if "mask" in e.kind]
