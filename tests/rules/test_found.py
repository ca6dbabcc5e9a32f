"""The analyser finds each case's hazard and accuses no mended or right program."""

from __future__ import annotations

import pytest

from tests.rules.corpus import Case, Program, cases, negatives
from tests.rules.judge import accusations, findings_of, judge, line
from tests.rules.known import FALSE_ALARMS, MISSES

RIGHT = [*(case.fixed for case in cases()), *negatives()]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_hazard_is_found(case: Case) -> None:
    verdict = judge(case, findings_of(case.bad))
    if case.name in MISSES:
        assert not verdict.found, f"found now: take {case.name} out of known.MISSES"
    else:
        assert verdict.found, verdict.why


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.name)
def test_right_program_is_not_accused(program: Program) -> None:
    accused = accusations(findings_of(program))
    if program.name in FALSE_ALARMS:
        assert accused, f"right now: take {program.name} out of known.FALSE_ALARMS"
    else:
        assert not accused, "\n".join(map(line, accused))


def test_known_lists_name_real_programs() -> None:
    assert set(MISSES) <= {case.name for case in cases()}
    assert set(FALSE_ALARMS) <= {program.name for program in RIGHT}
