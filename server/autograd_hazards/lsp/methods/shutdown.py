"""``shutdown``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.SHUTDOWN


def handle(ls: HazardsServer, params: None) -> None:
    """Stop the analysis."""
    ls.worker.end()
