"""``autogradHazards/explain``: an error that torch has raised, explained by the analysis of the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograd_hazards.lsp.plain import plain

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = "autogradHazards/explain"


async def handle(ls: HazardsServer, params: Any) -> dict[str, Any] | None:
    """What the traceback in ``text`` means, as Markdown, and the place to change where one is found.

    ``textDocument`` is the program to look at when the text names no file that is at hand.
    """
    given = plain(params)
    document = given.get("textDocument") or {}
    entry = ls.path_of(document["uri"]) if str(document.get("uri", "")).startswith("file:") else None
    text = str(given["text"])
    answer = await ls.ask(lambda: ls.analyst.explain(text, entry))
    if answer is None:
        return None
    result: dict[str, Any] = {"markdown": answer.markdown(ls.locale)}
    if answer.finding is not None:
        view = ls.analyst.view_of(Path(answer.finding.place.filename))
        location = view.location(answer.finding.place)
        result["finding"] = {
            "code": answer.finding.code,
            "location": {"uri": location.uri, "range": ls.protocol._converter.unstructure(location.range)},
        }
    return result
