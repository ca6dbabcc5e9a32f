"""Tests read English, whatever the language of the person who runs them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.rules.zygote import Zygote

for _name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
    if os.environ.get(_name, "").lower().startswith("zh"):
        os.environ[_name] = "C.UTF-8" if _name != "LANGUAGE" else "en"

# Servers that tests start keep nothing, least of all in the folder of the person who runs them.
os.environ["AUTOGRAD_HAZARDS_CACHE"] = ""


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """A process with torch imported, to run programs in."""
    pytest.importorskip("torch")
    with Zygote() as process:
        yield process
