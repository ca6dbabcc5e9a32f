"""Numbers decide which program of a pair is wrong, and the analyser accuses that one and not the other.

Each folder of ``pairs`` holds ``wrong.py`` and ``right.py``, which leave gradients or weights in ``result`` (a list of
tensors), and ``reference.py``, which works out by other means the results that are acceptable (a list of such lists).
The line to be reported ends with the rule's code in ``wrong.py``.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.rules.corpus import Program
from tests.rules.judge import accusations, findings_of, line, rows_of

torch = pytest.importorskip("torch")

PAIRS = sorted((Path(__file__).parent / "pairs").iterdir())
pairs = pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)

KNOWN: dict[str, str] = {
    "value_of_a_parameter_kept_over_steps": "a stale value whose graph saved nothing is not reported",
}
"""Pair → why the analyser does not tell its programs apart. A listed pair that starts to pass fails."""


def _result(path: Path) -> Any:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns of a scheduler that comes first: that is the hazard
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    return namespace["result"]


def _close(result: list[Any], reference: list[Any]) -> bool:
    assert len(result) == len(reference)
    return all(torch.allclose(mine, other, atol=1e-5) for mine, other in zip(result, reference, strict=True))


def _expected(path: Path) -> tuple[str, int]:
    marks = [
        (found[1], row)
        for row, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (found := re.search(r"# (AGH\d+)$", text))
    ]
    assert len(marks) == 1
    return marks[0]


@pairs
def test_numbers_tell_right_from_wrong(folder: Path) -> None:
    acceptable = _result(folder / "reference.py")
    assert any(_close(_result(folder / "right.py"), reference) for reference in acceptable)
    assert not any(_close(_result(folder / "wrong.py"), reference) for reference in acceptable)


@pairs
def test_only_the_wrong_one_is_accused(folder: Path) -> None:
    wrong = findings_of(Program("wrong", folder / "wrong.py"))
    right = accusations(findings_of(Program("right", folder / "right.py")))
    code, row = _expected(folder / "wrong.py")
    named = [found for found in wrong if found.code == code and row in rows_of(found, folder / "wrong.py")]
    if folder.name in KNOWN:
        assert right or not named, f"told apart now: take {folder.name} out of KNOWN"
    else:
        assert not right, "\n".join(map(line, right))
        assert named, "\n".join(map(line, wrong)) or "nothing found"


def test_known_names_real_pairs() -> None:
    assert set(KNOWN) <= {folder.name for folder in PAIRS}
