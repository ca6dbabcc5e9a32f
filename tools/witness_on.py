"""Run the recorder's checks under another interpreter, to see that it works with the torch that is installed there.

``python tools/witness_on.py /path/to/venv/bin/python`` runs the corpus and the programs whose numbers must not change
in that interpreter and prints what is found. Exit status 1 when something fails. The interpreter needs torch only.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "server")]

from tests.rules.corpus import cases, negatives  # noqa: E402
from tests.rules.judge import judge, line  # noqa: E402
from tests.trace.programs import FINGERPRINT, PROGRAMS  # noqa: E402
from tests.trace.test_corpus import MISSES  # noqa: E402
from tests.trace.watched import Watched  # noqa: E402

from autograd_hazards.witness.findings import find  # noqa: E402 - runs from a checkout without being installed


def main() -> int:
    """Check one interpreter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="the interpreter to check")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth program of the corpus")
    options = parser.parse_args()
    script = "import torch, sys; print(torch.__version__, 'on Python', sys.version.split()[0])"
    print(
        "torch",
        subprocess.run([options.python, "-c", script], capture_output=True, text=True, check=True).stdout.strip(),
    )
    bad: list[str] = []
    given = [case for case in cases() if "cases" in case.file.parts][:: options.every]
    found = skipped = 0
    with Watched(options.python) as watched, tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            main_file = Path(folder) / "main.py"
            main_file.write_text(FINGERPRINT + text, encoding="utf-8")
            plain, seen = watched.run(main_file, Path(folder), watch=False), watched.run(main_file, Path(folder))
            if plain.code:
                print(f"  {name}: does not run with this torch")
            elif (plain.code, plain.out) != (seen.code, seen.out) or seen.record["failures"] or find(seen.record):
                bad.append(
                    f"{name}: {seen.err[-300:]} {seen.record.get('failures')} {list(map(line, find(seen.record)))}"
                )
        for case in given:
            outcome = watched.run(case.bad.main, case.bad.root)
            failed = outcome.code != 0
            if failed != case.loud or (case.error and not re.search(case.error, outcome.err)):
                skipped += 1  # this torch says something else
                continue
            if outcome.record.get("failures"):
                bad.append(f"{case.name}: {outcome.record['failures']}")
            verdict = judge(case, find(outcome.record)) if outcome.record else None
            if verdict is not None and verdict.found:
                found += 1
            elif case.name not in MISSES:
                bad.append(f"{case.name}: {verdict.why if verdict else outcome.err[-300:]}")
        right = [*(case.fixed for case in given), *negatives()[:: options.every]]
        for program in right:
            outcome = watched.run(program.main, program.root)
            accused = find(outcome.record) if outcome.record else []
            if outcome.code == 0 and (accused or outcome.record.get("failures")):
                bad.append(f"{program.name}: {[*map(line, accused)]} {outcome.record.get('failures')}")
    print(
        f"{found} of {len(given) - skipped} hazards found ({skipped} show otherwise with this torch); {len(right)} right programs"
    )
    print("".join(f"  {text}\n" for text in bad), end="")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
