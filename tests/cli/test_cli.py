"""The command line as its users meet it: exit codes, formats, standard input, mistakes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograd_hazards import cli, engine
from tests.cli import fakes

HAZARD = "x = 1  # finds AGH301\n"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "analyse", fakes.engine)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")


def run(*arguments: str) -> tuple[int, str]:
    out = io.StringIO()
    return cli.main(arguments, out), out.getvalue()


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")
    assert run("check", "clean.py") == (0, "No hazards found in 1 file.\n")
    (tmp_path / "bad.py").write_text(HAZARD)
    assert run("check", "bad.py")[0] == 1
    assert run("check", "--exit-zero", "bad.py")[0] == 0
    assert run("check")[0] == 1


def test_the_text_report_shows_the_code(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(HAZARD)
    _, shown = run("check", "--statistics", "bad.py")
    assert shown == (
        "bad.py:1:1: error[AGH301] made-up: Something is wrong (AGH301).\n"
        "  │\n"
        "1 │ x = 1  # finds AGH301\n"
        "  │ ^^^^^\n"
        "  │\n"
        "\n"
        "Found 1 error in 1 of 1 file.\n"
        "1  AGH301  made-up\n"
    ).replace("│", "|")


@pytest.mark.parametrize("kind", ["json", "github", "sarif"])
def test_machine_readable_formats_are_nothing_but_themselves(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text(HAZARD)
    status, shown = run("check", "--output-format", kind, "--statistics", "bad.py")
    assert status == 1
    assert "AGH301" in shown
    if kind == "github":
        assert shown.startswith("::error ") and shown.count("\n") == 1
    else:
        assert json.loads(shown)
    assert "1  AGH301  made-up" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "missing.py"], "missing.py: no such file or folder"),
        (["check", "--config", "none.toml"], "none.toml: no such configuration file"),
        (["check", "--select", "E501"], "'E501' is no rule code"),
        (["check", "--select", "AGH999"], "no rule has the code AGH999"),
        (["check", "--torch-version", "latest"], "must be a version of torch"),
        (["check", "--output-format", "xml"], "invalid choice: 'xml'"),
        (["check", "--jobs", "0"], "'0' is no number of processes"),
        (["check", "--unsafe-fixes"], "--unsafe-fixes goes with --fix or --diff"),
        (["check", "--fix", "--watch"], "--watch does not go with --fix"),
        (["check", "--diff", "--output-format", "json"], "work with the text format only"),
        (["check", "--watch", "-"], "--watch works with files"),
        (["check", "-", "a.py"], "cannot be combined with other paths"),
        (["check", "--stdin-filename", "a.py"], "give - as the path"),
        (["explain", "trace.txt"], "trace.txt: No such file or directory"),
        (["run", "train.py", "--lr", "1"], "train.py: no such file or folder"),
        (["server", "--tcp", "nowhere"], "is no address"),
        (["rule", "AGH999"], "there is no rule 'AGH999'"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
    ],
)
def test_mistakes_exit_with_2_and_say_what_is_wrong(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == (2, "")
    assert message in capsys.readouterr().err


def test_a_broken_configuration_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "autograd-hazards.toml").write_text("selekt = []\n")
    assert run("check") == (2, "")
    assert "did you mean 'select'" in capsys.readouterr().err


def test_selection_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x  # finds AGH301 AGH302 AGH201\n")
    codes = lambda *options: [f["code"] for f in json.loads(run("check", "--output-format=json", *options)[1])]  # noqa: E731
    assert codes("--select", "AGH3") == ["AGH301", "AGH302"]
    assert codes("--select", "AGH301,AGH201") == ["AGH201", "AGH301"]
    assert codes("--ignore", "AGH301", "--ignore", "AGH302") == ["AGH201"]


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"\xef\xbb\xbfx = 1\r\ny = 2  # finds AGH301\r\n")
    status, shown = run("check", "--output-format", "json", "-", "--stdin-filename", "pkg/train.py")
    assert status == 1
    (found,) = json.loads(shown)
    assert (found["filename"], found["location"]) == (str(tmp_path / "pkg" / "train.py"), {"row": 2, "column": 1})
    assert not (tmp_path / ".autograd_hazards_cache").exists()


def test_per_file_settings_apply_to_the_name_of_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "autograd-hazards.toml").write_text('[per-file-ignores]\n"train.py" = ["AGH3"]\n')
    feed(monkeypatch, HAZARD.encode())
    assert run("check", "-", "--stdin-filename", "train.py")[0] == 0


def test_the_cache_is_used_unless_told_not_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.py").write_text(HAZARD)
    monkeypatch.setenv(fakes.RUNS, str(tmp_path / "runs.log"))
    assert [run("check", "bad.py")[0] for _ in range(2)] == [1, 1]
    assert (tmp_path / "runs.log").read_text() == "bad.py\n"
    run("check", "--no-cache", "bad.py")
    assert (tmp_path / "runs.log").read_text() == "bad.py\nbad.py\n"


def test_a_notebook_is_reported_by_cell(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n"]},
        {"cell_type": "code", "source": ["import torch\n", "x = 1"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "y = 2  # finds AGH301\n"]},
    ]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    _, shown = run("check", "n.ipynb")
    assert shown.startswith("n.ipynb:cell 3:2:1: error[AGH301]")
    assert "1 | pass  # %matplotlib inline\n2 | y = 2  # finds AGH301\n" in shown
    (found,) = json.loads(run("check", "--output-format", "json", "n.ipynb")[1])
    assert (Path(found["filename"]).name, found["cell"], found["location"]["row"]) == ("n.ipynb", 3, 2)


def test_the_rows_of_a_broken_cell_count_within_it(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "source": ["import torch\n", "y = 2  # finds AGH301\n"]},
        {"cell_type": "code", "source": ["x = 1\n", "print(\n"]},
    ]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    _, shown = run("check", "n.ipynb")
    assert "n.ipynb:cell 2:2:6: warning[AGH002] unreadable-source: Syntax error, so line 2 is not analysed" in shown
    assert "in 1 of 1 file." in shown


def test_rule_lists_and_prints_pages() -> None:
    status, listed = run("rule")
    assert status == 0
    assert "AGH301  saved-tensor-modified\n" in listed
    status, page = run("rule", "agh301")
    assert status == 0
    assert page.startswith("# AGH301 saved-tensor-modified\n\n")
    assert run("rule", "saved-tensor-modified") == (0, page)


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version")[0] == 0
    assert run("check", "--help")[0] == 0
    shown = capsys.readouterr().out
    assert "autograd-hazards 0." in shown
    for option in (
        "--select",
        "--ignore",
        "--output-format",
        "--fix",
        "--unsafe-fixes",
        "--diff",
        "--exit-zero",
        "--with-fixes",
    ):
        assert option in shown
    for option in ("--no-cache", "--config", "--torch-version", "--statistics", "--watch", "--stdin-filename"):
        assert option in shown


def start(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "autograd_hazards", *arguments]
    package = str(Path(cli.__file__).parents[1])
    environ = {**os.environ, "PYTHONPATH": package}
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload,no-any-return]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    for i in range(5):
        (tmp_path / f"bad{i}.py").write_text("def f(:\n" * 3000)
    process = start("check", cwd=tmp_path)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 1


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_a_watch_quietly(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")
    # What runs in the background of a shell ignores Ctrl-C, and so would its children.
    process = start("check", "--watch", cwd=tmp_path, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"No hazards found in 1 file.\n"
    assert process.stdout.readline().startswith(b"Watching")
    (tmp_path / "clean.py").write_text("def f(:\n")
    assert b"AGH002" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    assert process.wait(10) == 130
    assert time.monotonic() - started < 5
    assert process.stderr.read() == b"interrupted\n"


def test_torch_is_never_imported(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nx = torch.ones(1)\n")
    code = (
        "import sys; from autograd_hazards.cli import main; main(['check', 'a.py']); "
        "print(sorted(m for m in sys.modules if m in ('torch', 'numpy', 'rich', 'pygls', 'pathspec')))"
    )
    package = str(Path(cli.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
    )
    assert done.stdout.endswith("[]\n"), done.stdout + done.stderr
