"""No crash, no hang, bounded memory: every file of whole trees, and mutated files, through the machine and the rules.

    python bench/robustness.py tree [PATH ...]       every .py file below each path, one project per path
    python bench/robustness.py mutate [PATH ...]     mutated files, each a project of its own
    python bench/robustness.py calls                 every modelled function, class and method, called oddly
    python bench/robustness.py growth                cost over file length and call depth of generated programs

Without paths ``tree`` takes the standard library and the installed torch and numpy, and ``mutate`` the cases
of the tests, torch/nn, torch/optim and part of the standard library. A file fails when anything raises, when the
machine reports a defect of its own, when it takes more than ``--seconds`` of CPU, or when the process dies over it.
The work is done by a child process, which a new one replaces when it dies or hangs. Exit code 1: something failed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import resource
import subprocess
import sys
import sysconfig
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from bench.mutations import mutate  # noqa: E402
from bench.odd_calls import programs  # noqa: E402


# -- the child: analyses one file per line of its input, and answers with one line -------------------------------------
def analyse_file(project: Any, path: Path, limits: Any) -> dict[str, Any]:
    """Analyse one file; what it cost and what went wrong, as JSON can hold it."""
    from autograd_hazards import rules
    from autograd_hazards.machine import analyse

    began = time.process_time()
    answer: dict[str, Any] = {"defects": [], "findings": 0, "lines": 0, "error": ""}
    try:
        analysis = analyse(project, [path], limits)
        answer["findings"] = len(rules.find(analysis))
        answer["defects"] = analysis.defects
        answer["lines"] = project.module_at(path).text.count("\n") + 1
    except Exception as error:  # noqa: BLE001 - what this program is there to find
        where = traceback.extract_tb(error.__traceback__)[-1]
        answer["error"] = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
    answer["seconds"] = time.process_time() - began
    answer["rss"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    answer["now"] = _resident()
    return answer


def _resident() -> int:
    """Megabytes of memory in use now (on Linux; 0 elsewhere)."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20
    except OSError:
        return 0


def serve(total: float, memory: int) -> None:
    """Answer tasks until the input ends. ``memory`` megabytes are the most that this process may take."""
    from autograd_hazards.machine import Limits
    from autograd_hazards.program.project import Project

    resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))
    limits = Limits(total=total)
    projects: dict[str, Project] = {}
    for line in sys.stdin:
        task = json.loads(line)
        path = Path(task["path"])
        if "text" in task:
            project = Project([path.parent], {path: task["text"]})
        else:
            project = projects.setdefault(task["root"], Project([Path(task["root"])]))
        print(json.dumps(analyse_file(project, path, limits)), flush=True)


class Worker:
    """The child process, started anew after it died or was stopped."""

    def __init__(self, total: float, memory: int, patience: float) -> None:
        self.arguments = [sys.executable, __file__, "serve", "--total", str(total), "--memory", str(memory)]
        self.patience = patience
        self.process: subprocess.Popen[str] | None = None

    def ask(self, task: dict[str, Any]) -> dict[str, Any]:
        """The child's answer, or what became of it."""
        import select

        if self.process is None:
            self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        ready = select.select([self.process.stdout], [], [], self.patience)[0]
        line = self.process.stdout.readline() if ready else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        if not ready:
            self.process.kill()
        code = self.process.wait()
        self.process = None
        error = f"no answer in {self.patience:g} s" if not ready else f"the process died ({code})"
        return {"defects": [], "findings": 0, "lines": 0, "error": error, "seconds": 0.0, "rss": 0, "now": 0}

    def close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            self.process.wait()


# -- what to analyse ---------------------------------------------------------------------------------------------------
def installed(name: str) -> list[Path]:
    spec = importlib.util.find_spec(name)
    return [Path(spec.submodule_search_locations[0])] if spec and spec.submodule_search_locations else []


def default_trees() -> list[Path]:
    return [
        Path(sysconfig.get_path("stdlib")),
        *(path for name in ("torch", "numpy") for path in installed(name)),
    ]


