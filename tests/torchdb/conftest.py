"""The generator's modules live in tools/; the tests use its witnesses."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "tools", ROOT / "server"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
