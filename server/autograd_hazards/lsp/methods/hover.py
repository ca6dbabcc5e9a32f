"""``textDocument/hover``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.explain.story import story_markdown
from autograd_hazards.lsp.view import within

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.TEXT_DOCUMENT_HOVER


async def handle(ls: HazardsServer, params: types.HoverParams) -> types.Hover | None:
    """The story of the findings at the position."""
    report = await ls.report_of(params.text_document.uri)
    if report is None:
        return None
    parts: list[str] = []
    where: types.Range | None = None
    for finding, diagnostic in report.shown(params.text_document.uri):
        if within(params.position, diagnostic.range):
            parts.append(story_markdown(finding, ls.locale))
            where = where or diagnostic.range
    if not parts:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts))
    return types.Hover(content, where)
