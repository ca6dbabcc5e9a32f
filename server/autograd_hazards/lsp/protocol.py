"""The protocol's layer of pygls, with our own documents in the place of its."""

from __future__ import annotations

import logging
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, lsp_method

logger = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """Texts are kept in ``server.documents``: lines end where the protocol says, and edits of unknown texts are nothing."""

    _greeted = _dismissed = False  # whether ``initialize`` and ``shutdown`` have come

    def handle_message(self, message: Any) -> None:
        """Take what may come in the state that the connection is in; other requests are refused, and the rest is dropped."""
        if not hasattr(message, "jsonrpc"):
            logger.error("this is no message of the protocol: %.200r", message)
            return
        method, number = getattr(message, "method", None), getattr(message, "id", None)
        refusal: JsonRpcException | None = None
        if method == types.INITIALIZE:
            refusal = JsonRpcInvalidRequest("This server is initialized already.") if self._greeted else None
            self._greeted = True
        elif not self._greeted:
            refusal = JsonRpcServerNotInitialized("This server waits for initialize.")
        elif self._dismissed:
            refusal = JsonRpcInvalidRequest("This server has been shut down.")
        elif method == types.SHUTDOWN:
            self._dismissed = True
        if refusal is None or method == types.EXIT:
            super().handle_message(message)
        elif method is not None and number is not None:
            self._send_response(number, error=refusal.to_response_error())

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message in a JSON object. A request that cannot be read is answered with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if not isinstance(data.get("id"), (int, str)) or "method" not in data:
                raise  # no request: there is nobody to answer
            self._send_response(data["id"], error=error.to_response_error())
            return JsonRPCNotification(method="$/refused", params=None, jsonrpc=self.VERSION)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if msg_id in self._request_futures:  # else it has just been answered, which is nothing to log
            super()._handle_cancel_notification(msg_id)

    def _forward(self, method: str, params: Any) -> Any:
        handler = self.fm.features.get(method)
        if handler is not None:
            handler(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._forward(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._forward(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._forward(types.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        self._forward(types.NOTEBOOK_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        self._forward(types.NOTEBOOK_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        self._forward(types.NOTEBOOK_DOCUMENT_DID_CLOSE, params)
