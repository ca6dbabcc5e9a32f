"""Programs of plain Python: the machine gives every name the value that Python gives it."""

from __future__ import annotations

import pytest

from .plain_values import machine_values, native_values
from .python_programs import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_those_of_python(name: str) -> None:
    expected = native_values(PROGRAMS[name])
    found = machine_values(PROGRAMS[name])
    assert expected, "the program has no plain values to compare"
    different = {k: (v, found.get(k, "not plain")) for k, v in expected.items() if found.get(k, "not plain") != v}
    assert not different
