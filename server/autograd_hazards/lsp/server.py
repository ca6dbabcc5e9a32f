"""The server: what it holds, and how work goes from the event loop to the analysis and back."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from autograd_hazards import __version__
from autograd_hazards.config import AUTO
from autograd_hazards.locales import locale_of, translate
from autograd_hazards.lsp import settings as settings_
from autograd_hazards.lsp.analyst import Analyst, Client, Report
from autograd_hazards.lsp.documents import Document, Documents
from autograd_hazards.lsp.methods import all_methods
from autograd_hazards.lsp.protocol import Protocol
from autograd_hazards.lsp.uris import path_of
from autograd_hazards.lsp.worker import BACKGROUND, EDIT, REQUEST, Worker
from autograd_hazards.messages import say

logger = logging.getLogger(__name__)


class HazardsServer(LanguageServer):
    """State of one connection: documents, settings, the newest report of each open file."""

    def __init__(self) -> None:
        super().__init__("autograd-hazards", __version__, protocol_cls=Protocol, max_workers=2)
        self.documents = Documents()
        self.settings = settings_.Settings()
        self.client_locale: str | None = None
        self.folders: list[Path] = []
        self.reports: dict[Path, Report] = {}
        self.analyst = Analyst()
        self.worker = Worker()
        self.client_commands = False
        self.resolves_edits = False
        self.takes_document_changes = False
        self._shown: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        for method in all_methods():
            options = getattr(method, "OPTIONS", None)
            self.feature(method.METHOD, options)(method.handle)

    # -- what the analysis has to know

    def tell_analyst(self) -> None:
        """Let the next analysis see the settings, folders and open documents as they are now."""
        self.analyst.reconfigure(
            Client(
                self.documents.encoding,
                replace(self.settings, locale=self.locale),
                tuple(self.folders),
                {str(document.path): document.uri for document in self.documents},
            )
        )

    def take_settings(self, value: Any) -> None:
        """Use the client's settings; what cannot be used is shown to the user."""
        self.settings, troubles = settings_.read(value)
        for trouble in troubles:
            self.show_once(trouble)
        self.tell_analyst()

    # -- analysis

    def analyse(self, document: Document) -> None:
        """Analyse a document and publish what is found, unless a newer version comes before that is done."""
        path = document.path
        self.analyst.change(path, document.text, document.version)
        self.status("analysing")
        future = self.worker.submit(("check", path), EDIT, lambda: self.analyst.check_first(path), self.limit)
        self.worker.withdraw(("settle", path))
        self._later(self._publish(path, future))

    async def _publish(self, path: Path, future: Future[Report]) -> None:
        report = await self.result(future)
        if report is None or not self._show(report):
            return
        if not report.whole:
            work = self.worker.submit(("settle", path), BACKGROUND, lambda: self.analyst.check(path), self.limit)
            settled = await self.result(work)
            if settled is None or not self._show(settled):
                return
        if not self.worker.busy:
            self.status("ready")

    def _show(self, report: Report) -> bool:
        """Publish a report, unless its document has changed meanwhile; what is shown already is not sent again."""
        for notice in self.analyst.notices:
            self.show_once(notice)
        document = self.documents.at(report.path)
        if document is None or document.version != report.version:
            return False
        before = self.reports.get(report.path)
        self.reports[report.path] = report
        if before is None or (before.version, before.diagnostics) != (report.version, report.diagnostics):
            for uri, diagnostics in report.diagnostics.items():
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, diagnostics, document.version)
                )
        return True

    async def report_of(self, uri: str) -> Report | None:
        """The report on the newest version of a document, once it is there; None for one that is not open."""
        while (document := self.documents.get(uri)) is not None:
            report = self.reports.get(document.path)
            if report is not None and report.version == document.version:
                return report
            if not await self._checked_again(document.path, document.version):
                return None
        return None

    async def _checked_again(self, path: Path, version: int) -> bool:
        """Wait for an analysis of a file; False when there will be none of a version as new as this."""
        future = self.worker.submit(("wait", path), REQUEST, lambda: self.analyst.check_first(path), self.limit)
        report: Report | None = await self.result(future)
        if report is None or report.version < version:
            return False
        self.reports[path] = report
        return True

    async def ask(self, key: object, work: Any, priority: int = REQUEST) -> Any:
        """Let the analysis do something and wait for it; None when that was given up or failed."""
        return await self.result(self.worker.submit(key, priority, work, self.limit))

    async def result(self, future: Future[Any]) -> Any:
        """The result of a piece of analysis; None when it was given up. A failure is logged and shown once."""
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelled():
                raise
            if not future.cancelled():  # the client has taken its request back
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

    def close(self, document: Document) -> None:
        """Forget a document: what is on disk counts again."""
        self.reports.pop(document.path, None)
        self.analyst.change(document.path, None)
        self.tell_analyst()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, []))

    # -- talking to the client

    def show_once(self, message: str) -> None:
        """Log a trouble, and show it to the user the first time."""
        logger.error("%s", message)
        message = str(translate(message, self.locale))
        if message not in self._shown and len(self._shown) < 1000:
            self._shown.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def status(self, state: str, message: str = "") -> None:
        """Tell the client what the server does: ``starting``, ``analysing``, ``ready`` or ``error``."""
        if not self.client_commands:
            return
        from autograd_hazards import torchdb

        body: dict[str, Any] = {"state": state, "torch": self.settings.torch_version or torchdb.version()}
        if message:
            body["message"] = message
        self.protocol.notify("autogradHazards/status", body)

    def _later(self, coroutine: Any) -> None:
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
        self.client_locale = str(options.get("locale") or params.locale or "")
        encoding = self.workspace.position_encoding
        self.documents.encoding = str(getattr(encoding, "value", encoding) or "utf-16")
        folders = params.workspace_folders or []
        uris = [folder.uri for folder in folders] or ([params.root_uri] if params.root_uri else [])
        self.folders = [path_of(uri) for uri in uris if uri.startswith("file:")]
        self.take_settings(options.get("settings"))
        self.worker.start()
