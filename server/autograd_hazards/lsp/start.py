"""The command ``server``."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys


def run(options: argparse.Namespace) -> int:
    """Serve one client on standard input and output, or on a socket, until it disconnects."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.getLevelName(options.log_level.upper()), format="%(levelname)s %(message)s"
    )
    from autograd_hazards.lsp.server import HazardsServer

    server = HazardsServer()
    gc.collect()
    gc.freeze()  # what start-up made stays for good
    if options.tcp:
        host, _, port = options.tcp.rpartition(":")
        server.start_tcp(host or "127.0.0.1", int(port))
        return 0
    # Only the protocol may write to the client's pipe.
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.start_io(stdout=pipe)
    return 0
