"""An engine for tests of the layers around the analysis: comments in the analysed files say what is found.

``# finds AGH301`` is a finding on its line, ``# calls other.py::f`` a call, ``# found-unless-called f AGH201`` one
of an entry that does not run when somebody calls ``f``. ``# dies``, ``# hangs`` and ``# raises`` misbehave.
Imports are resolved, so that the cache knows them. Every run is written to the file in RUNS, when that is set.
"""

from __future__ import annotations

import ast
import os
import re
import time
from pathlib import Path

from autograd_hazards.cache import Unit
from autograd_hazards.findings import Finding, Place
from autograd_hazards.program.project import Project

RUNS = "FAKE_ENGINE_RUNS"
WORDS = {
    word: re.compile(rf"# {word}\b ?(.*)")
    for word in ("finds", "calls", "found-unless-called", "dies", "hangs", "raises")
}


def engine(project: Project, path: Path, called: frozenset[str], torch_version: str | None) -> Unit:
    if RUNS in os.environ:
        with open(os.environ[RUNS], "a", encoding="utf-8") as runs:
            runs.write(path.name + "\n")
    module = project.module_at(path)
    for node in ast.walk(module.parsed.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                project.resolve(alias.name, module)
    findings, calls = [], set()
    for row, line in enumerate(module.text.split("\n"), 1):
        said = {word: match[1].split() for word, pattern in WORDS.items() if (match := pattern.search(line))}
        if "dies" in said:
            os._exit(3)
        if "hangs" in said:
            time.sleep(60)
        if "raises" in said:
            raise ValueError("no good")
        calls |= {f"{path.parent}/{name}" for name in said.get("calls", ())}
        for code in said.get("finds", ()):
            findings.append(_finding(path, row, line, code))
        if "found-unless-called" in said:
            function, code = said["found-unless-called"]
            if f"{path}::{function}" not in called:
                findings.append(_finding(path, row, line, code))
    return Unit(tuple(findings), frozenset(calls))


def _finding(path: Path, row: int, line: str, code: str) -> Finding:
    start = len(line) - len(line.lstrip()) + 1
    end = len(line.split("#")[0].rstrip()) + 1
    place = Place(str(path), row, start, row, end)
    return Finding(code, "made-up", "error", place, f"Something is wrong ({code}).", "certain")
