"""An editor for tests: documents with markers in place of counted positions, and a client that remembers what came.

A marker is ``«name»text«/name»`` around a range, or ``«name»`` alone for a position. Every message in either direction
passes through lsprotocol's types, which refuse what the protocol does not allow.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient

REPOSITORY = Path(__file__).resolve().parents[2]
_MARKER = re.compile(r"«(/?)([\w-]+)»")
_UNITS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_WIDTH = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
LIMIT = 120.0  # seconds that a test waits for anything, on a machine that does much else


def units(text: str, encoding: str) -> int:
    """How many units of an encoding a text has."""
    return len(text.encode(_UNITS[encoding])) // _WIDTH[encoding]


class Marked:
    """A text and its markers."""

    def __init__(self, text: str) -> None:
        self.offsets: dict[str, list[int]] = {}
        pieces: list[str] = []
        position = length = 0
        for match in _MARKER.finditer(text):
            pieces.append(text[position : match.start()])
            length += match.start() - position
            position = match.end()
            self.offsets.setdefault(match[2], []).append(length)
        self.text = "".join(pieces) + text[position:]

    def position(self, name: str, encoding: str = "utf-16", index: int = 0) -> types.Position:
        """Where a marker stands."""
        return position_at(self.text, self.offsets[name][index], encoding)

    def range(self, name: str, encoding: str = "utf-16") -> types.Range:
        """The range between the two marks of a name."""
        return types.Range(self.position(name, encoding), self.position(name, encoding, -1))


def position_at(text: str, offset: int, encoding: str) -> types.Position:
    """The position of an offset, counted by hand."""
    lines = re.split(r"\r\n|\r|\n", text[:offset])
    return types.Position(len(lines) - 1, units(lines[-1], encoding))


def offset_of(text: str, position: types.Position, encoding: str) -> int:
    """The offset of a position, counted by hand."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    start = starts[position.line]
    taken = 0
    while taken < position.character:
        taken += units(text[start], encoding)
        start += 1
    return start


def apply(text: str, edits: Sequence[Any], encoding: str) -> str:
    """A text with edits, as an editor makes them."""
    ranges = [(offset_of(text, e.range.start, encoding), offset_of(text, e.range.end, encoding), e) for e in edits]
    for start, end, edit in sorted(ranges, key=lambda item: item[:2], reverse=True):
        text = text[:start] + edit.new_text + text[end:]
    return text


