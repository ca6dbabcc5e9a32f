"""The labels are facts in good order, and the scorer reads findings as ``check`` writes them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from autograd_hazards import rules
from tests.real.labels import ALARM, FILE, HAZARD, Label, folder_of, labels, outcomes, table
from tests.real.score import findings_in

PROGRAM = """\
import torch

model = torch.nn.Linear(4, 1)
total = 0
for step in range(5):
    loss = model(torch.randn(8, 4)).mean()
    total += loss
    loss.backward()
"""


def test_labels_are_facts() -> None:
    places = labels()
    assert len(places) >= 130
    for place in places:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", place.repository)
        assert re.fullmatch(r"[0-9a-f]{40}", place.commit)
        assert place.line > 0 and (place.cell is None or place.cell > 0)
        assert set(place.rules) <= rules.ALL.keys() and place.rules
        assert place.verdict in (HAZARD, ALARM)
        assert place.because and "\n" not in place.because


def test_labels_are_sorted_and_unique() -> None:
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    keys = [(e["repository"], e["file"], e.get("cell", 0), e["line"], e["kind"]) for e in entries]
    assert keys == sorted(set(keys))


def test_score_of_a_checkout(tmp_path: Path) -> None:
    folder = tmp_path / "someone__something"
    folder.mkdir()
    (folder / "train.py").write_text(PROGRAM, encoding="utf-8")
    assert folder_of(tmp_path, "someone/something") == folder
    assert folder_of(tmp_path, "someone/else") is None
    common = {"repository": "someone/something", "commit": "0" * 40, "file": "train.py", "cell": None, "because": "."}
    found = Label(**common, line=8, kind="accumulated", rules=("AGH104",), verdict=HAZARD)
    missed = Label(**common, line=1, kind="accumulated", rules=("AGH104",), verdict=HAZARD)
    quiet = Label(**common, line=6, kind="AGH301", rules=("AGH301",), verdict=ALARM)
    results = outcomes([found, missed, quiet], {"someone/something": findings_in(folder)})
    assert [outcome.right for outcome in results] == [True, False, True]
    assert results[0].codes == ("AGH104",)
    text = table(results)
    assert "accumulated                            1 of 2" in text
    assert "hazards found: 1 of 2" in text and "places accused wrongly: 0 of 1" in text
