"""The machine and the rules on mutated files and odd calls of models: no exception, no defect, no long run.

FUZZ=n runs n mutated files (300 without it) and four times as many calls, FUZZ_SEED=n starts at another seed;
``bench/robustness.py`` runs more of both and whole trees.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sysconfig
import time
from pathlib import Path

import pytest
from bench.mutations import mutate
from bench.odd_calls import programs

from autograd_hazards import rules
from autograd_hazards.machine import Limits, analyse
from autograd_hazards.program.project import Project

TESTS = Path(__file__).parent.parent
FILES = int(os.environ.get("FUZZ", "300"))
FIRST = int(os.environ.get("FUZZ_SEED", "0"))
PARTS = 6
LARGEST = 12_000  # bytes of a file that is mutated
SECONDS = 10.0  # of CPU that any file may take


def sources() -> list[str]:
    """Texts to mutate: programs written for the rules, then some of torch and of the standard library."""
    standard = Path(sysconfig.get_path("stdlib"))
    folders = [TESTS / "rules" / "cases", TESTS / "rules" / "negatives", standard / "json", standard / "asyncio"]
    torch = importlib.util.find_spec("torch")
    if torch is not None and torch.submodule_search_locations:
        package = Path(torch.submodule_search_locations[0])
        folders += [package / "optim", package / "nn" / "modules", package / "distributions"]
    found = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return [path.read_text("utf-8", "replace") for path in found if path.stat().st_size < LARGEST]


@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_files_neither_fail_nor_hang(part: int) -> None:
    texts = sources()
    assert texts
    for seed in range(FIRST + part, FIRST + FILES, PARTS):
        rng = random.Random(seed)
        text, changes = mutate(rng.choice(texts), rng, [rng.choice(texts)])
        path = Path("/fuzz/program.py")
        began = time.process_time()
        analysis = analyse(Project([path.parent], {path: text}), [path], Limits(total=5.0))
        rules.find(analysis)
        assert analysis.defects == [], f"seed {seed}: {'+'.join(changes)}"
        assert time.process_time() - began < SECONDS, f"seed {seed}: {'+'.join(changes)}"


@pytest.mark.parametrize("part", range(PARTS))
def test_models_called_oddly_neither_fail_nor_hang(part: int) -> None:
    count = 4 * FILES // PARTS
    path = Path("/fuzz/program.py")
    for name, text in programs(FIRST + part * 1009, count):
        began = time.process_time()
        analysis = analyse(Project([path.parent], {path: text}), [path], Limits(total=5.0))
        rules.find(analysis)
        assert analysis.defects == [], name
        assert time.process_time() - began < SECONDS, name


def test_mutations_are_seeded() -> None:
    texts = sources()[:20]
    for seed in range(20):
        first = mutate(texts[seed % len(texts)], random.Random(seed), texts)
        assert first == mutate(texts[seed % len(texts)], random.Random(seed), texts)
        assert first[1]
