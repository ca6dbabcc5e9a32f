"""``workspace/didChangeConfiguration``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from autograd_hazards.lsp.plain import plain
from autograd_hazards.lsp.settings import SECTION

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
    """Ask the client for the settings; False when it cannot be asked or has none."""
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return False
    answer = await ls.workspace_configuration_async(
        types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    )
    given = plain(answer[0]) if answer else None
    if not isinstance(given, Mapping):
        return False
    use(ls, given)
    return True


def use(ls: HazardsServer, settings: Any) -> None:
    """Go on with these settings."""
    before = ls.settings
    ls.take_settings(settings)
    if ls.settings != before:
        ls.analyse_all()
