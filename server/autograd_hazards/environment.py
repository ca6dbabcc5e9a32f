"""Which torch the programs of a project run on, as far as files show it: no interpreter is started, nothing imported."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from .messages import Text, say
from .source.patterns import lazy

_DIST_INFO = lazy(r"torch-(\d+\.\d+[^-]*)\.dist-info")
_VERSION_FILE = lazy(r"^__version__\s*(?::\s*\w+)?\s*=\s*['\"](\d+\.\d+[^'\"]*)['\"]", re.MULTILINE)
_ENVIRONMENTS = (".venv", "venv", "env", ".env")


def torch_version(root: Path, site_packages: Iterable[Path] = ()) -> str | None:
    """The version of the torch that a project under ``root`` runs on, e.g. "2.6.0+cu124"; None where none is found.

    Looked at in this order: the folders given, the environment that is active (``VIRTUAL_ENV``, ``CONDA_PREFIX``), one
    that lies in the project (``.venv`` and the like), and the one that this program itself runs in.
    """
    for folder in (*site_packages, *_site_packages(root)):
        found = version_in(folder)
        if found is not None:
            return found
    return None


def learn(version: str | None, root: Path, site_packages: Iterable[Path] = ()) -> Text | None:
    """Have facts of that torch ready: those that the tables do not hold are read from the files of an installed one.

    Looked at are the same folders as for ``torch_version``. Where none has that version, a sentence that says so.
    """
    from . import torchdb

    if version is None or torchdb.covers(version):
        return None
    for folder in (*site_packages, *_site_packages(root)):
        found = version_in(folder)
        if found is not None and _is(found, version) and torchdb.learn(version, folder):
            return None
    if torchdb.knows(version):
        return None
    oldest, newest = torchdb.covered()
    nearest = oldest if _minor(version) < _minor(oldest) else newest
    return say(
        "nothing is known of torch {version}, so findings are those for torch {nearest}; known are {oldest} to {newest}, "
        "and what is installed in the environment of the project",
        version=version,
        nearest=nearest,
        oldest=oldest,
        newest=newest,
    )


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def _is(installed: str, wanted: str) -> bool:
    """Whether an installed version is the wanted one, of which fewer parts may be given: 2.14.1+cpu is a 2.14."""
    return f"{installed.partition('+')[0]}.".startswith(f"{wanted.partition('+')[0]}.")


def version_in(folder: Path) -> str | None:
    """The version of the torch installed in a ``site-packages`` folder, None where there is none."""
    if not (folder / "torch").is_dir():
        return None
    try:
        text = (folder / "torch" / "version.py").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    found = _VERSION_FILE.search(text)
    if found is not None:
        return found[1]
    names = (_DIST_INFO.fullmatch(entry.name) for entry in folder.glob("torch-*.dist-info"))
    return next((match[1] for match in names if match is not None), None)


def _site_packages(root: Path) -> Iterator[Path]:
    prefixes = [os.environ.get(name) for name in ("VIRTUAL_ENV", "CONDA_PREFIX")]
    for prefix in [*(Path(p) for p in prefixes if p), *(root / name for name in _ENVIRONMENTS)]:
        yield from _below(prefix)
    if not getattr(sys, "frozen", False):
        yield Path(sysconfig.get_path("purelib"))


def _below(prefix: Path) -> Iterator[Path]:
    """The ``site-packages`` of an environment, on Windows and elsewhere."""
    if prefix.is_dir():
        yield from sorted(prefix.glob("lib/python3*/site-packages"), reverse=True)
        yield prefix / "Lib" / "site-packages"
