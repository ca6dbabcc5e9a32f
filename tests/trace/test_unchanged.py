"""A program does under the recorder what it does without: the same numbers to the last bit, output, errors, exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograd_hazards.witness.findings import find
from tests.rules.corpus import cases, negatives
from tests.trace.programs import FINGERPRINT, PROGRAMS
from tests.trace.watched import Watched

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    with Watched() as process:
        yield process


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_numbers(name: str, watched: Watched, tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text(FINGERPRINT + PROGRAMS[name], encoding="utf-8")
    plain = watched.run(main, tmp_path, watch=False)
    seen = watched.run(main, tmp_path)
    assert plain.code == 0, plain.err
    assert (seen.code, seen.out, seen.err) == (plain.code, plain.out, plain.err)
    assert seen.record["failures"] == []
    assert seen.record["backwards"] > 0
    assert find(seen.record) == []


LOUD = [case for case in cases() if case.loud and "cases" in case.file.parts]


@pytest.mark.parametrize("case", LOUD[::6], ids=lambda case: case.name)
def test_same_traceback(case, watched: Watched) -> None:  # type: ignore[no-untyped-def]
    plain = watched.run(case.bad.main, case.bad.root, watch=False)
    seen = watched.run(case.bad.main, case.bad.root)
    assert (seen.code, seen.out) == (plain.code, plain.out)
    assert _own(seen.err) == _own(plain.err)


def _own(text: str) -> list[str]:
    """A traceback from the program's own frames on; what called the program differs in the tests' process."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if ", in <module>" in line and "watched.py" not in line), 0)
    return lines[first:]


@pytest.mark.parametrize("program", negatives()[::9], ids=lambda program: program.name)
def test_same_output(program, watched: Watched) -> None:  # type: ignore[no-untyped-def]
    plain = watched.run(program.main, program.root, watch=False)
    seen = watched.run(program.main, program.root)
    assert (seen.code, seen.out, seen.err) == (plain.code, plain.out, plain.err)


ROOT = Path(__file__).resolve().parents[2]


def _run(arguments: list[str], cwd: Path, watch: bool = True) -> subprocess.CompletedProcess[str]:
    """The command itself, in its own process."""
    command = [sys.executable, "-m", "autograd_hazards", "run", "--python", sys.executable, "--output", "report.txt"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "server"), "LC_ALL": "C.UTF-8"}
    start = command if watch else [sys.executable]
    return subprocess.run([*start, *arguments], cwd=cwd, env=environ, capture_output=True, text=True, timeout=120)


ENDS = """
import sys
print(sys.argv, __name__, __file__ == sys.argv[0] or __file__.endswith(sys.argv[0]), sys.path[0])
print(sys.stdin.read())
how = sys.argv[1]
if how == "exit":
    sys.exit(3)
if how == "text":
    sys.exit("a last word")
if how == "raise":
    raise ValueError("no")
if how == "leave":
    import os
    sys.stdout.flush()
    os._exit(5)
if how == "kill":
    import os, signal
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.mark.parametrize("how", ["exit", "text", "raise", "leave", "kill", "well"])
def test_ends_of_programs(how: str, tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(ENDS, encoding="utf-8")
    plain = _run(["ends.py", how, "--lr", "1"], tmp_path, watch=False)
    seen = _run(["ends.py", how, "--lr", "1"], tmp_path)
    assert (seen.returncode, seen.stdout) == (plain.returncode, plain.stdout)
    note = "autograd-hazards: torch was not used, so nothing was observed\n"
    assert seen.stderr.replace(note, "") == plain.stderr
    assert how != "kill" or seen.returncode == -signal.SIGTERM


def test_modules_and_packages(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "__main__.py").write_text("import sys; print(sys.argv[1:], __package__, sys.path[0])", encoding="utf-8")
    for arguments in (["-m", "pack", "a", "b"], ["pack", "a"]):
        plain, seen = _run(arguments, tmp_path, watch=False), _run(arguments, tmp_path)
        assert (seen.returncode, seen.stdout) == (plain.returncode, plain.stdout), seen.stderr
