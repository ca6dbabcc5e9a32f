"""Edits touch what they must and nothing else: line ends, tabs, marks, comments and odd layouts stay as they are."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from autograd_hazards.findings import Edit, Place
from autograd_hazards.fixes.apply import Overlap, apply_text
from tests.fixes.mending import mend_text

HEAD = """\
# 训练脚本：注释必须保留 🙂
import torch
from torch import nn

net = nn.Linear(4, 4)
x = torch.randn(2, 4)


"""

# A program, the lines that go, and the lines that come instead.
CASES = {
    "augmented": (
        "y = net(x).exp()\ny += 1  # 加一 🙂\ny.sum().backward()\n",
        ["y += 1  # 加一 🙂"],
        ["y = y + 1  # 加一 🙂"],
    ),
    "augmented-with-operators": (
        "y = net(x).exp()\ny *= 2 + x\ny.sum().backward()\n",
        ["y *= 2 + x"],
        ["y = y * (2 + x)"],
    ),
    "augmented-in-parentheses": (
        "y = net(x).exp()\ny *= (2 + x)\ny.sum().backward()\n",
        ["y *= (2 + x)"],
        ["y = y * (2 + x)"],
    ),
    "augmented-over-lines": (
        "y = net(x).exp()\ny += torch.ones(\n    2,  # 行\n    4,\n)\ny.sum().backward()\n",
        ["y += torch.ones("],
        ["y = y + torch.ones("],
    ),
    "behind-a-backslash": (
        "y = net(x).exp()\ny \\\n    += 1\ny.sum().backward()\n",
        ["y \\", "    += 1"],
        ["y = y + 1"],
    ),
    "semicolons": (
        "y = net(x).exp(); y += 1; y.sum().backward()  # 三\n",
        ["y = net(x).exp(); y += 1; y.sum().backward()  # 三"],
        ["y = net(x).exp(); y = y + 1; y.sum().backward()  # 三"],
    ),
    "one-line-suite": (
        "y = net(x).exp()\nif x is not None: y += 1  # 单行\ny.sum().backward()\n",
        ["if x is not None: y += 1  # 单行"],
        ["if x is not None: y = y + 1  # 单行"],
    ),
    "method": (
        "y = net(x).exp()\ny.add_(1)  # '加'\ny.sum().backward()\n",
        ["y.add_(1)  # '加'"],
        ["y = y.add(1)  # '加'"],
    ),
    "method-in-an-expression": (
        "y = net(x).exp()\nz = y.mul_(2).sum()\nz.backward()\n",
        ["z = y.mul_(2).sum()"],
        ["z = y.mul(2).sum()"],
    ),
    "written-index": (
        "y = net(x).exp()\n# 清零\ny[0] = 0  # 第一行\ny.sum().backward()\n",
        [],
        ["y = y.clone()"],
    ),
    "leaf": (
        "p = nn.Parameter(torch.ones(3))\n# 更新\np.mul_(2)  # 参数\n(p * p).sum().backward()\n",
        ["p.mul_(2)  # 参数"],
        ["with torch.no_grad():", "    p.mul_(2)  # 参数"],
    ),
    "keyword-first": (
        "y = net(x).sum()\ny.backward(retain_graph=True)\n",
        ["y.backward(retain_graph=True)"],
        ["y.backward()"],
    ),
    "keyword-last-with-comma": (
        "y = net(x).sum()\ny.backward(\n    torch.tensor(1.0),  # 一\n    retain_graph=True,\n)\n",
        None,
        None,
    ),
    "numpy": (
        "y = net(x)\nprint(y.numpy())  # 数组\n",
        ["print(y.numpy())  # 数组"],
        ["print(y.detach().cpu().numpy())  # 数组"],
    ),
    "mean": (
        "y = net(x) - 1\n(y ** 2).backward()  # 平方\n",
        ["(y ** 2).backward()  # 平方"],
        ["(y ** 2).mean().backward()  # 平方"],
    ),
    "inplace-layer": (
        "act = nn.Sequential(nn.Sigmoid(), nn.ReLU(inplace=True))  # 层\nact(net(x)).sum().backward()\n",
        ["act = nn.Sequential(nn.Sigmoid(), nn.ReLU(inplace=True))  # 层"],
        ["act = nn.Sequential(nn.Sigmoid(), nn.ReLU())  # 层"],
    ),
}  # fmt: skip


def lines_changed(before: str, after: str) -> tuple[list[str], list[str]]:
    gone, come = [], []
    for line in difflib.ndiff(before.split("\n"), after.split("\n")):
        if line.startswith("- "):
            gone.append(line[2:])
        elif line.startswith("+ "):
            come.append(line[2:])
    return gone, come


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", CASES)
def test_only_these_lines_change(name: str, newline: str, tmp_path: Path) -> None:
    program, gone, come = CASES[name]
    before = (HEAD + program).replace("\n", newline)
    after = mend_text(tmp_path, before)
    assert after != before
    if newline == "\r\n":
        assert "\n" not in after.replace("\r\n", "")
    else:
        assert "\r" not in after
    for comment in ("# 训练脚本：注释必须保留 🙂", *(line.partition("#")[2] for line in program.split("\n"))):
        assert comment in after
    if gone is not None:
        assert lines_changed(before.replace(newline, "\n"), after.replace(newline, "\n")) == (gone, come)
    assert mend_text(tmp_path, after) == after


def test_tabs_and_nesting(tmp_path: Path) -> None:
    program = "def f():\n\tp = nn.Parameter(torch.ones(3))\n\tif True:\n\t\t# 注释\n\t\tp.mul_(2)\n\treturn (p * p).sum()\n\nf().backward()\n"
    after = mend_text(tmp_path, HEAD + program)
    assert "\t\t# 注释\n\t\twith torch.no_grad():\n\t\t\tp.mul_(2)\n\treturn" in after


def test_a_last_line_without_end(tmp_path: Path) -> None:
    after = mend_text(tmp_path, HEAD + "y = net(x).exp()\ny += 1\ny.sum().backward()")
    assert after == HEAD + "y = net(x).exp()\ny = y + 1\ny.sum().backward()"


def edit(row: int, column: int, end_row: int, end_column: int, content: str) -> Edit:
    return Edit(Place("a.py", row, column, end_row, end_column), content)


def test_edits_in_any_order() -> None:
    text = "one\r\ntwo\nthree"
    edits = [edit(3, 1, 3, 6, "3"), edit(1, 4, 1, 4, "!"), edit(2, 1, 3, 1, "")]
    assert apply_text(text, edits) == "one!\r\n3"


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(Overlap):
        apply_text("one two", [edit(1, 1, 1, 5, "a"), edit(1, 4, 1, 8, "b")])
