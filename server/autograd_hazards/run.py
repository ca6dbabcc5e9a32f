"""The command ``run``: a program under the recorder, in its own interpreter, then the report of what was observed."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, TextIO

from autograd_hazards import walk
from autograd_hazards.cli import UsageError
from autograd_hazards.locales import locale_of_environment
from autograd_hazards.messages import say
from autograd_hazards.witness import lastrun, report
from autograd_hazards.witness.findings import find
from autograd_hazards.witness.syntax import Sources

BOOTSTRAP = Path(__file__).resolve().parent / "trace" / "bootstrap.py"


def run(options: argparse.Namespace) -> int:
    """Run the program and report on standard error. The exit status is the program's own.

    Raises UsageError when there is no program or no interpreter to run it with.
    """
    if not options.program:
        raise UsageError(say("say which script to run, or which module with -m"))
    target = options.program[0]
    if not options.module and not os.path.exists(target):
        raise UsageError(say("{name}: no such file or folder", name=target))
    python = interpreter(options.python)
    root = _root(target)
    kept = _prepare(root, options)
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.json"
        command = [python, *(["-u"] if options.unbuffered else []), str(BOOTSTRAP), str(record)]
        if options.sample > 1:
            command += ["--sample", str(options.sample)]
        status = _wait(subprocess.Popen([*command, *(["-m"] if options.module else []), *options.program]))
        found = json.loads(record.read_text(encoding="utf-8")) if record.exists() else None
    _report(options, found, target, root if kept else None)
    if status < 0:
        _die_of(-status)
    return status


def interpreter(given: str | None) -> str:
    """The interpreter of the program: the given one, that of an active environment, our own if it has torch, or PATH's."""
    if given is not None:
        found = shutil.which(given)
        if found is None:
            raise UsageError(say("{name}: no such interpreter", name=given))
        return found
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = os.environ.get(variable)
        for candidate in ("bin/python", "Scripts/python.exe", "python.exe") if prefix else ():
            if os.access(os.path.join(prefix or "", candidate), os.X_OK):
                return os.path.join(prefix or "", candidate)
    if importlib.util.find_spec("torch") is not None:
        return sys.executable
    return shutil.which("python") or shutil.which("python3") or sys.executable


def _wait(process: subprocess.Popen[bytes]) -> int:
    """The exit status; what the terminal sends (Ctrl-C) goes to the program as well, and is its matter."""
    handlers = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT,)}
    passed = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    handlers.update({number: signal.signal(number, lambda got, _: process.send_signal(got)) for number in passed})
    try:
        return process.wait()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _die_of(number: int) -> None:
    """End as the program did, so that a shell sees the same."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _root(target: str) -> Path:
    """Where the record is kept: the root of the program's project if a marker file says so, else the current folder."""
    start = Path(os.path.abspath(target)) if os.path.exists(target) else Path.cwd()
    root, marked = walk.find_root([start])
    return root if marked else Path.cwd()


def _prepare(root: Path, options: argparse.Namespace) -> bool:
    """Whether a record can be kept; where it cannot, that is said, and the program runs all the same."""
    try:
        lastrun.prepare(root)
    except OSError as error:
        message = say("editors will not see this run, since its record cannot be kept: {error}", error=error)
        print("autograd-hazards: " + _told(message, options), file=sys.stderr)
        return False
    return True


def _report(options: argparse.Namespace, record: dict[str, Any] | None, target: str, root: Path | None) -> None:
    out: TextIO = sys.stderr
    if options.output is not None:
        out = open(options.output, "w", encoding="utf-8")  # noqa: SIM115 - closed below
    try:
        if record is None:
            print(
                "autograd-hazards: " + _told(say("torch was not used, so nothing was observed"), options),
                file=sys.stderr,
            )
            record = {"events": [], "torch": "", "command": [], "unwatched": [], "failures": []}
        sources = Sources()
        findings = find(record, sources)
        if root is not None:
            lastrun.write(root, record, findings, sources, [target, *options.program[1:]])
        if options.output_format == "json":
            from autograd_hazards.report import json as json_report

            out.write(json_report.render(findings))
        else:
            report.write(record, findings, sources, out, options.locale)
    finally:
        if out is not sys.stderr:
            out.close()


def _told(message: Any, options: argparse.Namespace) -> str:
    from autograd_hazards.locales import translate

    return translate(message, options.locale or locale_of_environment())
