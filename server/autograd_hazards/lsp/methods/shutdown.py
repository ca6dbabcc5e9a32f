"""``shutdown``."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.lsp.worker import EDIT

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

METHOD = types.SHUTDOWN
PATIENCE = 1.0  # seconds

logger = logging.getLogger(__name__)


async def handle(ls: HazardsServer, params: None) -> None:
    """Stop the analysis, and keep what it has found."""
    try:
        await asyncio.wait_for(ls.ask(ls.analyst.keep, EDIT), PATIENCE)
    except asyncio.TimeoutError:
        logger.warning("what was found last could not be kept in time")
    ls.worker.end()
