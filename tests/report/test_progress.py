"""The progress bar: drawn on a terminal in long runs only, and gone afterwards."""

from __future__ import annotations

import io

import pytest

from autograd_hazards import check


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_short_run_draws_nothing() -> None:
    stream = Terminal()
    with check._Progress(stream) as progress:
        progress(1, 2)
    assert stream.getvalue() == ""


def test_a_long_run_draws_a_bar_that_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check._Progress, "AFTER", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with check._Progress(stream) as progress:
        progress(1, 3)
        progress(2, 3)
    assert "2/3" in stream.getvalue()
    # The line is cleared at the end.
    assert stream.getvalue().rstrip("\n").endswith("\x1b[2K")


def test_output_that_is_no_terminal_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check._Progress, "AFTER", 0.0)
    stream = io.StringIO()
    with check._Progress(stream) as progress:
        progress(1, 3)
    assert stream.getvalue() == ""
