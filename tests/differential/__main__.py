"""Compare the machine with torch on random programs: ``python -m tests.differential --seed 0 --count 20000``."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.differential.compare import Comparison, compare_all, machine_verdict, shrink
from tests.differential.generate import program
from tests.differential.oracle import Oracle


def main() -> int:
    """Print the counts and the shrunk disagreements; exit status 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--count", type=int, default=2000, help="how many programs")
    parser.add_argument("--show", type=int, default=10, help="how many disagreements to shrink and print")
    parser.add_argument("--full", action="store_true", help="print disagreements whole, not shrunk")
    parser.add_argument("--print", action="store_true", help="only print the program of --seed")
    parser.add_argument("--torch-only", action="store_true", help="only count what torch says")
    options = parser.parse_args()
    if options.print:
        print(program(options.seed), end="")
        return 0
    if options.torch_only:
        return _count(options.seed, options.count)
    kinds: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    wrong: list[Comparison] = []
    start = time.perf_counter()
    with Oracle() as oracle:
        for comparison in compare_all(oracle, range(options.seed, options.seed + options.count)):
            kinds[comparison.torch.kind or "runs"] += 1
            if comparison.valid and not comparison.agrees:
                wrong.append(comparison)
                pairs[_pair(comparison)] += 1
        seconds = time.perf_counter() - start
        valid = options.count - kinds["invalid"]
        print(f"torch: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}")
        print(f"{valid - len(wrong)} of {valid} agree, {seconds:.1f} s")
        for (torch, machine), count in pairs.most_common():
            print(f"{count:6} torch {torch}, machine {machine}")
        for comparison in _various(wrong, options.show):
            text = comparison.text if options.full else shrink(oracle, comparison.text)
            print(f"--- seed {comparison.seed}: torch {oracle.verdict(text)}, machine {machine_verdict(text)}")
            print(f"    {oracle.messages[0].splitlines()[0] if oracle.messages[0] else ''}")
            print("".join(f"{row:4} {line}\n" for row, line in enumerate(text.splitlines(), 1)), flush=True)
    return 1 if wrong else 0


def _count(seed: int, count: int) -> int:
    with Oracle() as oracle:
        oracle.ask([program(number) for number in range(seed, seed + count)])
        kinds = Counter(verdict.kind or "runs" for verdict in oracle.answer())
    print(", ".join(f"{kind} {number}" for kind, number in kinds.most_common()))
    return 0


def _pair(comparison: Comparison) -> tuple[str, str]:
    torch, machine = comparison.torch, comparison.machine
    same = torch.kind == machine.kind
    return torch.kind or "runs", f"{machine.kind or 'runs'}{', another row' if same else ''}"


def _various(wrong: list[Comparison], count: int) -> list[Comparison]:
    """Some disagreements, of as many different kinds as there are."""
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for comparison in sorted(wrong, key=lambda comparison: len(comparison.text)):
        groups.setdefault(_pair(comparison), []).append(comparison)
    chosen: list[Comparison] = []
    while len(chosen) < min(count, len(wrong)):
        chosen.extend(group.pop(0) for group in groups.values() if group)
    return chosen[:count]


if __name__ == "__main__":
    sys.exit(main())
