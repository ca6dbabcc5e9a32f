"""``autogradHazards/debugInformation``: what to put into a bug report."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING, Any

from autograd_hazards import __version__

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = "autogradHazards/debugInformation"


def handle(ls: HazardsServer, params: Any) -> dict[str, str]:
    """Versions, settings and open documents as text."""
    import lsprotocol
    import pygls

    lines = [
        f"autograd-hazards {__version__} in {sys.prefix}",
        f"Python {sys.version.split()[0]} ({platform.platform()}), {sys.executable}",
        f"pygls from {pygls.__file__}, lsprotocol from {lsprotocol.__file__}",
        f"settings: {ls.settings}",
        *(f"settings of {folder}: {own}" for folder, own in ls.folder_settings.items() if own != ls.settings),
        f"locale: {ls.locale}, positions: {ls.documents.encoding}",
        f"folders: {', '.join(map(str, ls.folders)) or 'none'}",
    ]
    lines += [f"open: {document.uri}, version {document.version}" for document in ls.documents]
    return {"text": "\n".join(lines)}
