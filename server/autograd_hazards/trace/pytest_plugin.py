"""A plugin for pytest: watches every test and shows what autograd met in it.

``pytest -p autograd_hazards.trace.pytest_plugin --autograd-witness``; with ``--autograd-witness=error`` a test in which
something is found fails.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("autograd-hazards")
    group.addoption(
        "--autograd-witness",
        nargs="?",
        const="report",
        default="off",
        choices=("off", "report", "error"),
        help="watch torch's autograd in every test; with =error, findings make a test fail",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    wanted: Any = item.config.getoption("--autograd-witness")
    if wanted == "off":
        return (yield)
    from .session import witness

    watching = witness(report=None)
    try:
        with watching:
            result = yield
    finally:
        if watching.findings:
            item.add_report_section("call", "autograd hazards", _told(watching))
    accused = [finding for finding in watching.findings if finding.severity in ("error", "warning")]
    if accused and wanted == "error":
        pytest.fail(_told(watching), pytrace=False)
    return result


def _told(watching: Any) -> str:
    from ..witness import report
    from ..witness.syntax import Sources

    out = io.StringIO()
    report.write(watching.record, watching.findings, Sources(), out)
    return out.getvalue()
