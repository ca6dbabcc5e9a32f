"""Modules describe themselves as torch's do: names, orders, flags, shapes, identities."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from autograd_hazards.machine import debug_values
from tests.machine.nn_values import HEAD, PROGRAMS

pytest.importorskip("torch")


@pytest.mark.parametrize("title", PROGRAMS)
def test_values(title: str) -> None:
    text = HEAD + PROGRAMS[title]
    expected: dict[str, Any] = {"__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "program.py", "exec"), expected)
    given = debug_values(text)
    wrong = [
        f"{name}: torch {expected[name]!r}, machine {given.get(name)!r}"
        for name in expected
        if name.startswith("r_") and given.get(name) != expected[name]
    ]
    assert not wrong, "\n".join(wrong)
    assert any(name.startswith("r_") for name in expected)
