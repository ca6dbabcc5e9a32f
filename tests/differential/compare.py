"""Both sides on one program, and the smallest program on which they still differ."""

from __future__ import annotations

import ast
import copy
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.differential.generate import program
from tests.differential.oracle import FILENAME, Oracle
from tests.differential.verdict import RUNS, Verdict

BATCH = 50


@dataclass(frozen=True, slots=True)
class Comparison:
    """What torch and the machine say of a program."""

    seed: int
    text: str
    torch: Verdict
    machine: Verdict

    @property
    def valid(self) -> bool:
        """Whether torch's verdict is one on autograd at all."""
        return self.torch.kind != "invalid"

    @property
    def agrees(self) -> bool:
        """Whether both name the same kind and row, or both nothing."""
        return self.torch == self.machine


ONE_NAME = {
    "no_grad_view": "view",
    "inference_view": "view",
    "custom_view": "view",
    "non_leaf_optimized": "other",
}  # the machine's finer kinds, by the name that torch's messages are sorted under


def machine_verdict(text: str) -> Verdict:
    """The machine's first loud event. A crash of the machine is a verdict too, one that nothing agrees with."""
    from autograd_hazards.machine import run_text

    try:
        events = run_text(text, FILENAME)
    except Exception as error:  # noqa: BLE001 - a crash must be counted and shrunk like any disagreement
        place = traceback.extract_tb(error.__traceback__)[-1]
        return Verdict(f"CRASH {type(error).__name__} in {Path(place.filename).name}:{place.lineno}")
    first = next((event for event in events if event.loud and not event.caught), None)
    return RUNS if first is None else Verdict(ONE_NAME.get(first.kind, first.kind), first.fails.row)


def compare_all(oracle: Oracle, seeds: Sequence[int]) -> Iterator[Comparison]:
    """Compare the programs of the seeds. Torch works on a batch while the machine reads the same one."""
    for start in range(0, len(seeds), BATCH):
        batch = seeds[start : start + BATCH]
        texts = [program(seed) for seed in batch]
        oracle.ask(texts)
        machine = [machine_verdict(text) for text in texts]
        yield from map(Comparison, batch, texts, oracle.answer(), machine)


def differ(oracle: Oracle, text: str) -> bool:
    """Whether the sides disagree on a valid program."""
    verdict = oracle.verdict(text)
    return verdict.kind != "invalid" and verdict != machine_verdict(text)


def shrink(oracle: Oracle, text: str) -> str:
    """A program with as few statements as can be on which the sides still disagree."""
    tree = ast.parse(text)
    smaller = ast.unparse(tree) + "\n"
    if not differ(oracle, smaller):
        return text
    improved = True
    while improved:
        improved = False
        for candidate in _smaller(tree):
            candidate_text = ast.unparse(candidate) + "\n"
            if len(candidate_text) < len(smaller) and differ(oracle, candidate_text):
                tree, smaller, improved = candidate, candidate_text, True
                break
    return smaller


def _smaller(tree: ast.Module) -> Iterator[ast.Module]:
    """Every program that lacks one thing: a run of statements, a block's head, an operand, a call around a value."""
    for size in (8, 4, 2, 1):
        for index, name, length in _bodies(tree):
            for start in range(length - size, -1, -1):
                candidate = copy.deepcopy(tree)
                block = getattr(_nodes(candidate)[index], name)
                del block[start : start + size]
                if not block and name == "body" and index:
                    block.append(ast.Pass())
                yield candidate
    for index, name, length in _bodies(tree):
        for position in range(length):
            statement = getattr(_nodes(tree)[index], name)[position]
            inside = getattr(statement, "body", None)
            if isinstance(inside, list) and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                candidate = copy.deepcopy(tree)
                block = getattr(_nodes(candidate)[index], name)
                block[position : position + 1] = block[position].body
                yield candidate
    yield from _simpler_expressions(tree)


def _simpler_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    for index, node in enumerate(_nodes(tree)):
        for name, value in ast.iter_fields(node):
            parts = value if isinstance(value, list) else [value]
            for position, part in enumerate(parts):
                for choice, _ in enumerate(_inside(part)):
                    candidate = copy.deepcopy(tree)
                    holder = _nodes(candidate)[index]
                    field = getattr(holder, name)
                    if isinstance(field, list):
                        field[position] = _inside(field[position])[choice]
                    else:
                        setattr(holder, name, _inside(field)[choice])
                    yield candidate


def _inside(node: object) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Call):
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*receiver, *node.args]
    return []


def _nodes(tree: ast.Module) -> list[ast.AST]:
    return list(ast.walk(tree))


def _bodies(tree: ast.Module) -> list[tuple[int, str, int]]:
    found = []
    for index, node in enumerate(_nodes(tree)):
        for name in ("body", "orelse", "finalbody", "handlers", "decorator_list"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                found.append((index, name, len(block)))
    return found
