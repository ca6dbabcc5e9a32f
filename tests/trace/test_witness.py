"""The ways to watch: a context manager, a plugin for pytest, a cell magic, samples; and what is done about what cannot be."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch.utils.checkpoint")

from autograd_hazards.lsp import observed  # noqa: E402 - torch may be missing
from autograd_hazards.trace import witness  # noqa: E402 - torch may be missing
from autograd_hazards.trace.install import Recording  # noqa: E402
from autograd_hazards.trace.record import to_dict  # noqa: E402
from autograd_hazards.witness.findings import find  # noqa: E402
from autograd_hazards.witness.record import digest  # noqa: E402
from autograd_hazards.witness.syntax import Sources  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
ENVIRON = {**os.environ, "PYTHONPATH": str(ROOT / "server"), "LC_ALL": "C.UTF-8"}


def test_context_manager_tells_the_story() -> None:
    x = torch.randn(4, requires_grad=True)
    out = io.StringIO()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"), witness(report=out) as watching:
        h = torch.sigmoid(x)
        h *= 2
        h.sum().backward()
    (finding,) = watching.findings
    assert (finding.code, finding.certainty, finding.severity) == ("AGH301", "observed", "error")
    assert Path(finding.place.filename) == Path(__file__)
    assert [part.role for part in finding.related] == ["saved", "changed", "fails"]
    assert finding.related[0].place.row + 1 == finding.related[1].place.row == finding.related[2].place.row - 1
    assert "h *= 2" in out.getvalue() and "Found 1 error" in out.getvalue()


def test_everything_is_put_back() -> None:
    before = (
        torch.autograd.Variable._execution_engine, torch.nn.Module.__init__, torch.optim.Optimizer.zero_grad,
        torch.autograd.Function.__dict__.get("apply"), torch.compile, torch.nn.utils.clip_grad_norm_,
    )  # fmt: skip
    with witness(report=None):
        torch.randn(2, requires_grad=True).exp().sum().backward()
        with pytest.raises(RuntimeError, match="another witness"):
            witness(report=None).__enter__()
    after = (
        torch.autograd.Variable._execution_engine, torch.nn.Module.__init__, torch.optim.Optimizer.zero_grad,
        torch.autograd.Function.__dict__.get("apply"), torch.compile, torch.nn.utils.clip_grad_norm_,
    )  # fmt: skip
    assert all(a is b for a, b in zip(before, after, strict=True))
    assert not torch.overrides._get_current_function_mode_stack()


def test_silent_hazards_are_told() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, fused=True)
    x = torch.randn(5, 3)
    with witness(report=None) as watching:
        first, second = net(x).sum(), net(x).pow(2).sum()
        first.backward()
        optimizer.step()
        second.backward()
    assert "AGH206" in [finding.code for finding in watching.findings]
    data = torch.randn(4, requires_grad=True)
    with witness(report=None) as watching:
        h = data.exp()
        h.data.zero_()
        h.sum().backward()
    assert [finding.code for finding in watching.findings] == ["AGH305"]


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_that_computes_again_with_new_weights(reentrant: bool) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.randn(3, 4, requires_grad=True)
    for wrong in (False, True):
        with witness(report=None) as watching:
            first = torch.utils.checkpoint.checkpoint(net, x, use_reentrant=reentrant).sum()
            second = net(x.detach()).sum()
            optimizer.zero_grad()
            second.backward()
            if wrong:
                optimizer.step()
            first.backward()
            optimizer.zero_grad()
        assert [finding.code for finding in watching.findings] == (["AGH206"] if wrong else [])
        assert watching.record["failures"] == []


def test_memory_is_not_kept_and_addresses_are_not_mistaken() -> None:
    recording = Recording()
    recording.start()
    try:
        for _ in range(300):  # the same addresses are given out again and again
            x = torch.randn(64, requires_grad=True)
            h = torch.sigmoid(x)
            del h
            other = torch.ones(64)
            other.mul_(2)
            x.exp().sum().backward()
        assert recording.recorder.memories.size() < 50
        assert recording.recorder.events.found == []
    finally:
        recording.stop()
    assert recording.recorder.failures == []


def test_samples_rest_between_iterations() -> None:
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    recording = Recording(5)
    recording.start()
    for _ in range(40):
        net(torch.randn(2, 3)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    recording.stop()
    record = to_dict(recording)
    assert 4 <= record["backwards"] <= 14
    assert find(record) == [] and record["failures"] == []


def test_compiled_code_is_declared() -> None:
    net = torch.nn.Linear(3, 1)
    with witness(report=None) as watching:
        compiled = torch.compile(net, backend="eager")
        compiled(torch.randn(2, 3)).sum().backward()

        @torch.compile(backend="eager")
        def twice(x: Any) -> Any:
            return x * 2

        twice(torch.ones(2))
    assert watching.record["unwatched"] == ["the inside of compiled functions"]
    assert watching.record["failures"] == [] and watching.findings == []


def test_plugin(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import torch\n\ndef test_silent():\n    x = torch.randn(4, requires_grad=True)\n    h = x.exp()\n    h.data.zero_()\n"
        "    h.sum().backward()\n\ndef test_right():\n    torch.randn(4, requires_grad=True).exp().sum().backward()\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "autograd_hazards.trace.pytest_plugin",
        "-p",
        "no:cacheprovider",
    ]
    plain = subprocess.run([*command, "."], cwd=tmp_path, env=ENVIRON, capture_output=True, text=True, timeout=120)
    assert "2 passed" in plain.stdout, plain.stdout
    strict = subprocess.run(
        [*command, "--autograd-witness=error", "."],
        cwd=tmp_path,
        env=ENVIRON,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "1 failed, 1 passed" in strict.stdout and "AGH305" in strict.stdout, strict.stdout


def test_cell_magic(capsys: pytest.CaptureFixture[str]) -> None:
    import linecache

    from autograd_hazards.trace.notebook import load_ipython_extension

    class Shell:
        def __init__(self) -> None:
            self.magics: dict[str, Any] = {}
            self.space: dict[str, Any] = {"__name__": "__main__"}

        def register_magic_function(self, function: Any, kind: str, name: str) -> None:
            self.magics[f"{kind} {name}"] = function

        def run_cell(self, cell: str) -> Any:
            name = "<ipython-input-1-abc>"
            linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
            error = None
            try:
                exec(compile(cell, name, "exec"), self.space)
            except RuntimeError as raised:
                error = raised
            return SimpleNamespace(error_in_exec=error)

    shell = Shell()
    load_ipython_extension(shell)
    shell.magics["cell autograd_witness"](
        "", "import torch\nh = torch.sigmoid(torch.zeros(2, requires_grad=True))\nh += 1\nh.sum().backward()\n"
    )
    told = capsys.readouterr().out
    assert "AGH301" in told and "h += 1" in told


def test_last_run_stands_until_lines_change(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        "import torch\nx = torch.randn(4, requires_grad=True)\nh = torch.sigmoid(x)\nh *= 2\nh.sum().backward()\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "autograd_hazards", "run", "--python", sys.executable, "--output-format", "json"]
    done = subprocess.run(
        [*command, "--output", "out.json", "train.py"],
        cwd=tmp_path,
        env=ENVIRON,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    (entry,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (entry["code"], entry["certainty"], entry["location"]["row"], entry["fails_at"]["row"]) == (
        "AGH301",
        "observed",
        4,
        5,
    )
    content = json.loads((tmp_path / ".autograd-hazards" / "last-run.json").read_text(encoding="utf-8"))
    assert content["version"] == 2 and content["command"] == ["train.py"] and content["torch"] == torch.__version__
    assert content["lines"] == {str(program): [digest(line) for line in program.read_text("utf-8").split("\n")]}
    assert [step["role"] for step in content["findings"][0]["related"]] == ["saved", "changed", "fails"]
    run = observed.read(tmp_path)
    (finding,) = observed.current(run, program, Sources().lines)
    assert finding.place.row == 4
    changed = program.read_text(encoding="utf-8").replace("*= 2", "*= 3").split("\n")
    assert observed.current(run, program, lambda name: changed) == []
    moved = ["import sys", *program.read_text(encoding="utf-8").split("\n")]
    (finding,) = observed.current(run, program, lambda name: moved)
    assert finding.place.row == 5 and finding.fails_at is not None and finding.fails_at.row == 6


def test_a_program_runs_where_no_record_can_be_kept_and_finds_the_folder_where_one_can(tmp_path: Path) -> None:
    (tmp_path / "look.py").write_text("import os\nprint(os.path.isdir('.autograd-hazards'))\n", encoding="utf-8")
    command = [sys.executable, "-m", "autograd_hazards", "run", "--python", sys.executable, "look.py"]
    for expected in ("True", "False"):
        done = subprocess.run(command, cwd=tmp_path, env=ENVIRON, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout.strip()) == (0, expected), done.stderr
        assert ("cannot be kept" in done.stderr) == (expected == "False")
        shutil.rmtree(tmp_path / ".autograd-hazards", ignore_errors=True)
        (tmp_path / ".autograd-hazards").touch()  # a file stands in the way


def test_stories_of_random_programs_agree() -> None:
    from tests.trace.stories import Worker, disagreements

    with Worker() as worker:
        raising, wrong = disagreements(5000, 75, worker)
    assert raising > 10
    assert wrong == []


@pytest.mark.slow
def test_stories_of_a_thousand_random_programs_agree() -> None:
    from tests.trace.stories import Worker, disagreements

    with Worker() as worker:
        raising, wrong = disagreements(1000, 1000, worker)
    assert raising > 300
    assert wrong == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("torch.autograd.grad((h * h).sum(), [h])", 1),  # stops above h
        ("(h * h).sum().backward(inputs=[h])", 0),  # runs h's node too
        ("torch.autograd.grad((k := h.exp(), h.sum())[1] + k.sum(), [k, h])", 1),
        ("torch.autograd.grad((h.exp() + h).sum(), [h, w])", 0),
    ],
)
def test_what_a_limited_backward_frees(first: str, second: int) -> None:
    w = torch.rand(3, requires_grad=True)
    lines = ["h = w.exp()", first, "h.sum().backward()", "h.sum().backward()"]
    code = compile("\n".join(lines), str(Path(__file__)), "exec")
    with pytest.raises(RuntimeError, match="second time"), witness(report=None) as watching:
        exec(code, {"torch": torch, "w": w})
    (finding,) = watching.findings
    assert [part.place.row for part in finding.related if part.role == "freed"] == [2 + second]
    assert finding.place.row == 3 + second


def test_views_without_a_history_are_no_trouble() -> None:
    """Torch raises when such a view is asked for its ``grad_fn``; a program that does not ask must not notice."""
    h = torch.rand(3, requires_grad=True) * 2
    rows = h.unbind(0)
    recording = Recording()
    recording.start()
    try:
        with torch.no_grad():
            rows[0].add_(1)
        checks = [rows[1].detach(), rows[2].item(), float(rows[1])]
        torch.utils.checkpoint.checkpoint(lambda t: t * 2, h, use_reentrant=True).sum().backward()
    finally:
        recording.stop()
    assert len(checks) == 3
    assert recording.recorder.failures == []


def test_initialisers_change_what_they_are_given() -> None:
    """They hand their arguments on by name, and torch shows what they do inside to nobody."""
    w = torch.rand(3, requires_grad=True)
    net = torch.nn.Linear(3, 3)
    with pytest.raises(RuntimeError, match="inplace"), witness(report=None) as watching:
        b = torch.softmax(w, -1)
        loss = (w * b).sum()
        torch.nn.init.normal_(b)
        loss.backward()
    (finding,) = watching.findings
    assert (finding.code, [part.role for part in finding.related]) == ("AGH301", ["saved", "changed", "fails"])
    with pytest.raises(RuntimeError, match="inplace"), witness(report=None) as watching:
        loss = net(net(torch.rand(2, 3))).sum()
        torch.nn.init.zeros_(net.weight)
        loss.backward()
    (finding,) = watching.findings
    assert finding.code == "AGH201"


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, t: Any) -> Any:
        ctx.save_for_backward(t)
        return t * t

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (t,) = ctx.saved_tensors
        return 2 * t * grad


def test_a_function_that_asks_for_what_is_gone() -> None:
    loss = Scaled.apply(torch.rand(3, requires_grad=True) * 2).sum()
    with pytest.raises(RuntimeError, match="second time"), witness(report=None) as watching:
        loss.backward()
        loss.backward()
    (finding,) = watching.findings
    (fails,) = (part.place.row for part in finding.related if part.role == "fails")
    assert fails == Scaled.backward.__code__.co_firstlineno + 2


def test_an_error_without_a_known_cause_is_told() -> None:
    """As where an extension in C changes memory."""
    w = torch.rand(3, requires_grad=True)
    with witness(report=None) as watching, contextlib.suppress(RuntimeError):
        h = w.exp()
        watching._recording.recorder.paused = True
        h.add_(1)
        watching._recording.recorder.paused = False
        h.sum().backward()
    (finding,) = watching.findings
    assert finding.code == "AGH301" and finding.related == ()
    assert "out of sight" in finding.message


def test_what_a_failed_backward_has_freed() -> None:
    x, w = torch.rand(3, requires_grad=True), torch.rand(3, requires_grad=True)
    with witness(report=None) as watching, contextlib.suppress(RuntimeError):
        h = w.exp()
        loss = (h.sigmoid() * x).sum()
        with torch.no_grad():
            h.add_(1)
        with contextlib.suppress(RuntimeError):
            loss.backward()
        loss.backward()
    version, freed = sorted(watching.findings, key=lambda finding: finding.code, reverse=True)
    assert (version.code, freed.code) == ("AGH301", "AGH101")
    first = [part.place.row for part in freed.related if part.role == "freed"]
    assert first == [freed.place.row - 1]
