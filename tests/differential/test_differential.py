"""The machine says of every program what torch says: no error, or the same kind at the same row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.differential import compare
from tests.differential.compare import compare_all, machine_verdict
from tests.differential.generate import program
from tests.differential.oracle import Oracle
from tests.differential.verdict import RUNS

pytest.importorskip("torch")

REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.py"))
CHUNKS = 20
PER_CHUNK = 100


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as process:
        yield process


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs(chunk: int, oracle: Oracle) -> None:
    seeds = range(chunk * PER_CHUNK, (chunk + 1) * PER_CHUNK)
    results = [result for result in compare_all(oracle, seeds) if result.valid]
    wrong = [
        f"seed {result.seed}: torch {result.torch}, machine {result.machine}" for result in results if not result.agrees
    ]
    assert not wrong, "\n".join(wrong)
    raising = sum(bool(result.torch.kind) for result in results)
    assert len(results) > 0.9 * PER_CHUNK, "the generator writes broken programs"
    assert 0.2 < raising / len(results) < 0.8, "the generator writes only right or only wrong programs"


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_regression(path: Path, oracle: Oracle) -> None:
    text = path.read_text(encoding="utf-8")
    expected = oracle.verdict(text)
    assert expected.kind != "invalid", oracle.messages[0]
    assert machine_verdict(text) == expected


def test_same_seed_same_program() -> None:
    assert program(7) == program(7)
    assert len({program(seed) for seed in range(50)}) == 50


def test_shrinking_keeps_only_what_differs(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "machine_verdict", lambda _: RUNS)
    noise = "def f(t):\n    return t * 2\nfor i in range(2):\n    y = f(w)\n    if i:\n        w += 1\nprint(y)\n"
    text = "import torch\nw = torch.ones(4, requires_grad=True)\n" + noise
    assert compare.shrink(oracle, text) == "import torch\nw = torch.ones(4, requires_grad=True)\nw += 1\n"
