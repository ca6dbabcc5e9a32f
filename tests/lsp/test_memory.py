"""What the server takes of memory, measured beside a server of the same libraries that does nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench.memory import OURS, Server

ECHO = f"{sys.executable} {Path(__file__).resolve().parents[2] / 'bench' / 'echo_server.py'}"
CALLED = "import torch\n\n\ndef change(h):\n    h = h * 2\n    return h\n"
CALLER = (
    "import torch\nfrom called import change\n\nw = torch.ones(3, requires_grad=True)\n"
    "change(torch.sigmoid(w)).sum().backward()\n\n\n"
)
DULL = "def dull_{n}(x, y):\n    z = [x * {n}, y + {n}]\n    while z:\n        x = x + z.pop() * (y - {n})\n    return x, y, z\n\n\n"
FILES = 60


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by /proc")
def test_memory_stays_within_bounds_where_many_files_call_the_edited_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRAD_HAZARDS_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    called = root / "called.py"
    called.write_text(CALLED)
    for number in range(FILES):  # 800,000 characters
        (root / f"caller{number}.py").write_text(CALLER + "".join(DULL.format(n=n) for n in range(100)))
    echo = Server(ECHO, root)
    echo.rest()
    least = echo.resident()
    echo.close()
    server = Server(OURS, root)
    server.rest()
    started = server.resident()
    server.open(called, CALLED)
    server.rest()
    assert server.published == {called.as_uri(): 0}
    text = CALLED
    for version in (2, 3):
        text = text.replace("    h = h * 2\n", "    h *= 2\n") + "# edited\n"
        server.change(called, version, text)
        server.rest()
        assert server.published == {called.as_uri(): 1}  # by those that call it
    settled = server.resident()
    server.close()
    assert started < 1.5 * least, (least, started)
    assert settled < 1.75 * least, (least, started, settled)
