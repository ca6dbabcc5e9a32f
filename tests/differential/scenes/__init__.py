"""Scenes of real training code, one family of idioms a file: each writes a whole small program with its usual mistakes."""

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes import (
    adversarial,
    attacks,
    buffers,
    closures,
    diffusion,
    distributions,
    events,
    inheritance,
    meta,
    physics,
    plumbing,
    precision,
    python,
    recurrent,
    registries,
    reinforcement,
    teachers,
)  # fmt: skip

FAMILIES = (
    adversarial, attacks, buffers, closures, diffusion, distributions, events, inheritance, meta, physics, plumbing, precision,
    python, reinforcement, recurrent, registries, teachers,
)  # fmt: skip
SCENES = tuple(scene for family in FAMILIES for scene in family.SCENES)


def scene(a: Author) -> None:
    """Write one program."""
    a.pick(SCENES)(a)
