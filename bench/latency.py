"""Latency of the language server beside others, on the files given: edit to diagnostics for that version.

    python bench/latency.py FILE... [--peers ruff,echo,pyright,pylsp,fixit] [--edits 30] [--where spread] [--burst] [--gap-ms 0]
        [--settle-ms 0]

Each FILE is copied into a folder of its own, so that every server has the same work. The first peer is the yardstick;
peers are found on PATH. Prints a Markdown table; ``--out`` keeps lspbench's JSON per file.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SERVER = HERE.parent / "server"
COMMANDS = {
    "ruff": "ruff server",
    "echo": f"{sys.executable} {HERE / 'echo_server.py'}",
    "pyright": "pyright-langserver --stdio",
    "pylsp": "pylsp",
    "fixit": "fixit lsp --debounce-interval 0",
}
OURS = f"{sys.executable} -m autograd_hazards server"


def measure(path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Run lspbench on one file, with a server that has kept nothing before its first start."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        copy = Path(folder) / path.name
        shutil.copy(path, copy)
        command = [sys.executable, str(HERE / "lspbench.py"), "--file", str(copy), "--where", options.where]
        for name in options.peers.split(","):
            command += ["--server", f"{name}={COMMANDS[name]}"]
        command += ["--server", f"ours={OURS}", "--edits", str(options.edits), "--cold-runs", str(options.cold_runs)]
        command += ["--settings", str(HERE / "pyright_settings.json"), "--timeout", "120"]
        if options.burst:
            command += ["--burst-ms", "60", "--burst-reps", "3"]
        if options.gap_ms:
            command += ["--gap-ms", str(options.gap_ms)]
        if options.settle_ms:
            command += ["--settle-ms", str(options.settle_ms)]
        # As installed: with the package of this checkout, and modules compiled once.
        environment = {**os.environ, "AUTOGRAD_HAZARDS_CACHE": cache, "PYTHONPATH": str(SERVER)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        if options.out:
            Path(options.out).mkdir(parents=True, exist_ok=True)
            (Path(options.out) / f"{path.stem}.json").write_text(done.stdout)
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def rows(result: dict[str, Any]) -> list[str]:
    """The lines of the table for one file."""
    lines = []
    for name, server in result["servers"].items():
        if server.get("error"):
            lines.append(f"| {result['lines']} | {name} | {server['error']} |")
            continue
        burst = server.get("burst_last_edit_to_diag_ms")
        ratio = next((value for key, value in server.items() if key.startswith("ratio_to_")), {})
        cells = [result["lines"], name, server["cold_ms"], server["rss_mb"], server.get("cpu_ms_per_edit", "")]
        if burst:
            cells += [burst["p50"], "", ""]
        else:
            cells += [server["p50_ms"], server["p95_ms"], ratio.get("paired_p50", 1)]
        cells.append(server.get("settled_p50_ms", ""))
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--peers", default="ruff,echo")
    parser.add_argument("--edits", type=int, default=30)
    parser.add_argument("--cold-runs", type=int, default=3)
    parser.add_argument("--burst", action="store_true")
    parser.add_argument("--where", choices=["spread", "head", "middle", "tail"], default="spread")
    parser.add_argument("--gap-ms", type=int, default=0)
    parser.add_argument("--settle-ms", type=int, default=0)
    parser.add_argument("--out")
    options = parser.parse_args()
    compileall.compile_dir(SERVER, quiet=1)
    print("| lines | server | cold ms | RSS MB | CPU ms/edit | p50 ms | p95 ms | × first (paired) | settled p50 ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path in options.files:
        for line in rows(measure(path, options)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
