"""``textDocument/inlayHint``: what ``backward`` frees and ``step`` changes, behind the call. Off by default."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp import rows
from autograd_hazards.lsp.view import within

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_INLAY_HINT


async def handle(ls: HazardsServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints in the range."""
    uri = params.text_document.uri
    subject = ls.documents.get(uri)
    if subject is None or not ls.settings_at(subject.path).inlay_hints or await ls.report_of(uri) is None:
        return None
    from autograd_hazards.explain.facts import hint

    hints = []
    known = await ls.ask(partial(ls.analyst.facts, subject.path, subject.version)) or []
    for place in known:
        for text in (hint(fact, ls.locale) for fact in place.facts):
            position = rows.to_client(ls.documents, uri, *place.end) if text else None
            if position is not None and within(position, params.range):
                hints.append(types.InlayHint(position, text, padding_left=True))
    return hints
