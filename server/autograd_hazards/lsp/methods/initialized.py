"""``initialized``: what the server asks of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp.methods.did_change_configuration import fetch
from autograd_hazards.lsp.methods.did_change_watched_files import SETTINGS
from autograd_hazards.lsp.observed import FILE
from autograd_hazards.lsp.settings import SECTION

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.INITIALIZED
WATCHED = ("**/*.py", "**/*.ipynb", *(f"**/{name}" for name in SETTINGS), f"**/{FILE.as_posix()}")
# When a folder comes or goes, some clients do not tell of the files in it; which names are folders no pattern can say.
FOLDERS = types.WatchKind.Create | types.WatchKind.Delete


async def handle(ls: HazardsServer, params: types.InitializedParams) -> None:
    """Register for changes of files and settings, and read the settings."""
    ls.later(ls.watch())
    wanted = []
    workspace = ls.client_capabilities.workspace
    files = workspace.did_change_watched_files if workspace else None
    if files is not None and files.dynamic_registration:
        watchers = [*map(types.FileSystemWatcher, WATCHED), types.FileSystemWatcher("**/*", FOLDERS)]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    changes = workspace.did_change_configuration if workspace else None
    if changes is not None and changes.dynamic_registration:
        section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        wanted.append(types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if wanted:
        await ls.client_register_capability_async(types.RegistrationParams(wanted))
    await fetch(ls)
    ls.everywhere.changed()
