"""Every program of the corpus does under torch what its facts say: the hazard shows, the mended program is right."""

from __future__ import annotations

import re

import pytest

from tests.rules.corpus import Case, Program, cases, negatives
from tests.rules.zygote import Zygote

pytest.importorskip("torch")


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_bad_shows_its_hazard(case: Case, zygote: Zygote) -> None:
    outcome = zygote.run(case.bad.main, case.bad.root)
    if case.error is not None:
        assert outcome.code != 0
        assert re.search(case.error, outcome.err), outcome.err
    else:
        assert outcome.code == 0, outcome.err
        assert "HAZARD-OBSERVED" in outcome.out


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_fixed_is_right(case: Case, zygote: Zygote) -> None:
    outcome = zygote.run(case.fixed.main, case.fixed.root)
    assert outcome.code == 0, outcome.err
    if not case.loud:
        assert "OK" in outcome.out
    assert "HAZARD-OBSERVED" not in outcome.out


@pytest.mark.parametrize("program", negatives(), ids=lambda program: program.name)
def test_negative_is_right(program: Program, zygote: Zygote) -> None:
    outcome = zygote.run(program.main, program.root)
    assert outcome.code == 0, outcome.err
    assert "OK" in outcome.out
