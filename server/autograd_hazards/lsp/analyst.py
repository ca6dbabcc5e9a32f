"""The analysis behind the server. Everything here runs in the worker's thread, ``change`` and ``reconfigure`` in any."""

from __future__ import annotations

import gc
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards import config as configuration
from autograd_hazards import kept, walk
from autograd_hazards.catalogue import UNREADABLE_SOURCE, UNUSED_SUPPRESSION
from autograd_hazards.config import Config, ConfigError
from autograd_hazards.findings import Finding, Fix
from autograd_hazards.live import LiveWorkspace
from autograd_hazards.lsp import observed
from autograd_hazards.lsp.settings import Settings
from autograd_hazards.lsp.uris import NOWHERE, innermost
from autograd_hazards.lsp.view import OBSERVED, View, is_below
from autograd_hazards.messages import Text
from autograd_hazards.source.files import BOM

if TYPE_CHECKING:
    from autograd_hazards.explain.traceback_explain import Explanation
    from autograd_hazards.machine.facts import Known

# Seconds of processor time up to which an editor waits for the analysis before it is told anything.
QUICK = 0.005
# Outcomes of fixes that are kept: those that a person may come back to.
_MOST_FIXES = 200

# What is no matter of programs: these have no fixes. (Which other rules have some need not be loaded to be known.)
TEXTUAL = frozenset({UNUSED_SUPPRESSION.code, UNREADABLE_SOURCE.code})

# Work (see ``limits.work_done``), about a quarter of a second, for which more than one fix is looked for when a light bulb
# is asked for.
WORK = 100


