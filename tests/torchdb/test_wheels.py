"""A torch that the tables do not cover is read from its installed files, or said to be unknown."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import util
from pathlib import Path

import pytest

from autograd_hazards import torchdb
from autograd_hazards.config import Config
from autograd_hazards.environment import learn
from autograd_hazards.torchdb import formulas, installed, wheel
from autograd_hazards.workspace import Workspace

FORMULAS = """\
# what autograd does
- name: exp(Tensor self) -> Tensor
  self: grad * self.exp().conj()
  result: auto_element_wise

- name: mean(Tensor self, *, ScalarType? dtype=None) -> Tensor
  dispatch:
    Default:
      # only its size is needed
      self: grad.expand_symint(self.sym_sizes()) / self.sym_numel()
      result: auto_linear
    AutogradNestedTensor:
      self: ones_like(self) * grad

- name: linalg_half(Tensor A, Tensor B) -> (Tensor U, Tensor H)
  A: "half_backward(grad_U, grad_H, B,
        U)"
  B: non_differentiable
  U, H: half_jvp(A_t, A_p, U, H)
"""
DECLARATIONS = """\
- func: exp(Tensor self) -> Tensor
  variants: function, method

- func: mean(Tensor self, *, ScalarType? dtype=None) -> Tensor
  variants: function, method

- func: mul.Tensor(Tensor self, Tensor other) -> Tensor

- func: sum(Tensor self, *, ScalarType? dtype=None) -> Tensor

- func: linalg_half(Tensor A, Tensor B) -> (Tensor U, Tensor H)
  python_module: linalg
"""
PROGRAM = """\
import torch

