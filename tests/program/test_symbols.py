"""What a module defines and mentions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograd_hazards.program.symbols import sinks_of, symbols_of
from autograd_hazards.source.parse import parse

TEXT = """\
import torch.nn as nn


class Net(nn.Module, metaclass=M):
    def __init__(self):
        super().__init__()

    if X:
        def forward(self, x):
            x.add_(1)
            return x

    async def later(self): ...


class Local(base.Class[int]):
    pass


def train(model):
    def closure():
        loss.backward()
    optimizer.step(closure)


try:
    def helper(): return 1
except ImportError:
    def other(): pass
for i in range(3):
    with a:
        def inner(): pass
if __name__ == "__main__":
    train(Net())
"""


def test_definitions() -> None:
    symbols = symbols_of(parse(TEXT, "file.py"))
    assert {name: symbol.bases for name, symbol in symbols.classes.items()} == {
        "Net": ("nn.Module",),
        "Local": ("base.Class[int]",),
    }
    assert list(symbols.classes["Net"].methods) == ["__init__", "forward", "later"]
    assert list(symbols.functions) == ["train", "helper", "other", "inner"]
    assert [symbol.qualname for symbol in symbols.callables()][-3:] == ["Net.__init__", "Net.forward", "Net.later"]
    forward = symbols.classes["Net"].methods["forward"]
    assert forward.sinks == {"add_"}
    assert forward.owner is symbols.classes["Net"]
    train = symbols.functions["train"]
    assert train.sinks == {"backward", "step"}
    assert {"closure", "backward", "step"} <= train.calls


def test_symbols_are_computed_once() -> None:
    parsed = parse(TEXT, "file.py")
    assert symbols_of(parsed) is symbols_of(parsed)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("loss.backward()", {"backward"}),
        ("torch.autograd.grad(a, b)", {"grad"}),
        ("p.grad = None", {"grad"}),
        ("p.grad.zero_()", {"grad", "zero_"}),
        ("x . detach_ ()", {"detach_"}),
        ("x.item()", {"item"}),
        ("x.__init__()", set()),
        ("x += 1", {"op="}),
        ("x **= 2", {"op="}),
        ("x @= y", {"op="}),
        ("x[0] //= 1", {"op=", "[]="}),
        ("x[0] = 1", {"[]="}),
        ("x[i, j]= 1", {"[]="}),
        ("x[0] == 1", set()),
        ("x <= y or x >= y or x != y", set()),
        ("torch.add(a, b, out=c)", {"out="}),
        ("nn.ReLU(inplace=True)", {"inplace="}),
        ("w.data.clamp_(0)", {"data", "clamp_"}),
        ("self._private_(1)", set()),
    ],
)
def test_sinks(code: str, expected: set[str]) -> None:
    assert sinks_of(code) == expected


def test_no_call_of_a_sink_is_missed() -> None:
    """Against the tree, on files of the standard library."""
    paths = sorted(Path(ast.__file__).parent.glob("*.py"))[::15]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found = sinks_of(text)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.AugAssign):
                assert "op=" in found
            elif isinstance(node, ast.Assign) and isinstance(node.targets[-1], ast.Subscript):
                assert "[]=" in found
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = node.func.attr
                if name in ("step", "item", "apply") or (name[0].isalpha() and name[-1] == "_" != name[-2]):
                    assert name in found, (path, node.lineno)
