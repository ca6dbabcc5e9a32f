"""What ``--fix`` writes: whole files, in their encoding, with their rights; notebooks; and what it says."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from autograd_hazards import cli
from autograd_hazards.fixes.write import NotWritten, replace, write
from autograd_hazards.program.project import Project

BAD = "import torch\nfrom torch import nn\n\nnet = nn.Linear(2, 2)\ny = net(torch.ones(1, 2)).exp()\ny += 1\ny.sum().backward()\n"
GOOD = BAD.replace("y += 1", "y = y + 1")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> tuple[int, str]:
    out = io.StringIO()
    return cli.main(["check", "--no-cache", *arguments], out), out.getvalue()


@pytest.mark.parametrize(
    ("encoding", "head"),
    [("utf-8", ""), ("utf-8-sig", ""), ("gbk", "# coding: gbk\n# 中文\n"), ("latin-1", "# coding: latin-1\n# é\n")],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings_and_line_ends_stay(encoding: str, head: str, newline: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_bytes((head + BAD).replace("\n", newline).encode(encoding))
    file.chmod(0o750)
    status, shown = run("--fix", "bad.py")
    assert status == 0
    assert "bad.py:" in shown and "fixed AGH301: Write `y = y + …`" in shown
    assert "Fixed 1 finding in 1 file, left 0.\n" in shown
    assert file.read_bytes() == (head + GOOD).replace("\n", newline).encode(encoding)
    assert file.stat().st_mode & 0o777 == 0o750
    assert [path.name for path in tmp_path.iterdir()] == ["bad.py"]


def test_unsafe_fixes_wait_to_be_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    text = (
        "import torch\nfrom torch import nn\n\ncell = nn.Linear(2, 2)\nh = torch.zeros(1, 2)\n"
        "for i in range(3):\n    h = cell(h).tanh()\n    h.sum().backward()\n"
    )
    file.write_text(text)
    status, shown = run("--fix", "bad.py")
    assert status == 1
    assert "left AGH103: its fix changes what is trained; apply it with --unsafe-fixes" in shown
    assert file.read_text() == text
    status, shown = run("--fix", "--unsafe-fixes", "bad.py")
    assert status == 0
    assert file.read_text() == text + "    h = h.detach()\n"


def test_diff_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    status, shown = run("--diff", "bad.py")
    assert status == 1
    assert shown.startswith("--- a/bad.py\n+++ b/bad.py\n")
    assert "\n-y += 1\n+y = y + 1\n" in shown
    assert "Fixed 1 finding" in capsys.readouterr().err
    assert file.read_text() == BAD
    file.write_text(GOOD)
    assert run("--diff", "bad.py") == (0, "")


def test_standard_input_comes_back_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    assert run("--fix", "-") == (0, GOOD)


def test_fixes_in_reports(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    found = json.loads(run("--with-fixes", "--output-format", "json", "bad.py")[1])
    fix = found[0]["fixes"][0]
    assert fix["applicability"] == "safe"
    assert {edit["location"]["row"] for edit in fix["edits"]} == {6}
    assert "fix: Write `y = y + …`" in run("--with-fixes", "bad.py")[1]
    assert json.loads(run("--output-format", "json", "bad.py")[1])[0]["fixes"] == []


def test_suppressed_findings_are_not_mended(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    text = BAD.replace("y += 1", "y += 1  # noqa: AGH301")
    file.write_text(text)
    assert run("--fix", "bad.py")[0] == 0
    assert file.read_text() == text


@pytest.mark.parametrize("indent", [1, None])
def test_notebooks_keep_outputs_and_metadata(indent: int | None, tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# 标题\n", "text"]},
        {"cell_type": "code", "execution_count": 3, "metadata": {"tags": ["a"]}, "outputs": [{"output_type": "stream", "text": ["é"]}],
         "source": ["%matplotlib inline\n", "import torch\n", "from torch import nn\n", "net = nn.Linear(2, 2)"]},
        {"cell_type": "code", "execution_count": 4, "metadata": {}, "outputs": [],
         "source": ["y = net(torch.ones(1, 2)).exp()\n", "y += 1  # 加\n", "y.sum().backward()"]},
    ]  # fmt: skip
    document = {"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}
    file = tmp_path / "a.ipynb"
    text = json.dumps(document, indent=indent, ensure_ascii=False) + "\n"
    file.write_text(text, encoding="utf-8")
    status, shown = run("--fix", "a.ipynb")
    assert status == 0
    assert "a.ipynb:cell 3:2: fixed AGH301" in shown
    assert file.read_text(encoding="utf-8") == text.replace("y += 1", "y = y + 1")


NOTEBOOK = """{"nbformat": 4,   "metadata": {"x": 1E5, "y": 1.0, "url": "a\\/b", "中": "\\u4e2d"},
 "cells": [
  {"cell_type": "code", "outputs": [{"data": {"text/plain": ["1e-05"]}, "extra": [ ]}], "source":
     ["import torch\\n",   "from torch import nn\\n", "net = nn.Linear(2, 2)  # \\u597d"] },
  {"source": "y = net(torch.ones(1, 2)).exp()\\ny += 1  # \\ud83d\\ude42\\ny.sum().backward()\\n", "cell_type": "code" }
 ], "nbformat_minor": 5 }"""


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_notebook_keeps_its_form_to_the_character(end: str, newline: str, tmp_path: Path) -> None:
    text = NOTEBOOK.replace("\n", newline) + end
    (tmp_path / "a.ipynb").write_bytes(text.encode())
    assert run("--fix", "a.ipynb")[0] == 0
    mended = (tmp_path / "a.ipynb").read_bytes().decode()
    before, _, after = text.partition('"y = net(torch')
    assert mended.startswith(before)
    assert mended.endswith(after.partition('backward()\\n"')[2])
    cell = json.loads(mended)["cells"][1]["source"]
    assert cell == "y = net(torch.ones(1, 2)).exp()\ny = y + 1  # 🙂\ny.sum().backward()\n"


@pytest.mark.parametrize("form", [{"indent": 1}, {"indent": "\t"}, {"indent": 4}, {"separators": (",", ":")}, {}])
def test_lines_come_and_go_in_the_layout_of_the_list(form: dict[str, Any], tmp_path: Path) -> None:
    source = ["import torch\n", "p = torch.nn.Parameter(torch.ones(2))\n", "p.mul_(2)\n", "p.sum().backward()"]
    document = {"cells": [{"cell_type": "code", "source": source, "outputs": []}], "metadata": {}, "nbformat": 4}
    text = json.dumps(document, **form)
    (tmp_path / "a.ipynb").write_text(text)
    assert run("--fix", "a.ipynb")[0] == 0
    document["cells"][0]["source"] = [*source[:2], "with torch.no_grad():\n", "    p.mul_(2)\n", source[3]]  # type: ignore[index]
    assert (tmp_path / "a.ipynb").read_text() == json.dumps(document, **form)


@pytest.mark.parametrize("call", range(6))
def test_whatever_fails_while_writing_the_file_is_whole(
    call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first, second, … call to the system fails: the old content stays, and nothing is left beside it."""
    file = tmp_path / "a.py"
    file.write_text("old\n")
    count = iter(range(100))

    def failing(name: str) -> None:
        known = getattr(os, name)

        def fail(*arguments: Any, **keywords: Any) -> Any:
            if next(count) == call:
                raise OSError(28, "No space left on device")
            return known(*arguments, **keywords)

        monkeypatch.setattr(os, name, fail)

    for name in ("open", "fdopen", "fsync", "chmod", "replace", "stat"):
        failing(name)
    try:
        replace(file, b"new\n")
    except OSError:
        monkeypatch.undo()
        assert file.read_text() == "old\n"
    else:
        monkeypatch.undo()
        assert file.read_text() == "new\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


