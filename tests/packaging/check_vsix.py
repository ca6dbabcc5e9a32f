"""What is in the packages of the extension in dist/. Collected only when named: `make vsix` or `make test` builds them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"]
PACKAGES = sorted((ROOT / "dist").glob(f"*-{VERSION}.vsix"))
LIBRARIES = "extension/bundled/libs/"
# All that the extension itself is made of.
OWN = {
    "[Content_Types].xml", "extension.vsixmanifest", "extension/package.json", "extension/package.nls.json",
    "extension/package.nls.zh-cn.json", "extension/readme.md", "extension/changelog.md", "extension/LICENSE.txt",
    "extension/out/extension.js", "extension/out/timeline.js", "extension/out/timeline.css",
    "extension/client/l10n/bundle.l10n.zh-cn.json", "extension/client/media/icon.png", "extension/client/media/icon.svg",
    *(f"extension/client/media/walkthrough/{name}.svg" for name in ("see", "timeline", "fix", "explain", "settings")),
    *(f"extension/client/media/walkthrough/{name}.zh-cn.svg" for name in ("see", "timeline", "fix", "explain")),
}  # fmt: skip


def bundled(path: Path) -> bool:
    return "universal" not in path.name


def names(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {info.filename for info in archive.infolist() if not info.is_dir()}


def test_there_are_packages() -> None:
    assert any(bundled(path) for path in PACKAGES)
    assert any(not bundled(path) for path in PACKAGES)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_the_package_holds_what_it_should_and_nothing_else(path: Path) -> None:
    files = names(path)
    inside = {name for name in files if name.startswith("extension/bundled/")}
    assert files - inside == OWN
    if not bundled(path):
        assert inside == set()
        return
    assert "extension/bundled/autograd_hazards_bundled.py" in inside
    for name in ("autograd_hazards/cli.py", "autograd_hazards/lsp/server.py", "autograd_hazards/torchdb/data/base.json",
                 "pygls/lsp/server.py", "lsprotocol/types.py", "attr/__init__.py", "attrs/__init__.py",
                 "cattrs/__init__.py", "pathspec/__init__.py", "tomli/__init__.py", "exceptiongroup/__init__.py",
                 "typing_extensions.py"):  # fmt: skip
        assert LIBRARIES + name in inside, name
    checkout = {str(file.relative_to(ROOT / "server")) for file in (ROOT / "server" / "autograd_hazards").rglob("*")
                if file.is_file() and "__pycache__" not in file.parts}  # fmt: skip
    assert {
        name.removeprefix(LIBRARIES) for name in inside if name.startswith(LIBRARIES + "autograd_hazards/")
    } == checkout
    assert not [name for name in inside if re.search(r"\.(so|pyd|dylib|dll|pyc)$|/tests?/|torch/", name)]


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_the_package_says_for_which_platform_it_is(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        manifest = archive.read("extension.vsixmanifest").decode()
    target = path.name.removeprefix("autograd-hazards-").removesuffix(f"-{VERSION}.vsix")
    assert (f'TargetPlatform="{target}"' in manifest) == bundled(path)
    assert f'Version="{VERSION}"' in manifest


def test_the_package_is_small() -> None:
    assert max(path.stat().st_size for path in PACKAGES) < 4_000_000


def test_the_bundled_server_runs_on_every_python_at_hand(tmp_path: Path) -> None:
    """Isolated, with nothing installed: it answers and finds a hazard."""
    package = next(path for path in PACKAGES if bundled(path))
    with zipfile.ZipFile(package) as archive:
        archive.extractall(tmp_path)
    script = tmp_path / "extension" / "bundled" / "autograd_hazards_bundled.py"
    program = tmp_path / "program.py"
    program.write_text("import torch\nw = torch.ones(3, requires_grad=True)\nw += 1\n", encoding="utf-8")
    ran = []
    for python in pythons():
        done = subprocess.run(
            [python, "-I", str(script), "check", "--no-cache", "--output-format", "json", str(program)],
            capture_output=True, text=True, check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        assert [finding["code"] for finding in json.loads(done.stdout)] == ["AGH302"]
        answer = subprocess.run(
            [python, "-I", str(script), "server"], input=INITIALIZE, capture_output=True, timeout=60, check=False
        )
        assert b'"autograd-hazards"' in answer.stdout, answer.stderr.decode()
        ran.append(python)
    assert ran


BODY = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
END = b'{"jsonrpc":"2.0","method":"exit"}'
INITIALIZE = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in (BODY, END))


def pythons() -> list[str]:
    """Interpreters that run the bundle: those on the PATH from 3.10 on, and the one of this test, without its packages."""
    found = [sys.executable]
    for minor in range(10, 15):
        name = f"python3.{minor}"
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            file = os.path.join(folder, name)
            if os.access(file, os.X_OK):
                done = subprocess.run(
                    [file, "-I", "-c", "import sys; print(sys.prefix)"], capture_output=True, check=False
                )
                if done.returncode == 0:  # a shim may stand for a version that is not there
                    found.append(file)
                    break
    return found
