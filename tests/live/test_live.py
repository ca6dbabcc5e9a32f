"""A workspace under edits always says what a fresh one would say, and does only the work that an edit asks for."""

from __future__ import annotations

import ast
import os
import random
import sys
import threading
import time
from pathlib import Path

import pytest

from autograd_hazards.cache import Unit
from autograd_hazards.config import Config
from autograd_hazards.engine import RecordingProject, analyse
from autograd_hazards.findings import Finding
from autograd_hazards.limits import Cancelled, cancelled_by
from autograd_hazards.live import LiveWorkspace
from autograd_hazards.program.project import Project
from autograd_hazards.workspace import Workspace

PROGRAM = '''\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 1)

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        hidden.mul_(2)
        return self.second(hidden)


def draw(x):
    """Not reached by the program."""
    y = x.exp()
    y += 1
    return y


def train():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        loss = net(torch.randn(2, 4)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train()
'''


def live(tmp_path: Path, **texts: str) -> tuple[LiveWorkspace, dict[str, Path]]:
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    return LiveWorkspace(tmp_path, Config(), overlay={paths[n]: t for n, t in texts.items()}), paths


def fresh(workspace: LiveWorkspace, path: Path) -> list[Finding]:
    return Workspace(workspace.root, Config(), overlay=dict(workspace.overlay)).check([path])


def misses(workspace: LiveWorkspace, path: Path) -> int:
    return int(workspace.project.memories[path].misses)


def test_a_comment_costs_nothing_and_moves_places(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM)
    path = paths["train"]
    (before,) = workspace.check([path])
    text = PROGRAM.replace("    def forward", "    # what it computes\n    def forward").replace(
        "hidden.mul_(2)", "hidden.mul_( 2 )  # twice"
    )
    workspace.update(path, text)
    (after,) = workspace.check([path])
    assert misses(workspace, path) == 0
    assert after.place.row == before.place.row + 1 and after.place.end_column == before.place.end_column + 2
    assert [after] == fresh(workspace, path)


def test_a_function_that_is_not_reached_costs_only_itself(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM)
    path = paths["train"]
    workspace.check([path])
    workspace.update(path, PROGRAM.replace("y += 1", "y += 2"))
    assert workspace.check([path]) == fresh(workspace, path)
    assert misses(workspace, path) == 1


def test_a_change_of_what_is_reached_is_seen(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM)
    path = paths["train"]
    assert len(workspace.check([path])) == 1
    workspace.update(path, PROGRAM.replace("hidden.mul_(2)", "hidden = hidden * 2"))
    assert workspace.check([path]) == []
    workspace.update(path, PROGRAM)
    assert len(workspace.check([path])) == 1


def test_while_a_block_does_not_parse_findings_keep_their_place(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM)
    path = paths["train"]
    (found,) = workspace.check([path])
    for broken in ("def train(:\n", "def train()\n", "def train():\n    x = (1,\n"):
        workspace.update(path, PROGRAM.replace("def train():\n", broken))
        after = workspace.check_first(path)
        assert [f.code for f in after] == ["AGH301", "AGH002"] or [f.code for f in after] == ["AGH304", "AGH002"]
        assert after[0].place == found.place
    workspace.update(path, PROGRAM.replace("hidden.mul_(2)", "hidden.mul_(2"))
    assert [f.place.row for f in workspace.check_first(path) if f.code == found.code] == [found.place.row]
    workspace.update(path, PROGRAM)
    assert workspace.check([path]) == [found]


def test_where_lines_go_nothing_that_stays_is_said_to_stand_outside_of_the_text(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM + "\n" * 9)
    path = paths["train"]
    workspace.check([path])
    for text in (
        PROGRAM[: PROGRAM.index("def draw")],
        PROGRAM.replace("    for step", "(")[:-200],
        "\n".join("x(" * 9),
    ):
        workspace.update(path, text)
        for found in (workspace.check_moved(path), workspace.check_first(path)):
            for finding in found:
                places = [finding.place, finding.fails_at or finding.place, *(step.place for step in finding.related)]
                assert all(1 <= place.row <= place.end_row <= text.count("\n") + 1 for place in places)


