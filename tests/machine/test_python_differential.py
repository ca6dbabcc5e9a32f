"""Programs of plain Python: the machine gives every name the value that Python gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .plain_values import machine_values, native_values

PROGRAMS = sorted((Path(__file__).parent / "data" / "python").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_values_are_those_of_python(path: Path) -> None:
    text = path.read_text()
    expected, found = native_values(text), machine_values(text)
    assert len(expected) > 3, "the program has too few plain values to compare"
    different = {k: (v, found.get(k, "not plain")) for k, v in expected.items() if found.get(k, "not plain") != v}
    assert not different
