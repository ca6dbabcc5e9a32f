"""Builds the extension's packages into dist/: one per platform with the server inside, and a universal one without.

``python tools/build_vsix.py`` builds all, ``--targets linux-x64 universal`` some of them. What the server needs is
pure Python, so that one set of libraries serves every platform and CPython 3.10 to 3.14; a wheel with native code
stops the build. Nothing is taken from the checkout but what ``stage`` names.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "vsix"
DIST = ROOT / "dist"
REQUIREMENTS = ROOT / "tools" / "vsix-requirements.txt"
UNIVERSAL = "universal"
PLATFORMS = (
    "linux-x64", "linux-arm64", "linux-armhf", "alpine-x64", "alpine-arm64",
    "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64",
)  # fmt: skip
HERE = "here"
# Of the wheels' metadata only names, versions and licences matter here.
UNUSED = (".dist-info/RECORD", ".dist-info/WHEEL", ".dist-info/INSTALLER", ".dist-info/REQUESTED")


def libraries(folder: Path) -> None:
    """Fill ``folder`` with the server and the pure Python packages that it needs."""
    wheels = BUILD / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none",
            "--python-version", "310", "--dest", str(wheels), "--requirement", str(REQUIREMENTS),
        ],
        check=True,
    )  # fmt: skip
    for name in pinned():
        found = sorted(wheels.glob(f"{name.replace('-', '_')}-*-none-any.whl"))
        if len(found) != 1:
            sys.exit(f"{wheels} should hold one wheel of {name}, but holds {len(found)}; remove the folder")
        unpack(found[0], folder)
    shutil.copytree(
        ROOT / "server" / "autograd_hazards", folder / "autograd_hazards", ignore=shutil.ignore_patterns("__pycache__")
    )


def pinned() -> list[str]:
    """The names in the requirements file, as wheels spell them."""
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return [line.partition("==")[0] for line in lines if line and not line.startswith("#")]


def unpack(wheel: Path, folder: Path) -> None:
    """Lay a wheel out in ``folder``. Two wheels never have a file in common."""
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            if info.is_dir() or info.filename.endswith(UNUSED):
                continue
            target = folder / info.filename
            if target.exists():
                sys.exit(f"{info.filename} is in {wheel.name} and in another wheel")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(info))


def stage(folder: Path, bundled: bool) -> None:
    """Lay out the package's files in ``folder``."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    manifest = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    for key in ("scripts", "dependencies", "devDependencies", "private"):
        manifest.pop(key, None)
    (folder / "package.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False), encoding="utf-8")
    for name in ("package.nls.json", "package.nls.zh-cn.json", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copy(ROOT / "client" / "README.md", folder / "README.md")
    for name in ("media", "l10n"):
        shutil.copytree(ROOT / "client" / name, folder / "client" / name)
    (folder / "out").mkdir()
    for name in ("extension.js", "timeline.js", "timeline.css"):
        shutil.copy(ROOT / "out" / name, folder / "out" / name)
    if bundled:
        shutil.copytree(ROOT / "client" / "bundled", folder / "bundled", ignore=shutil.ignore_patterns("__pycache__"))
        libraries(folder / "bundled" / "libs")


def package(target: str, folder: Path) -> Path:
    """Pack the staged files as the package for ``target``; its path."""
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"]
    path = DIST / f"autograd-hazards-{target}-{version}.vsix"
    path.unlink(missing_ok=True)
    vsce = ROOT / "node_modules" / "@vscode" / "vsce" / "vsce"
    call = ["node", str(vsce), "package", "--no-dependencies", "--allow-missing-repository", "--out", str(path)]
    call += ["--no-rewrite-relative-links"]
    if target != UNIVERSAL:
        call += ["--target", target]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not path.exists():
        sys.exit(f"vsce failed for {target}:\n{done.stdout}{done.stderr}")
    return path


def here() -> str:
    """The target for this machine; the universal one where none is made for it."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "win32"}.get(sys.platform, sys.platform)
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        system = "alpine"
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64", "armv7l": "armhf"}.get(
        platform.machine().lower(), platform.machine()
    )
    target = f"{system}-{machine}"
    return target if target in PLATFORMS else UNIVERSAL


def main() -> None:
    """Build the packages that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--targets", nargs="+", choices=(*PLATFORMS, UNIVERSAL, HERE), default=[*PLATFORMS, UNIVERSAL])
    targets = [here() if target == HERE else target for target in parser.parse_args().targets]
    DIST.mkdir(exist_ok=True)
    subprocess.run(["node", str(ROOT / "client" / "build.mjs"), "--release"], check=True, cwd=ROOT)
    for bundled in (True, False):
        chosen = [target for target in targets if (target != UNIVERSAL) == bundled]
        if not chosen:
            continue
        folder = BUILD / ("bundled" if bundled else "plain")
        stage(folder, bundled)
        for target in chosen:
            path = package(target, folder)
            print(f"{path.relative_to(ROOT)}: {os.path.getsize(path) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
