"""Whole modules between forward and backward: the machine stops where torch stops."""

from __future__ import annotations

import pytest

from tests.machine.nn_behaviour import HEAD, PROGRAMS
from tests.machine.torch_verdict import machine_kind, torch_kind

pytest.importorskip("torch")


@pytest.mark.parametrize("title", PROGRAMS)
def test_behaviour(title: str) -> None:
    text = HEAD + PROGRAMS[title]
    expected = torch_kind(text)
    assert not expected.startswith("invalid"), expected
    assert machine_kind(text) == expected
