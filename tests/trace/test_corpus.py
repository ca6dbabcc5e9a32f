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


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.name)
def test_right_program_is_not_accused(program: Program, watched: Watched) -> None:
    outcome = watched.run(program.main, program.root)
    assert outcome.code == 0, outcome.err
    assert outcome.record["failures"] == []
    found = find(outcome.record)
    assert not found, "\n".join(map(line, found))


@pytest.mark.parametrize("case", [case for case in GIVEN if case.loud], ids=lambda case: case.name)
def test_loud_hazard_is_found(case: Case, watched: Watched) -> None:
    outcome = watched.run(case.bad.main, case.bad.root)
    assert outcome.record["failures"] == []
    verdict = judge(case, find(outcome.record))
    if case.name in MISSES:
        assert not verdict.found, f"found now: take {case.name} out of MISSES"
    else:
        assert verdict.found, verdict.why
    assert Path(outcome.record["folder"]) == case.bad.root


MISSES: dict[str, str] = {
    "adder-layer-backward-without-return": "for now",
    "binarizer-backward-ignores-flag-argument": "for now",
    "depth-head-on-inference-mode-backbone": "for now",
    "example-weights-absent-from-lookahead-graph": "for now",
    "gradcam-full-hook-before-inplace-activation": "for now",
    "gradients-switched-off-by-imported-detector": "for now",
    "leaky-relu-in-place-with-negative-slope": "for now",
    "prompt-optimised-through-no-grad-helper": "for now",
    "temporal-graph-memory-dict-of-node-states": "for now",
}
