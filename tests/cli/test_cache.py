"""What the on-disk cache keeps, and when it lets go."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from autograd_hazards import config as configuration
from autograd_hazards.cache import FOLDER
from autograd_hazards.workspace import Workspace
from tests.cli import fakes

Check = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks files and returns the codes found and the files that were really analysed."""
    log = tmp_path / "runs.log"
    monkeypatch.setenv(fakes.RUNS, str(log))
    root = tmp_path / "project"
    root.mkdir()

    def run(files: dict[str, str], only: list[str] | None = None, **table: object) -> tuple[list[str], list[str]]:
        log.write_text("")
        for name, text in files.items():
            (root / name).write_text(text)
        config = configuration.from_table({key.replace("_", "-"): value for key, value in table.items()})
        names = only or sorted(path.name for path in root.glob("*.py"))
        workspace = Workspace(root, config, cache=True, engine=fakes.engine)
        codes = [finding.code for finding in workspace.check([root / name for name in names])]
        return codes, log.read_text().split()

    return run


PAIR = {"a.py": "import b\nx  # finds AGH301\n", "b.py": "x  # finds AGH302\n", "c.py": "x\n"}


def test_the_second_run_analyses_nothing_and_finds_the_same(check: Check) -> None:
    assert check(PAIR) == (["AGH301", "AGH302"], ["a.py", "b.py", "c.py"])
    assert check({}) == (["AGH301", "AGH302"], [])


def test_a_change_reaches_the_file_and_those_that_import_it(check: Check) -> None:
    check(PAIR)
    assert check({"b.py": "x  # finds AGH303\n"}) == (["AGH301", "AGH303"], ["a.py", "b.py"])
    assert check({}) == (["AGH301", "AGH303"], [])


def test_a_change_of_a_file_that_was_analysed_alone_reaches_later_importers(check: Check) -> None:
    check(PAIR)
    check({"b.py": "y  # finds AGH304\n"}, ["b.py"])
    assert check({}) == (["AGH301", "AGH304"], [])


def test_a_new_file_that_an_import_now_means_counts(check: Check) -> None:
    check({"a.py": "import later\n"})
    assert check({"later.py": "x\n"}) == ([], ["a.py", "later.py"])


def test_settings_that_change_results_count_and_selection_does_not(check: Check) -> None:
    check(PAIR)
    assert check({}, select=["AGH302"]) == (["AGH302"], [])
    assert check({}, torch_version="2.1")[1] == ["a.py", "b.py", "c.py"]


def test_syntax_errors_are_remembered(check: Check) -> None:
    assert check({"a.py": "def f(:\n"}) == (["AGH002"], ["a.py"])
    assert check({}) == (["AGH002"], [])


def test_what_failed_is_tried_again(check: Check) -> None:
    assert check({"a.py": "x  # raises\n"}) == (["AGH002"], ["a.py"])
    assert check({}) == (["AGH002"], ["a.py"])


def test_functions_called_from_elsewhere_are_remembered(check: Check) -> None:
    files = {
        "helper.py": "def f():\n    x  # found-unless-called f AGH201\n",
        "train.py": "import helper\nhelper.f()  # calls helper.py::f\n",
    }
    assert check(files) == ([], ["helper.py", "train.py", "helper.py"])
    assert check({}) == ([], [])
    assert check({"train.py": "import helper\n"}) == (["AGH201"], ["train.py"])


@pytest.mark.parametrize("rubbish", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"context": 1}', b"[" * 100_000])
def test_corrupt_records_are_ignored(check: Check, tmp_path: Path, rubbish: bytes) -> None:
    check(PAIR)
    for record in (tmp_path / "project" / FOLDER).glob("*.json"):
        record.write_bytes(rubbish)
    assert check({}) == (["AGH301", "AGH302"], ["a.py", "b.py", "c.py"])
    assert check({}) == (["AGH301", "AGH302"], [])


def test_records_with_parts_of_the_wrong_kind_are_ignored(check: Check, tmp_path: Path) -> None:
    check(PAIR)
    for record in (tmp_path / "project" / FOLDER).glob("*.json"):
        data = json.loads(record.read_bytes())
        data["units"] = {"": {"called": [], "findings": [["AGH301"]]}}
        record.write_text(json.dumps(data))
    assert check({}) == (["AGH301", "AGH302"], ["a.py", "b.py", "c.py"])


def test_the_folder_keeps_itself_out_of_version_control(check: Check, tmp_path: Path) -> None:
    check(PAIR)
    assert (tmp_path / "project" / FOLDER / ".gitignore").read_text() == "*\n"


def test_a_folder_that_cannot_be_made_costs_only_time(check: Check, tmp_path: Path) -> None:
    (tmp_path / "project" / FOLDER).write_text("in the way")
    assert check(PAIR) == (["AGH301", "AGH302"], ["a.py", "b.py", "c.py"])
