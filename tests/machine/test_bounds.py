"""Programs that would run for ever, fill the memory or nest without end: each is cut, and what follows is still seen."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograd_hazards import rules
from autograd_hazards.machine import Limits, analyse
from autograd_hazards.machine import session as sessions
from autograd_hazards.machine.operators import BIG
from autograd_hazards.program import project as projects
from autograd_hazards.program.project import Project

HEAD = "import itertools\nimport torch\nw = torch.ones(3, requires_grad=True)\n"
HAZARD = "\nloss = (w * 2).sum()\nloss.backward()\nloss.backward()\n"
PATH = Path("/program/program.py")

BOUNDED = {
    "a fraction in a range": "x = 1.5 in range(10**12)\ny = -1 in range(10**12)\nz = 'a' in range(10**12)",
    "all of a range": "x = all(range(1, 10**12))\ny = any(i < 0 for i in range(10**12))",
    "a range longer than len can say": "x = range(10**30)\nlen(x)\nlist(zip(x, x))\nfor i in x:\n    pass",
    "any of what never ends": "x = any(itertools.repeat(0))",
    "next of a filter of what never ends": "x = next(filter(None, itertools.repeat(0)), 1)",
    "a chain of empty lists": "x = list(itertools.chain.from_iterable(itertools.repeat([])))",
    "iterators that never end": "x = list(itertools.count())\ny = dict(zip(itertools.cycle([1]), itertools.count()))",
    "more repetitions than a number of the machine": "x = list(itertools.repeat(1, 10**30))",
    "selections without number": "list(itertools.product(*[range(100)] * 6))\nlist(itertools.combinations([1], 10**12))",
    "slices of iterators": "list(itertools.islice([1], 0, 5, 0))\nlist(itertools.islice([1], 10**30))\nitertools.islice([1])",
    "a nest of comprehensions": "x = [1 for a in range(512) for b in range(512) for c in range(512) if False]",
    "a comprehension of many": "x = [(a, b, c) for a in range(512) for b in range(512) for c in range(512)]",
    "text that doubles": "x = 'ab'\nfor i in range(60):\n    x += x\ny = 'ab'\nfor i in range(60):\n    y = f'{y}{y}'",
    "lists that double": "x = [1]\nfor i in range(60):\n    x += x\n    x.extend(x)\ny = [1]\nfor i in range(60):\n    y = y + y",
    "wide formats": "a = '%1000000000d' % 1\nb = f'{1:1000000000}'\nc = format(1, '999999999d')\nd = '{:>{}}'.format(1, 10**9)\n"
    "e = '%*d' % (10**9, 1)\nf = '{:1000000000}'.format(1)",
    "numbers without end": "x = 2\nfor i in range(100):\n    x = x ** 2\ny = 10 ** 10 ** 10\nz = 1 << 10**9\nu = pow(10**9, 10**9)\nv = 2.0 ** 10**6",
    "a number with more digits than can be written": "x = 0x"
    + "f" * 20_000
    + "\ny = str(x)\nz = f'{x}'\nu = '%d' % x\nv = repr([x])\nt = '{}'.format(x)",
    "loops that never end": "while True:\n    while True:\n        x = 1\n",
    "loops in loops": "for i in range(10**9):\n    for j in range(10**9):\n        for k in range(10**9):\n            x = w * i * j * k",
    "a generator that never ends": "def g():\n    while True:\n        yield 1\nx = list(g())\ny = sum(g())\nfor i in g():\n    for j in g():\n        pass",
    "a generator of itself": "def g():\n    yield from g()\nlist(g())",
    "recursion without end": "def f(n):\n    def g():\n        return f(n + 1)\n    return g()\nf(0)",
    "recursion that branches": "def f(n):\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\nf(60)",
    "questions without number": "\n".join(f"if a{i}:\n    x{i} = 1\nelse:\n    x{i} = 2" for i in range(300)),
    "an object made of itself": "class A:\n    def __getattr__(self, name): return getattr(self, name)\n    def __eq__(self, o): return self == o\n"
    "    def __len__(self): return len(self)\n    def __iter__(self): return iter(self)\n    def __bool__(self): return bool(self)\n"
    "    def __call__(self): return self()\n    def __getitem__(self, i): return self[i]\n    def __repr__(self): return repr(self)\n"
    "a = A()\na.x\na == a\nlen(a)\na()\na[0]\nrepr(a)\nfor i in a:\n    pass\nif a:\n    pass",
    "a list of itself": "x = []\nx.append(x)\nx == [x]\nstr(x)\nmax([x])",
    "lists in lists": "x = []\n"
    + "x = [x]\n" * 3000
    + "x == [x]\nstr(x)\ny = ()\n"
    + "y = (y,)\n" * 3000
    + "d = {y: 1}",
    "tuples with lists as keys": "d = {}\nd[([1],)] = 2\n([1],) in d\nd.get(([1],))\nd.pop(([1],), 0)\ns = {([1],)}\n({},) in s",
    "many arguments": "f = lambda *a, **k: 0\nf(*range(10**9))\na, *b = range(10**9)",
    "a big literal": "d = {" + ", ".join(f"'{i}': [{i}] * 9" for i in range(10_000)) + "}",
    "a long function": "def f(x):\n" + "    x = x * 2\n" * 3000 + "    return x\nf(w)",
    "a long sum": "x = " + " + ".join(["w"] * 2500),
    "a sum too long for the parser": "x = " + " + ".join(["1"] * 50_000),
    "many cases": "if a:\n    pass\n" + "elif a:\n    pass\n" * 2000,
    "brackets": "x = " + "(" * 190 + "1" + ")" * 190 + "\ny = " + "[" * 5000 + "1" + "]" * 5000,
    "many decorators": "@torch.no_grad()\n" * 500 + "def f(x):\n    return x\nf(w)",
    "a long line of classes": "class C0(torch.nn.Module): pass\n"
    + "\n".join(f"class C{i}(C{i - 1}): pass" for i in range(1, 300))
    + "\nC299()",
    "a graph that doubles": "x = w\nfor i in range(64):\n    x = x + x\nx.sum().backward()",
    "a graph without end": "x = w\nfor i in range(10**6):\n    x = x * w + x\nx.sum().backward()",
    "many layers": "m = torch.nn.Sequential(*[torch.nn.Linear(3, 3) for _ in range(10**5)])\nm(w).sum().backward()",
    "many pieces": "for c in torch.zeros(10**9, 2).chunk(10**8):\n    pass\ntorch.zeros(10**9).unbind()\ntorch.zeros(10**6).tolist()",
    "objects of the wrong class": "torch.nn.Module.forward(1)\nlist.append(w, 1)\ndict.pop(None)\ntorch.optim.SGD.step(torch.nn.Linear(1, 1))\n"
    "str.join(w, w)\ntorch.nn.Linear.forward(torch.nn.Dropout(), w)",
}


def codes(text: str, limits: Limits | None = None) -> tuple[list[str], list[str], float]:
    """The codes of what is found, the machine's defects, and the seconds of CPU."""
    began = time.process_time()
    analysis = analyse(Project([PATH.parent], {PATH: text}), [PATH], limits)
    found = [finding.code for finding in rules.find(analysis)]
    return found, analysis.defects, time.process_time() - began


