"""The progress bar of long runs. Imports rich, so it is itself imported only when a bar is drawn."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.messages import say


class Bar:
    """A bar on ``stream`` that vanishes when closed."""

    def __init__(self, stream: TextIO, locale: str = ENGLISH) -> None:
        self._progress = Progress(
            TextColumn(translate(say("Checking"), locale)),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(translate(say("files"), locale)),
            TimeRemainingColumn(),
            console=Console(file=stream),
            transient=True,
        )
        self._task = self._progress.add_task("check", total=None)
        self._progress.start()

    def show(self, done: int, total: int) -> None:
        """Draw that ``done`` of ``total`` files are ready."""
        self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Take the bar away."""
        self._progress.stop()
