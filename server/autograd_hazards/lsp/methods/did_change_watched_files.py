"""``workspace/didChangeWatchedFiles``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.config import CONFIG_NAME
from autograd_hazards.lsp.observed import FILE
from autograd_hazards.program.discover import holds_code, may_hold_code
from autograd_hazards.walk import SUFFIXES

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
SETTINGS = ("pyproject.toml", CONFIG_NAME)


def handle(ls: HazardsServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Read again what has changed on disk."""
    matters = [_take(ls, ls.path_of(event.uri), event.type) for event in params.changes]
    if any(matters):
        ls.analyse_all()


def _take(ls: HazardsServer, path: Path, kind: types.FileChangeType) -> bool:
    """Let the next analysis see a change; whether it may matter at all."""
    if path.suffix in SUFFIXES:
        if ls.documents.at(path) is None:
            ls.analyst.change(path, None)
        return True
    if path.name in (*SETTINGS, FILE.name, FILE.parent.name):
        ls.analyst.renew()
        return True
    root = next((folder for folder in ls.folders if folder in path.parents), None)
    if root is None or not may_hold_code(path, root):
        return False
    if kind == types.FileChangeType.Deleted:
        ls.analyst.gone(path)
        return True
    if kind == types.FileChangeType.Created and holds_code(path):
        ls.analyst.renew()
        return True
    return False