def test_what_has_to_be_done_again_in_full_is_not_waited_for(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM)
    path = paths["train"]
    assert workspace.takes(path) == 0  # nothing is known that could be told meanwhile
    workspace.check([path])
    workspace.update(path, PROGRAM.replace("lr=0.1", "lr=0.2"))
    workspace.project.memories.clear()  # as when too many files were analysed since
    assert workspace.takes(path) == float("inf")
    workspace.check_first(path)
    assert workspace.takes(path) < 10


def test_a_caller_in_another_file_is_asked_again(tmp_path: Path) -> None:
    model = PROGRAM[: PROGRAM.index("def draw")]
    train = "import torch\nfrom model import Net\n\n\n" + PROGRAM[PROGRAM.index("def train") :]
    workspace, paths = live(tmp_path, model=model, train=train)
    (found,) = workspace.check([paths["model"]])
    workspace.update(paths["model"], "# a comment\n" + model)
    assert not workspace.is_whole(paths["model"])
    (moved,) = workspace.check_first(paths["model"])
    assert moved.place.row == found.place.row + 1
    assert workspace.check([paths["model"]]) == [moved]
    assert workspace.is_whole(paths["model"])
    workspace.update(paths["train"], train.replace("loss.backward()", "pass"))
    assert workspace.check([paths["model"]]) == fresh(workspace, paths["model"])


CASES = sorted((Path(__file__).parents[1] / "rules" / "cases").glob("*/*.py"))


CALLED = "import torch\n\n\ndef change(h):\n    h *= 2\n    return h\n"
CALLER = "import torch\nfrom called import change\n\nw = torch.ones(3, requires_grad=True)\nchange({op}(w)).sum().backward()\n"


def callers(tmp_path: Path) -> tuple[LiveWorkspace, Path]:
    """A file that is called in several others; only what calls it with ``sigmoid`` makes a hazard of it."""
    ops = ["torch.neg", "torch.sin", "torch.sigmoid", "torch.abs", "torch.neg"]
    workspace, paths = live(tmp_path, called=CALLED, **{f"caller{n}": CALLER.format(op=op) for n, op in enumerate(ops)})
    for name, path in paths.items():
        if name != "called":
            workspace.update(path, None)  # not open
    return workspace, paths["called"]


def test_callers_that_would_take_too_much_memory_are_analysed_elsewhere(tmp_path: Path) -> None:
    workspace, path = callers(tmp_path)
    workspace.project.most_parsed = 100
    found = workspace.check([path])
    assert [f.code for f in found] == ["AGH301"] and found == fresh(workspace, path)
    assert set(workspace.project.memories) <= {path}  # nothing of the callers is here
    # What is not saved yet is what they call.
    workspace.update(path, CALLED.replace("    h *= 2\n", "    h = h * 2\n"))
    assert workspace.check([path]) == []
    workspace.update(path, CALLED.replace("    h *= 2\n", "    print(h)\n    h.mul_(2)\n"))
    (moved,) = workspace.check([path])
    assert moved.place.row == 6 and [moved] == fresh(workspace, path)
    # They are not asked again as long as nothing has changed.
    workspace.engine = _only_the_called
    assert workspace.check([path]) == [moved]


def test_callers_that_take_little_memory_are_analysed_here(tmp_path: Path) -> None:
    workspace, path = callers(tmp_path)
    assert workspace.check([path]) == fresh(workspace, path)
    assert len(workspace.project.memories) == 6


def _only_the_called(project: Project, path: Path, called: frozenset[str], version: str | None) -> Unit:
    assert path.name == "called.py"
    return analyse(project, path, called, version)


def _endless(project: object, path: Path, called: frozenset[str], version: str | None) -> Unit:
    if path.name == "called.py":
        return Unit()
    (path.parent / "began").write_text(str(os.getpid()))
    time.sleep(600)
    return Unit()


