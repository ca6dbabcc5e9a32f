"""A table of the corpus: found, missed and why, false alarms, seconds. ``python -m tests.rules.score [-k WORD] …``."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograd_hazards.findings import Finding
from tests.rules.corpus import Case, Program, cases, negatives
from tests.rules.judge import accusations, findings_of, judge, line


def _read(program: Program) -> tuple[list[Finding], float, str]:
    """Findings, seconds, and the crash if there was one: a score must go on after it."""
    start = time.perf_counter()
    crash = ""
    found: list[Finding] = []
    try:
        found = findings_of(program)
    except Exception as error:  # noqa: BLE001 - shown in the table
        place = traceback.extract_tb(error.__traceback__)[-1]
        crash = f"CRASH {type(error).__name__}: {error} at {Path(place.filename).name}:{place.lineno}"
    return found, time.perf_counter() - start, crash


def _show(findings: Iterable[Finding]) -> None:
    for finding in findings:
        print(f"        {line(finding)}")


def _score_case(case: Case, verbose: bool) -> bool:
    findings, seconds, crash = _read(case.bad)
    verdict = judge(case, findings)
    mark = "found " if verdict.found else "MISSED"
    print(f"{mark} {seconds:6.3f}s {case.rule} {'loud  ' if case.loud else 'silent'} {case.name} {crash}")
    if not verdict.found:
        rows = ",".join(map(str, sorted(case.hazard_rows)))
        related = ",".join(map(str, sorted(case.related_rows)))
        print(f"        want {case.file.name}:{rows} (related {related})" + ("" if crash else f"; {verdict.why}"))
    if verbose or not verdict.found:
        _show(findings)
    return verdict.found


def _score_right(program: Program, verbose: bool) -> bool:
    findings, seconds, crash = _read(program)
    accused = accusations(findings)
    if accused or crash or verbose:
        print(f"{'ACCUSED' if accused else 'right'} {seconds:6.3f}s {program.name} {crash}")
        _show(findings if verbose else accused)
    return not accused and not crash


def main() -> int:
    """Print the table; exit status 1 if anything is missed, accused or crashed."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.score", description=__doc__)
    parser.add_argument("-k", metavar="WORD", default="", help="only programs whose name or rule contains WORD")
    parser.add_argument("-o", "--only", choices=("bad", "fixed", "negatives"), help="only one part of the corpus")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every finding")
    options = parser.parse_args()
    start = time.perf_counter()
    chosen = [case for case in cases() if options.k in f"{case.rule} {case.name}"]
    results: dict[str, list[bool]] = {"bad": [], "fixed": [], "negatives": []}
    if options.only in (None, "bad"):
        results["bad"] = [_score_case(case, options.verbose) for case in chosen]
    if options.only in (None, "fixed"):
        results["fixed"] = [_score_right(case.fixed, options.verbose) for case in chosen]
    if options.only in (None, "negatives"):
        right = [program for program in negatives() if options.k in program.name]
        results["negatives"] = [_score_right(program, options.verbose) for program in right]
    for part, good in results.items():
        print(f"{part}: {sum(good)} of {len(good)}")
    print(f"{time.perf_counter() - start:.1f} s")
    return 0 if all(all(good) for good in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
