"""The reported hazards, mended by ``--fix --unsafe-fixes``, run right under torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.left import LEFT
from tests.fixes.mending import mend_files, mend_program
from tests.rules.corpus import Case, cases, negatives
from tests.rules.zygote import Outcome, Zygote

pytest.importorskip("torch")


def right(case: Case, outcome: Outcome) -> bool:
    if outcome.code != 0 or "HAZARD-OBSERVED" in outcome.out:
        return False
    return case.loud or "OK" in outcome.out


@pytest.mark.parametrize("case", [case for case in cases() if case.name not in LEFT], ids=lambda case: case.name)
def test_the_mended_program_runs_right(case: Case, tmp_path: Path, zygote: Zygote) -> None:
    program, mended = mend_program(case.bad, tmp_path / "mended")
    outcome = zygote.run(program.main, program.root)
    assert right(case, outcome), f"{[fix.title for _, fix in mended.applied]}\n{outcome.out}{outcome.err}"
    assert not mend_files(program.root).texts, "a second run finds more to mend"


def test_enough_of_them_are_mended() -> None:
    names = {case.name for case in cases()}
    assert names >= set(LEFT)
    first = [
        case.name for case in cases() if case.bad.path.is_relative_to(Path(__file__).parents[1] / "rules" / "cases")
    ]
    assert len(first) == 101
    assert len([name for name in first if name not in LEFT]) >= 100


def test_right_programs_stay_right(tmp_path: Path, zygote: Zygote) -> None:
    changed = 0
    for number, program in enumerate(negatives()):
        copy, mended = mend_program(program, tmp_path / str(number))
        if mended.applied:
            changed += 1
            outcome = zygote.run(copy.main, copy.root)
            assert outcome.code == 0 and "OK" in outcome.out, f"{program.name}\n{outcome.out}{outcome.err}"
    assert changed <= 5, "hardly anything is to be mended in right programs"
