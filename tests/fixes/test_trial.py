"""Trying a fix on the entries that it concerns says the same as trying it on all; what is offered comes soon."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from bench.programs import of_length

from autograd_hazards.config import Config
from autograd_hazards.findings import Fix
from autograd_hazards.fixes import Trial, each_fix, fixes_of
from autograd_hazards.fixes.session import with_fixes
from autograd_hazards.fixes.trial import runs_on
from autograd_hazards.limits import work_done
from autograd_hazards.live import LiveWorkspace
from autograd_hazards.program.project import Project

LIBRARY = of_length(300).partition("\n\nif __name__")[0]
METHODS = """
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def loss(self, x):
        h = torch.sigmoid(self.net(x))
        h *= 2
        return h.mean()

    def fit(self, x):
        self.optimizer.zero_grad()
        self.loss(x).backward()
        self.optimizer.step()

    def fit_twice(self, x):
        loss = self.loss(x)
        loss.backward()
        self.optimizer.step()
        loss.backward()

    def probe(self):
        noise = torch.sigmoid(torch.zeros(4, requires_grad=True))
        noise += 1
        noise.sum().backward()
"""


def offered(folder: Path, text: str) -> list[list[Fix]]:
    path = folder / "program.py"
    state = Trial(Project([folder], {path: text}), [path])
    return [list(each_fix(state, finding, event)) for finding, event in state.pairs]


@pytest.mark.parametrize("text", [LIBRARY, METHODS], ids=["functions", "methods"])
def test_entries_left_out_change_nothing(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = offered(tmp_path, text)
    assert sum(map(len, few)) >= 3 and len(few) >= 3
    monkeypatch.setattr(Trial, "_concerned", lambda *_: None)
    assert offered(tmp_path, text) == few


def test_only_entries_that_are_concerned_are_run(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    state = Trial(Project([tmp_path], {path: METHODS}), [path])
    finding, event = next(pair for pair in state.pairs if "noise" in pair[0].message)
    (fix,) = fixes_of(state, finding, event, most=1)
    after = state.after(fix.edits, finding)
    assert after is not None and after.only == {f"{path}::Trainer.probe"}
    whole = state.after(fix.edits)
    assert whole is not None and whole.only is None
    assert len(whole.pairs) == len(state.pairs) - 1


def test_a_light_bulb_does_not_wait_for_everything(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    workspace = LiveWorkspace(tmp_path, Config(), overlay={path: of_length(500)})
    findings = [finding for finding in workspace.check([path]) if finding.code == "AGH301"]
    began = time.thread_time()
    (mended,) = with_fixes(workspace, findings[:1], work=0)
    assert len(mended.fixes) == 1, "the first one is enough where it takes much work"
    assert time.thread_time() - began < 1.5  # some 0.2 s on an idle machine


def test_what_is_offered_does_not_depend_on_how_busy_the_machine_is(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    found = []
    for pause in (0.0, 0.3):
        state = Trial(Project([tmp_path], {path: METHODS}), [path])
        (finding, event) = next(pair for pair in state.pairs if pair[0].code == "AGH301")
        before = work_done()
        fixes = []
        for fix in each_fix(state, finding, event, work=20):
            fixes.append(fix)
            time.sleep(pause)
        found.append((fixes, work_done() - before))
    assert found[0] == found[1] and len(found[0][0]) > 1 and found[0][1] > 0


LISTS = """
import torch
from torch import nn

net = nn.Linear(4, 4)
x = torch.randn(2, 4)
parts = [net(x), net(x)]
for part in parts:
    part.sum().backward()
"""


@pytest.mark.parametrize(
    ("old", "new", "good"),
    [
        ("[net(x), net(x)]", "[net(x), net(x)].detach()", False),
        ("part.sum()", "later.sum()", False),
        ("net(x), net(x)", "net(x).foo(), net(x)", False),
        ("net(x), net(x)", "net(x).detach(), net(x)", True),
    ],
)
def test_what_python_would_refuse_is_not_offered(old: str, new: str, good: bool, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    before, after = (Trial(Project([tmp_path], {path: text}), [path]) for text in (LISTS, LISTS.replace(old, new)))
    assert runs_on(before, after) == good


def test_no_fix_puts_a_plain_tensor_in_the_place_of_a_parameter(tmp_path: Path) -> None:
    """``nn.Module`` refuses that: only a parameter or None takes a parameter's place."""
    text = """
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        self.scale.relu_()
        return x * self.scale


net = Scaled()
x = torch.randn(4, requires_grad=True)
first = net(x).sum()
second = net(x.detach()).sum()
second.backward()
first.backward()
"""
    found = offered(tmp_path, text)
    assert found and not any("relu" in edit.content for fixes in found for fix in fixes for edit in fix.edits)
