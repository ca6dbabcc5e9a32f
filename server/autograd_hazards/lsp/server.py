"""The server: what it holds, and how work goes from the event loop to the analysis and back."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from autograd_hazards import __version__
from autograd_hazards.config import AUTO
from autograd_hazards.environment import learn, version_in
from autograd_hazards.locales import locale_of, translate
from autograd_hazards.lsp import settings as settings_
from autograd_hazards.lsp.analyst import Analyst, Client, Report, warm
from autograd_hazards.lsp.documents import Documents, Notebook, Subject
from autograd_hazards.lsp.everywhere import Everywhere
from autograd_hazards.lsp.methods import all_methods
from autograd_hazards.lsp.protocol import Protocol
from autograd_hazards.lsp.uris import innermost, path_of, under
from autograd_hazards.lsp.worker import BACKGROUND, EDIT, REQUEST, Worker
from autograd_hazards.messages import say

NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithNotebook(
            "jupyter-notebook", cells=[types.NotebookCellLanguage("python"), types.NotebookCellLanguage("markdown")]
        )
    ]
)

OPENING = 0.05  # seconds in which a client that has connected opens its first file
# Seconds without another key after which an analysis that takes long is begun, and that of callers in other files.
PAUSE, LONG_PAUSE = 0.08, 0.3
KEPT_EVERY = 5.0  # seconds between two times that outcomes are written down

logger = logging.getLogger(__name__)


class HazardsServer(LanguageServer):
    """State of one connection: documents, settings, the newest report of each open file."""

    def __init__(self) -> None:
        super().__init__(
            "autograd-hazards", __version__, protocol_cls=Protocol, max_workers=2, notebook_document_sync=NOTEBOOKS
        )
        self.documents = Documents(self.path_of)
        self.settings = settings_.Settings()
        self.folder_settings: dict[Path, settings_.Settings] = {}  # where folders have their own
        self.installed_torch: str | None = None
        self.client_locale: str | None = None
        self.folders: list[Path] = []
        self.reports: dict[Path, Report] = {}
        self.analyst = Analyst()
        self.worker = Worker()
        self.client_commands = False
        self.resolves_edits = False
        self.takes_document_changes = False
        self._state = ("", "")
        self._shown: set[str] = set()
        self.pulls = False
        self.refreshes_hints = False
        self.everywhere = Everywhere(self)
        self._pending: dict[Path, Future[Report]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._keeping: asyncio.Task[None] | None = None
        self._more = False
        self._following = 0  # analyses that something may still be published of
        for method in all_methods():
            if hasattr(method, "COMMAND"):
                self.command(method.COMMAND)(_command(method.handle))
            else:
                self.feature(method.METHOD, getattr(method, "OPTIONS", None))(method.handle)

    def path_of(self, uri: str) -> Path:
        """The path of a document: below an open folder by that folder's name, whichever way the client names the file."""
        path = path_of(uri)
        return (under(path, self.folders) or path) if uri.startswith("file:") else path

    # -- what the analysis has to know

    def tell_analyst(self) -> None:
        """Let the next analysis see the settings, folders and open documents as they are now."""
        self.analyst.reconfigure(
            Client(
                self.documents.encoding,
                replace(self.settings, locale=self.locale),
                tuple(self.folders),
                {str(subject.path): subject.uri for subject in self.documents},
                {str(s.path): tuple(s.uris) for s in self.documents if isinstance(s, Notebook)},
                self.client_commands,
                {folder: replace(own, locale=self.locale) for folder, own in self.folder_settings.items()},
            )
        )

    def take_settings(self, value: Any, by_folder: Mapping[Path, Any] = MappingProxyType({})) -> None:
        """Use the client's settings, and each folder's own; what cannot be used is shown to the user."""
        self.settings = self._read(value)
        self.folder_settings = {folder: self._read(own) for folder, own in by_folder.items()}
        self.tell_analyst()

    def _read(self, value: Any) -> settings_.Settings:
        read, troubles = settings_.read(value)
        for trouble in troubles:
            self.show_once(trouble)
        return replace(read, installed_torch=self.installed_torch)

    def settings_at(self, path: Path) -> settings_.Settings:
        """The settings for a file: those of the folder it lies in, where folders have their own."""
        return innermost(path, self.folder_settings, self.settings)

    @property
    def wants_unopened(self) -> bool:
        """Whether files that are not open are to be checked, in any folder."""
        return any(each.unopened_files for each in (self.folder_settings.values() or (self.settings,)))

    # -- analysis

    def analyse(self, subject: Subject) -> None:
        """Analyse what is open and publish what is found, unless a newer version comes before that is done."""
        path = subject.path
        self.analyst.change(path, subject.text, subject.version)
        self._analyse(path)

    def analyse_all(self) -> None:
        """Analyse everything that is open again, since something else has changed."""
        for subject in self.documents:
            self._analyse(subject.path)
        self.everywhere.changed()

    def _analyse(self, path: Path) -> None:
        self.status("analysing")
        self.worker.withdraw(("settle", path))
        self.worker.withdraw(("others", path))
        future = self.worker.submit(("check", path), EDIT, lambda: self.analyst.check_quickly(path), self.limit)
        self._pending[path] = future
        self.later(self._follow(self._publish(path, future)))

    async def _follow(self, publishing: Coroutine[Any, Any, None]) -> None:
        """Let what comes of an analysis be published; once nothing more is to come, say so."""
        self._following += 1
        try:
            await publishing
        finally:
            self._following -= 1
            self._rest()

    async def _publish(self, path: Path, future: Future[Report]) -> None:
        """Publish in steps: what stands at once, then what the file's own entries give, then what its callers add."""
        report = await self.result(future)
        if report is not None and report.moved and self._is_newest(report):
            self.publish(report)
            first = self.worker.submit(("check", path), EDIT, lambda: self.analyst.check_first(path), self.limit, PAUSE)
            if self._pending.get(path) is future:
                self._pending[path] = future = first
            report = await self.result(first)
        if self._pending.get(path) is future:
            del self._pending[path]
        if report is None or not self._show(report):
            return
        if not report.whole:
            work = self.worker.submit(
                ("settle", path), BACKGROUND, lambda: self.analyst.check(path), self.limit, LONG_PAUSE
            )
            settled = await self.result(work)
            if settled is None or not self._show(settled):
                return
            self._refresh()
        await self._show_others(path)
        self.everywhere.changed()
        self.keep()

    async def _show_others(self, path: Path) -> None:
        """Check again what else is open and has a program in common with a file that was edited or closed."""
        others = [subject.path for subject in self.documents if subject.path != path]
        if not others:
            return
        sharing = self.worker.submit(
            ("others", path), BACKGROUND, lambda: self.analyst.sharing(path, others), self.limit, LONG_PAUSE
        )
        for other in await self.result(sharing) or ():
            again = self.worker.submit(("again", other), BACKGROUND, partial(self.analyst.check, other), self.limit)
            report = await self.result(again)
            if report is not None:
                self._show(report)

    def _rest(self) -> None:
        """Say that there is nothing to do, when that is so; that something went wrong stays said until the next edit."""
        if not self.worker.busy and not self._following and self._state[0] != "error":
            self.status("ready")

    def _show(self, report: Report) -> bool:
        """Publish a report, unless its document has changed meanwhile; what is shown already is not sent again."""
        self.show_notices()
        if not self._is_newest(report):
            return False
        before = self.reports.get(report.path)
        self.reports[report.path] = report
        if before is None or (before.version, before.diagnostics) != (report.version, report.diagnostics):
            self.publish(report)
            if before is not None and before.version == report.version:
                self._refresh()  # nobody has typed: a client that fetches has no reason to come again by itself
        return True

    def _is_newest(self, report: Report) -> bool:
        subject = self.documents.at(report.path)
        return subject is not None and subject.version == report.version

    def publish(self, report: Report, *, always: bool = False) -> None:
        """Send the diagnostics of a report, unless the client comes to fetch them."""
        if self.pulls and not always:
            return
        for uri, diagnostics in report.diagnostics.items():
            document = self.documents.document(uri)
            version = document.version if document is not None else None
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def _refresh(self) -> None:
        """Let the client fetch again what it has fetched."""
        if self.pulls:
            self.workspace_diagnostic_refresh(None)
        if self.refreshes_hints and any(s.inlay_hints for s in (self.settings, *self.folder_settings.values())):
            self.workspace_inlay_hint_refresh(None)

    async def report_of(self, uri: str) -> Report | None:
        """The report on the newest version of a document, once it is there; None for one that is not open."""
        while (subject := self.documents.get(uri)) is not None:
            report = self.reports.get(subject.path)
            if report is not None and report.version == subject.version and subject.path not in self._pending:
                return report
            pending = self._pending.get(subject.path)
            if pending is None:
                return None  # it was analysed, and that failed
            done, _ = await asyncio.wait([asyncio.wrap_future(pending)])
            for future in done:
                if not future.cancelled():
                    future.exception()  # told where it was published
            await asyncio.sleep(0)  # the report is taken in first
        return None

    async def ask(self, work: Callable[[], Any], priority: int = REQUEST) -> Any:
        """Let the analysis do something and wait for it; None when that was given up or failed.

        Each is answered: a client may ask for the edits of several actions, or for hovers and hints, at once.
        """
        try:
            return await self.result(self.worker.submit(None, priority, work, self.limit))
        finally:
            self._rest()

    async def result(self, future: Future[Any]) -> Any:
        """The result of a piece of analysis; None when it was given up. A failure is logged and shown once."""
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if not self.worker.gave_up(future):  # the client has taken its request back
                self.worker.cancel(future)
                raise
            return None
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in one analysis, the server goes on
            self.show_once(say("The analysis failed: {error}", error=f"{type(error).__name__}: {error}"))
            self.status("error", str(error))
            return None

    @property
    def locale(self) -> str:
        """The language to speak: that of the settings, or else the client's."""
        chosen = self.settings.locale
        return locale_of(self.client_locale if chosen == AUTO else chosen)

    @property
    def limit(self) -> float:
        """Seconds that one piece of analysis may take."""
        return self.settings.time_limit or 60.0

    def close(self, subject: Subject) -> None:
        """Forget a document: what is on disk counts again."""
        path = subject.path
        self.reports.pop(path, None)
        self.worker.withdraw(("check", path))
        self.worker.withdraw(("settle", path))
        self.worker.withdraw(("again", path))
        self.analyst.change(path, None)
        self.tell_analyst()
        # What else is open may have to do with a text of it that was never saved.
        self.later(self._follow(self._show_others(path)))
        self.drop(subject.uris if isinstance(subject, Notebook) else [subject.uri])
        self.everywhere.forget(path)

    def drop(self, uris: Iterable[str]) -> None:
        """Take back what was said of documents that are no more."""
        if not self.pulls:
            for uri in uris:
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def watch(self) -> None:
        """Give up analyses that take too long, as long as the server lives."""
        while True:
            await asyncio.sleep(0.5)
            self.worker.relieve()

    async def _warm(self) -> None:
        """Load the machine while nobody waits: a file of which something is kept is answered without it."""
        await asyncio.sleep(OPENING)
        await self.ask(warm, BACKGROUND)

    def keep(self) -> None:
        """Let what was found be written down soon, and not with every key."""
        self._more = True
        if self._keeping is None:
            self._keeping = asyncio.ensure_future(self._keep())

    async def _keep(self) -> None:
        while self._more:
            self._more = False
            await self.ask(self.analyst.keep, BACKGROUND)
            await asyncio.sleep(KEPT_EVERY)
        self._keeping = None

    # -- talking to the client

    def show_once(self, message: str) -> None:
        """Log a trouble, and show it to the user the first time."""
        logger.error("%s", message)
        message = str(translate(message, self.locale))
        if message not in self._shown and len(self._shown) < 1000:
            self._shown.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def _torch(self) -> str:
        """The version of torch that findings are for, as people write it."""
        from autograd_hazards import torchdb

        known = self.settings.torch_version or self.settings.installed_torch or torchdb.version()
        return known.partition("+")[0]

    def status(self, state: str, message: str = "") -> None:
        """Tell the client what the server does: ``starting``, ``analysing``, ``ready`` or ``error``."""
        if not self.client_commands or (state, message) == self._state:
            return
        self._state = state, message
        body: dict[str, Any] = {"state": state, "torch": self._torch()}
        if not (self.settings.torch_version or self.settings.installed_torch):
            body["assumed"] = True
        if message:
            body["message"] = message
        self.protocol.notify("autogradHazards/status", body)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What went wrong outside of requests, which are answered with their error."""
        if source is not FeatureRequestError:
            self.show_once(say("A message could not be handled: {error}", error=f"{type(error).__name__}: {error}"))

    def show_notices(self) -> None:
        """Show what the analysis had to say to the user."""
        notices, self.analyst.notices = self.analyst.notices, []
        for notice in notices:
            self.show_once(notice)

    def later(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine beside everything else."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def adopt(self, params: types.InitializeParams) -> None:
        """Take over what the client says about itself when it connects."""
        options = params.initialization_options
        options = options if isinstance(options, dict) else {}
        info = params.client_info.name if params.client_info else ""
        self.client_commands = bool(options.get("clientCommands", info.startswith("Visual Studio Code")))
        capabilities = params.capabilities
        action = capabilities.text_document.code_action if capabilities.text_document else None
        resolve = action.resolve_support if action else None
        self.resolves_edits = resolve is not None and "edit" in resolve.properties
        edit = capabilities.workspace.workspace_edit if capabilities.workspace else None
        self.takes_document_changes = bool(edit and edit.document_changes)
        pull = capabilities.text_document.diagnostic if capabilities.text_document else None
        again = capabilities.workspace.diagnostics if capabilities.workspace else None
        # A client that cannot be asked to fetch again would miss what callers in other files bring later.
        self.pulls = pull is not None and again is not None and bool(again.refresh_support)
        if not self.pulls:
            self.protocol.fm.features.pop(types.TEXT_DOCUMENT_DIAGNOSTIC)
            self.protocol.fm.features.pop(types.WORKSPACE_DIAGNOSTIC)
        hints = capabilities.workspace.inlay_hint if capabilities.workspace else None
        self.refreshes_hints = bool(hints and hints.refresh_support)
        self.client_locale = str(options.get("locale") or params.locale or "")
        encoding = self.workspace.position_encoding
        self.documents.encoding = str(getattr(encoding, "value", encoding) or "utf-16")
        folders = params.workspace_folders or []
        uris = [folder.uri for folder in folders] or ([params.root_uri] if params.root_uri else [])
        self.folders = [path_of(uri) for uri in uris if uri.startswith("file:")]
        given = options.get("sitePackages")
        folders_of_packages = [Path(each) for each in given if isinstance(each, str)] if isinstance(given, list) else []
        self.installed_torch = next((found for each in folders_of_packages if (found := version_in(each))), None)
        learn(self.installed_torch, Path(), folders_of_packages)
        self.take_settings(options.get("settings"))
        self.worker.start()
        self.status("starting")
        self.later(self._warm())


def _command(handle: Callable[..., Any]) -> Callable[..., Any]:
    """A command's handler in a form that pygls can read the parameters of."""

    signature = inspect.signature(handle)

    async def run(ls, *arguments):  # type: ignore[no-untyped-def]
        try:
            signature.bind(ls, *arguments)
        except TypeError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return await handle(ls, *arguments)

    return run
