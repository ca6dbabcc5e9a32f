"""``autogradHazards/rule``: the page of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_hazards.lsp.plain import plain

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = "autogradHazards/rule"


def handle(ls: HazardsServer, params: Any) -> dict[str, str] | None:
    """The page of the rule with that code, as Markdown."""
    from autograd_hazards.explain.pages import page

    text = page(str(plain(params)["code"]), ls.locale)
    return None if text is None else {"markdown": text}
