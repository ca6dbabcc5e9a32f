"""``autogradHazards/timeline``: the story of a finding in lanes, for the client's timeline view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_hazards.explain.timeline import timeline
from autograd_hazards.lsp.plain import plain

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = "autogradHazards/timeline"


async def handle(ls: HazardsServer, params: Any) -> dict[str, Any] | None:
    """The timeline of the finding with that id in that document."""
    given = plain(params)
    report = await ls.report_of(given["textDocument"]["uri"])
    finding = report.find(given["id"]) if report is not None else None
    if report is None or finding is None:
        return None
    result = timeline(finding, ls.locale)
    for event in result["events"]:
        place = event.pop("place")
        location = report.view.location(place)
        event["location"] = {"uri": location.uri, "range": ls.protocol._converter.unstructure(location.range)}
    return result
