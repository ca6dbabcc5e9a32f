"""``workspace/didChangeWorkspaceFolders``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp.methods.did_change_configuration import fetch
from autograd_hazards.lsp.uris import path_of

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


async def handle(ls: HazardsServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Work with the folders that are open now."""
    gone = {path_of(folder.uri) for folder in params.event.removed}
    ls.folders = [folder for folder in ls.folders if folder not in gone]
    ls.folders += [path_of(folder.uri) for folder in params.event.added if folder.uri.startswith("file:")]
    ls.folder_settings = {folder: own for folder, own in ls.folder_settings.items() if folder in ls.folders}
    ls.tell_analyst()
    ls.analyse_all()
    await fetch(ls)
