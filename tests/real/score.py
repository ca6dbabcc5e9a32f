"""Score the analyser on local checkouts: ``python -m tests.real.score FOLDER [-v]``. Nothing is fetched.

FOLDER holds checkouts of the repositories that ``labels.json`` names (all or some of them), each at the commit named
there, as ``owner__name``, ``owner/name`` or ``name``. Those that are missing are left out and counted.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograd_hazards import cli
from tests.real.labels import Label, folder_of, labels, outcomes, table


def findings_in(folder: Path) -> list[dict[str, Any]]:
    """What ``check`` finds in a checkout. Raises ValueError when it fails."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = cli.main(["check", "--output-format", "json", "--exit-zero", "--no-cache", str(folder)])
    if code:
        raise ValueError(f"check failed on {folder}")
    found: list[dict[str, Any]] = json.loads(out.getvalue())
    return found


def main() -> int:
    """Print the table; exit status 1 if a false alarm is raised or fewer than four of five hazards are found."""
    parser = argparse.ArgumentParser(prog="python -m tests.real.score", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-v", "--verbose", action="store_true", help="print every place")
    options = parser.parse_args()
    places = labels()
    findings: dict[str, list[dict[str, Any]]] = {}
    missing = []
    for repository in sorted({place.repository for place in places}):
        folder = folder_of(options.folder, repository)
        if folder is None:
            missing.append(repository)
        else:
            findings[repository] = findings_in(folder)
    results = outcomes(places, findings)
    if options.verbose:
        for outcome in results:
            print(f"{'right' if outcome.right else 'WRONG'} {_line(outcome.label)} {', '.join(outcome.codes) or '-'}")
    print(table(results))
    if missing:
        print(f"not checked out: {len(missing)} ({', '.join(missing[:5])}{', …' if len(missing) > 5 else ''})")
    hazards = [outcome for outcome in results if outcome.label.verdict == "hazard"]
    good = sum(outcome.right for outcome in hazards) * 5 >= len(hazards) * 4
    return 0 if good and all(outcome.right for outcome in results if outcome.label.verdict != "hazard") else 1


def _line(label: Label) -> str:
    place = f"{label.line}" if label.cell is None else f"cell {label.cell}:{label.line}"
    return f"{label.verdict:11} {label.kind:34} {label.repository} {label.file}:{place}"


if __name__ == "__main__":
    sys.exit(main())
