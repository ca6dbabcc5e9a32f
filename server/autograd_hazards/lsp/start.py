"""The command ``server``."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

# Seconds between two looks at whether another thread wants to run: while the analysis computes, messages come in.
SWITCH = 0.0005
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)\s*", re.IGNORECASE)
# How often garbage is looked for: an analysis leaves many circles behind, and the process lives for days. Seldomer would
# save a tenth of the time, and take twice the memory where a hundred files call the one that is edited.
COLLECT = (10_000, 5, 2)


def run(options: argparse.Namespace) -> int:
    """Serve one client on standard input and output, or on a socket, until it disconnects."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.getLevelName(options.log_level.upper()), format="%(levelname)s %(message)s"
    )
    if options.log_level != "debug":
        # At its informal level it logs whole messages, the user's source among them.
        logging.getLogger("pygls").setLevel(logging.WARNING)
    gc.set_threshold(*COLLECT)  # making lsprotocol's classes leaves much garbage: at once, or the heap grows around it
    with _without_ssl():
        import asyncio  # noqa: F401
    from autograd_hazards.lsp.lazy_types import load_types

    load_types()
    from autograd_hazards.lsp.server import HazardsServer

    server = HazardsServer()
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # what start-up made stays for good
    if options.tcp:
        host, _, port = options.tcp.rpartition(":")
        server.start_tcp(host or "127.0.0.1", int(port))
        return 0
    # Only the protocol may write to the client's pipe.
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if sys.platform == "win32":
        server.start_io(stdout=pipe)
    else:
        _serve(server, pipe)
    return 0


@contextmanager
def _without_ssl() -> Iterator[None]:
    """Let asyncio do without OpenSSL, as it does where Python has none: this server has no use for it, and it takes 4 MB."""
    if "ssl" in sys.modules:
        yield
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["ssl"]


def _serve(server: HazardsServer, pipe: object) -> None:
    """As pygls' ``start_io``, reading from the pipe in the event loop and not through a thread per line."""
    import asyncio

    from pygls.io_ import StdoutWriter, run_async

    server.protocol.set_writer(StdoutWriter(pipe))  # type: ignore[arg-type]

    class Reader(asyncio.StreamReader):
        """Headers may be written in any case; pygls knows one."""

        async def readline(self) -> bytes:
            line = await super().readline()
            length = _LENGTH.fullmatch(line)
            return b"Content-Length: %b\r\n" % length[1] if length else line

    async def main() -> None:
        loop = asyncio.get_running_loop()
        reader = Reader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
        await run_async(Event(), reader, server.protocol, error_handler=server.report_server_error)

    try:
        asyncio.run(main())
    except ValueError:  # not a pipe, a socket or a terminal: a file
        server.start_io(stdout=pipe)  # type: ignore[arg-type]
    except BrokenPipeError:
        logging.getLogger(__name__).error("the client has gone")
    except (KeyboardInterrupt, SystemExit) as end:
        if isinstance(end, SystemExit):
            raise
    finally:
        server.worker.end()
        server.shutdown()  # type: ignore[no-untyped-call]
