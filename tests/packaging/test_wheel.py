"""The wheel alone is enough: built, installed into an empty environment, used from there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest

ROOT = Path(__file__).parents[2]


def run(*call: str | Path, cwd: Path, status: int = 0) -> str:
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(part) for part in call], cwd=cwd, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    (path,) = folder.glob("autograd_hazards-*.whl")
    yield path


def test_the_wheel_holds_the_data_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
    assert "autograd_hazards/torchdb/data/base.json" in files
    assert "autograd_hazards/py.typed" in files
    for pages in ("docs/rules", "docs/zh-CN/rules"):
        expected = {f"autograd_hazards/{pages}/{page.name}" for page in (ROOT / pages).glob("*.md")}
        assert expected and {name for name in files if name.startswith(f"autograd_hazards/{pages}/")} == expected
    assert all(name.startswith(("autograd_hazards/", "autograd_hazards-")) for name in files)


def test_the_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "env", cwd=tmp_path)
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    program = tmp_path / "program.py"
    program.write_text("import torch\nw = torch.ones(3, requires_grad=True)\nw += 1\n", encoding="utf-8")
    report = run(scripts / "autograd-hazards", "check", "--output-format", "json", program, cwd=tmp_path, status=1)
    (finding,) = json.loads(report)
    assert finding["code"] == "AGH302" and finding["url"].endswith("/docs/rules/AGH302.md")
    assert Path(url2pathname(urlparse(finding["url"]).path)).is_relative_to(tmp_path / "env")
    assert "AGH302" in run(scripts / "python", "-m", "autograd_hazards", "rule", "AGH302", cwd=tmp_path)
    run(scripts / "autograd-hazards", "server", "--help", cwd=tmp_path)
