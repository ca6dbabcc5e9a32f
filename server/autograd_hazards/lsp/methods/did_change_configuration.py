"""``workspace/didChangeConfiguration``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from autograd_hazards.lsp.plain import plain
from autograd_hazards.lsp.settings import SECTION
from autograd_hazards.lsp.uris import uri_of

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION


async def handle(ls: HazardsServer, params: types.DidChangeConfigurationParams) -> None:
    """Use the settings that come with the notification, or ask the client for them."""
    given = plain(params.settings)
    if isinstance(given, Mapping) and SECTION in given:
        use(ls, given[SECTION])
    elif not await fetch(ls) and isinstance(given, Mapping):
        use(ls, given)


async def fetch(ls: HazardsServer) -> bool:
    """Ask the client for the settings, those of each folder too; False when it cannot be asked or has none."""
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return False
    folders = list(ls.folders) if len(ls.folders) > 1 else []
    items = [types.ConfigurationItem(section=SECTION)]
    items += [types.ConfigurationItem(scope_uri=uri_of(str(folder)), section=SECTION) for folder in folders]
    answer = [plain(each) for each in await ls.workspace_configuration_async(types.ConfigurationParams(items))]
    if not answer or not isinstance(answer[0], Mapping):
        return False
    use(ls, answer[0], dict(zip(folders, answer[1:])))
    return True


def use(ls: HazardsServer, settings: Any, by_folder: Mapping[Path, Any] = MappingProxyType({})) -> None:
    """Go on with these settings, and with those of single folders where they have their own."""
    before = ls.settings, ls.folder_settings
    ls.take_settings(settings, by_folder)
    if (ls.settings, ls.folder_settings) != before:
        ls.analyse_all()