def test_an_analysis_elsewhere_ends_when_nobody_wants_it_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.getcwd(), *sys.path]))
    workspace, path = callers(tmp_path)
    workspace.project.most_parsed = 100
    workspace.engine = _endless
    stop = threading.Event()

    def stop_it() -> None:
        while not (tmp_path / "began").exists():
            time.sleep(0.02)
        stop.set()

    threading.Thread(target=stop_it, daemon=True).start()
    began = time.monotonic()
    with pytest.raises(Cancelled), cancelled_by(stop):
        workspace.check([path])
    assert time.monotonic() - began < 60
    if sys.platform != "win32":
        process = int((tmp_path / "began").read_text())
        with pytest.raises(ProcessLookupError):
            for _ in range(200):  # it is being ended
                os.kill(process, 0)
                time.sleep(0.05)


@pytest.mark.parametrize("case", random.Random(4).sample(CASES, 12), ids=lambda path: path.parent.name)
def test_random_edits_end_where_a_fresh_analysis_does(case: Path, tmp_path: Path) -> None:
    text = case.read_text(encoding="utf-8")
    path = tmp_path / case.name
    workspace = LiveWorkspace(tmp_path, Config(), overlay={path: text})
    chance = random.Random(case.name)
    workspace.check([path])
    current = text
    for number in range(12):
        lines = current.split("\n")
        row = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                lines.insert(row, "# a comment" if not lines[row].startswith(" ") else "")
            case 1:
                del lines[row]
            case 2:
                lines.insert(row, lines[row])
            case 3:
                lines[row] = lines[row].replace("(", "( ", 1)
            case _:
                lines[row] = lines[row].replace(".backward()", ".backward(retain_graph=True)").replace("+=", "-=")
        current = "\n".join(lines)
        workspace.update(path, current)
        workspace.check_first(path)
        if number % 4 == 3:
            current = text if _broken(current) else current
            workspace.update(path, current)
            assert workspace.check([path]) == fresh(workspace, path)


def _broken(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return True
    return False


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_places_are_the_same_whatever_ends_the_lines(end: str, tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, train=PROGRAM)
    found = workspace.check([paths["train"]])
    workspace.update(paths["train"], PROGRAM.replace("\n", end))
    assert found and workspace.check([paths["train"]]) == found


LONG = f"""\
import torch

w = torch.ones(4, requires_grad=True)
h = w * 2
{chr(10).join(["h = torch.tanh(h + 1)"] * 4_000)}
h.mul_(2)
h.sum().backward()
"""


def test_a_first_look_is_short_and_the_analysis_that_follows_is_whole(tmp_path: Path) -> None:
    workspace, paths = live(tmp_path, long=LONG, short=PROGRAM)
    seen, hurried = workspace.look(paths["long"])
    assert hurried and not seen
    assert [f.code for f in workspace.check_first(paths["long"])] == ["AGH301"]
    assert workspace.check_first(paths["long"]) == fresh(workspace, paths["long"])
    seen, hurried = workspace.look(paths["short"])
    assert not hurried and seen == workspace.check_first(paths["short"]) and seen


def test_what_callers_give_is_not_asked_again_for_each_file_that_they_call(tmp_path: Path) -> None:
    analysed: list[str] = []

    def counting(project: RecordingProject, path: Path, called: frozenset[str], version: str | None) -> Unit:
        analysed.append(path.stem)
        return analyse(project, path, called, version)

    texts = {
        "layers": "import torch\n\n\ndef twice(x):\n    y = x.exp()\n    y.mul_(2)\n    return y\n",
        "losses": "import torch\n\n\ndef mean(x):\n    return x.mean()\n",
        "model": "from layers import twice\nfrom losses import mean\n\n\ndef loss(x):\n    y = twice(x).sum()\n    y.mul_(3)\n"
        "    return mean(y)\n",
        "train": "import torch\nfrom model import loss\n\nw = torch.ones(3, requires_grad=True)\nloss(w).backward()\n",
    }
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    workspace = LiveWorkspace(tmp_path, Config(), engine=counting)
    found = [workspace.check([path]) for path in paths.values()]
    assert found == [Workspace(tmp_path, Config()).check([path]) for path in paths.values()] and found[0]
    analysed.clear()
    assert [workspace.check([path]) for path in paths.values()] == found
    assert analysed == []
