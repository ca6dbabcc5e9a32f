"""How fast ``check`` is, beside its yardsticks, in one run on one machine.

All figures are CPU seconds (user and system, children included), medians over rounds in which the competitors take
turns, so that a busy machine slows all of them alike. Prints Markdown tables; ``--json FILE`` writes the numbers too.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "server"))

from bench import programs  # noqa: E402 - runs from a checkout without being installed

LENGTHS = (250, 500, 1000, 2000, 4000, 8000)
DEPTHS = (5, 10, 20, 40, 80)
PARSE = "import ast,sys\nfor name in sys.argv[1:]:\n    ast.parse(open(name, encoding='utf-8').read())\n"

CACHED_BYTECODE = Path(tempfile.gettempdir()) / "autograd-hazards-bench-pycache"

Numbers = dict[str, Any]


def child_cpu(command: Sequence[str], cwd: Path) -> float:
    """The CPU seconds that a command and its children take. Raises if it fails otherwise than by finding things."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    # Compiling the tool anew in every run is no user's case: an installed package comes compiled.
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    environ["PYTHONPYCACHEPREFIX"] = str(CACHED_BYTECODE)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)[:200]} failed: {done.stderr.decode(errors='replace')[-2000:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def medians(commands: Mapping[str, Sequence[str]], cwd: Path, rounds: int) -> dict[str, float]:
    """The median CPU seconds of each command, run in turns."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(child_cpu(command, cwd))
    return {name: statistics.median(values) for name, values in times.items()}


def check_command(*options: str) -> list[str]:
    """The command line of ``check`` in this interpreter, in one process."""
    return [sys.executable, "-m", "autograd_hazards", "check", "--exit-zero", "--jobs", "1", *options]


def throughput(folder: Path, rounds: int) -> Numbers:
    """Lines per CPU second over torch/nn and torch/optim, and the effect of the cache."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise SystemExit("bench: torch must be installed, its source is what is read")
    torch = Path(spec.origin).parent
    for part in ("nn", "optim"):
        shutil.copytree(torch / part, folder / "torch" / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))
    lines = sum(len((folder / name).read_bytes().splitlines()) for name in files)
    commands: dict[str, Sequence[str]] = {
        "check --no-cache": check_command("--no-cache", "torch"),
        "ast.parse": [sys.executable, "-c", PARSE, *files],
    }
    ruff = shutil.which("ruff", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if ruff:
        commands["ruff check"] = [ruff, "check", "--no-cache", "--isolated", "--quiet", "torch"]
    cpu = medians(commands, folder, rounds)
    child_cpu(check_command("torch"), folder)
    cpu["check, cached"] = medians({"cached": check_command("torch")}, folder, max(rounds, 3))["cached"]
    return {"files": len(files), "lines": lines, "cpu": cpu}


def small_file(folder: Path, rounds: int) -> Numbers:
    """The CPU of ``check`` on one small file beside that of an interpreter that does nothing."""
    (folder / "small.py").write_text(programs.of_length(60), encoding="utf-8")
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "check --no-cache small.py": check_command("--no-cache", "small.py"),
    }
    cpu = medians(commands, folder, rounds)
    child_cpu(check_command("small.py"), folder)
    cpu["check small.py, cached"] = medians({"cached": check_command("small.py")}, folder, rounds)["cached"]
    return {"cpu": cpu}


def timed(work: Callable[[], object], rounds: int) -> float:
    """The median CPU seconds of a call in this process."""
    times = []
    for _ in range(rounds):
        before = time.process_time()
        work()
        times.append(time.process_time() - before)
    return statistics.median(times)


def analysis(text: str, folder: Path, rounds: int) -> tuple[float, float]:
    """CPU seconds of a whole analysis of ``text`` in a warm process, and of ``ast.parse`` on it."""
    from autograd_hazards.config import Config
    from autograd_hazards.workspace import Workspace

    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")

    def work() -> None:
        Workspace(folder, Config(), scan_importers=False).check([path])

    work()
    return timed(work, rounds), timed(lambda: ast.parse(text), rounds * 3)


def scaling(folder: Path, rounds: int) -> Numbers:
    """The cost of generated programs by length and by call depth."""
    rows: Numbers = {"length": [], "depth": []}
    for kind, sizes, make in (("length", LENGTHS, programs.of_length), ("depth", DEPTHS, programs.of_depth)):
        for size in sizes:
            text = make(size)
            spent, parsing = analysis(text, folder, rounds)
            rows[kind].append({"size": size, "lines": text.count("\n"), "analysis": spent, "parse": parsing})
    return rows


def markdown(numbers: Numbers) -> str:
    """The tables for people."""
    big, small = numbers["throughput"], numbers["small"]
    out = [f"## torch/nn + torch/optim: {big['files']} files, {big['lines']:,} lines", ""]
    out += ["| what | CPU s | lines per CPU s | x check |", "|---|---|---|---|"]
    own = big["cpu"]["check --no-cache"]
    for name, cpu in sorted(big["cpu"].items(), key=lambda item: -item[1]):
        out.append(f"| {name} | {cpu:.2f} | {big['lines'] / cpu:,.0f} | {own / cpu:.1f} |")
    out += ["", "## One small file", "", "| what | CPU ms | x python -c pass |", "|---|---|---|"]
    nothing = small["cpu"]["python -c pass"]
    for name, cpu in small["cpu"].items():
        out.append(f"| {name} | {cpu * 1000:.0f} | {cpu / nothing:.1f} |")
    for kind, title in (("length", "Length of the program"), ("depth", "Depth of calls")):
        out += [
            "",
            f"## {title}",
            "",
            f"| {kind} | lines | analysis ms | ms per {kind} | x ast.parse |",
            "|---|---|---|---|---|",
        ]
        for row in numbers["scaling"][kind]:
            per = row["analysis"] * 1000 / row["size"]
            ratio = row["analysis"] / row["parse"]
            out.append(f"| {row['size']} | {row['lines']} | {row['analysis'] * 1000:.1f} | {per:.3f} | {ratio:.1f} |")
    return "\n".join(out) + "\n"


def main() -> int:
    """Measure everything once and print it."""
    parser = argparse.ArgumentParser(description="How fast `check` is, beside its yardsticks.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds per figure (default: 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    options = parser.parse_args()
    numbers: Numbers = {"python": sys.version.split()[0], "rounds": options.rounds}
    for name, measure in (("throughput", throughput), ("small", small_file), ("scaling", scaling)):
        with tempfile.TemporaryDirectory() as folder:
            numbers[name] = measure(Path(folder), options.rounds)
    print(markdown(numbers), end="")
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
