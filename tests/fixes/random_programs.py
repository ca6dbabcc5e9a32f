"""Random failing programs, mended and run: ``python -m tests.fixes.random_programs --seed 0 --count 2000``.

The programs are those of the differential tests that torch refuses. Each is mended as ``check --fix --unsafe-fixes``
does, and run again.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograd_hazards.config import Config
from autograd_hazards.fixes.session import Mended, mend
from autograd_hazards.workspace import Workspace
from tests.differential.generate import program
from tests.differential.oracle import FILENAME, Oracle
from tests.differential.verdict import Verdict

BATCH = 50


@dataclass(frozen=True, slots=True)
class Result:
    """A program that torch refuses: how, what was made of it, and what torch says of that."""

    seed: int
    text: str
    before: Verdict
    mended: Mended
    after_text: str
    after: Verdict
    message: str

    @property
    def runs(self) -> bool:
        """Whether the mended program runs without an error."""
        return not self.after.kind

    @property
    def worse(self) -> bool:
        """Whether an error came that has nothing to do with autograd: one that the fixes brought in."""
        return self.after.kind == "invalid"


# Runs a program as if autograd never refused anything.
TOLERANT = """\
import torch
from tests.differential.verdict import kind_of
from torch.overrides import TorchFunctionMode
class Tolerant(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        try:
            return function(*args, **(kwargs or {{}}))
        except RuntimeError as error:
            if kind_of(str(error)) is None:
                raise
        try:  # a write that only a graph forbids is done: what else is wrong with it shows
            with torch.no_grad():
                return function(*args, **(kwargs or {{}}))
        except RuntimeError as error:
            if kind_of(str(error)) is None:
                raise
        return next((a for a in args if isinstance(a, torch.Tensor)), torch.zeros(()))
with Tolerant():
    exec(compile({text!r}, "program.py", "exec"), {{"__name__": "__main__"}})
"""


def mended_text(folder: Path, text: str) -> tuple[str, Mended]:
    """What ``--fix --unsafe-fixes`` makes of one program, and what it says; nothing is written."""
    path = folder / FILENAME
    workspace = Workspace(folder, Config(), overlay={path: text}, jobs=1, scan_importers=False)
    mended = mend(workspace, [path], unsafe=True)
    return mended.texts.get(path, text), mended


def results(oracle: Oracle, folder: Path, first: int) -> Iterator[Result]:
    """Programs that torch refuses, mended, from the seed ``first`` on without end."""
    for start in itertools.count(first, BATCH):
        seeds = range(start, start + BATCH)
        texts = [program(number) for number in seeds]
        oracle.ask(texts)
        failing = [
            found for found in zip(seeds, texts, oracle.answer()) if found[2].kind and found[2].kind != "invalid"
        ]
        made = [mended_text(folder, text) for _, text, _ in failing]
        oracle.ask([TOLERANT.format(text=text) for _, text, _ in failing])
        # Behind its hazard the program is broken in another way: nothing could make it run. An error of torch's own (of
        # shapes, say) must be the same after mending, since what stands in for a refused result may bring others.
        broken = [(verdict.kind == "invalid", message) for verdict, message in zip(oracle.answer(), oracle.messages)]
        oracle.ask([text for text, _ in made])
        for (number, text, before), (new, mended), after, message, (lost, other) in zip(
            failing, made, oracle.answer(), oracle.messages, broken
        ):
            if lost and after.kind == "invalid" and (message == other or not other.startswith("RuntimeError")):
                continue
            yield Result(number, text, before, mended, new, after, message)


def main() -> int:
    """Print how many run and why the others do not; exit status 1 when fewer than nine of ten run or any is worse."""
    parser = argparse.ArgumentParser(prog="python -m tests.fixes.random_programs", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--count", type=int, default=2000, help="how many failing programs")
    parser.add_argument("--show", type=int, default=20, help="how many of those that still fail to tell about")
    options = parser.parse_args()
    total = run = worse = 0
    rest: Counter[str] = Counter()
    with Oracle() as oracle:
        for result in itertools.islice(results(oracle, Path.cwd(), options.seed), options.count):
            total += 1
            run += result.runs
            worse += result.worse
            if not result.runs:
                rest[f"{result.before.kind} → {result.after.kind}"] += 1
                if sum(rest.values()) <= options.show or result.worse:
                    print(
                        f"seed {result.seed}: {result.before} → {result.after} {result.message.splitlines()[0][:100]}"
                    )
                    for finding, fix in result.mended.applied:
                        print(f"    fixed {finding.code}: {fix.title}")
                    for finding, reason in result.mended.left:
                        print(f"    left {finding.code} in row {finding.place.row}: {reason}")
    print(f"{run} of {total} run ({run / total:.1%}), {worse} worse")
    for what, times in rest.most_common():
        print(f"{times:5} {what}")
    return int(run < 0.9 * total or worse > 0)


if __name__ == "__main__":
    raise SystemExit(main())