class Editor:
    """A client with a folder open."""

    def __init__(
        self,
        folder: Path,
        encoding: str = "utf-16",
        options: dict[str, Any] | None = None,
        resolve: bool = True,
        pull: bool = False,
        folders: Sequence[str] | None = None,
        configuration: Any = None,
        locale: str | None = None,
    ) -> None:
        self.folder = folder
        self.encoding = encoding
        self.options = {"clientCommands": True, **(options or {})}
        self.resolve = resolve
        self.pull = pull
        self.folders = folders
        self.configuration = configuration
        self.locale = locale
        self.client = LanguageClient()
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: list[types.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self.notified: list[tuple[str, Any]] = []
        self.registered: list[types.Registration] = []
        self.edits: list[types.WorkspaceEdit] = []
        self.refreshed = 0
        self.state = ""
        self._came = asyncio.Event()
        self.result: types.InitializeResult
        self._listen()

    def _listen(self) -> None:
        client = self.client

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            self._came.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._came.set()

        @client.feature("autogradHazards/status")
        def status(params: Any) -> None:
            self.notified.append(("status", params))
            self.state = params.state
            self._came.set()

        @client.feature(types.PROGRESS)
        def progress(params: Any) -> None:
            self.notified.append(("progress", params))
            self._came.set()

        @client.feature(types.WORKSPACE_CONFIGURATION)
        def configuration(params: types.ConfigurationParams) -> list[Any]:
            """The same for all, unless there is one for the scope that is asked for."""
            own = self.configuration.get("by_folder", {}) if isinstance(self.configuration, dict) else {}
            return [own.get(each.scope_uri and Path(each.scope_uri).name, self.configuration) for each in params.items]

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered.extend(params.registrations)
            self._came.set()

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply_edit(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params.edit)
            self._came.set()
            return types.ApplyWorkspaceEditResult(True)

        @client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create(params: types.WorkDoneProgressCreateParams) -> None:
            return None

        def refresh(*_: Any) -> None:
            self.refreshed += 1
            self._came.set()

        for method in (types.WORKSPACE_DIAGNOSTIC_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH):
            client.feature(method)(lambda params, refresh=refresh: refresh())

    async def start(self, command: Sequence[str]) -> None:
        """Start the server and connect."""
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "server")}
        await self.client.start_io(*command, env=environment)
        names = self.folders if self.folders is not None else ("",)
        folders = [types.WorkspaceFolder((self.folder / name).as_uri(), name or "root") for name in names]
        params = types.InitializeParams(
            capabilities=self._capabilities(),
            process_id=os.getpid(),
            root_uri=self.folder.as_uri(),
            workspace_folders=folders,
            initialization_options=self.options,
            locale=self.locale,
        )
        self.result = await asyncio.wait_for(self.client.initialize_session(params), LIMIT)

    def _capabilities(self) -> types.ClientCapabilities:
        action = types.CodeActionClientCapabilities(
            resolve_support=types.ClientCodeActionResolveOptions(properties=["edit"]) if self.resolve else None
        )
        return types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind(self.encoding)]),
            workspace=types.WorkspaceClientCapabilities(
                apply_edit=True,
                configuration=self.configuration is not None,
                workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
                did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
                diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True) if self.pull else None,
                inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
            ),
            text_document=types.TextDocumentClientCapabilities(
                code_action=action,
                diagnostic=types.DiagnosticClientCapabilities() if self.pull else None,
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
            ),
            notebook_document=types.NotebookDocumentClientCapabilities(
                types.NotebookDocumentSyncClientCapabilities(dynamic_registration=False)
            ),
            window=types.WindowClientCapabilities(work_done_progress=True),
        )

    async def stop(self) -> None:
        """Say goodbye; the server must end by itself and without an error."""
        await asyncio.wait_for(self.client.shutdown_async(None), LIMIT)
        self.client.exit(None)
        server = self.client._server
        if server is not None:
            assert await asyncio.wait_for(server.wait(), LIMIT) == 0
        await self.client.stop()

    # -- documents

    def uri(self, name: str) -> str:
        """The URI of a file in the folder."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, *, save: bool = False) -> str:
        """Open a document, with ``save`` as a file, too; gives its URI."""
        if save:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        uri = self.uri(name) if "://" not in name else name
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def replace(self, uri: str, old: str, new: str) -> None:
        """Replace the first ``old`` in a document, as an edit of that range."""
        text = self.texts[uri]
        start = text.index(old)
        area = types.Range(position_at(text, start, self.encoding), position_at(text, start + len(old), self.encoding))
        self.texts[uri] = text[:start] + new + text[start + len(old) :]
        self.change(uri, [types.TextDocumentContentChangePartial(area, new)])

    def write(self, uri: str, text: str) -> None:
        """Replace the whole text of a document."""
        self.texts[uri] = text
        self.change(uri, [types.TextDocumentContentChangeWholeDocument(text)])

    def change(self, uri: str, changes: list[Any]) -> None:
        """Send edits under the next version."""
        self.versions[uri] += 1
        where = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(where, changes))

    def close(self, uri: str) -> None:
        """Close a document."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    # -- what comes back

    async def until(self, ready: Callable[[], Any], what: str = "an answer") -> Any:
        """Wait until ``ready`` gives something."""

        async def wait() -> Any:
            while not (found := ready()):
                self._came.clear()
                await self._came.wait()
            return found

        try:
            return await asyncio.wait_for(wait(), LIMIT)
        except asyncio.TimeoutError:
            raise AssertionError(f"{what} did not come; messages: {self.messages}") from None

    async def diagnostics(self, uri: str, version: int | None = None) -> list[types.Diagnostic]:
        """The diagnostics published for the newest version of a document, once the server has come to rest."""
        wanted = self.versions.get(uri) if version is None else version

        def newest() -> types.PublishDiagnosticsParams | None:
            if self.state not in ("ready", "error"):
                return None  # more may come for the same version
            return next((p for p in reversed(self.published) if p.uri == uri and p.version == wanted), None)

        params: types.PublishDiagnosticsParams = await self.until(newest, f"diagnostics of {uri} version {wanted}")
        return list(params.diagnostics)

    async def actions(self, uri: str, area: types.Range, only: list[Any] | None = None) -> list[types.CodeAction]:
        """The code actions for a range, without those that are commands of our own client."""
        context = types.CodeActionContext(await self.diagnostics(uri), only=only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), area, context)
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), LIMIT)
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def resolved(self, action: types.CodeAction) -> types.WorkspaceEdit:
        """The edit of an action."""
        full = await asyncio.wait_for(self.client.code_action_resolve_async(action), LIMIT)
        assert full.edit is not None, f"{action.title}: no edit"
        return full.edit

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Make the edits of a workspace edit in open documents."""
        for change in edit.document_changes or []:
            assert isinstance(change, types.TextDocumentEdit)
            uri = change.text_document.uri
            assert change.text_document.version == self.versions[uri]
            self.write(uri, apply(self.texts[uri], change.edits, self.encoding))

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """What is shown over a position."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), position)
        return await asyncio.wait_for(self.client.text_document_hover_async(params), LIMIT)

    async def request(self, method: str, params: Any) -> Any:
        """The answer to any request."""
        return await asyncio.wait_for(self.client.protocol.send_request_async(method, params), LIMIT)
