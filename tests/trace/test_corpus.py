"""The corpus under the recorder: hazards are found at their lines, right programs are not accused, nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograd_hazards.witness.findings import find
from tests.rules.corpus import Case, Program, cases, negatives
from tests.rules.judge import judge, line
from tests.trace.watched import Watched

pytest.importorskip("torch")

GIVEN = [case for case in cases() if case.file.parts[-3] == "cases" or case.file.parts[-4] == "cases"]
RIGHT = [*(case.fixed for case in GIVEN), *(p for p in negatives() if p.path.parent.name == "negatives")]


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    with Watched() as process:
        yield process


# Half of them at once, the others with SLOW=1: together they take a minute.
@pytest.mark.parametrize(
    "program",
    [pytest.param(p, id=p.name, marks=[pytest.mark.slow] if i % 2 else []) for i, p in enumerate(RIGHT)],
)
def test_right_program_is_not_accused(program: Program, watched: Watched) -> None:
    outcome = watched.run(program.main, program.root)
    assert outcome.code == 0, outcome.err
    assert outcome.record["failures"] == []
    found = find(outcome.record)
    assert not found, "\n".join(map(line, found))


@pytest.mark.parametrize("case", GIVEN, ids=lambda case: case.name)
def test_hazard_is_found(case: Case, watched: Watched) -> None:
    outcome = watched.run(case.bad.main, case.bad.root)
    assert (outcome.code != 0) == case.loud
    assert outcome.record["failures"] == []
    assert Path(outcome.record["folder"]) == case.bad.root
    found = find(outcome.record)
    assert all(finding.certainty == "observed" for finding in found)
    verdict = judge(case, found)
    if case.name in MISSES:
        assert not verdict.found, f"found now: take {case.name} out of MISSES"
    else:
        assert verdict.found, verdict.why


def test_the_shares_that_are_promised() -> None:
    loud = [case for case in GIVEN if case.loud]
    silent = [case for case in GIVEN if not case.loud and case.rule in WATCHED_FOR]
    assert sum(case.name not in MISSES for case in loud) >= 0.95 * len(loud)
    assert sum(case.name not in MISSES for case in silent) >= 0.8 * len(silent)


# Hazards that torch is silent about and that a run shows: wrong, leaked and missing gradients.
WATCHED_FOR = {
    "AGH105", "AGH203", "AGH204", "AGH206", "AGH305", "AGH402", "AGH403", "AGH405", "AGH406", "AGH408", "AGH502", "AGH602", "AGH603"
}  # fmt: skip
MISSES = {
    "example-weights-absent-from-lookahead-graph": "that a new value is never used does not show in a run",
    "clipping-helper-exhausts-parameter-generator": "iterators of the program are not watched",
    "critic-trained-by-policy-loss-too": "what a loss is meant to train does not show in a run",
    "pointer-network-critic-baseline-not-detached-in-policy-loss": "what a loss is meant to train does not show in a run",
    "evaluation-keeps-all-predictions-attached": "what lists of the program hold is not watched",
    "leading-in-place-relu-clobbers-skip": "which value a name was meant to have does not show in a run",
    "wgan-clamps-critic-before-its-step": "clamped before both the backward and the step, as many do on purpose",
}
