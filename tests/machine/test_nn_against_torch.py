"""Layer by layer: what torch says when something changes between forward and backward, the machine says too."""

from __future__ import annotations

import pytest

from tests.machine.nn_programs import LAYERS, Layer, programs
from tests.machine.torch_verdict import machine_kind, torch_kind

pytest.importorskip("torch")


@pytest.mark.parametrize("entry", LAYERS, ids=lambda entry: f"{entry.name}-{entry.call}")
def test_layer(entry: Layer) -> None:
    wrong = []
    for title, text in programs(entry):
        expected = torch_kind(text)
        assert not expected.startswith("invalid"), f"{title}: {expected}\n{text}"
        given = machine_kind(text)
        if given != expected:
            wrong.append(f"{title}: torch {expected or 'runs'}, machine {given or 'runs'}")
    assert not wrong, "\n".join(wrong)
