"""Programs of many kinds that torch refuses or trains wrongly, mended and run; each prints OK when it did what it means."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fixes.mending import mend_files
from tests.rules.zygote import Zygote

pytest.importorskip("torch")

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
LEFT = {
    "grad_of_output_read": "the gradient of an input that requires none is no finding",
    "try_finally_step": "the steps lie in a try statement and its finally",
}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_mended_program_does_what_it_means(path: Path, tmp_path: Path, zygote: Zygote) -> None:
    shutil.copy(path, tmp_path)
    mended = mend_files(tmp_path)
    outcome = zygote.run(tmp_path / path.name, tmp_path)
    right = outcome.code == 0 and "OK" in outcome.out and "HAZARD-OBSERVED" not in outcome.out
    assert right == (path.stem not in LEFT), f"{[fix.title for _, fix in mended.applied]}\n{outcome.out}{outcome.err}"
    assert right or mended.left or not mended.applied, "what is not mended is said"
    assert not mend_files(tmp_path).texts, "a second run finds more to mend"


def test_hardly_any_is_left() -> None:
    assert len(PROGRAMS) >= 40
    assert len(LEFT) <= 2
    assert {path.stem for path in PROGRAMS} >= set(LEFT)
