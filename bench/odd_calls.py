"""Every function, class and method that has a model, called in ways that nobody meant: programs of one odd call each."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.mutations import ODD

HEAD = "import torch\nimport {top}\nx = torch.ones(2, 3, requires_grad=True)\nmodel = torch.nn.Linear(3, 2)\n"
MORE = (
    "x", "x * 2", "x.sum()", "model", "model.parameters()", "list(model.parameters())", "model.weight", "unknown", "unknown()",
    "[x, x]", "(x, 1)", "{'params': [x]}", "'mean'", "3", "0.5", "(2, 3)", "[1, 2]", "x.shape", "x.dtype", "lambda v: v",
)  # fmt: skip
KEYWORDS = (
    "dim", "p", "lr", "size", "shape", "requires_grad", "inplace", "create_graph", "retain_graph", "reduction", "key",
    "default", "out", "dtype", "n", "bias", "num_layers", "batch_first", "maxlen", "start", "step", "axis", "repeat",
)  # fmt: skip


def arguments(rng: random.Random) -> str:
    """Arguments of a call, none to four of them."""
    values = [rng.choice(ODD if rng.random() < 0.5 else MORE) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4]))]
    if values and rng.random() < 0.15:
        values[-1] = "*" + rng.choice(["[x]", "unknown", "()", "[1, 2]"])
    if rng.random() < 0.3:
        values.append(f"{rng.choice(KEYWORDS)}={rng.choice(ODD + MORE)}")
    return ", ".join(values)


def _uses(made: str, methods: list[str], rng: random.Random) -> str:
    """What is done with an object: methods, operators, iteration, a call."""
    lines = [f"o = {made}"]
    for _ in range(3):
        lines.append(f"o.{rng.choice(methods)}({arguments(rng)})" if methods else f"o({arguments(rng)})")
    odd = rng.choice(ODD + MORE)
    lines += rng.sample(
        [
            f"o + {odd}", f"o == {odd}", f"o[{odd}]", f"o[{odd}] = {odd}", "for v in o: pass", "len(o)", f"{odd} in o", "o()",
            f"o({arguments(rng)})", "with o as w: pass", "next(o)", "list(o)", "str(o)", "bool(o)", "del o[0]", f"o += {odd}",
            "a, b = o", "{o: 1}", "-o", f"o < {odd}", "import copy; copy.deepcopy(o)", "vars(o)", "torch.stack([o])", "x * o",
        ],
        4,
    )  # fmt: skip
    return "\n".join(lines)


def targets() -> list[tuple[str, list[str]]]:
    """All names with a model: functions, and classes with the names of their methods and properties."""
    from autograd_hazards.machine.models import load_for, load_models, registry

    load_models()
    for name in ("numpy.x", "torch.distributions.x", "torch.utils.data.x"):
        load_for(name)
    found: list[tuple[str, list[str]]] = [(name.removeprefix("builtins."), []) for name in registry.FUNCTIONS]
    for name, cls in registry.CLASSES.items():
        methods = sorted({n for c in cls.mro() for n in (*c.methods, *c.props)})
        found.append((name.removeprefix("builtins."), methods))
    for kind in {kind for kind, _ in registry.NATIVE_METHODS}:
        found.append((kind.__name__, sorted(n for k, n in registry.NATIVE_METHODS if k is kind)))
    found.append(("torch.ones(2, 3).requires_grad_", sorted({*registry.TENSOR_METHODS, *registry.TENSOR_PROPS})))
    found.append(("unknown", sorted(registry.UNKNOWN_METHODS)))
    return sorted(found)


def programs(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Programs with their names: each takes its target in turn, so that ``count`` of some thousands meets all."""
    every = targets()
    for n in range(seed, seed + count):
        rng = random.Random(n)
        name, methods = every[n % len(every)]
        top = name.partition(".")[0] if "." in name else "torch"
        if methods and rng.random() < 0.3:
            base = "" if name == "unknown" else name
            text = f"class S({base}):\n    def __init__(self, *a): pass\n" + _uses("S()", methods, rng)
        elif methods and rng.random() < 0.3:
            text = (
                f"o = {name}\no.{rng.choice(methods)}({arguments(rng)})\n{name}.{rng.choice(methods)}({arguments(rng)})"
            )
        elif methods:
            text = _uses(f"{name}({arguments(rng)})", methods, rng)
        else:
            text = f"o = {name}({arguments(rng)})\no.sum().backward()\n@{name}\ndef f(a, b=1): return a\nf({arguments(rng)})"
        yield f"{n} {name}", HEAD.format(top=top) + text + "\n"
