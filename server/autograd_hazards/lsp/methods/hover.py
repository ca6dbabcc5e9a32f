"""``textDocument/hover``: the story of a finding, what autograd knows of a name or call, the page of a rule's code."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.explain.story import consequence, story_markdown
from autograd_hazards.findings import Finding
from autograd_hazards.locales import translate
from autograd_hazards.lsp import rows
from autograd_hazards.lsp.documents import FROM_CLIENT, TO_CLIENT
from autograd_hazards.lsp.view import within
from autograd_hazards.messages import Text, say
from autograd_hazards.report.links import rule_command, timeline_command

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer
    from autograd_hazards.machine.facts import Spot

METHOD = types.TEXT_DOCUMENT_HOVER
_CODE = re.compile(r"\bAGH\d{3}\b")


async def handle(ls: HazardsServer, params: types.HoverParams) -> types.Hover | None:
    """What there is to say at the position; nothing where nothing is known."""
    uri, position = params.text_document.uri, params.position
    page = _page(ls, uri, position)
    if page is not None:
        return page
    report = await ls.report_of(uri)
    if report is None:
        return None
    parts: list[str] = []
    where: types.Range | None = None
    for (finding, diagnostic), name in zip(report.shown(uri), report.shown_names(uri)):
        if within(position, diagnostic.range):
            if ls.client_commands:
                parts.append(_beside(finding, timeline_command(uri, name), ls.locale))
            else:
                parts.append(story_markdown(finding, ls.locale, report.view.rule_link(finding.code)))
            where = where or diagnostic.range
    told = await _facts(ls, uri, position)
    if told is not None:
        parts.append(told[0])
        where = where or told[1]
    if not parts:
        return None
    return _markdown("\n\n---\n\n".join(parts), where)


def _beside(finding: Finding, timeline: str, locale: str) -> str:
    """What our own client does not show by itself, which puts the message, the rule and the story into every hover."""
    links = [
        (say("Show what happened ({code})", code=finding.code), timeline),
        (say("About {code}", code=finding.code), rule_command(finding.code)),
    ]
    told = [f"[{translate(title, locale)}]({link})" for title, link in links]
    return " · ".join([str(translate(consequence(finding), locale)), *told])


def _markdown(text: str, where: types.Range | None) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), where)


def _page(ls: HazardsServer, uri: str, position: types.Position) -> types.Hover | None:
    """The page of the rule whose code stands at the position, in a comment."""
    document = ls.documents.document(uri)
    line = document.line(position.line) if document is not None else ""
    if "AGH" not in line or "#" not in line:
        return None
    encoding = ls.documents.encoding
    column = FROM_CLIENT[encoding](line, position.character) - 1
    for match in _CODE.finditer(line, line.index("#")):
        if match.start() <= column <= match.end():
            from autograd_hazards.explain.pages import page

            text = page(match[0], ls.locale)
            if text is None:
                return None
            start, end = (TO_CLIENT[encoding](line, edge + 1) for edge in match.span())
            return _markdown(
                text, types.Range(types.Position(position.line, start), types.Position(position.line, end))
            )
    return None


async def _facts(ls: HazardsServer, uri: str, position: types.Position) -> tuple[str, types.Range | None] | None:
    """What autograd knows of the name or call at the position."""
    subject, spot = ls.documents.get(uri), rows.to_text(ls.documents, uri, position)
    if subject is None or spot is None:
        return None
    known = await ls.ask(partial(ls.analyst.facts, subject.path, subject.version))
    if not known:
        return None
    from autograd_hazards.explain.facts import facts_markdown
    from autograd_hazards.machine.facts import at

    place = at(known, *spot)
    if place is None:
        return None
    text = facts_markdown(place, _namer(str(subject.path)), ls.locale)
    start = rows.to_client(ls.documents, uri, *place.start)
    end = rows.to_client(ls.documents, uri, *place.name_end)
    area = types.Range(start, end) if start is not None and end is not None else None
    return (text, area) if text else None


class _namer:
    """Names lines as a person does who reads the file ``filename``."""

    def __init__(self, filename: str) -> None:
        self.filename = filename

    def __call__(self, spot: Spot) -> Text:
        if spot.filename == self.filename:
            return say("line {line}", line=spot.row)
        short = spot.filename.replace("\\", "/").rpartition("/")[2]
        return say("`{file}` line {line}", file=short, line=spot.row)
