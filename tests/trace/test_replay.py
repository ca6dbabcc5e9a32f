"""The contract between ``witness/replay.py`` and the rules: an event that is made of a record has all data that rules read."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from autograd_hazards import rules
from autograd_hazards.trace.kinds import PATTERNS
from autograd_hazards.witness import findings, replay

TRACE = Path(findings.__file__).parents[1] / "trace"
PROGRAM = """import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [torch.nn.Linear(1, 1)]
self_total = torch.ones(1, requires_grad=True)
class Twice(torch.autograd.Function):
    @staticmethod
    def backward(ctx, gradient):
        return gradient
self_total += self_total.exp().backward(retain_graph=True)
"""


def _told() -> set[str]:
    """The kinds of events that the recorder notes, by the calls in its source, and those that torch's messages stand for."""
    kinds = {kind for kind, _ in PATTERNS}
    for file in TRACE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("add", "_tell")
            ):
                first = node.args[0] if len(node.args) > 2 else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    kinds.add(first.value)
    return kinds


KINDS = sorted(_told())


def _record(kind: str, file: str) -> dict[str, Any]:
    place = {"file": file, "row": 11, "end_row": 11, "column": 0, "end_column": 59, "function": "<module>"}
    at = [place]
    node = {"op": "ExpBackward0", "function": "", "at": at, "module": None, "seq": 1, "age": "now"}
    chains = (
        "made",
        "built",
        "cut",
        "backward",
        "term",
        "step",
        "first",
        "second",
        "earlier",
        "zero",
        "changed",
        "switch",
        "module",
    )
    return {
        "kind": kind, "loud": kind not in ("stale",), "caught": False, "count": 1, "expected": 0, "where": at,
        "message": "returned an incorrect number of gradients (expected 2, got 1)", "op": "add_", "name": "w", "shape": [1],
        **dict.fromkeys(chains, at),
        "cuts": [{"kind": "detach", "at": at}], "cut_kind": "detach", "scoped": False, "order": "before", "how": "sum",
        "node": node, "path": [node], "own_roots": True, "consumed": False, "first_seq": 1, "walked": True,
        "saved": {"role": "result", "leaf": False, "parameter": False, "name": "", "shape": [1], "version": 0},
        "write": {"op": "add_", "cause": "inplace", "at": at, "module": None, "counted": True, "seq": 2},
        "function": {"name": "Twice", "file": file, "row": 8},
        "holder": "list", "attribute": "hidden", "owner": {"name": "Net", "constructors": [{"file": file, "row": 3}]},
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_rules_find_what_they_read(kind: str, tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text(PROGRAM, encoding="utf-8")
    found = findings.find({"events": [_record(kind, str(main))]})
    for finding in found:
        assert finding.certainty == findings.OBSERVED and finding.place.filename == str(main)


def test_every_silent_kind_has_its_own_data() -> None:
    """A kind that falls back to the data of an error would tell a story without its places."""
    heard = {kind for rule in rules.ALL.values() for kind in rule.on}
    noted = set(KINDS) - {kind for kind, _ in PATTERNS}
    assert noted <= heard, "the recorder notes what no rule reads"
    assert all(hasattr(replay.Replay, "_" + kind) for kind in noted)