@pytest.mark.parametrize("name", BOUNDED)
def test_what_has_no_end_is_cut_and_what_follows_is_seen(name: str) -> None:
    found, defects, seconds = codes(HEAD + BOUNDED[name] + HAZARD)
    assert defects == []
    assert "AGH101" in found
    assert seconds < 8.0


def test_lists_stay_small() -> None:
    from autograd_hazards.machine import debug_values

    values = debug_values(
        "x = [1]\nfor i in range(40):\n    x += x\ny = [1]\nfor i in range(40):\n    y.extend(y)\nz = (1,)\nfor i in range(12):\n    z += z"
    )
    assert len(values["x"]) <= BIG
    assert len(values["y"]) <= BIG
    assert len(values["z"]) == 2**12


DEEP = """
import resource, sys, threading
sys.path[:0] = {path!r}
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from pathlib import Path
from autograd_hazards import rules
from autograd_hazards.machine import analyse
from autograd_hazards.program.project import Project
path = Path("/program/program.py")
def run():
    for n in (90, 2900, 20_000):
        few = min(n, 90)
        for text in (
            "x = " + "(" * n + "1" + ")" * n, "x = " + "-" * n + "1", "x = " + "not " * n + "y", "x = a" + ".b" * n,
            "x = a" + "(1)" * n, "x = a" + "[0]" * n, "x = " + "lambda: " * n + "1", "x = " + " + ".join(["a"] * n),
            "x = " + " ** ".join(["a"] * n), "x = " + " if a else ".join(["1"] * n), "x = " + " and ".join(["a"] * n),
            "x = " + "[i " * few + "for i in a]" * few, "x = " + "list(i " * few + "for i in a)" * few,
            "x = " + "sorted(map(f, " * few + "a" + "))" * few, "if a: pass\\n" + "elif a: pass\\n" * n,
            "".join("    " * i + "if a:\\n" for i in range(few)) + "    " * few + "pass",
            "".join("    " * i + f"def f{{i}}(x):\\n" for i in range(few)) + "    " * few + "yield x",
            "def f(x):\\n  return [f(y) for y in [x]] or list(map(f, [x])) or sorted([x], key=f)\\nf(1)",
            "def f(x):\\n  yield from (y for y in f(x))\\nlist(f(1))",
            "class A:\\n  def __eq__(self, o): return any(a == o for a in [self])\\nA() == A()",
            "x = a\\n" + "x = (y for y in x)\\n" * min(n, 2900) + "list(x)",
            "x = [1]\\n" + "x = map(str, x)\\n" * min(n, 2900) + "list(x)",
        ):
            analysis = analyse(Project([path.parent], {{path: text}}), [path])
            rules.find(analysis)
            assert not analysis.defects, (n, text[:60], analysis.defects)
run()
worker = threading.Thread(target=run)
worker.start()
worker.join()
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the limits are those of POSIX")
def test_nothing_is_nested_so_deeply_that_the_process_dies() -> None:
    script = DEEP.format(path=[entry for entry in sys.path if entry])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stderr[-2000:], done.returncode, done.stdout.strip()) == ("", 0, "done")


def training(functions: int) -> str:
    body = "".join(
        f"def train{i}(model, optimizer, x, y):\n    for epoch in range(9):\n        optimizer.zero_grad()\n"
        "        loss = ((model(x) - y) ** 2).mean()\n        loss.backward()\n        loss.backward()\n        optimizer.step()\n\n"
        for i in range(functions)
    )
    return "import torch\n\n" + body


def test_a_file_that_takes_too_long_keeps_what_was_found_so_far() -> None:
    text = training(400)
    codes(training(4))  # loads what is loaded on first use
    everything, _, seconds = codes(text)
    cut_off = [codes(text, Limits(total=seconds / part)) for part in (8, 4, 2)]  # how long reading takes differs
    assert all(defects == [] for _, defects, _ in cut_off)
    assert any(0 < len(found) < len(everything) and less < seconds for found, _, less in cut_off)


def test_no_entry_takes_the_time_of_all() -> None:
    slow = (
        "def slow(model, x):\n"
        + "    x = model(x)\n" * 20
        + "    x += 1\n    return slow(model, x) + slow(model, x) + slow(model, x)\n\n"
    )
    found, _, seconds = codes("import torch\n" + slow + training(1), Limits(steps=10**7, total=3.0))
    assert "AGH101" in found
    assert seconds < 9


def test_cost_grows_with_the_length_of_a_file() -> None:
    codes(training(4))  # loads what is loaded on first use
    few = min(codes(training(40))[2] for _ in range(3))
    many = min(codes(training(160))[2] for _ in range(2))
    assert many < 4 * few * 2.5


def test_of_a_large_project_the_nearest_modules_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "near.py").write_text(
        "import far0\nimport torch\n\ndef again(loss):\n    loss.backward()\n    loss.backward()\n"
    )
    for i in range(30):
        text = f"import far{i + 1}\n" + "".join(f"def f{j}(x):\n    return x\n" for j in range(50))
        (tmp_path / f"far{i}.py").write_text(text)
    path = tmp_path / "train.py"
    path.write_text(
        "import torch\nfrom near import again\nfrom far0 import f1\nw = torch.ones(3, requires_grad=True)\nagain(f1((w * 2).sum()))\n"
    )
    whole = Project([tmp_path])
    expected = [finding.code for finding in rules.find(analyse(whole, [path]))]
    assert expected == ["AGH101"]
    monkeypatch.setattr(sessions, "MOST_FOLLOWED", 6000)
    monkeypatch.setattr(sessions, "FEWER_FOLLOWED", 5000)
    part = Project([tmp_path])
    assert [finding.code for finding in rules.find(analyse(part, [path]))] == expected
    assert 0 < part.parsed_size() <= 6000 < whole.parsed_size()


def test_a_project_keeps_a_bounded_number_of_trees(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text("import torch\n\ndef again(loss):\n    loss.backward()\n    loss.backward()\n")
    paths = []
    for i in range(12):
        path = tmp_path / f"train{i}.py"
        path.write_text(
            f"import torch\nfrom shared import again\nw = torch.ones({i + 1}, requires_grad=True)\nagain((w * 2).sum())\n"
            + "# filler\n" * 50
        )
        paths.append(path)
    size = len(paths[0].read_text())

    def findings(project: Project) -> list[str]:
        return [
            f"{finding.code} {finding.place.row}" for path in paths for finding in rules.find(analyse(project, [path]))
        ]

    whole = findings(Project([tmp_path]))
    assert len(whole) == len(paths)
    monkeypatch.setattr(projects, "_MOST_PARSED", 3 * size)
    project = Project([tmp_path])
    assert findings(project) == whole
    assert project.parsed_size() <= 5 * size


def test_a_generator_that_is_closed_after_its_run_does_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python closes it when it collects the garbage: its ``finally`` and ``with`` blocks belong to nobody's run then."""
    troubles: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", troubles.append)
    path = tmp_path / "program.py"
    path.write_text(
        HEAD
        + "class Guard:\n    def __enter__(self):\n        return self\n    def __exit__(self, *error):\n        tidy()\n"
        "def tidy():\n    for i in range(10**9):\n        w.sum()\n"
        "def values():\n    with Guard():\n        try:\n            yield 1\n            yield 2\n        finally:\n            tidy()\n"
        "g = values()\nnext(g)\nkeep = [g]\nkeep.append(keep)\ntidy()\n"
    )
    analyse(Project([tmp_path]), [path], Limits(steps=30))
    gc.collect()
    assert troubles == []


def test_reading_a_huge_file_takes_no_time_from_its_runs(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + HAZARD + "x = 1\n" * 100_000)
    project = Project([tmp_path])
    began = time.thread_time()
    project.module_at(path).parsed  # noqa: B018
    taken = time.thread_time() - began
    found = analyse(Project([tmp_path]), [path], Limits(total=taken / 2, seconds=taken / 2))
    assert [event.kind for event in found.events] == ["freed"]
