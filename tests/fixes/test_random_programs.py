"""Of random programs that torch refuses nine of ten run when they are mended, and none gets an error of another kind.

A sample; ``python -m tests.fixes.random_programs`` goes over 2,000 and tells what is left.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.differential.oracle import Oracle
from tests.fixes.random_programs import mended_text, results

pytest.importorskip("torch")


def mended(count: int, folder: Path) -> None:
    with Oracle() as oracle:
        found = list(itertools.islice(results(oracle, folder, 0), count))
    failing = [f"seed {result.seed}: {result.before} → {result.after}" for result in found if not result.runs]
    assert not [result.seed for result in found if result.worse]
    assert len(failing) <= 0.1 * count, "\n".join(failing)
    for result in found[:20]:
        again, more = mended_text(folder, result.after_text)
        assert again == result.after_text, f"seed {result.seed}: a second run finds more: {more.applied}"


def test_a_sample_runs(tmp_path: Path) -> None:
    mended(100, tmp_path)


@pytest.mark.slow
def test_two_thousand_run(tmp_path: Path) -> None:
    mended(2000, tmp_path)