def test_a_file_that_changed_meanwhile_is_left(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("old\n")
    project = Project([tmp_path])
    assert project.module_at(file).text == "old\n"
    file.write_text("newer\n")
    with pytest.raises(NotWritten, match="has changed"):
        write(project, file, "mended\n")
    assert file.read_text() == "newer\n"


def test_what_the_encoding_cannot_hold_is_left(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"# coding: latin-1\nx = 1\n")
    with pytest.raises(NotWritten, match="cannot be written"):
        write(Project([tmp_path]), file, "# coding: latin-1\nx = '中'\n")
    assert file.read_bytes() == b"# coding: latin-1\nx = 1\n"


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("old\n")
    (tmp_path / "link.py").symlink_to("real.py")
    write(Project([tmp_path]), tmp_path / "link.py", "new\n")
    assert (tmp_path / "real.py").read_text() == "new\n"
    assert (tmp_path / "link.py").is_symlink()


def test_a_write_protected_file_is_left(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("old\n")
    file.chmod(0o444)
    with pytest.raises(OSError, match="write-protected"):
        replace(file, b"new\n")
    assert file.read_text() == "old\n"


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_moment_no_file_is_broken(seed: int, tmp_path: Path) -> None:
    names = [f"m{number}.py" for number in range(24)]
    for name in names:
        (tmp_path / name).write_text(BAD)
    command = [sys.executable, "-m", "autograd_hazards", "check", "--fix", "--no-cache", "--jobs", "1", "."]
    environ = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if any((tmp_path / name).read_text() == GOOD for name in names):
            break
        time.sleep(0.001)
    time.sleep(random.Random(seed).random() * 0.04)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert {(tmp_path / name).read_text() for name in names} <= {BAD, GOOD}
    # What the process left unfinished is hidden, and no file of Python's.
    assert all(
        path.name in names or (path.name.startswith(".m") and path.suffix == ".tmp") for path in tmp_path.iterdir()
    )