def tree_tasks(trees: Sequence[Path], every: int, start: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for tree in trees:
        files = sorted(p for p in tree.rglob("*.py") if "site-packages" not in p.relative_to(tree).parts)
        root = tree.parent if (tree / "__init__.py").exists() else tree
        for path in files[start::every]:
            yield f"{path.relative_to(tree.parent)}", {"root": str(root), "path": str(path)}


def seeds(paths: Sequence[Path]) -> list[Path]:
    """The files that are mutated; big ones left out, so that the time goes into variety."""
    if not paths:
        cases = [ROOT / "tests" / "rules", ROOT / "examples", ROOT / "tests" / "machine" / "data"]
        torch = [
            path / inner for path in installed("torch") for inner in ("nn", "optim", "utils/data", "distributions")
        ]
        paths = [
            *cases,
            *torch,
            Path(sysconfig.get_path("stdlib")) / "collections",
            Path(sysconfig.get_path("stdlib")) / "asyncio",
        ]
    found = {p for path in paths for p in ([path] if path.is_file() else path.rglob("*.py"))}
    return sorted(p for p in found if p.stat().st_size < 20_000)


def mutants(paths: Sequence[Path], count: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    texts = [
        (path.name if path.name != "bad.py" else path.parent.name, path.read_text("utf-8", "replace"))
        for path in seeds(paths)
    ]
    for n in range(seed, seed + count):
        rng = random.Random(n)
        name, text = rng.choice(texts)
        others = [rng.choice(texts)[1] for _ in range(2)]
        mutated, changes = mutate(text, rng, others)
        yield f"{n} {name} {'+'.join(changes)}", {"path": f"/mutants/m{n}.py", "text": mutated}


def odd_calls(count: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, text in programs(seed, count):
        yield name, {"path": "/calls/program.py", "text": text}


# -- the report --------------------------------------------------------------------------------------------------------
def survey(tasks: Iterator[tuple[str, dict[str, Any]]], options: argparse.Namespace) -> int:
    """Run all tasks and print what failed, the slowest files and how memory went; the number of failures."""
    worker = Worker(options.total, options.memory, options.seconds * 40)
    failures: Counter[str] = Counter()
    first: dict[str, str] = {}
    slow: list[tuple[float, str]] = []
    resident: list[int] = []
    files = lines = findings = late = 0
    cpu = 0.0
    log = open(options.log, "a", encoding="utf-8") if options.log else None  # noqa: SIM115 - open for the whole run
    for name, task in tasks:
        answer = worker.ask(task)
        files += 1
        lines += answer["lines"]
        findings += answer["findings"]
        cpu += answer["seconds"]
        slow.append((answer["seconds"], name))
        resident.append(answer["now"])
        for trouble in [*answer["defects"], *([answer["error"]] if answer["error"] else [])]:
            failures[trouble] += 1
            if trouble not in first:
                first[trouble] = name
                print(f"FAIL {name}: {trouble}", flush=True)
        if answer["seconds"] > options.seconds:
            late += 1
            print(f"SLOW {name}: {answer['seconds']:.1f} s", flush=True)
        if log is not None:
            log.write(json.dumps({"name": name, **answer}) + "\n")
            log.flush()
        if files % options.every_report == 0:
            failed = sum(failures.values())
            print(f"  {files} files, {lines} lines, {cpu:.0f} s CPU, {answer['now']} MB, {failed} failures", flush=True)
    worker.close()
    slow.sort(reverse=True)
    now, most = (resident[-1], max(resident)) if resident else (0, 0)
    print(f"{files} files, {lines} lines, {findings} findings, {cpu:.1f} s CPU; memory now {now} MB, most {most} MB")
    print(f"{sum(failures.values())} failures of {len(failures)} kinds; {late} files over {options.seconds:g} s")
    for trouble, count in failures.most_common():
        print(f"  {count:5} {trouble}   first: {first[trouble]}")
    for seconds, name in slow[:10]:
        print(f"  {seconds:6.2f} s  {name}")
    return sum(failures.values()) + late


# -- growth ------------------------------------------------------------------------------------------------------------
def long_file(functions: int) -> str:
    """Training functions one after the other, each called once at the end: about 12 lines a function."""
    body = [
        f"def train{i}(model, optimizer, x, y):\n"
        "    for epoch in range(3):\n"
        "        optimizer.zero_grad()\n"
        "        out = model(x)\n"
        "        loss = ((out - y) ** 2).mean()\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "    return loss.item()\n\n"
        for i in range(functions)
    ]
    calls = [f"print(train{i}(model, optimizer, x, y))\n" for i in range(functions)]
    head = (
        "import torch\nmodel = torch.nn.Linear(4, 2)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "x, y = torch.ones(8, 4), torch.ones(8, 2)\n\n"
    )
    return head + "".join(body) + "".join(calls)


def long_script(statements: int) -> str:
    """One straight script of operations on tensors."""
    head = "import torch\nw = torch.ones(3, requires_grad=True)\nx = w * 2\n"
    return head + "".join(f"x = x * w + {i}\n" for i in range(statements)) + "x.sum().backward()\n"


def uncalled_file(functions: int) -> str:
    """Functions that nobody calls."""
    body = "".join(
        f"def step{i}(model, loss, x):\n    out = model(x)\n    out += {i}\n"
        "    loss(out).backward()\n    return out\n\n"
        for i in range(functions)
    )
    return "import torch\n\n" + body


def call_chain(depth: int) -> str:
    """A chain of functions, each calling the next with a tensor."""
    body = "".join(f"def f{i}(x):\n    y = x * 2\n    return f{i + 1}(y) + x\n\n" for i in range(depth))
    last = f"def f{depth}(x):\n    return x\n\n"
    use = "w = torch.ones(3, requires_grad=True)\nfor i in range(5):\n    f0(w).sum().backward()\n"
    return "import torch\n\n" + body + last + use


def growth(total: float) -> None:
    """A table: CPU of the machine over the size of generated programs, and the exponent between neighbouring rows."""
    import math

    from autograd_hazards.machine import Limits

    families = {
        "functions called": (long_file, (10, 20, 40, 80, 160)),
        "functions not called": (uncalled_file, (10, 20, 40, 80, 160)),
        "statements in a row": (long_script, (100, 200, 400, 800, 1600)),
        "depth of calls": (call_chain, (5, 10, 20, 40)),
    }
    for title, (make, sizes) in families.items():
        print(f"{title}:")
        before: tuple[int, float] | None = None
        for size in sizes:
            text = make(size)
            seconds = min(time_of(text, Limits(total=total)) for _ in range(3))
            exponent = f"  exponent {math.log(seconds / before[1]) / math.log(size / before[0]):5.2f}" if before else ""
            print(f"  {size:6}  {len(text.splitlines()):6} lines  {seconds * 1000:8.1f} ms{exponent}", flush=True)
            before = size, seconds


def time_of(text: str, limits: Any) -> float:
    """Seconds of CPU for parsing and analysing a program."""
    from autograd_hazards import rules
    from autograd_hazards.machine import analyse
    from autograd_hazards.program.project import Project

    path = Path("/program/program.py")
    project = Project([path.parent], {path: text})
    began = time.process_time()
    rules.find(analyse(project, [path], limits))
    return time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tree", "mutate", "calls", "growth", "show", "serve"])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--total", type=float, default=9.0, help="the machine's own time limit for a file, in seconds")
    parser.add_argument("--seconds", type=float, default=10.0, help="the CPU seconds that a file may take")
    parser.add_argument("--memory", type=int, default=4096, help="megabytes that the child may take")
    parser.add_argument("--count", type=int, default=10_000, help="mutate: how many files")
    parser.add_argument("--seed", type=int, default=0, help="mutate: the first file's seed; show: the file to print")
    parser.add_argument("--every", type=int, default=1, help="tree: only every n-th file")
    parser.add_argument("--start", type=int, default=0, help="tree: skip so many files of each tree")
    parser.add_argument("--log", help="a file to which one JSON object per file is written")
    parser.add_argument("--every-report", type=int, default=100, help="report progress after so many files")
    options = parser.parse_args()
    if options.what == "serve":
        serve(options.total, options.memory)
        return 0
    if options.what == "growth":
        growth(options.total)
        return 0
    if options.what == "show":  # the mutated file of a seed
        print(next(mutants(options.paths, 1, options.seed))[1]["text"])
        return 0
    if options.what == "tree":
        tasks = tree_tasks(options.paths or default_trees(), options.every, options.start)
    elif options.what == "calls":
        tasks = odd_calls(options.count, options.seed)
    else:
        tasks = mutants(options.paths, options.count, options.seed)
    return 1 if survey(tasks, options) else 0


if __name__ == "__main__":
    sys.exit(main())
