"""The committed tables are what the installed torch gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_regenerating_gives_the_committed_tables() -> None:
    if not os.environ.get("CI"):
        pytest.importorskip("torch")
    import torch

    from autograd_hazards import torchdb

    if not torch.__version__.startswith(torchdb.version() + "."):
        pytest.skip(f"the tables are of torch {torchdb.version()}, installed is {torch.__version__}")
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/gen_torchdb.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
