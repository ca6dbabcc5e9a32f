"""The extension's manifest fits the rules, the server's settings and the Chinese catalogue."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tomli

from autograd_hazards import __version__, catalogue
from autograd_hazards.lsp import settings

ROOT = Path(__file__).parents[2]
MANIFEST: dict[str, Any] = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
PROPERTIES: dict[str, Any] = MANIFEST["contributes"]["configuration"]["properties"]
# Settings that only the client needs.
CLIENT = {"interpreter", "importStrategy", "path", "args", "logLevel", "trace.server"}


def test_generated_parts_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "gen_package.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_rule_has_a_severity_to_set() -> None:
    assert set(PROPERTIES["autogradHazards.severity"]["properties"]) == set(catalogue.entries())
    assert set(catalogue.entries()) <= set(PROPERTIES["autogradHazards.select"]["items"]["enum"])


def test_the_server_knows_every_setting() -> None:
    names = {name.removeprefix("autogradHazards.") for name in PROPERTIES}
    assert names - CLIENT == {where for where, _ in settings._READERS.values()}


def test_the_defaults_are_the_servers() -> None:
    defaults: dict[str, Any] = {
        name.removeprefix("autogradHazards."): each["default"] for name, each in PROPERTIES.items()
    }
    read, troubles = settings.read({name: value for name, value in defaults.items() if name not in CLIENT})
    assert troubles == []
    assert read.enable is True
    assert read.torch_version is None
    assert read.select == read.ignore == read.severity == ()


@pytest.mark.parametrize("level", ["error", "warning", "information", "hint", "off"])
def test_every_severity_that_can_be_chosen_is_understood(level: str) -> None:
    offered = PROPERTIES["autogradHazards.severity"]["properties"]["AGH301"]["enum"]
    assert level in offered
    assert settings.read({"severity": {"AGH301": level}})[1] == []


def test_settings_that_choose_what_runs_are_restricted() -> None:
    capabilities = MANIFEST["capabilities"]
    assert capabilities["untrustedWorkspaces"]["supported"] == "limited"
    assert set(capabilities["untrustedWorkspaces"]["restrictedConfigurations"]) == {
        f"autogradHazards.{name}" for name in ("args", "importStrategy", "interpreter", "path")
    }
    assert capabilities["virtualWorkspaces"]["supported"] is False


def test_every_command_has_its_code_and_every_walkthrough_its_picture() -> None:
    code = (ROOT / "client" / "src" / "commands" / "index.ts").read_text(encoding="utf-8")
    registered = set(re.findall(r"^    (\w+): \(", code, re.MULTILINE))
    assert {
        each["command"].removeprefix("autogradHazards.") for each in MANIFEST["contributes"]["commands"]
    } == registered
    for walkthrough in MANIFEST["contributes"]["walkthroughs"]:
        for step in walkthrough["steps"]:
            for texts in ("package.nls.json", "package.nls.zh-cn.json"):
                told = json.loads((ROOT / texts).read_text(encoding="utf-8"))
                picture = step["media"]["svg"]
                assert (ROOT / told.get(picture.strip("%"), picture)).is_file(), (texts, step["id"])


def test_versions_agree() -> None:
    assert MANIFEST["version"] == __version__
    oldest = (ROOT / "tests" / "editor" / "setup.sh").read_text(encoding="utf-8")
    minor = re.search(r"\^1\.(\d+)\.0", MANIFEST["engines"]["vscode"])
    assert minor and f"VS Code 1.{minor[1]}:" in oldest
    assert MANIFEST["devDependencies"]["@types/vscode"] == f"1.{minor[1]}.0"


def test_bundled_libraries_are_what_the_server_depends_on() -> None:
    pins = {}
    for line in (ROOT / "tools" / "vsix-requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, version = line.partition("==")
            assert version, f"{line}: pin it"
            pins[name.replace("_", "-")] = version
    project = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[<>=;! ]", each)[0] for each in project["dependencies"]}
    # rich only draws the progress bar of `check`, which the extension does not run; it finds none and draws none.
    assert wanted - {"rich"} <= set(pins)
    # What pygls and lsprotocol bring in.
    assert set(pins) - wanted == {"attrs", "cattrs", "exceptiongroup", "typing-extensions"}
