"""``workspace/didChangeWatchedFiles``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.walk import SUFFIXES

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(ls: HazardsServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Read again what has changed on disk."""
    for event in params.changes:
        path = ls.path_of(event.uri)
        if path.suffix not in SUFFIXES:
            ls.analyst.renew()
        elif ls.documents.at(path) is None:
            ls.analyst.change(path, None)
    ls.analyse_all()
