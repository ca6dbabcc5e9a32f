"""Suppression, selection, severities, importers, failures and worker processes, with a made-up engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autograd_hazards import config as configuration
from autograd_hazards.config import Config
from autograd_hazards.findings import Finding
from autograd_hazards.workspace import Workspace
from tests.cli import fakes

Check = Callable[..., list[tuple[str, str, int]]]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def run(files: dict[str, str], only: list[str] | None = None, **table: object) -> list[tuple[str, str, int]]:
        findings = run_findings(tmp_path, files, only, **table)
        return [(f.code, Path(f.place.filename).name, f.place.row) for f in findings]

    return run


def run_findings(root: Path, files: dict[str, str], only: list[str] | None = None, **table: object) -> list[Finding]:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    config = configuration.from_table({key.replace("_", "-"): value for key, value in table.items()})
    workspace = Workspace(root, config, engine=fakes.engine, jobs=2)
    return workspace.check([root / name for name in only or files])


def test_findings_are_sorted_by_place(check: Check) -> None:
    files = {"b.py": "x  # finds AGH301\n", "a.py": "x  # finds AGH302\ny  # finds AGH301\n"}
    assert check(files) == [("AGH302", "a.py", 1), ("AGH301", "a.py", 2), ("AGH301", "b.py", 1)]


@pytest.mark.parametrize(
    "comment", ["# noqa", "# noqa: AGH301", "# noqa: E501, AGH301", "# autograd-hazards: ignore[AGH301]"]
)
def test_a_comment_on_the_line_suppresses(check: Check, comment: str) -> None:
    assert check({"a.py": f"x  # finds AGH301 {comment}\ny  # finds AGH301\n"}) == [("AGH301", "a.py", 2)]


def test_a_comment_on_the_last_line_of_the_statement_suppresses(check: Check) -> None:
    text = "f(\n    x,  # finds AGH301\n)  # noqa: AGH301\n"
    assert check({"a.py": text}) == []


def test_a_comment_on_another_statement_of_the_block_does_not_suppress(check: Check) -> None:
    text = "if x:\n    y  # finds AGH301\n    z  # noqa: AGH301\n"
    assert check({"a.py": text}) == [("AGH301", "a.py", 2), ("AGH001", "a.py", 3)]


def test_a_file_level_comment_suppresses_everywhere(check: Check) -> None:
    text = "# autograd-hazards: ignore-file[AGH301]\nx  # finds AGH301\ny  # finds AGH302\n"
    assert check({"a.py": text}) == [("AGH302", "a.py", 3)]


def test_an_unused_suppression_is_reported_with_the_codes(tmp_path: Path) -> None:
    (finding,) = run_findings(tmp_path, {"a.py": "x  # noqa: AGH301, AGH302  # finds AGH301\n"})
    assert (finding.code, finding.name, finding.place.row, finding.place.column) == (
        "AGH001",
        "unused-suppression",
        1,
        4,
    )
    assert "AGH302 is not found here" in finding.message


def test_a_plain_noqa_is_everybodys_and_never_reported(check: Check) -> None:
    assert check({"a.py": "x  # noqa\n"}) == []


def test_the_suppression_of_a_rule_that_did_not_run_is_not_reported(check: Check) -> None:
    assert check({"a.py": "x  # noqa: AGH301\n"}, ignore=["AGH3"]) == []


def test_a_syntax_error_is_a_finding_and_costs_nothing_else(check: Check) -> None:
    text = "x = 1  # finds AGH301\n\ndef f(:\n    pass\n"
    assert check({"a.py": text}) == [("AGH301", "a.py", 1), ("AGH002", "a.py", 3)]


def test_an_unreadable_file_is_a_finding(check: Check, tmp_path: Path) -> None:
    (tmp_path / "nul.py").write_bytes(b"x = 1\0")
    assert check({}, ["nul.py"]) == [("AGH002", "nul.py", 1)]


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        ({}, ["AGH201", "AGH301", "AGH302"]),
        ({"select": ["AGH3"]}, ["AGH301", "AGH302"]),
        ({"select": ["ALL"], "ignore": ["AGH3"]}, ["AGH201"]),
        ({"ignore": ["AGH3"], "extend-select": ["AGH302"]}, ["AGH201", "AGH302"]),
        ({"ignore": ["AGH301"], "extend-select": ["AGH3"]}, ["AGH201", "AGH302"]),
        ({"severity": {"AGH2": "off"}}, ["AGH301", "AGH302"]),
        ({"per-file-ignores": {"*.py": ["AGH3"]}}, ["AGH201"]),
        ({"per-file-ignores": {"sub/": ["AGH3"]}}, ["AGH201"]),
        ({"per-file-ignores": {"other/*.py": ["AGH3"]}}, ["AGH201", "AGH301", "AGH302"]),
    ],
)
def test_selection(tmp_path: Path, table: dict[str, object], codes: list[str]) -> None:
    text = "x  # finds AGH201\ny  # finds AGH301\nz  # finds AGH302\n"
    assert [f.code for f in run_findings(tmp_path, {"sub/a.py": text}, **table)] == codes


def test_severities_can_be_changed_by_prefix_and_code(tmp_path: Path) -> None:
    text = "x  # finds AGH301\ny  # finds AGH302\nz  # finds AGH201\n"
    severity = {"AGH3": "warning", "AGH302": "information"}
    findings = run_findings(tmp_path, {"a.py": text}, severity=severity)
    assert [f.severity for f in findings] == ["warning", "information", "error"]


def test_importers_are_analysed_and_their_own_findings_left_out(check: Check) -> None:
    files = {
        "helper.py": "def f():\n    x  # found-unless-called f AGH201\n",
        "train.py": "import helper\nhelper.f()  # calls helper.py::f\ny  # finds AGH301\n",
    }
    assert check(files, ["helper.py"]) == []
    assert check({}, ["train.py"]) == [("AGH301", "train.py", 3)]


def test_a_function_that_nobody_calls_is_an_entry(check: Check) -> None:
    assert check({"helper.py": "def f():\n    x  # found-unless-called f AGH201\n"}) == [("AGH201", "helper.py", 2)]


def test_the_same_finding_from_two_entries_is_reported_once(tmp_path: Path) -> None:
    root = tmp_path
    (root / "a.py").write_text("x  # finds AGH301\n")
    other = fakes.engine(Workspace(root, Config()).project, root / "a.py", frozenset(), None)
    (root / "b.py").write_text("")
    workspace = Workspace(root, Config(), engine=lambda *_: other)
    assert len(workspace.check([root / "a.py", root / "b.py"])) == 1


def test_a_defect_of_the_engine_costs_one_file(tmp_path: Path) -> None:
    findings = run_findings(tmp_path, {"a.py": "x  # raises\n", "b.py": "x  # finds AGH301\n"})
    assert [f.code for f in findings] == ["AGH002", "AGH301"]
    assert "ValueError: no good" in findings[0].message


def test_a_hang_in_this_process_costs_one_file(tmp_path: Path) -> None:
    before = time.monotonic()
    findings = run_findings(tmp_path, {"a.py": "x  # hangs\n", "b.py": "x  # finds AGH301\n"}, time_limit=0.2)
    assert time.monotonic() - before < 5
    assert [f.code for f in findings] == ["AGH002", "AGH301"]
    assert "longer than 0.2 s" in findings[0].message


def test_many_files_go_to_worker_processes_and_a_dying_one_costs_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    files = {f"f{i:02}.py": "x  # finds AGH301\n" for i in range(24)}
    files["f03.py"] = "x  # dies\n"
    files["f04.py"] = "x  # raises\n"
    files["f05.py"] = "x  # hangs\n"
    files["f06.py"] = "def f(:\n"
    seen: list[tuple[int, int]] = []
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    config = configuration.from_table({"time-limit": 0.5})
    workspace = Workspace(tmp_path, config, engine=fakes.engine, jobs=2)
    findings = workspace.check([tmp_path / name for name in files], lambda done, total: seen.append((done, total)))
    by_file = {Path(f.place.filename).name: f for f in findings}
    assert len(findings) == len(files)
    assert {name for name, f in by_file.items() if f.code == "AGH002"} == {"f03.py", "f04.py", "f05.py", "f06.py"}
    assert "exit status 3" in by_file["f03.py"].message
    assert "no good" in by_file["f04.py"].message
    assert "longer than 0.5 s" in by_file["f05.py"].message
    assert seen[-1] == (24, 24)


def test_text_in_the_overlay_stands_for_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    workspace = Workspace(tmp_path, Config(), overlay={tmp_path / "a.py": "x  # finds AGH301\n"}, engine=fakes.engine)
    assert [f.code for f in workspace.check([tmp_path / "a.py"])] == ["AGH301"]
