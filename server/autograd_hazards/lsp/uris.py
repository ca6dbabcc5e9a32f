"""URIs of files, and names for documents that are in no file."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path

# Where documents without a file (a new buffer, another machine's file) are taken to lie: in no project.
NOWHERE = Path(os.path.abspath(os.sep)) / "autograd-hazards-unsaved"
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def path_of(uri: str) -> Path:
    """The absolute path of a file's URI; for any other document a path below ``NOWHERE`` that stands for it."""
    if uri.startswith("file:"):
        found = to_fs_path(uri)
        if found:
            return Path(os.path.abspath(found))
    name = _UNSAFE.sub("-", uri).strip("-") or "document"
    return NOWHERE / (name if name.endswith((".py", ".ipynb")) else f"{name}.py")


def uri_of(path: Path | str) -> str:
    """The URI of a file."""
    return from_fs_path(str(path)) or Path(path).as_uri()
