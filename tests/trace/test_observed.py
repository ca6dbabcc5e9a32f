"""Small programs under the recorder: hazards are told at the lines that say ``# observed: AGHnnn``, and nothing else is.

Most of them are right and look dangerous. All do under the recorder what they do without.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograd_hazards.findings import Finding
from autograd_hazards.witness.findings import find
from tests.trace.test_unchanged import _own
from tests.trace.test_witness import ENVIRON
from tests.trace.watched import Watched

pytest.importorskip("torch")

PROGRAMS = sorted((Path(__file__).parent / "observed").glob("*.py"))


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    with Watched() as process:
        yield process


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path, watched: Watched, tmp_path: Path) -> None:
    plain = watched.run(program, tmp_path, watch=False)
    seen = watched.run(program, tmp_path)
    assert (seen.code, seen.out, _own(seen.err)) == (plain.code, plain.out, _own(plain.err))
    assert seen.record["failures"] == []
    wanted = {
        (row, code)
        for row, line in enumerate(program.read_text(encoding="utf-8").split("\n"), 1)
        for code in re.findall(r"# observed: (AGH\d+)", line)
    }
    found = find(seen.record)
    met = [wanted & {(place, finding.code) for place in _rows(finding, program)} for finding in found]
    assert all(met), [(finding.code, finding.place.row, finding.message) for finding in found]
    assert set().union(*met) == wanted


def _rows(finding: Finding, program: Path) -> set[int]:
    places = [finding.place, *(step.place for step in finding.related)]
    return {place.row for place in places if Path(place.filename) == program}


def test_names_are_those_that_live_on(watched: Watched, tmp_path: Path) -> None:
    stories = {
        "tbptt_wrong": "`h` carries the graph of one iteration into the next",
        "custom_fn_saved_changed": "after `Sq` saved it",
        "numpy_write": "`h` is changed through numpy",
        "ckpt_step_between": "The checkpoint computes its forward again",
        "graph_leak": "`total` adds up tensors",
    }
    for name, text in stories.items():
        (finding,) = find(watched.run(PROGRAMS[0].with_name(f"{name}.py"), tmp_path).record)
        assert text in finding.message, finding.message


def test_a_parameter_is_made_where_it_is_made(watched: Watched, tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text("import torch\n\np = torch.nn.Parameter(torch.ones(3))\np += 1\n", encoding="utf-8")
    (finding,) = find(watched.run(main, tmp_path).record)
    assert finding.code == "AGH302" and [step.place.row for step in finding.related] == [3, 4]


ARGUMENTS = "import sys, torch\nprint(sys.argv, sys.path[0], __file__, __spec__ and __spec__.name)\n1 / 0\n"


@pytest.mark.parametrize("arguments", [["-m", "package.part", "a"], ["folder", "a"], ["script.py", "-m", "a"]])
def test_ways_to_start_a_program(arguments: list[str], tmp_path: Path) -> None:
    for name in ("package/part.py", "folder/__main__.py", "script.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(ARGUMENTS, encoding="utf-8")
    plain = _run([sys.executable, *arguments], tmp_path)
    seen = _run([sys.executable, "-m", "autograd_hazards", "run", "--python", sys.executable, *arguments], tmp_path)
    assert plain.returncode == seen.returncode == 1
    assert seen.stdout == plain.stdout
    assert seen.stderr.startswith(plain.stderr)


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=ENVIRON, capture_output=True, text=True, timeout=120)


def test_errors_that_a_test_waits_for_are_no_hazards(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest, torch\n\ndef test_refused():\n    x = torch.ones(3, requires_grad=True)\n    y = x.exp()\n"
        "    y += 1\n    with pytest.raises(RuntimeError, match='inplace'):\n        y.sum().backward()\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "autograd_hazards.trace.pytest_plugin",
        "-p",
        "no:cacheprovider",
    ]
    strict = _run([*command, "--autograd-witness=error", "."], tmp_path)
    assert "1 passed" in strict.stdout, strict.stdout
