"""A short soak (``bench/soak.py`` runs the long one): random edits, requests and cancellations end in the right state."""

from __future__ import annotations

from pathlib import Path

from bench.soak import soak


async def test_after_many_edits_the_server_says_what_a_fresh_analysis_says(tmp_path: Path) -> None:
    made = await soak(150, 6, seed=7, folder=tmp_path)
    assert made.compared == len(made.paths) >= 6
