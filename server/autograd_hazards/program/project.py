"""The project: modules by path and by name, and who imports whom."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograd_hazards.program.modules import Module
from autograd_hazards.source.files import read_source, source_from_text

_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", "autograd-hazards.toml")


def find_root(path: Path) -> Path:
    """The folder of the project that holds ``path``: the nearest with a project file, else the path's own folder."""
    folder = path if path.is_dir() else path.parent
    folder = folder.absolute()
    for candidate in (folder, *folder.parents):
        if any((candidate / marker).exists() for marker in _MARKERS):
            return candidate
    return folder


class Project:
    """Modules under some roots, read once. ``overlay`` holds texts that stand for files, as an editor's buffers."""

    def __init__(self, roots: Sequence[Path], overlay: Mapping[Path, str] | None = None) -> None:
        self.roots = [Path(os.path.abspath(root)) for root in roots]
        self._overlay = {Path(os.path.abspath(path)): text for path, text in (overlay or {}).items()}
        self._modules: dict[Path, Module] = {}
        self._folders: dict[Path, frozenset[str]] = {}
        self._resolved: dict[tuple[str, Path | None, int], Module | None] = {}

    def module_at(self, path: Path) -> Module:
        """The module of a file, whether or not it can be read (see ``Module.parsed``)."""
        path = Path(os.path.abspath(path))
        module = self._modules.get(path)
        if module is None:
            text = self._overlay.get(path)
            source = read_source(path) if text is None else source_from_text(path, text)
            module = Module(self._name_of(path), path, path.name == "__init__.py", source)
            self._modules[path] = module
        return module

    def resolve(self, name: str, importer: Module | None, level: int = 0) -> Module | None:
        """The project's module that ``import name`` (``from ..name import`` for level 2) means; None if it has none."""
        key = (name, importer.path if importer else None, level)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(name, importer, level)
        return self._resolved[key]

    def _resolve(self, name: str, importer: Module | None, level: int) -> Module | None:
        parts = name.split(".") if name else []
        if level:
            if importer is None:
                return None
            folder = importer.path.parent
            for _ in range(level - 1):
                folder = folder.parent
            return self._descend(folder, parts)
        if not parts or parts[0] == "torch":
            return None
        for folder in self._search_path(parts[0], importer):
            module = self._descend(folder, parts)
            if module is not None and module is not importer:
                return module
        return None

    def _search_path(self, first: str, importer: Module | None) -> list[Path]:
        folders: list[Path] = []
        standard = first in sys.stdlib_module_names
        if importer is not None:
            own = importer.path.parent
            packaged = self._has(own, "__init__.py")
            if standard:
                return [] if packaged else [own]
            top = own
            while self._has(top, "__init__.py"):
                top = top.parent
            folders.append(top)
            inside = [root for root in self.roots if root == top or root in top.parents]
            if inside:
                folders.extend(parent for parent in top.parents if inside[0] == parent or inside[0] in parent.parents)
            if packaged:
                folders.append(own)
        elif standard:
            return []
        for root in self.roots:
            folders.extend((root, root / "src"))
        return list(dict.fromkeys(folders))

    def _descend(self, folder: Path, parts: list[str]) -> Module | None:
        """The module at ``folder/part/part``: a package, a file or a namespace folder."""
        if not parts:
            return self._package(folder)
        for part in parts[:-1]:
            if not self._is_folder(folder, part):
                return None
            folder = folder / part
        last = parts[-1]
        if self._is_folder(folder, last) and self._has(folder / last, "__init__.py"):
            return self.module_at(folder / last / "__init__.py")
        if self._has(folder, last + ".py"):
            return self.module_at(folder / (last + ".py"))
        if self._is_folder(folder, last):
            return self._package(folder / last)
        return None

    def _package(self, folder: Path) -> Module | None:
        if self._has(folder, "__init__.py"):
            return self.module_at(folder / "__init__.py")
        if folder not in self._modules:
            if not any(name.endswith(".py") or "." not in name for name in self._names(folder)):
                return None
            self._modules[folder] = Module(self._name_of(folder), folder, True)
        return self._modules[folder]

    def _name_of(self, path: Path) -> str:
        parts = [] if path.name == "__init__.py" else [path.stem]
        folder = path.parent
        while self._has(folder, "__init__.py"):
            parts.append(folder.name)
            folder = folder.parent
        return ".".join(reversed(parts)) or path.parent.name

    def _names(self, folder: Path) -> frozenset[str]:
        names = self._folders.get(folder)
        if names is None:
            try:
                listed = set(os.listdir(folder))
            except OSError:  # no such folder: it has no names
                listed = set()
            listed.update(path.name for path in self._overlay if path.parent == folder)
            names = self._folders[folder] = frozenset(listed)
        return names

    def _has(self, folder: Path, name: str) -> bool:
        return name in self._names(folder)

    def _is_folder(self, folder: Path, name: str) -> bool:
        return self._has(folder, name) and bool(self._names(folder / name))
