"""``witness``: watch a part of a program from within, and report what was observed there."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any


class witness:
    """Watches what autograd meets inside a ``with`` statement.

    ``findings`` holds what was observed, once the statement has ended. It is also written to ``report`` (default:
    standard error; None: nowhere). An exception inside is reported and goes on as it is. Only one witness, or one
    ``autograd-hazards run``, can watch a process at a time.
    """

    active: Any = None

    def __init__(self, report: Any = "stderr", sample: int = 1) -> None:
        self.report = sys.stderr if report == "stderr" else report
        self.sample = sample
        self.record: dict[str, Any] = {}
        self.findings: list[Any] = []
        self._recording: Any = None

    def __enter__(self) -> witness:
        if witness.active is not None:
            raise RuntimeError("another witness is watching this process already")
        from .install import Recording

        self._recording = Recording(self.sample)
        self._recording.start()
        witness.active = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from .record import to_dict

        witness.active = None
        recording, self._recording = self._recording, None
        if error is not None:
            recording.uncaught(error)
        recording.stop()
        self.record = to_dict(recording)
        if error is not None:
            from .tracebacks import strip_all

            strip_all(error)
        self._tell()

    def raised(self, error: BaseException) -> None:
        """The program has ended with ``error``, which somebody else has caught and shown."""
        self._recording.uncaught(error)

    def _tell(self) -> None:
        # Findings are made by the package around this folder, which a process under ``run`` has no need of.
        from ..witness import findings, report
        from ..witness.syntax import Sources

        sources = Sources(notebook_cells())
        self.findings = findings.find(self.record, sources)
        if self.report is not None:
            report.write(self.record, self.findings, sources, self.report)


def notebook_cells() -> dict[str, str]:
    """The texts of the cells of a running notebook or interactive session, by the filename of their code."""
    import linecache

    cells: dict[str, str] = {}
    for name, entry in linecache.cache.items():
        lines: Any = entry[2] if len(entry) > 2 else None  # lazy entries have one element
        if lines and (not name.endswith(".py") or "ipykernel_" in name):
            cells[name] = "".join(lines)
    return cells
