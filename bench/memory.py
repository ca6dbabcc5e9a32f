"""Memory of the language server with a whole project open, beside ruff's.

    python bench/memory.py FOLDER [--edit FILE] [--open all|edited] [--edits 5] [--peers ruff]

Opens every Python file of FOLDER (or only the edited one), edits FILE, and waits each time until the server does nothing any
more, so that what callers of the edited file leave behind is counted. Prints the resident memory of each server after each
step, and the most that it and the processes that it starts took together while they worked.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

SERVER = Path(__file__).resolve().parent.parent / "server"
OURS = f"{sys.executable} -m autograd_hazards server"
PEERS = {"ruff": "ruff server"}
QUIET = 1.5  # seconds without work after which a server has nothing more to do
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """A language server and what it says."""

    def __init__(self, command: str, root: Path) -> None:
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.root = root
        self.answers: dict[int, threading.Event] = {}
        self.published: dict[str, int] = {}
        self.most = 0.0  # resident memory of all processes together, in MB, while they worked
        threading.Thread(target=self._read, daemon=True).start()
        folder = {"uri": root.as_uri(), "name": root.name}
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}},
            },
        )
        self.send("initialized", {})

    def _read(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None
        while line := pipe.readline():
            length = int(line.split(b":")[1])
            while pipe.readline() not in (b"\r\n", b"\n"):
                pass
            message = json.loads(pipe.read(length))
            if "method" not in message:
                self.answers[message["id"]].set()
            elif "id" in message:
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif message["method"] == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = len(message["params"]["diagnostics"])

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        pipe = self.process.stdin
        assert pipe is not None
        pipe.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        pipe.flush()

    def send(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any) -> None:
        """Send a request and wait for its answer."""
        number = len(self.answers) + 1
        self.answers[number] = threading.Event()
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self.answers[number].wait(120)

    def open(self, path: Path, text: str) -> None:
        """Open a file."""
        item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def change(self, path: Path, version: int, text: str) -> None:
        """Give a file another text."""
        named = {"uri": path.as_uri(), "version": version}
        self.send("textDocument/didChange", {"textDocument": named, "contentChanges": [{"text": text}]})

    def rest(self) -> None:
        """Wait until the server does nothing any more."""
        since, before = time.monotonic(), self.processor()
        while time.monotonic() - since < QUIET:
            time.sleep(0.1)
            now = self.processor()
            self.most = max(self.most, self.resident())
            if now - before > 0.02:
                since, before = time.monotonic(), now

    def processes(self) -> list[int]:
        """The server's process and those that it started."""
        found, pending = [], [self.process.pid]
        while pending:
            found.append(pid := pending.pop())
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                pending += map(int, _read(str(children)).split())
        return found

    def processor(self) -> float:
        """Seconds of processor time used so far."""
        stats = (_read(f"/proc/{pid}/stat") for pid in self.processes())
        return sum(sum(map(int, stat.rsplit(")", 1)[1].split()[11:15])) for stat in stats if stat) / TICK

    def resident(self) -> float:
        """Resident memory in MB, of processes that it has started included."""
        lines = (line for pid in self.processes() for line in _read(f"/proc/{pid}/status").splitlines())
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def close(self) -> None:
        """End the server."""
        self.request("shutdown", None)
        self.send("exit", None)
        self.process.wait(20)


def _read(name: str) -> str:
    """What a file of the system says; nothing when its process has ended meanwhile."""
    try:
        return Path(name).read_text()
    except OSError:
        return ""


def measure(command: str, root: Path, edited: Path, files: list[Path], edits: int) -> dict[str, float]:
    """Memory in MB after each step, and seconds of processor time."""
    server = Server(command, root)
    found: dict[str, float] = {}
    server.rest()
    found["started"] = server.resident()
    for path in files:
        server.open(path, path.read_text(encoding="utf-8", errors="replace"))
    server.rest()
    found["opened"] = server.resident()
    text = edited.read_text(encoding="utf-8")
    for number in range(edits):
        text = f"{text}\n# {number}\nlast_{number} = {number}\n" if number % 2 else text.replace("loss", "loss_", 1)
        server.change(edited, number + 2, text)
        server.rest()
        found[f"edit {number + 1}"] = server.resident()
    found["most"], found["CPU s"] = server.most, server.processor()
    found["diagnostics"] = sum(server.published.values())
    server.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edit", type=Path, help="the file that is edited (default: the first)")
    parser.add_argument("--open", choices=("all", "edited"), default="all")
    parser.add_argument("--edits", type=int, default=3)
    parser.add_argument("--peers", default="ruff")
    options = parser.parse_args()
    root = options.folder.resolve()
    files = sorted(root.rglob("*.py"))
    edited = options.edit.resolve() if options.edit else files[0]
    opened = [path for path in files if path != edited] if options.open == "all" else []
    commands = {name: PEERS[name] for name in options.peers.split(",") if name}
    # As installed: with the package of this checkout, and modules compiled once.
    compileall.compile_dir(SERVER, quiet=1)
    os.environ["PYTHONPATH"] = str(SERVER)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    yardstick = 0.0
    for name, command in {**commands, "ours": OURS}.items():
        with tempfile.TemporaryDirectory() as cache:
            os.environ["AUTOGRAD_HAZARDS_CACHE"] = cache
            found = measure(command, root, edited, [*opened, edited], options.edits)
        steps = "  ".join(f"{step} {value:.1f}" for step, value in found.items())
        last = found[f"edit {options.edits}"] if options.edits else found["opened"]
        yardstick = yardstick or last
        print(f"{name}: {steps}  ({last / yardstick:.2f} x)", flush=True)


if __name__ == "__main__":
    main()
