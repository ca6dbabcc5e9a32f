"""The project: modules by path and by name, and who imports whom."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from autograd_hazards.limits import checkpoint
from autograd_hazards.program.discover import project_files
from autograd_hazards.program.imports import Import, scan_imports
from autograd_hazards.program.modules import Module
from autograd_hazards.source.files import SourceFile, read_source, source_from_text

# Never the project's own, whatever its folders are called.
_FOREIGN = frozenset({"torch"})
# A text without any of these has nothing to do with autograd by itself.
_TORCH = re.compile(r"torch|lightning|accelerat|fabric|\.backward\(|zero_grad|requires_grad|optimizer|\.detach\(")
_MOST_FILES = 5000
# Characters of text whose trees are kept: a tree takes some fifty times as much memory as its text.
_MOST_PARSED = 6_000_000


class Session(Protocol):
    """What a later layer keeps for all its runs; it knows what to forget when files change."""

    def forget(self, paths: Collection[Path]) -> None:
        """Forget what was made of these files."""


class Project:
    """Modules under some roots, each read once. ``overlay`` holds texts that stand for files, as an editor's buffers.

    A notebook's overlay is its JSON. Nothing is imported or run; what is not found in the project is None.
    """

    def __init__(self, roots: Sequence[Path], overlay: Mapping[Path, str] | None = None) -> None:
        self.roots = list(dict.fromkeys(_absolute(root) for root in roots))
        self._overlay = {_absolute(path): text for path, text in (overlay or {}).items()}
        self._modules: dict[Path, Module] = {}
        self.session: Session | None = None  # what a later layer keeps for all its runs
        self.memories: dict[Path, Any] = {}  # what a later layer remembers of its runs, by the file of the entries
        self.most_parsed = _MOST_PARSED
        self.clock = 0  # counts edits
        self.changed: dict[Path, int] = {}  # when a file was last edited
        self.generation = 0  # counts changes of which files there are and what they import
        self.remembers = False  # whether it shall, since the same files will be analysed again and again
        self._names: dict[Path, frozenset[str]] = {}
        self._resolved: dict[tuple[str, str, int], Module | None] = {}
        self._importers: dict[Path, set[Path]] | None = None
        self._callers: dict[Path, list[Path]] = {}  # what ``importers_of`` gave in the generation ``_callers_of``
        self._callers_of = -1
        self._scanned: dict[Path, list[Import]] = {}  # imports of files, while who imports whom is being found out
        self._with_torch: dict[Path, bool] = {}

    def module_at(self, path: Path) -> Module:
        """The module of a file, whether or not it can be read (see ``Module.parsed``)."""
        path = _absolute(path)
        module = self._modules.get(path)
        if module is None:
            text = self._overlay.get(path)
            source = read_source(path) if text is None else source_from_text(path, text)
            module = Module(self._name_of(path), path, path.name == "__init__.py", source)
            self._modules[path] = module
        return module

    def update(self, path: Path, text: str | None, *, typing: bool = False) -> None:
        """Take ``text`` for the file from now on, or what is on disk for None. Old modules of it are stale then.

        With ``typing`` blocks that do not parse keep their earlier meaning (see ``source.parse``).
        """
        path = _absolute(path)
        existed = path in self._overlay or path in self._modules or os.path.isfile(path)
        if text is None:
            self._overlay.pop(path, None)
        else:
            self._overlay[path] = text
        if existed and (text is not None or os.path.isfile(path)):
            self._edit(path, typing)
            return
        # Which files there are decides what imports mean.
        self._modules.pop(path, None)
        self._scanned.clear()
        self._names.clear()
        self._resolved.clear()
        self._with_torch.clear()
        self._importers = None
        self.generation += 1
        self.session = None
        self.memories.clear()

    def _edit(self, path: Path, typing: bool) -> None:
        """Another text for a file that is there as before."""
        self._scanned.pop(path, None)
        module = self._modules.get(path)
        if module is None:
            if self._importers is None:
                return  # nothing has been made of it
            module = self.module_at(path)
            self._relink(module)
            return
        text = self._overlay.get(path)
        source = read_source(path) if text is None else source_from_text(path, text)
        if isinstance(source, SourceFile) and isinstance(module.source, SourceFile) and source == module.source:
            module.typing = typing
            return
        self.clock += 1
        self.changed[path] = self.clock
        importers = self.known_importers(path)
        if importers is None:
            self.session = None
        elif self.session is not None:
            self.session.forget({path, *importers})
        imports, had_torch = module.imports, _TORCH.search(module.text) is not None
        module.take(source, typing)
        if module.imports != imports:
            self._relink(module)
        elif (_TORCH.search(module.text) is not None) != had_torch:
            self._with_torch.clear()

    def _relink(self, module: Module) -> None:
        """Another set of imports for a module."""
        self.generation += 1
        self._with_torch.clear()
        if self._importers is not None:
            for named in self._importers.values():
                named.discard(module.path)
            for item in module.imports:
                for target in self._targets(item, module):
                    self._importers.setdefault(target.path, set()).add(module.path)

    def with_texts(self, texts: Mapping[Path, str]) -> Project:
        """A project of the same files in which ``texts`` stand for some of them. This one stays as it is."""
        project = Project(self.roots, {**self._overlay, **texts})
        if self.parsed_size() < _MOST_PARSED // 2:  # far from where trees are forgotten, which would forget them here
            changed = {_absolute(path) for path in texts}
            project._modules = {path: module for path, module in self._modules.items() if path not in changed}
        return project

    def raw_text(self, path: Path) -> str:
        """The text of a file as it is stored, without a byte order mark: a notebook's JSON. Raises OSError."""
        path = _absolute(path)
        overlaid = self._overlay.get(path)
        if overlaid is not None:
            return overlaid.removeprefix("\ufeff")
        source = self.module_at(path).source
        if isinstance(source, SourceFile) and source.kind == "notebook":
            return path.read_bytes().decode(source.encoding).removeprefix("\ufeff")
        return self.module_at(path).text

    def trim(self) -> None:
        """Forget trees, and what was computed from them, once they have become too many; the texts are kept.

        While the project remembers, what is being edited and all that it imports stays as long as that is not too much
        by itself. Only between two analyses, as nodes of a module that is parsed again are others.
        """
        if self.parsed_size() <= self.most_parsed:
            return
        kept = self._edited_modules() if self.remembers else set()
        if sum(len(module.text) for module in kept) > self.most_parsed // 2:
            kept = set()
        gone = {path for path, m in self._modules.items() if "parsed" in m.__dict__ and m not in kept}
        for path in gone:
            del self._modules[path].__dict__["parsed"]
            self.memories.pop(path, None)
        if self.session is not None and kept:
            self.session.forget({*gone, *(path for old in gone for path in self.known_importers(old) or ())})
        else:
            self.session = None
            self.memories.clear()

    def _edited_modules(self) -> set[Module]:
        """The modules with a text of an editor, and all that they import."""
        found = {module for path in self._overlay if (module := self._modules.get(path)) is not None}
        pending = list(found)
        for module in pending:
            for other in self.imported_by(module):
                if other not in found:
                    found.add(other)
                    pending.append(other)
        return found

    def knows_below(self, folder: Path) -> bool:
        """Whether anything in a folder has been read, or is known to import something."""
        known = [*self._modules, *(path for named in (self._importers or {}).values() for path in named)]
        return any(folder in path.parents for path in known)

    def parsed_size(self) -> int:
        """How many characters of text are kept as trees."""
        return sum(len(module.text) for module in self._modules.values() if "parsed" in module.__dict__)

    def resolve(self, name: str, importer: Module | None, level: int = 0) -> Module | None:
        """The project's module that ``import name`` means in ``importer``; for ``from ..name import`` the level is 2.

        A folder without ``__init__.py`` is a namespace module. None for what is not the project's, torch included.
        """
        key = (name, str(importer.path) if importer else "", level)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(name, importer, level)
        return self._resolved[key]

    def imported_by(self, module: Module) -> list[Module]:
        """The project's modules that a module imports, wherever the import stands; the packages on the way included."""
        found: dict[Path, Module] = {}
        for item in module.imports:
            for target in self._targets(item, module):
                found.setdefault(target.path, target)
        return list(found.values())

    def importers_of(self, path: Path) -> list[Path]:
        """The project's files that import a file, directly or through others, nearest first. Notebooks included."""
        if self._importers is None:
            self._importers = self._read_importers()
        if self._callers_of != self.generation:
            self._callers_of = self.generation
            self._callers.clear()
        path = _absolute(path)
        known = self._callers.get(path)
        if known is not None:
            return known
        found: dict[Path, None] = {path: None}
        pending = [path]
        for current in pending:
            for importer in sorted(self._importers.get(current, ())):
                if importer not in found:
                    found[importer] = None
                    pending.append(importer)
        del found[path]
        self._callers[path] = list(found)
        return self._callers[path]

    def known_importers(self, path: Path) -> list[Path] | None:
        """As ``importers_of``; None while that would mean to read all files of the project first."""
        return None if self._importers is None else self.importers_of(path)

    def uses_torch(self, module: Module) -> bool:
        """Whether a module, or a project module that it imports directly or not, may have to do with autograd."""
        known = self._with_torch.get(module.path)
        if known is not None:
            return known
        seen = {module.path}
        pending = [module]
        answer = False
        for current in pending:
            if self._with_torch.get(current.path) or _TORCH.search(current.text):
                answer = True
                break
            for target in self.imported_by(current):
                if target.path not in seen:
                    seen.add(target.path)
                    pending.append(target)
        if answer:
            self._with_torch[module.path] = True
        else:
            self._with_torch.update(dict.fromkeys(seen, False))
        return answer

    def _read_importers(self) -> dict[Path, set[Path]]:
        """Who imports whom directly, over all files of the roots."""
        importers: dict[Path, set[Path]] = {}
        paths = dict.fromkeys((*self._overlay, *self._modules))
        for root in self.roots:
            paths.update(dict.fromkeys(project_files(root, _MOST_FILES)))
        for path in paths:
            if path.suffix not in (".py", ".ipynb"):
                continue
            checkpoint()
            module = self._glance(path)
            for item in module.imports:
                for target in self._targets(item, module):
                    importers.setdefault(target.path, set()).add(path)
        self._scanned.clear()
        return importers

    def _glance(self, path: Path) -> Module:
        """The module of a file of which only the imports are wanted: not kept, so that memory stays small."""
        module = self._modules.get(path)
        if module is not None or path in self._overlay or path.suffix == ".ipynb":
            return module or self.module_at(path)
        module = Module(self._name_of(path), path, path.name == "__init__.py")
        if path not in self._scanned:
            try:
                self._scanned[path] = scan_imports(path.read_bytes().decode("utf-8", "replace"))
            except OSError:  # a file that cannot be read imports nothing; checking it will say why
                self._scanned[path] = []
        module.imports = self._scanned[path]
        return module

    def _targets(self, item: Import, importer: Module) -> list[Module]:
        """The modules that one import statement runs or names."""
        targets: list[Module] = []
        module = self.resolve(item.module, importer, item.level)
        if module is not None:
            targets.append(module)
        elif not item.level and self.resolve(item.module.partition(".")[0], importer) is None:
            return targets
        if item.names and (module is None or module.is_package):
            prefix = item.module + "." if item.module else ""
            for name in item.names:
                inner = self.resolve(prefix + name, importer, item.level) if name != "*" else None
                if inner is not None:
                    targets.append(inner)
        elif not item.names and "." in item.module:
            parts = item.module.split(".")
            for length in range(1, len(parts)):
                package = self.resolve(".".join(parts[:length]), importer)
                if package is not None:
                    targets.append(package)
        return targets

    def _resolve(self, name: str, importer: Module | None, level: int) -> Module | None:
        parts = name.split(".") if name else []
        if level:
            if importer is None:
                return None
            folder = importer.path.parent
            for _ in range(level - 1):
                folder = folder.parent
            return self._descend(folder, parts)
        if not parts or parts[0] in _FOREIGN or "" in parts:
            return None
        for folder in self._search_path(parts[0], importer):
            module = self._descend(folder, parts)
            if module is not None and (importer is None or module.path != importer.path):
                return module
        return None

    def _search_path(self, first: str, importer: Module | None) -> list[Path]:
        """The folders in which an absolute import may start, in order.

        Which folder was on ``sys.path`` when the program ran is not known. A script sees its own folder first. A module
        of a package sees the folder that holds the package, and its own only when nothing else fits.
        """
        standard = first in sys.stdlib_module_names
        folders: list[Path] = []
        if importer is not None:
            own = importer.path.parent
            packaged = self._has(own, "__init__.py")
            if standard:
                return [] if packaged else [own]
            top = own
            while self._has(top, "__init__.py") and top != top.parent:
                top = top.parent
            folders.append(top)
            # A program started in any folder between the root and here sees that folder.
            root = next((root for root in self.roots if root in top.parents), None)
            if root is not None:
                for parent in top.parents:
                    folders.append(parent)
                    if parent == root:
                        break
        elif standard:
            return []
        for root in self.roots:
            folders.extend((root, root / "src"))
        if importer is not None and packaged:
            folders.extend((own, *(parent for parent in own.parents if top in parent.parents)))
        return list(dict.fromkeys(folders))

    def _descend(self, folder: Path, parts: list[str]) -> Module | None:
        """The module at ``folder/part/part``: a package, a file or a namespace folder."""
        if not parts:
            return self._folder(folder)
        for part in parts[:-1]:
            if not self._has(folder, part):
                return None
            folder = folder / part
        last = parts[-1]
        is_folder = self._has(folder, last) and bool(self._listed(folder / last))
        if is_folder and self._has(folder / last, "__init__.py"):
            return self.module_at(folder / last / "__init__.py")
        if self._has(folder, last + ".py"):
            return self.module_at(folder / (last + ".py"))
        return self._folder(folder / last) if is_folder else None

    def _folder(self, folder: Path) -> Module | None:
        """The package or the namespace that a folder is; None for a folder without code."""
        if self._has(folder, "__init__.py"):
            return self.module_at(folder / "__init__.py")
        if folder not in self._modules:
            names = self._listed(folder)
            if not any(name.endswith(".py") for name in names) and not any(
                inner.endswith(".py") for name in names if "." not in name for inner in self._listed(folder / name)
            ):
                return None
            self._modules[folder] = Module(self._name_of(folder), folder, True)
        return self._modules[folder]

    def _name_of(self, path: Path) -> str:
        """The dotted name from the outermost package; a script's is its stem."""
        parts = [] if path.name == "__init__.py" else [path.stem]
        folder = path.parent
        while self._has(folder, "__init__.py") and folder != folder.parent:
            parts.append(folder.name)
            folder = folder.parent
        return ".".join(reversed(parts)) or path.parent.name

    def _listed(self, folder: Path) -> frozenset[str]:
        """The names in a folder, those of overlaid files and their folders included; none for no folder."""
        names = self._names.get(folder)
        if names is None:
            try:
                listed = set(os.listdir(folder))
            except OSError:
                listed = set()
            for path in self._overlay:
                if folder in path.parents:
                    listed.add(path.relative_to(folder).parts[0])
            names = self._names[folder] = frozenset(listed)
        return names

    def _has(self, folder: Path, name: str) -> bool:
        return name in self._listed(folder)


def _absolute(path: Path) -> Path:
    """The path without ``..`` and links kept, so that places are reported under the names that people use."""
    return Path(os.path.abspath(path))
