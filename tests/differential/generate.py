"""A random training program from a seed: the same text for the same seed, always. Needs no torch."""

from __future__ import annotations

from tests.differential.author import Author
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
    author.weighted(((1, plot), (1, scene)))(author)
    lines = author.lines or ["pass"]
    text = "\n".join([*author.definitions, *(["def main():", *lines, "", "main()"] if inside else lines)]) + "\n"
    return f"{HEAD}\n" + "".join(part for name, part in PARTS.items() if name in text) + text
