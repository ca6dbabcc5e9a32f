"""Programs where Python carries the tensors: what torch refuses, and on which row, the machine refuses there too."""

from __future__ import annotations

import pytest

from .python_verdict import machine_verdict, torch_verdict
from .torch_programs import PROGRAMS

pytest.importorskip("torch")


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict_is_that_of_torch(name: str) -> None:
    expected = torch_verdict(PROGRAMS[name])
    assert not expected[0].startswith("invalid"), expected
    assert machine_verdict(PROGRAMS[name]) == expected
