"""The user's torch is found by files alone, and decides what an op is known to save."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograd_hazards.config import Config
from autograd_hazards.environment import torch_version, version_in
from autograd_hazards.workspace import Workspace

# ``mean`` kept its input until torch 2.2, so that a later change of it was refused.
PROGRAM = """\
import torch

weight = torch.randn(4, requires_grad=True)
hidden = weight + 1
loss = hidden.mean()
hidden.add_(1)
loss.backward()
"""


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


def install(prefix: Path, version: str, *, windows: bool = False, version_file: bool = True) -> Path:
    folder = prefix / ("Lib/site-packages" if windows else "lib/python3.11/site-packages")
    (folder / "torch").mkdir(parents=True)
    if version_file:
        (folder / "torch" / "version.py").write_text(f"from typing import Optional\n__version__ = '{version}'\n")
    (folder / f"torch-{version}.dist-info").mkdir()
    (folder / "torch-geometric-2.5.dist-info").mkdir()
    return folder


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("version_file", [False, True])
def test_version_of_an_installed_torch(tmp_path: Path, windows: bool, version_file: bool) -> None:
    folder = install(tmp_path, "2.1.2+cpu", windows=windows, version_file=version_file)
    assert version_in(folder) == "2.1.2+cpu"
    assert version_in(tmp_path) is None


def test_given_folders_come_first_then_the_active_environment_then_the_projects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    install(project / ".venv", "2.3.1")
    active = tmp_path / "active"
    install(active, "2.4.0")
    given = install(tmp_path / "given", "2.5.1")
    assert torch_version(project) == "2.3.1"
    monkeypatch.setenv("VIRTUAL_ENV", str(active))
    assert torch_version(project) == "2.4.0"
    assert torch_version(project, [given]) == "2.5.1"


@pytest.mark.parametrize(
    ("version", "loud"), [("2.1.2", True), ("2.2.0+cpu", True), ("2.3.1", False), ("2.13.0", False)]
)
def test_findings_are_those_of_the_users_torch(tmp_path: Path, version: str, loud: bool) -> None:
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    install(tmp_path / ".venv", version)
    findings = Workspace(tmp_path, Config()).check([tmp_path / "train.py"])
    assert any(finding.code == "AGH301" for finding in findings) is loud
