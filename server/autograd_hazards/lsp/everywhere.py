"""The files that are not open: their diagnostics where the client wants them, and the check of the whole project."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograd_hazards.cache import blake2b
from autograd_hazards.lsp.analyst import Report
from autograd_hazards.lsp.uris import uri_of
from autograd_hazards.lsp.worker import BACKGROUND

if TYPE_CHECKING:
    from lsprotocol import types

    from autograd_hazards.lsp.server import HazardsServer


class Everywhere:
    """What is known of files that are not open."""

    def __init__(self, ls: HazardsServer) -> None:
        self.ls = ls
        self.news = asyncio.Event()  # something has changed since it was last cleared
        self._shown: dict[Path, list[types.Diagnostic]] = {}
        self._task: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """Something has changed that files which are not open may depend on."""
        self.news.set()
        if self.ls.wants_unopened and not self.ls.pulls:
            self._restart()
        elif self._shown:
            self._withdraw()

    def forget(self, path: Path) -> None:
        """A file was closed: what is said of it is said as of a file that is not open."""
        self._shown.pop(path, None)
        self.changed()

    async def reports(self, *, all_folders: bool = False) -> AsyncIterator[tuple[int, int, Report]]:
        """A report on each file that is not open, with its number and how many there are. Edits go first.

        Only of folders whose settings want that, unless ``all_folders`` are asked for.
        """
        paths = await self.ls.ask(self.ls.analyst.files, BACKGROUND) or []
        paths = [path for path in paths if all_folders or self.ls.settings_at(path).unopened_files]
        for number, path in enumerate(paths, 1):
            if self.ls.documents.at(path) is not None or path.suffix == ".ipynb":
                continue
            report = await self.ls.ask(partial(self.ls.analyst.check, path), BACKGROUND)
            if report is not None:
                yield number, len(paths), report

    def _restart(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.ensure_future(self._publish())

    async def _publish(self) -> None:
        await asyncio.sleep(0.5)  # typing goes on
        seen = set()
        async for _, _, report in self.reports():
            seen.add(report.path)
            if self.ls.documents.at(report.path) is None:
                self.say(report)
        for path in [path for path in self._shown if path not in seen and self.ls.documents.at(path) is None]:
            self._clear(path)

    def say(self, report: Report) -> None:
        """Publish a report on a file that is not open, also to clients that fetch those of open ones."""
        found = [diagnostic for mine in report.diagnostics.values() for diagnostic in mine]
        if found != self._shown.get(report.path, []):
            self._shown[report.path] = found
            self.ls.publish(report, always=True)

    def _withdraw(self) -> None:
        if self._task is not None:
            self._task.cancel()
        for path in [path for path in self._shown if self.ls.documents.at(path) is None]:
            self._clear(path)
        self._shown.clear()

    def _clear(self, path: Path) -> None:
        from lsprotocol import types

        if self._shown.pop(path, None):
            self.ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri_of(path), []))


def result_id(ls: HazardsServer, diagnostics: list[types.Diagnostic]) -> str:
    """A name for a set of diagnostics: the same for the same."""
    data = json.dumps(ls.protocol._converter.unstructure(diagnostics), sort_keys=True)
    return blake2b(data.encode(), digest_size=8).hexdigest()
