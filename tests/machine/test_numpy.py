"""NumPy beside the machine: what is known of arrays is true of them, and what torch refuses is refused."""

from __future__ import annotations

from typing import Any

import pytest

from autograd_hazards.machine import debug_values, run_text
from autograd_hazards.machine.values import Instance, Unknown

from .python_verdict import machine_verdict, torch_verdict

numpy = pytest.importorskip("numpy")
pytest.importorskip("torch")

SHAPES = """
import numpy as np
a = np.zeros((3, 4)); b = np.ones(5); c = a * 2 + 1; d = a[0]; e = a[1:]; f = a.T; g = a + np.ones(4); h = a.reshape(2, 6); i = a.flatten()
j = np.arange(7); k = np.arange(1, 9, 3); l = np.linspace(0, 1, 11); m = np.eye(3); n = np.array([[1.0, 2.0], [3.0, 4.0]]); o = a.sum(axis=0)
p = a.mean(axis=1, keepdims=True); q = np.random.rand(2, 3); r = np.random.randn(4); s = np.random.randint(0, 5, size=(2, 2)); t = np.exp(a)
u = np.maximum(a, 0); v = a > 1; w = a.astype(int); x = np.zeros_like(a); y = a @ np.ones((4, 2)); z = a.copy(); aa = np.random.normal(0, 1, (2, 5))
bb = np.sqrt(a); cc = np.full((2, 2), 7); dd = -a; ee = np.random.permutation(6); ff = np.asarray([1, 2, 3]); gg = a[1:, ]; hh = np.clip(a, 0, 1)
ii = np.random.default_rng(0).normal(size=3); jj = np.where(a > 0, a, 0); kk = np.sum(a, axis=1); ll = 2 ** a; mm = np.float32([1, 2]); nn = np.power(a, 2)
"""
NUMBERS = """
import numpy as np
a = np.prod((1, 28, 28)); b = np.sqrt(16.0); c = int(np.ceil(2.2)); d = np.float64(3); e = np.pi; f = np.log(1.0); g = np.maximum(1, 2); h = len(np.zeros((3, 2)))
i = np.zeros((3, 4)).shape; j = np.zeros((3, 4)).ndim; k = np.zeros((3, 4)).size; l = np.abs(-2.0); m = np.shape(np.ones((2, 3))); n = np.int64(4); o = np.sum([1, 2])
p = np.inf; q = np.floor(2.7); r = np.arange(10)[2:5].shape; s = np.max([3, 9]); t = np.power(2.0, 3); u = np.newaxis is None; v = np.exp(0.0)
"""


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
    found = debug_values("import numpy as np\na = np.random.rand(); b = np.mean([0.1, 0.2]); c = np.random.choice([1, 2]); d = np.ones(3).sum()")
    assert all(isinstance(found[n], Unknown) for n in "abcd")


HEAD = "import torch\nimport numpy as np\nw = torch.ones(3, requires_grad=True)\nu = torch.ones(3)\na = np.ones(3)\n"
REFUSED = [
    "w.numpy()", "w * a", "np.sqrt(w)", "np.array(w)", "np.asarray(w)", "np.array([w.sum(), w.sum()])", "np.mean([w.sum(), 1.0])",
    "np.concatenate([w, w])", "np.stack([w, w])", "np.abs(w)", "np.argmax(w)", "np.log(w * 2)", "np.dot(w, a)", "np.append([1.0], w.sum())",
    "np.float32(w.sum())", "np.where(u > 0, w, u)", "a[:] = w", "np.allclose(w, w)", "np.random.choice(w)", "np.copy(w)", "np.clip(w, 0, 1)",
    "x = [float(v) for v in w]\nnp.exp((w * 2).sum())", "def f(t): return np.exp(t)\nf(u)\nf(w)", "list(map(np.sqrt, [u, w]))",
]  # fmt: skip
ALLOWED = [
    "w.detach().numpy()", "u.numpy()", "u * a", "np.sqrt(u)", "np.float64(3) * w", "(w * np.float32(2)).sum().backward()", "np.shape(w)", "np.ndim(w)",
    "np.squeeze(w)", "a[0] = w.sum()", "np.mean([w.sum().item()])", "np.array([float(w.sum())])", "torch.from_numpy(a) * w", "w.detach().numpy() * a",
    "np.array(w.tolist())", "np.random.seed(0)", "(w * torch.tensor(a)).sum().backward()", "np.exp(w.detach())", "a[u.long()]",
    "with torch.no_grad():\n    (w * 2).numpy()", "y = (w * float(a.mean())).sum(); y.backward()",
]  # fmt: skip


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
    text = "import torch\nimport matplotlib.pyplot as plt\nw = torch.ones(3, requires_grad=True)\nplt.title('t')\nplt.plot([w.sum(), w.sum()])\n"
    assert machine_verdict(text) == ("numpy", 5)


def test_a_write_through_numpy_is_not_counted() -> None:
    text = HEAD + "y = (u * w).sum()\nu.numpy()[0] = 5\nu.numpy()\ny.backward()\n"
    assert torch_verdict(text) == ("", 0)
    assert machine_verdict(text) == ("", 0)


def test_arrays_remember_the_graph_they_were_cut_from() -> None:
    text = HEAD + "loss = torch.tensor((w * 2).sum().detach().numpy(), requires_grad=True)\nloss.backward()\n"
    assert [e.kind for e in run_text(text) if "mask" in e.kind]
