"""Slips are small, parse, and are the same for the same seed."""

from __future__ import annotations

import ast
import random

from tests.differential.edits import edited
from tests.differential.scenes import SCENES

TEXT = """\
import torch
import torch.nn.functional as F

x = torch.ones(4, requires_grad=True)
with torch.no_grad():
    goal = x * 2
for step in range(2):
    y = x.exp().detach()
    y = y * 2
    loss = F.mse_loss(y, goal)
    loss.backward()
"""


def test_every_slip_parses_and_changes_something() -> None:
    texts = {edited(TEXT, random.Random(seed)) for seed in range(300)}
    assert len(texts) > 60
    assert TEXT not in texts
    for text in texts:
        ast.parse(text)


def test_known_slips_are_made() -> None:
    texts = "\n".join(edited(TEXT, random.Random(seed)) for seed in range(300))
    for slip in (
        "y = x.exp()\n",
        "y *= 2",
        "loss.backward(retain_graph=True)",
        "loss.detach()",
        "\ngoal = x * 2",
        "x.exp_()",
    ):
        assert slip in texts, slip


def test_same_seed_same_slip() -> None:
    assert edited(TEXT, random.Random(7)) == edited(TEXT, random.Random(7))


def test_scenes_have_names_of_their_own() -> None:
    names = [scene.__name__ for scene in SCENES]
    assert len(names) == len(set(names)) > 45
    assert all(scene.__doc__ for scene in SCENES)
