"""Which files a run is about: the Python files and notebooks under the given paths, and the project's root."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograd_hazards.config import Config

if TYPE_CHECKING:
    from typing import TypeAlias

    from pathspec import GitIgnoreSpec

    Ignores: TypeAlias = list[tuple[str, GitIgnoreSpec]]

SUFFIXES = (".py", ".ipynb")
# A folder with one of these is a project's root.
MARKERS = ("autograd-hazards.toml", "pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")


def find_root(paths: Sequence[Path]) -> tuple[Path, bool]:
    """The root of the project that ``paths`` (absolute) belong to, and whether a marker file says so.

    Without a marker it is the common folder, or the one above the outermost package that this folder lies in.
    """
    folders = [str(path if path.is_dir() else path.parent) for path in paths]
    common = Path(os.path.commonpath(folders)) if folders else Path.cwd()
    home = Path.home()
    for folder in (common, *common.parents):
        if any((folder / marker).exists() for marker in MARKERS):
            return folder, True
        # A marker in the home folder or above it (dotfiles under version control) makes no project of everything.
        if folder.parent == home or folder == home:
            break
    while (common / "__init__.py").is_file() and common.parent != common:
        common = common.parent
    return common, False


def collect(paths: Iterable[Path], config: Config, root: Path) -> list[Path]:
    """The files that ``paths`` (absolute) stand for, each once, sorted within each folder.

    A file that is named is taken whatever it is called; a folder is walked for Python files and notebooks, without
    what the configuration excludes and what .gitignore files leave out. Links to folders are not followed.
    """
    found: dict[Path, None] = {}
    walker = _Walker(config, root)
    for path in paths:
        if path.is_dir():
            for file in walker.walk(path):
                found.setdefault(file)
        else:
            found.setdefault(path)
    return list(found)


class _Walker:
    def __init__(self, config: Config, root: Path) -> None:
        self.config = config
        self.base = str(config.source.parent if config.source else root)
        self.names = {pattern for pattern in config.exclude if not set(pattern) & set("*?[/")}
        self.patterns = [pattern for pattern in config.exclude if pattern not in self.names]

    def walk(self, top: Path) -> list[Path]:
        files: list[Path] = []
        self._folder(str(top), self._outer_ignores(top) if self.config.respect_gitignore else [], files)
        return files

    def _folder(self, folder: str, ignores: Ignores, files: list[Path]) -> None:
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            # A folder that may not be read holds no file that could be checked.
            return
        if self.config.respect_gitignore and any(entry.name == ".gitignore" for entry in listed):
            ignores = ignores + _read_ignores(folder)
        subfolders = []
        for entry in listed:
            if self._excluded(entry.name, entry.path):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not _ignored(entry.path + "/", ignores):
                    subfolders.append(entry.path)
            elif entry.name.endswith(SUFFIXES) and entry.is_file() and not _ignored(entry.path, ignores):
                files.append(Path(entry.path))
        for path in subfolders:
            self._folder(path, ignores, files)

    def _excluded(self, name: str, path: str) -> bool:
        if name in self.names:
            return True
        if not self.patterns:
            return False
        relative = os.path.relpath(path, self.base).replace(os.sep, "/")
        return any(
            fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(relative, pattern.rstrip("/"))
            for pattern in self.patterns
        )

    def _outer_ignores(self, top: Path) -> Ignores:
        """The .gitignore files above ``top``, up to the repository's root. The top's own comes while walking."""
        above: list[Path] = []
        for folder in (top, *top.parents):
            if folder != top:
                above.append(folder)
            if (folder / ".git").exists():
                break
        else:
            return []
        return [pair for folder in reversed(above) for pair in _read_ignores(str(folder))]


def _read_ignores(folder: str) -> Ignores:
    try:
        text = Path(folder, ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    import pathspec

    return [(folder + os.sep, pathspec.GitIgnoreSpec.from_lines(text.splitlines()))]


def _ignored(path: str, ignores: Ignores) -> bool:
    verdict = False
    for base, spec in ignores:
        # The file nearest to the path has the last word, as in git.
        result = spec.check_file(path[len(base) :].replace(os.sep, "/")).include
        if result is not None:
            verdict = result
    return verdict


def matches(path: str, pattern: str, base: str) -> bool:
    """Whether a per-file pattern fits: against the file's name, or its path relative to ``base``."""
    relative = os.path.relpath(path, base).replace(os.sep, "/")
    name = os.path.basename(path)
    return (
        fnmatch.fnmatch(name, pattern)
        or fnmatch.fnmatch(relative, pattern)
        # `scripts/` and `scripts` mean everything below.
        or fnmatch.fnmatch(relative, pattern.rstrip("/") + "/*")
    )
