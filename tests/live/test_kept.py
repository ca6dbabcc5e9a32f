"""What one process has found is there for the next, and never where it would not find the same."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from autograd_hazards import engine, kept
from autograd_hazards.config import Config
from autograd_hazards.engine import Unit
from autograd_hazards.findings import Finding
from autograd_hazards.live import LiveWorkspace
from autograd_hazards.program.project import Project
from autograd_hazards.workspace import Workspace
from tests.live.test_live import PROGRAM

CASES = sorted((Path(__file__).parents[1] / "rules" / "cases").glob("*/*.py"))
MODEL = PROGRAM[: PROGRAM.index("def draw")]
TRAIN = "import torch\nfrom model import Net\n\n\n" + PROGRAM[PROGRAM.index("def train") :]


class Session:
    """A process with an editor's texts; ``analysed`` are the files whose entries it ran."""

    def __init__(self, folder: Path, torch: str | None = None, **texts: str) -> None:
        self.analysed: list[str] = []
        self.paths = {name: folder / f"{name}.py" for name in texts}
        overlay = {self.paths[name]: text for name, text in texts.items()}
        self.workspace = LiveWorkspace(
            folder, Config(torch_version=torch), overlay=overlay, engine=self.engine, keeps=True
        )

    def engine(self, project: Project, path: Path, called: frozenset[str], torch_version: str | None) -> Unit:
        self.analysed.append(path.stem)
        return engine.analyse(project, path, called, torch_version)

    def first(self, name: str) -> list[Finding]:
        return self.workspace.check_first(self.paths[name])

    def end(self) -> None:
        self.workspace.outcomes.keep()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", str(tmp_path / "kept"))
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def test_the_next_session_says_the_same_without_an_analysis(folder: Path) -> None:
    one = Session(folder, train=PROGRAM)
    found = one.first("train")
    one.end()
    two = Session(folder, train=PROGRAM)
    assert found and two.first("train") == found and two.workspace.check([two.paths["train"]]) == found
    assert one.analysed == ["train"] and not two.analysed


@pytest.mark.parametrize("case", random.Random(7).sample(CASES, 25), ids=lambda path: path.parent.name)
def test_what_is_kept_is_what_a_fresh_analysis_says(case: Path, folder: Path) -> None:
    text = case.read_text(encoding="utf-8")
    one = Session(folder, case=text)
    one.first("case")
    one.end()
    two = Session(folder, case=text)
    assert two.first("case") == Workspace(folder, Config(), overlay=two.workspace.overlay).check([two.paths["case"]])
    assert not two.analysed


def test_another_text_torch_or_import_is_analysed(folder: Path) -> None:
    one = Session(folder, model=MODEL, train=TRAIN)
    one.workspace.check(list(one.paths.values()))
    one.end()
    assert not (again := Session(folder, model=MODEL, train=TRAIN)).first("train") and not again.analysed
    for changed in (
        Session(folder, model=MODEL, train=TRAIN + "\n"),
        Session(folder, model=MODEL.replace("mul_", "mul"), train=TRAIN),
        Session(folder, torch="2.2", model=MODEL, train=TRAIN),
        Session(folder, model=MODEL, train=TRAIN, torch_=""),
    ):
        changed.first("train")
        assert changed.analysed == ["train"] or changed.paths.keys() == {"model", "train", "torch_"}
    (folder / "model").mkdir()
    (folder / "model" / "__init__.py").write_text(MODEL.replace("tanh", "relu"))
    moved = Session(folder, train=TRAIN)
    moved.first("train")
    assert moved.analysed == ["train"]


def test_callers_in_other_files_count_from_the_first_look_at_them(folder: Path) -> None:
    one = Session(folder, model=MODEL, train=TRAIN)
    found = one.workspace.check([one.paths["model"]])
    one.end()
    two = Session(folder, model=MODEL, train=TRAIN)
    assert found and two.workspace.check([two.paths["model"]]) == found and not two.analysed


def test_after_an_edit_everything_is_worked_out_again(folder: Path) -> None:
    one = Session(folder, train=PROGRAM)
    (found,) = one.first("train")
    one.end()
    two = Session(folder, train=PROGRAM)
    path = two.paths["train"]
    two.first("train")
    assert two.workspace.takes(path) == 0
    two.workspace.update(path, "\n" + PROGRAM)
    assert two.workspace.takes(path) == float("inf")
    assert [f.place.row for f in two.workspace.check_moved(path)] == [found.place.row + 1]
    assert [f.place.row for f in two.first("train")] == [found.place.row + 1] and two.analysed == ["train"]
    two.workspace.update(path, PROGRAM.replace("hidden.mul_(2)", "pass"))
    assert two.first("train") == [] and two.workspace.takes(path) < float("inf")


def test_of_a_text_that_does_not_parse_nothing_is_kept(folder: Path) -> None:
    one = Session(folder, train=PROGRAM)
    one.first("train")
    broken = PROGRAM.replace("def train():", "def train(:")
    one.workspace.update(one.paths["train"], broken)
    assert len(one.first("train")) == 2
    one.end()
    two = Session(folder, train=broken)
    two.first("train")
    assert two.analysed == ["train"]


def test_an_unsaved_text_is_not_taken_for_the_one_on_disk(folder: Path) -> None:
    (folder / "train.py").write_text(PROGRAM)
    one = Session(folder, train=PROGRAM.replace("hidden.mul_(2)", "pass"))
    assert one.first("train") == []
    one.end()
    assert len(Session(folder, train=PROGRAM).first("train")) == 1


def test_what_nobody_uses_is_thrown_away(folder: Path, tmp_path: Path) -> None:
    one = Session(folder, train=PROGRAM)
    one.first("train")
    one.end()
    (made,) = (tmp_path / "kept" / kept.FOLDER).iterdir()
    kept.tidy()
    assert made.exists()
    os.utime(made, (1, 1))
    kept.tidy()
    assert not made.exists()


def test_where_nothing_can_be_kept_all_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    for place in ("", str(folder / "file")):
        monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", place)
        one = Session(folder, train=PROGRAM)
        assert len(one.first("train")) == 1
        one.end()
        kept.tidy()
