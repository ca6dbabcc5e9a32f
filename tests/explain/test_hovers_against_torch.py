"""What a hover says of a place is what torch has there, each time the program comes by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograd_hazards.machine.looking_on import facts_of
from autograd_hazards.program.project import Project
from tests.explain.hover_truth import contradictions
from tests.rules.corpus import Program, cases, negatives
from tests.rules.zygote import Zygote

pytest.importorskip("torch")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OWN = [Program(path.stem, path) for path in sorted((HERE / "hovers").glob("*.py"))]
# Where the machine knows less than it says.
LEFT = {
    "jacobian-regulariser-vectorised-with-functional-jacobian-no-graph/fixed": "leaves that a functional jvp makes",
}
PROGRAMS = [*OWN, *(case.fixed for case in cases()), *negatives()]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_hovers_say_what_torch_has(program: Program, zygote: Zygote, tmp_path: Path) -> None:
    out, driver = tmp_path / "truth.json", tmp_path / "driver.py"
    driver.write_text(
        f"import sys\nsys.path[:0] = [{str(ROOT)!r}, {str(program.root)!r}]\n"
        f"from tests.explain.hover_truth import watch\nwatch({str(program.main)!r}, {str(out)!r})\n",
        encoding="utf-8",
    )
    outcome = zygote.run(driver, program.root)
    assert outcome.code == 0, outcome.err
    known = facts_of(Project([program.root]), program.main)
    assert known
    found = contradictions(known, json.loads(out.read_text(encoding="utf-8")))
    assert bool(found) == (program.name in LEFT), found
