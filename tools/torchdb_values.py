"""Sample arguments for probes: short recipes that make values, and a search for a recipe that an op accepts."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

Recipe = dict[str, str]
Accepts = Callable[[Mapping[str, Any]], int]


def _shape(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in text.split(",") if n)


def _positive(shape: tuple[int, ...], seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    value = torch.rand(shape, generator=generator, dtype=torch.float32) * 0.6 + 0.2
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        value = value @ value.transpose(-1, -2) / shape[-1] + torch.eye(shape[-1])
    return value


def make(recipe: str, seed: int = 0) -> Any:
    """The value of one recipe: `f3,3` floats (positive definite where square), `g3` doubles, `i3` zeros as indices,
    `j3` ones as indices, `b3` booleans, `c2,2` complex, `[f3;f3]` a list, anything else a Python literal."""
    if recipe.startswith("[") and recipe[1:2] in "fgijbc":
        return [make(part, seed + 7 * n) for n, part in enumerate(recipe[1:-1].split(";"))]
    letter, rest = recipe[:1], recipe[1:]
    if letter in "fgijbctlu" and all(c.isdigit() or c == "," for c in rest):
        shape = _shape(rest)
        if letter == "f":
            return _positive(shape, seed)
        if letter == "g":
            return _positive(shape, seed).double()
        if letter == "i":
            return torch.zeros(shape, dtype=torch.int64)
        if letter == "j":
            return torch.ones(shape, dtype=torch.int64)
        if letter == "b":
            return torch.arange(max(1, torch.Size(shape).numel())).reshape(shape).remainder(2).bool()
        if letter == "c":
            return torch.complex(_positive(shape, seed), _positive(shape, seed + 1))
        if letter == "l":
            return torch.linalg.cholesky(_positive(shape, seed))
    return eval(recipe, {"torch": torch, "F": torch.nn.functional})


def values_of(recipes: Recipe) -> dict[str, Any]:
    """Every argument of a call made from its recipe; tensors differ by position."""
    return {name: make(text, seed) for seed, (name, text) in enumerate(recipes.items())}


STYLES = ("f3,3", "f3", "f2,3", "f1,2,4,4", "f", "f2,3,3", "f1,2,4", "f1,2,4,4,4", "f4", "c3,3", "i3", "f1,4")
INTEGRAL = {"index", "indices", "indexes", "idx", "target", "targets", "ids", "src_idx", "labels"}
BOOLEAN = {"mask", "condition", "attn_mask"}
CANDIDATES = {
    "T": STYLES,
    "W": STYLES,
    "O": ("None", *STYLES),
    "L": ("[f3,3;f3,3]", "[f3;f3]", "[f3,3;f3,3;f3,3]", "[f1,2,4,4]"),
    "N": ("0.5", "2", "1"),
    "I": ("1", "0", "2", "3", "-1"),
    "B": ("False", "True"),
    "S": ("[1]", "[0]", "[0,1]", "[3,3]", "[2,2]", "[1,1]", "[9]", "[1,1,1,1]", "[3]", "[1,2]"),
    "s": ("[1]", "[2,2]", "[1,1]", "[0]", "[2]", "[0,1]", "[1,1,1]", "[2,2,2]", "[1,1,1,1]", "[0,0]"),
    "F": ("[1.0,1.0]", "[0.5]"),
    "Z": ("'mean'", "'ij'", "'reflect'", "'L'", "'fro'"),
    "D": ("torch.float64",),
    "X": ("None",),
}


def _candidates(name: str, code: str) -> Sequence[str]:
    base = code.rstrip("?")
    if base in "TWO" and name in INTEGRAL:
        return ("i3", "i3,3", "i1", "i", "f3,3", "f3", "i2,3", "i1,4", "i1,4,4")
    if base in "TWO" and name in BOOLEAN:
        return ("b3,3", "b3", "b2,3", "b4")
    if base == "L" and name in INTEGRAL:
        return ("[i2;i2]", "[i2]")
    if name.endswith("dtype"):
        return ("None", "torch.float64")
    if name == "reduction":
        return ("1",) if base == "I" else ("'mean'",)
    if name in ("train", "training", "use_input_stats"):
        return ("True",)
    if name == "reduce":
        return ("'sum'", "'mean'")
    if base == "X":
        return ("None",)
    return CANDIDATES.get(base, ("None",))


def search(
    parameters: Sequence[tuple[str, str, str | None]],
    accepts: Accepts,
    seed: str,
    tries: int = 250,
    deadline: float = float("inf"),
) -> tuple[Recipe | None, int]:
    """Look for recipes that `accepts` rates 2 (runs backward); the best seen otherwise, with its rating (0 = none).

    A parameter is (name, kind code, default as JSON or None); those with a default that are no tensors are left out.
    """
    chooser = random.Random(seed)
    wanted = [p for p in parameters if p[2] is None or p[1][0] in "TWO"]
    best: Recipe | None = None
    best_rating = 0
    for attempt in range(tries):
        if time.monotonic() > deadline:
            break
        recipes: Recipe = {}
        style = STYLES[attempt % len(STYLES)] if attempt < 4 * len(STYLES) else None
        for name, code, default in wanted:
            options = _candidates(name, code)
            if code[0] == "O":
                # optional tensors are given on the first tries and dropped when nothing fits
                if attempt % 2 and default is not None:
                    continue
                options = [o for o in options if o != "None"] if attempt < tries // 2 else options
            if code[0] in "TWO" and style is not None and options[-1] in STYLES and name not in INTEGRAL:
                recipes[name] = style
            elif code[0] not in "TWO" and attempt < 2 * len(STYLES):
                recipes[name] = options[(attempt // len(STYLES)) % len(options)]
            else:
                recipes[name] = chooser.choice(list(options))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rating = accepts(values_of(recipes))
        if rating > best_rating:
            best, best_rating = recipes, rating
        if rating == 2:
            break
    return best, best_rating
