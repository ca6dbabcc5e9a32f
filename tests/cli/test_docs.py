"""Generated documentation is fresh, and every rule has what a page needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograd_hazards import catalogue

ROOT = Path(__file__).parents[2]


def test_generated_files_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "gen_docs.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("code", catalogue.entries())
def test_a_rules_documentation_begins_with_one_sentence(code: str) -> None:
    first = catalogue.entries()[code].doc.strip().split("\n\n")[0]
    assert first.rstrip().endswith(".")
    assert len(first) < 250
