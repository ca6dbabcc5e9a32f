"""Given the traceback of a failing program and its source, the explainer finds the line that is to blame."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from autograd_hazards.cli import main
from autograd_hazards.explain.traceback_explain import explain_text
from autograd_hazards.trace.kinds import kind_of
from tests.rules.corpus import Case, cases
from tests.rules.judge import judge
from tests.rules.zygote import Zygote

pytest.importorskip("torch")

LOUD = [case for case in cases() if case.loud and "cases" in case.file.parts]
MISSES = {
    "decoder-state-detach-result-not-kept": "names the place inside the cell where the state is kept",
    "example-weights-absent-from-lookahead-graph": "the unused new value is a finding of its own, AGH410",
}


@pytest.mark.parametrize("case", LOUD, ids=lambda case: case.name)
def test_the_line_is_found(case: Case, zygote: Zygote) -> None:
    text = zygote.run(case.bad.main, case.bad.root).err
    answer = explain_text(text, case.bad.root, with_fixes=False)
    assert answer.kind == kind_of(answer.traceback.message) is not None
    alone = explain_text(text.replace(str(case.bad.root), "/elsewhere"), None)
    assert alone.kind == answer.kind and alone.finding is None and alone.headline() and alone.notes()
    found = answer.finding is not None and judge(case, [answer.finding]).found
    assert found == (case.name not in MISSES), answer.finding
    assert answer.sure in ("certain", "likely")


PROGRAM = """import torch

x = torch.randn(4, requires_grad=True)
k = torch.exp(x[:2])
h = torch.sigmoid(x)
h *= 2
k += 1
(h.sum() + k.sum()).backward()
"""
TEXT = """Traceback (most recent call last):
  File "/data/job/{name}", line {row}, in <module>
    (h.sum() + k.sum()).backward()
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor {shape}], \
which is output 0 of {op}, is at version 1; expected version 0 instead.
"""


@pytest.mark.parametrize(("shape", "op", "row"), [("[4]", "SigmoidBackward0", 6), ("[2]", "ExpBackward0", 7)])
def test_shape_and_op_decide(shape: str, op: str, row: int) -> None:
    path = Path("/work-of/someone/train.py")
    text = TEXT.format(name="train.py", row=8, shape=shape, op=op)
    answer = explain_text(text, path.parent, {path: PROGRAM})
    assert answer.finding is not None
    if answer.finding.place.row != row:  # the machine stops at the first error: what it cannot see is not sure
        assert answer.sure != "certain"
    else:
        assert answer.finding.code == "AGH301"


def test_paths_of_another_machine_and_moved_lines(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("# a new first line\n" + PROGRAM, encoding="utf-8")
    answer = explain_text(TEXT.format(name="train.py", row=8, shape="[4]", op="SigmoidBackward0"), tmp_path)
    assert answer.where is not None and (answer.where.file, answer.where.row) == (str(tmp_path / "train.py"), 9)
    assert answer.finding is not None and answer.finding.fixes


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    trace = tmp_path / "trace.txt"
    trace.write_text(TEXT.format(name="train.py", row=8, shape="[4]", op="SigmoidBackward0"), encoding="utf-8")
    out = io.StringIO()
    assert main(["explain", str(trace), "--root", str(tmp_path), "--locale", "en"], out) == 0
    assert "AGH301" in out.getvalue() and "version 0" in out.getvalue() and "fix:" in out.getvalue()
    out = io.StringIO()
    assert main(["explain", str(trace), "--root", str(tmp_path), "--output-format", "json"], out) == 0
    content = json.loads(out.getvalue())
    assert (
        content["kind"] == "version" and content["finding"]["code"] == "AGH301" and content["details"]["shape"] == [4]
    )
    out = io.StringIO()
    assert main(["explain", str(trace), "--root", str(tmp_path), "--locale", "zh-cn"], out) == 0
    assert "原地" in out.getvalue()
    trace.write_text("nothing of interest", encoding="utf-8")
    assert main(["explain", str(trace)], io.StringIO()) == 1
    assert main(["explain", str(tmp_path / "missing.txt")]) == 2
    assert "missing.txt" in capsys.readouterr().err


def test_markdown() -> None:
    path = Path("/work-of/someone/train.py")
    text = TEXT.format(name="train.py", row=8, shape="[4]", op="SigmoidBackward0")
    answer = explain_text(text, path.parent, {path: PROGRAM})
    shown = answer.markdown("en")
    assert "`AGH301`" in shown and "`train.py:6`" in shown and "Fixes:" in shown
    assert "修复" in answer.markdown("zh-cn")
    nothing = explain_text("hello", None)
    assert nothing.kind is None and nothing.finding is None and nothing.markdown()
