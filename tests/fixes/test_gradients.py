"""After a fix each optimizer applies exactly the gradient of its own loss: parameters equal those of a reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixes.arrangements import ARRANGEMENTS
from tests.fixes.mending import mend_text
from tests.fixes.two_networks import FOOTER, OWN, PAIRS, SETUP, Pair
from tests.rules.zygote import Zygote

pytest.importorskip("torch")


def parameters(zygote: Zygote, folder: Path, name: str, text: str) -> list[list[float]]:
    file = folder / name
    file.write_text(text + FOOTER)
    outcome = zygote.run(file, folder)
    assert outcome.code == 0, f"{outcome.err}\n{text}"
    line = next(line for line in outcome.out.splitlines() if line.startswith("PARAMETERS"))
    numbers: list[list[float]] = json.loads(line.removeprefix("PARAMETERS"))
    return numbers


@pytest.mark.parametrize("pair", [*PAIRS, *ARRANGEMENTS], ids=lambda pair: pair.name)
def test_updates_equal_the_reference(pair: Pair, tmp_path: Path, zygote: Zygote) -> None:
    before = SETUP + pair.optimizers + pair.program
    mended = mend_text(tmp_path, before)
    assert mended != before
    found = parameters(zygote, tmp_path, "mended.py", mended)
    wanted = parameters(zygote, tmp_path, "reference.py", SETUP + pair.optimizers + OWN + pair.reference)
    for a, b in zip(found, wanted, strict=True):
        assert a == pytest.approx(b, abs=1e-6), mended
