"""The hooks for pre-commit and the action for GitHub: their files are well formed and what they run does what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
HAZARD = "import torch\nw = torch.ones(3, requires_grad=True)\nw += 1\n"


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_fails_on_a_hazard_and_passes_without(hook: dict[str, Any], tmp_path: Path) -> None:
    assert {"id", "name", "description", "entry", "language", "types_or"} <= set(hook)
    assert hook["language"] == "python"
    command, *arguments = hook["entry"].split()
    assert command == "autograd-hazards"
    for text, status in (("import torch\n", 0), (HAZARD, 1)):
        program = tmp_path / "program.py"
        program.write_text(text, encoding="utf-8")
        call = [sys.executable, "-m", "autograd_hazards", *arguments, str(program)]
        done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=tmp_path, env=ENVIRONMENT)
        mended = program.read_text(encoding="utf-8") != text
        # pre-commit takes changed files for a failure, too.
        assert (done.returncode or mended) == bool(status), done.stdout + done.stderr


def steps() -> list[dict[str, Any]]:
    assert ACTION["runs"]["using"] == "composite"
    found: list[dict[str, Any]] = ACTION["runs"]["steps"]
    return found


def test_the_action_is_well_formed() -> None:
    for step in steps():
        assert ("uses" in step) != ("run" in step)
        assert "uses" in step or step["shell"] == "bash"
        # Inputs come in through the environment: a script with an input pasted in could be made to run anything.
        assert "${{" not in step.get("run", "")
    assert all("description" in each for each in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))
    upload = next(step for step in steps() if "upload-sarif" in step.get("uses", ""))
    assert upload["if"] == "inputs.sarif == 'true'"


@pytest.mark.skipif(os.name == "nt", reason="runs the action's bash")
@pytest.mark.parametrize(
    ("text", "fail", "status"), [(HAZARD, "true", 1), (HAZARD, "false", 0), ("x = 1\n", "true", 0)]
)
def test_what_the_action_runs(text: str, fail: str, status: int, tmp_path: Path) -> None:
    """Its script, with an installation in the place of the one that it would make."""
    script = next(step["run"] for step in steps() if step.get("id") == "check")
    program = tmp_path / "a program.py"
    program.write_text(text, encoding="utf-8")
    tool = tmp_path / "autograd-hazards" / "bin"
    tool.mkdir(parents=True)
    (tool / "autograd-hazards").write_text(
        f'#!/bin/sh\nexec {sys.executable} -m autograd_hazards "$@"\n', encoding="utf-8"
    )
    (tool / "python").write_text("#!/bin/sh\n", encoding="utf-8")  # stands for pip
    for file in tool.iterdir():
        file.chmod(0o755)
    (tmp_path / "venv.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "venv.sh").chmod(0o755)
    outputs = tmp_path / "outputs"
    env = {
        **ENVIRONMENT, "PYTHON": str(tmp_path / "venv.sh"), "ACTION": str(ROOT), "PATHS": ".", "ARGS": "--no-cache",
        "VERSION": "", "FAIL": fail, "RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(outputs),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = dict(line.split("=", 1) for line in outputs.read_text(encoding="utf-8").splitlines())
    assert int(said["status"]) == status
    report = json.loads(Path(said["sarif-file"]).read_text(encoding="utf-8"))
    found = [result["ruleId"] for result in report["runs"][0]["results"]]
    assert found == (["AGH302"] if text == HAZARD else [])
    assert ("::error" in done.stdout) == bool(found)