weight = torch.randn(4, requires_grad=True)
hidden = weight * 2
loss = torch.exp(hidden)
hidden.add_(1)
loss.sum().backward()
"""


@pytest.fixture(autouse=True)
def nothing_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", str(tmp_path / "cache"))
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    installed.forget()
    yield
    installed.forget()
    torchdb.use_version(None)


def install(prefix: Path, version: str = "9.1.0+cpu", *, generator: bool = True) -> Path:
    """A fake environment with a torch of that version, whose ``exp`` keeps its input."""
    folder = prefix / "lib/python3.11/site-packages"
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text("raise ImportError('torch must not be imported')\n")
    (folder / "torch" / "version.py").write_text(f"__version__ = '{version}'\n")
    if generator:
        for name, text in ((formulas.DERIVATIVES, FORMULAS), (wheel.DECLARATIONS, DECLARATIONS)):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_formulas_tell_what_is_kept() -> None:
    entries = formulas.read(FORMULAS)
    assert {name: formulas.kept(entry) for name, entry in entries.items()} == {
        "exp": {"self": (["self"], [])},
        "mean": {"self": ([], [])},
        "linalg_half": {"A": (["B"], ["U"])},
    }
    with pytest.raises(ValueError):
        formulas.read("nothing: here\n")


def test_our_reading_is_that_of_torchs_own_generator() -> None:
    if util.find_spec("torchgen") is None:
        pytest.skip("no torch is installed")
    import torchdb_deltas
    import torchdb_native

    entries = formulas.read(Path(torchdb_native.DERIVATIVES).read_text(encoding="utf-8"))
    theirs = {name: torchdb_deltas._plain(table) for name, table in torchdb_deltas.dump().items()}
    ours = {name: found for name, entry in entries.items() if (found := formulas.kept(entry))}
    assert len(ours) > 590
    assert {name: (found, theirs[name]) for name, found in ours.items() if found != theirs[name]} == {}


def test_a_wheel_says_what_is_other_there(tmp_path: Path) -> None:
    assert torchdb.learn("9.1.0+cpu", install(tmp_path))
    torchdb.use_version("9.1.0+cpu")
    assert torchdb.knows("9.1.0+cpu")
    (exp,) = torchdb.function("exp") or ()
    assert (dict(exp.saves), exp.saves_out) == ({"input": ()}, ())
    (half,) = torchdb.function("linalg.half") or ()
    assert (dict(half.saves), half.saves_out, half.diff) == ({"B": ()}, (0,), ("A",))
    assert torchdb.function("sin") is None, "what is not declared is gone"
    torchdb.use_version(None)
    (exp,) = torchdb.function("exp") or ()
    assert (dict(exp.saves), exp.saves_out) == ({}, (0,))
    assert torchdb.function("linalg.half") is None


def test_what_was_read_is_kept_until_the_wheel_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = install(tmp_path)
    read: list[Path] = []
    whole = wheel.read
    monkeypatch.setattr(wheel, "read", lambda packages, *rest: (read.append(packages), whole(packages, *rest))[1])
    for _ in range(2):
        installed.forget()
        assert torchdb.learn("9.1.0+cpu", folder)
    assert len(read) == 1
    (folder / formulas.DERIVATIVES).write_text(FORMULAS + "\n", encoding="utf-8")
    installed.forget()
    assert torchdb.learn("9.1.0+cpu", folder)
    assert len(read) == 2


def test_another_process_finds_what_was_read(tmp_path: Path) -> None:
    assert torchdb.learn("9.1.0+cpu", install(tmp_path))
    code = "from autograd_hazards import torchdb; torchdb.use_version('9.1.0+cpu'); print(torchdb.function('exp')[0].saves_out)"
    server = Path(torchdb.__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(server)!r}); {code}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.strip() == "()"


def test_a_cache_that_is_no_cache_is_not_used(tmp_path: Path) -> None:
    folder = install(tmp_path)
    assert torchdb.learn("9.1.0+cpu", folder)
    (kept,) = (tmp_path / "cache" / "torch").iterdir()
    for text in ("", "[]", '{"of": []}', json.dumps({"of": [], "facts": {}})):
        kept.write_text(text, encoding="utf-8")
        installed.forget()
        assert torchdb.learn("9.1.0+cpu", folder)


@pytest.mark.parametrize(("version", "found"), [("9.1.0+cpu", True), (None, True), ("9.1", True), ("9.2", False)])
def test_findings_are_those_of_a_torch_that_was_read(tmp_path: Path, version: str | None, found: bool) -> None:
    install(tmp_path / ".venv")
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    workspace = Workspace(tmp_path, Config(torch_version=version))
    assert (workspace.notice is None) is found
    assert any(f.code == "AGH301" for f in workspace.check([tmp_path / "train.py"])) is found


@pytest.mark.parametrize(("version", "nearest"), [("9.1.0", "2.13"), ("1.13.1", "2.1")])
def test_where_nothing_can_be_read_the_nearest_is_taken_and_named(tmp_path: Path, version: str, nearest: str) -> None:
    install(tmp_path / ".venv", version, generator=False)
    notice = learn(version, tmp_path)
    assert notice is not None
    assert f"nothing is known of torch {version}, so findings are those for torch {nearest}" in notice
    torchdb.use_version(version)
    (mean, *_) = torchdb.method("mean") or ()
    assert dict(mean.saves) == ({"self": ()} if nearest == "2.1" else {})


def test_what_the_tables_cover_is_not_read() -> None:
    for version in ("2.1", "2.6.0+cu124", torchdb.version()):
        assert torchdb.covers(version)
        assert torchdb.learn(version, Path("nowhere"))
        assert learn(version, Path("nowhere")) is None
    assert torchdb.covered()[1] == torchdb.version()


def test_the_installed_torch_differs_in_nothing_from_the_table() -> None:
    found = util.find_spec("torch")
    if found is None or found.origin is None:
        pytest.skip("no torch is installed")
    packages = Path(found.origin).parents[1]
    if not (packages / "torch" / "version.py").read_text(encoding="utf-8").count(f"'{torchdb.version()}."):
        pytest.skip(f"the tables are of torch {torchdb.version()}")
    from autograd_hazards.torchdb import database

    base = database._file("formulas.json")["ops"]
    differences = wheel.read(packages, base, database._file("base.json")["bindings"])
    assert (differences.changed, differences.added) == ({}, {})
