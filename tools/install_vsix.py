"""Installs the extension's package for this machine into VS Code, where its command line tool is on the PATH."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

from build_vsix import DIST, ROOT, here

EDITORS = ("code", "code-insiders", "codium", "cursor", "code-server")


def main() -> int:
    """Install, or say how to."""
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"]
    path = DIST / f"autograd-hazards-{here()}-{version}.vsix"
    editor = next((found for name in EDITORS if (found := shutil.which(name))), None)
    if editor is None:
        print(f"The extension is in {path.relative_to(ROOT)}. `code` is not on the PATH: in VS Code, choose")
        print("'Extensions: Install from VSIX…' from the palette.")
        return 0
    done = subprocess.run([editor, "--install-extension", str(path), "--force"], check=False)
    if done.returncode == 0:
        print(f"Installed into {editor}. Open examples/learned_labels.py in it.")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