@dataclass(frozen=True, slots=True)
class Client:
    """What the analysis needs to know of the client: a snapshot, taken when something changes."""

    encoding: str = "utf-16"
    settings: Settings = field(default_factory=Settings)
    folders: tuple[Path, ...] = ()
    uris: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
    commands: bool = False
    folder_settings: Mapping[Path, Settings] = field(default_factory=dict)

    def settings_at(self, path: Path) -> Settings:
        """The settings for a file: those of the folder it lies in, where folders have their own."""
        return innermost(path, self.folder_settings, self.settings)


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one file. ``findings`` have places by cell in notebooks; ``names`` are their ids.

    ``plain`` are the same findings as the workspace knows them. ``diagnostics`` go by the URI of file or cell. ``whole``
    says that nothing is missing that callers in other files could bring; ``moved`` that it is no whole analysis: it is what
    was found last time, or what a first look shows.
    """

    path: Path
    version: int
    plain: list[Finding]
    findings: list[Finding]
    names: list[str]
    diagnostics: dict[str, list[types.Diagnostic]]
    view: View
    whole: bool
    moved: bool = False

    def shown(self, uri: str) -> list[tuple[Finding, types.Diagnostic]]:
        """The findings shown in a document (a file or a cell), with their diagnostics."""
        diagnostics = iter(self.diagnostics.get(uri, ()))
        return [(f, next(diagnostics)) for f in self.findings if self.view.uri(f.place.filename) == uri]

    def shown_names(self, uri: str) -> list[str]:
        """The ids of the findings shown in a document."""
        return [n for f, n in zip(self.findings, self.names) if self.view.uri(f.place.filename) == uri]

    def find(self, name: str) -> Finding | None:
        """The finding of that id."""
        return next((f for f, known in zip(self.findings, self.names) if known == name), None)


class Analyst:
    """One workspace per root folder, with the editor's texts over the files."""

    def __init__(self) -> None:
        self.client = Client()
        self.notices: list[Text] = []  # for the user
        self._next: Client | None = None
        self._incoming: dict[Path, tuple[str | None, int]] = {}
        self._renewed = False
        self._gone: list[Path] = []
        # Files with another text than ``sharing`` was last asked for, and what they imported before they got other imports.
        self._touched: dict[Path, set[Path]] = {}
        self._lock = threading.Lock()
        self._texts: dict[Path, str] = {}
        self._versions: dict[Path, int] = {}
        self._workspaces: dict[tuple[Path, Path | None], LiveWorkspace] = {}
        self._configs: dict[Path, Config] = {}
        self._runs: dict[Path, observed.Run] = {}
        self._facts: tuple[Path, int, list[Known]] | None = None
        self._fixes: dict[tuple[Path, int, str], tuple[Fix, ...]] = {}

    # -- from any thread

    def change(self, path: Path, text: str | None, version: int = 0) -> None:
        """Take ``text`` for a file from the next analysis on; None for what is on disk, also when that changed."""
        with self._lock:
            self._incoming[path] = (text, version)

    def reconfigure(self, client: Client) -> None:
        """Take new settings, folders or documents into account from the next analysis on."""
        with self._lock:
            self._next = client

    def renew(self) -> None:
        """Read configuration files, and what the witness left, again."""
        with self._lock:
            self._renewed = True

    def gone(self, folder: Path) -> None:
        """What may have been a folder is no more."""
        with self._lock:
            self._gone.append(folder)

    # -- in the worker's thread

    def check_quickly(self, path: Path) -> Report:
        """As ``check_first`` where that is quick; otherwise what was found last time, where it stands now.

        Of a file that has just been opened, what a first look shows.
        """
        self._take_in()
        if not self._settings(path).enable:
            return self.check_first(path)
        workspace = self.workspace(path)
        if workspace.takes(path) > QUICK:
            return replace(self._report(path, workspace, workspace.check_moved(path), whole=False), moved=True)
        plain, hurried = workspace.look(path)
        whole = not hurried and workspace.is_whole(path)
        return replace(self._report(path, workspace, plain, whole=whole), moved=hurried)

    def check_first(self, path: Path) -> Report:
        """Analyse a file as far as its own entries go; what its callers meet stays as it was."""
        self._take_in()
        if not self._settings(path).enable:
            return self._report(path, self.workspace(path), [], whole=True)
        workspace = self.workspace(path)
        return self._report(path, workspace, workspace.check_first(path), whole=workspace.is_whole(path))

    def check(self, path: Path) -> Report:
        """Analyse a file and all that calls it."""
        self._take_in()
        workspace = self.workspace(path)
        plain = workspace.check([path]) if self._settings(path).enable else []
        return self._report(path, workspace, plain, whole=True)

    def sharing(self, path: Path, others: Sequence[Path]) -> list[Path]:
        """Those of ``others`` that have a program in common with a file, or had: one that runs code of both.

        It is nobody as long as the file says what it said when this was last asked.
        """
        self._take_in()
        if path not in self._touched:
            return []
        workspace = self.workspace(path)
        programs = [path, *workspace.project.importers_of(path)]
        reached = {module.path for program in programs for module in workspace.outcomes.closure(program)}
        reached |= self._touched.pop(path)
        return [other for other in others if other in reached]

    def keep(self) -> None:
        """Write down what was found, for the next time that these files are opened."""
        for workspace in self._workspaces.values():
            workspace.outcomes.keep()

    def files(self) -> list[Path]:
        """All files of the open folders that a check of the project would take."""
        self._take_in()
        found: dict[Path, None] = {}
        for folder in self.client.folders:
            workspace = self.workspace(folder / "__init__.py")
            found.update(dict.fromkeys(walk.collect([folder], workspace.config, folder)))
        return list(found)

    def _report(self, path: Path, workspace: LiveWorkspace, plain: list[Finding], *, whole: bool) -> Report:
        client = self.client
        if self._settings(path).enable:
            plain = [*plain, *workspace.failures(path)]
        plain = [*plain, *self._observed(path, workspace, plain)]
        view = self.view_of(path)
        findings = workspace.by_cell(plain)
        names = view.ids(findings)
        diagnostics: dict[str, list[types.Diagnostic]] = {
            uri: [] for uri in client.cells.get(str(path), ()) or (view.uri(str(path)),)
        }
        for finding, name in zip(findings, names):
            uri = view.uri(finding.place.filename)
            diagnostics.setdefault(uri, []).append(view.diagnostic(finding, name, may_be_fixed(finding)))
        return Report(path, self._versions.get(path, 0), plain, findings, names, diagnostics, view, whole)

    def _observed(self, path: Path, workspace: LiveWorkspace, plain: Sequence[Finding]) -> list[Finding]:
        """What the witness saw in the file and the analysis did not say."""
        settings = self._settings(path)
        if not (settings.observed and settings.enable):
            return []
        run = self._runs.get(path.parent)
        if run is None:
            run = self._runs[path.parent] = observed.last(path.parent)
        if str(path) not in run.findings:
            return []
        known = {(f.code, f.place.row) for f in plain}
        seen = observed.current(run, path, workspace.lines)
        return [f for f in workspace.applying(seen, workspace.project) if (f.code, f.place.row) not in known]

    def fixes(self, report: Report, name: str) -> tuple[Fix, ...]:
        """The fixes for a finding of a report, with places by cell; none when the file has changed since."""
        self._take_in()
        path = report.path
        if self._versions.get(path, 0) != report.version:
            return ()
        key = (path, report.version, name)
        if key not in self._fixes:
            from autograd_hazards.fixes.session import with_fixes

            workspace = self.workspace(path)
            plain = next((f for f, known in zip(report.plain, report.names) if known == name), None)
            if plain is None:
                return ()
            if workspace.entry_of(plain) is None:
                workspace.check([path])
            mended = workspace.by_cell(with_fixes(workspace, [plain], work=WORK))
            if len(self._fixes) > _MOST_FIXES:
                self._fixes.clear()
            self._fixes[key] = mended[0].fixes
        return self._fixes[key]

    def facts(self, path: Path, version: int) -> list[Known]:
        """What autograd knows at the places of a file; nothing when it has changed since ``version``."""
        self._take_in()
        if self._versions.get(path, 0) != version:
            return []
        if self._facts is None or self._facts[:2] != (path, version):
            from autograd_hazards.machine.looking_on import facts_of

            workspace = self.workspace(path)
            module = workspace.project.module_at(path)
            known: list[Known] = []
            if workspace.project.uses_torch(module):
                callers = workspace.project.known_importers(path) or []
                known = facts_of(workspace.project, path, workspace.config.torch_version, callers)
            self._facts = (path, version, known)
        return self._facts[2]

    def explain(self, text: str, entry: Path | None) -> Explanation:
        """What the traceback in ``text`` means for the program in the open folders, or for the file ``entry``."""
        from autograd_hazards.explain.traceback_explain import explain_text

        self._take_in()
        folders = self.client.folders
        root = self.workspace(entry).root if entry is not None else (folders[0] if folders else None)
        return explain_text(text, root, dict(self._texts), entry=entry, torch_version=self._torch(root))

    def _torch(self, root: Path | None) -> str | None:
        settings = self._settings(root) if root is not None else self.client.settings
        return (
            settings.torch_version or (self._config(root).torch_version if root else None) or settings.installed_torch
        )

    def _settings(self, path: Path) -> Settings:
        return self.client.settings_at(path)

    def view_of(self, path: Path) -> View:
        """How the client sees places in a file."""
        client = self.client
        return View(
            client.encoding,
            self.workspace(path).lines,
            client.uris,
            client.cells,
            self._settings(path),
            client.commands,
            lambda name: self._texts.get(Path(name), "").startswith(BOM),
        )

    def workspace(self, path: Path) -> LiveWorkspace:
        """The workspace that a file belongs to: the innermost open folder, or the file's own."""
        root = innermost(path, {folder: folder for folder in self.client.folders}, path.parent)
        config = self._config(path.parent)
        key = root, config.source
        known = self._workspaces.get(key)
        if known is None:
            texts = {path: text for path, text in self._texts.items() if is_below(path, root)}
            known = LiveWorkspace(root, self._settings(path).apply_to(config), overlay=texts, keeps=root != NOWHERE)
            self._workspaces[key] = known
            if known.notice is not None:
                self.notices.append(known.notice)
        return known

    def _config(self, folder: Path) -> Config:
        known = self._configs.get(folder)
        if known is None:
            known = Config()
            if not is_below(folder, NOWHERE):
                try:
                    known = configuration.load(folder)
                except ConfigError as error:
                    self.notices.append(error.message)
            self._configs[folder] = known
        return known

    def _take_in(self) -> None:
        """Bring what has changed since the last analysis into the workspaces."""
        with self._lock:
            client, self._next = self._next, None
            renewed, self._renewed = self._renewed, False
            gone, self._gone = self._gone, []
        if client is not None:
            old, self.client = self.client, client
            renewed = renewed or (old.settings, old.folder_settings, old.folders) != (
                client.settings,
                client.folder_settings,
                client.folders,
            )
        if renewed or any(w.project.knows_below(folder) for w in self._workspaces.values() for folder in gone):
            self._facts = None
            self._workspaces.clear()
            self._configs.clear()
            self._runs.clear()
        while True:
            with self._lock:  # one by one: what goes wrong with one file must not cost another its text
                if not self._incoming:
                    break
                path = next(iter(self._incoming))
                text, version = self._incoming.pop(path)
            if text is None:
                self._texts.pop(path, None)
                self._versions.pop(path, None)
            else:
                self._texts[path] = text
                self._versions[path] = version
            self._fixes.clear()
            for (root, _), workspace in self._workspaces.items():
                if is_below(path, root):
                    project = workspace.project
                    clock, generation = project.clock, project.generation
                    imported = workspace.outcomes.closure(path) if path in workspace.overlay else ()
                    workspace.update(path, text)
                    if (clock, generation) != (project.clock, project.generation):
                        before = self._touched.setdefault(path, set())
                        if generation != project.generation:
                            before.update(module.path for module in imported)


def may_be_fixed(finding: Finding) -> bool:
    """Whether there may be quick fixes for a finding: only for those of programs that can be analysed again."""
    return finding.certainty != OBSERVED and finding.code not in TEXTUAL


def warm() -> None:
    """Load what every analysis needs, before the first one has to, and tidy up."""
    from autograd_hazards import rules, torchdb
    from autograd_hazards.machine import entries  # noqa: F401
    from autograd_hazards.machine.models import load_models

    load_models()
    assert rules.ALL
    torchdb.function("add")
    kept.tidy()
    gc.unfreeze()
    gc.collect()
    gc.freeze()  # what start-up made stays for good, but for its garbage
