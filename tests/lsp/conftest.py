"""A real server process behind a real client, in each position encoding."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from tests.lsp.client import Editor

ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest_asyncio.fixture
async def editor(tmp_path: Path, request: Any) -> AsyncIterator[Editor]:
    """An editor connected to a fresh server, with the folder ``tmp_path`` open."""
    options = getattr(request, "param", {})
    made = Editor(tmp_path, **options)
    await made.start([sys.executable, "-m", "autograd_hazards", "server"])
    yield made
    await made.stop()
