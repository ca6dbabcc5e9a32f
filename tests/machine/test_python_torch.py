"""Programs where Python carries the tensors: what torch refuses, and on which row, the machine refuses there too."""

from __future__ import annotations

from pathlib import Path

import pytest

from .python_verdict import machine_verdict, torch_verdict

pytest.importorskip("torch")
PROGRAMS = sorted((Path(__file__).parent / "data" / "carried").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_verdict_is_that_of_torch(path: Path) -> None:
    text = path.read_text()
    expected = torch_verdict(text)
    assert not expected[0].startswith("invalid"), expected
    assert machine_verdict(text) == expected
