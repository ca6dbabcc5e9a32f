"""Mending programs in a folder of their own, as ``check --fix --unsafe-fixes`` does."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograd_hazards.config import Config
from autograd_hazards.fixes.session import Mended, mend
from autograd_hazards.workspace import Workspace
from tests.rules.corpus import Program


def mend_files(root: Path, *, unsafe: bool = True) -> Mended:
    """Mend every Python file under ``root`` in place."""
    mended = mend(Workspace(root, Config(), jobs=1), sorted(root.rglob("*.py")), unsafe=unsafe)
    for path, text in mended.texts.items():
        path.write_bytes(text.encode())
    return mended


def mend_text(folder: Path, text: str, *, unsafe: bool = True) -> str:
    """The text of one program after it has been mended."""
    file = folder / "program.py"
    file.write_bytes(text.encode())
    mend_files(folder, unsafe=unsafe)
    return file.read_bytes().decode()


def mend_program(program: Program, folder: Path) -> tuple[Program, Mended]:
    """A mended copy of ``program`` in ``folder``, which does not exist yet."""
    if program.path.is_dir():
        shutil.copytree(program.path, folder, ignore=shutil.ignore_patterns("__pycache__"))
        copy = Program(program.name, folder)
    else:
        folder.mkdir()
        shutil.copy(program.path, folder)
        copy = Program(program.name, folder / program.path.name)
    return copy, mend_files(folder)
