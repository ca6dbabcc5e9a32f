"""A random training program from a seed: the same text for the same seed, always. Needs no torch."""

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.edits import edited
from tests.differential.scenes import scene
from tests.differential.training import plot

HEAD = """\
import collections
import contextlib
import copy
import functools
import itertools
import typing
from collections import deque
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset
"""
PARTS = {
    "Box(": """\
@dataclass
class Box:
    first: torch.Tensor
    second: torch.Tensor

""",
    "quiet(": """\
@contextlib.contextmanager
def quiet():
    with torch.no_grad():
        yield

""",
    "batches(": """\
def batches(count):
    for _ in range(count):
        yield torch.randn(4, 4)

""",
}


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    author = Author(seed)
    inside = not author.globals_exist
    author.indent = int(inside)
    kind = author.pick((plot, scene))
    kind(author)
    lines = author.lines or ["pass"]
    text = "\n".join([*author.definitions, *(["def main():", *lines, "", "main()"] if inside else lines)]) + "\n"
    text = f"{HEAD}\n" + "".join(part for name, part in PARTS.items() if name in text) + text
    return edited(text, author.rng) if kind is scene and author.chance(0.6) else text
