"""Generate `server/autograd_hazards/torchdb/data/` from the installed torch.

`python tools/gen_torchdb.py` writes; `--check` tells whether the committed data is what this torch gives (else exit 1).
Takes about half a minute, most of it probes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import torch

import torchdb_by_hand
import torchdb_modules
import torchdb_native
import torchdb_python
import torchdb_rows
import torchdb_search
import torchdb_values

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from autograd_hazards.torchdb import formulas  # noqa: E402 - from the sources beside this tool

DATA = ROOT / "server/autograd_hazards/torchdb/data"
# These flags change only values, sizes or speed, or need other arguments (a bidirectional LSTM with the weights of a
# plain one aborts the process).
UNINTERESTING = frozenset(
    "non_blocking copy keepdim is_coalesced check_pinning cudnn_enabled has_biases bidirectional batch_first".split()
)

# What the witnesses disagree on, looked at one by one. Elsewhere a disagreement fails the build.
DISAGREE = {
    "fmod_.Tensor": "the hidden clone is made only where `other` requires grad",
    "remainder_.Tensor": "the hidden clone is made only where `other` requires grad",
    "nextafter_": "the hidden clone is made only where self requires grad",
    "kron": "saves unsafe views of its inputs, which have version counters of their own: changes go unnoticed",
    "rrelu_with_noise": "fills the noise itself, after which its version is not checked",
    "rrelu_with_noise_": "fills the noise itself, after which its version is not checked",
    "torch.lobpcg": "a custom Function that keeps its outputs on ctx",
    "F.multi_head_attention_forward": "a bias of the last projection alone keeps nothing",
    "MultiheadAttention": "a bias of the last projection alone keeps nothing",
}
# Pairwise products over a list: an element is saved where another element requires grad.
PAIRWISE = {
    "linalg_multi_dot": "tensors",
    "torch.chain_matmul": "matrices",
    "chain_matmul": "matrices",
    "torch.einsum": "operands",
}


def agreed(key: str, notes: list[str]) -> None:
    """Raise where the witnesses of a sample call disagree and nobody has looked at it."""
    if notes and key not in DISAGREE:
        raise RuntimeError("; ".join(notes))


def pairwise(key: str, row: dict[str, Any]) -> None:
    """State the condition that a probe of a whole list cannot see."""
    name = PAIRWISE.get(key)
    if name is not None:
        if row.get("s") != {name: []}:
            raise RuntimeError(f"expected to save {name}, seen {row.get('s')}")
        row["s"] = {name: [name]}


def recipes() -> dict[str, dict[str, str]]:
    """All sample calls of ATen overloads, those by hand first."""
    found: dict[str, dict[str, str]] = json.loads(torchdb_search.RECIPES.read_text(encoding="utf-8"))
    return {**found, **torchdb_by_hand.RECIPES}


def merge(probed: torchdb_rows.Row, told: torchdb_rows.Row, recipe: dict[str, str]) -> torchdb_rows.Row:
    """A sample call leaves optional tensors out or gives integers where floats may go; the formulas speak for those."""
    for name, condition in told.saves.items():
        if name not in recipe or recipe[name] == "None":
            probed.saves.setdefault(name, condition)
    for name in told.diff:
        given = recipe.get(name, "None")
        if name not in probed.diff and (given == "None" or given[0] in "ij"):
            probed.diff = (*probed.diff, name)
            probed.nondiff = told.nondiff if set(probed.nondiff) >= set(range(len(probed.returns))) else probed.nondiff
    return probed


def scalar_hidden(name: str) -> bool:
    """Whether `x op 2` refuses a second backward while saving nothing the user holds."""
    value = torch.ones(3, dtype=torch.float64, requires_grad=True)
    operand = value.clone() if name.endswith("_") else value
    result = getattr(operand, name)(2.0).sum()
    try:
        result.backward()
        result.backward()
    except RuntimeError as error:
        return "second time" in str(error)
    return False


def native_row(native: torchdb_native.Native, name: str, samples: dict[str, dict[str, str]]) -> dict[str, Any]:
    """The JSON row of one ATen overload with its variants."""
    function = native.functions[name]
    told = torchdb_rows.from_formulas(native, name)
    recipe = samples.get(name)
    if recipe is None:
        return {**told.as_json(), "u": 1}
    writes, returns = tuple(torchdb_native.writes_of(function)), tuple(torchdb_native.returns_of(function))

    def probe(changed: dict[str, str]) -> torchdb_rows.Row:
        facts = torchdb_rows.probe_native(function, changed)
        if changed is recipe:
            agreed(name, facts.notes)
        row = torchdb_rows.from_probe(told.op, facts, writes, returns, frozenset(function.tags))
        return merge(row, told, recipe)

    row = probe(recipe)
    base_name = str(function.func.name.name)
    if base_name in torchdb_native.NUMBERS_AS_TENSORS and hasattr(torch.Tensor, base_name):
        number = [
            a.name for a in function.func.schema_order_arguments() if a.name == "other" and str(a.type) == "Tensor"
        ]
        if number and scalar_hidden(base_name):
            row.hidden_if_scalar = tuple(number)
        elif not number and scalar_hidden(base_name):
            row.hidden = True  # in Python a number given here is wrapped, whatever the schema's Scalar overload does
    result = row.as_json()
    pairwise(name, result)
    variants = {}
    for argument, code, default in torchdb_search.schema_parameters(function):
        if code.rstrip("?") != "B" or argument in UNINTERESTING:
            continue
        now = recipe.get(argument, (default or "null").capitalize())
        if now not in ("True", "False"):
            continue
        other = "False" if now == "True" else "True"
        try:
            changed = probe({**recipe, argument: other}).as_json()
        except (RuntimeError, ValueError, IndexError):
            continue  # torch refuses this flag with these arguments: nothing to tell
        if changed != result:
            variants[f"{argument}={other}"] = {k: v for k, v in changed.items() if k != "op"}
    if variants:
        result["v"] = variants
    return result


def python_row(function: torchdb_python.PythonFunction) -> dict[str, Any] | None:
    """The JSON row of a function written in Python, None where no sample call is known."""
    recipe = torchdb_python.RECIPES.get(function.key)
    if recipe is None:
        return None
    row, notes = torchdb_python.row_of(function, recipe)
    agreed(function.key, notes)
    result = row.as_json()
    pairwise(function.key, result)
    variants = {}
    for flag, change in torchdb_python.flags_of(function, recipe).items():
        try:
            changed = torchdb_python.row_of(function, recipe, change)[0].as_json()
        except (RuntimeError, ValueError, TypeError, AssertionError):
            continue  # the flag needs other arguments; its facts stay those of the base call
        if changed != result:
            variants[flag] = {k: v for k, v in changed.items() if k != "op"}
    if variants:
        result["v"] = variants
    return result


class Base:
    """The tables of `base.json` while they grow; signatures are kept once."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.signatures: dict[str, int] = {}
        self.bindings: dict[str, dict[str, list[list[Any]]]] = {"torch": {}, "method": {}, "functional": {}}

    def add(self, space: str, name: str, signature: str, key: str) -> None:
        number = self.signatures.setdefault(signature, len(self.signatures))
        bound = self.bindings[space].setdefault(name, [])
        if [number, key] not in bound:
            bound.append([number, key])

    def as_json(self) -> dict[str, Any]:
        short = re.match(r"\d+\.\d+", torch.__version__)
        return {
            "version": short.group(0) if short else torch.__version__,
            "signatures": list(self.signatures),
            "bindings": self.bindings,
            "rows": self.rows,
        }


def generate_base() -> dict[str, Any]:
    """Everything about functions and methods."""
    native = torchdb_native.load()
    samples = recipes()
    base = Base()
    needed: set[str] = set()
    spaces = {"torch": "", "linalg": "linalg.", "fft": "fft.", "special": "special.", "method": ""}
    for space, prefix in spaces.items():
        for name, groups in native.bindings[space].items():
            owner = {"torch": torch, "method": torch.Tensor}.get(space) or getattr(torch, space)
            if not hasattr(owner, name):
                continue  # bound for torch's own use only, as `torch._VF.unique_dim`
            for group in groups:
                key = str(group.base.func.name)
                needed.add(key)
                text = torchdb_native.signature_text(group, space == "method")
                base.add("method" if space == "method" else "torch", prefix + name, text, key)
    import torch.nn.functional as F

    for name in dir(F):
        item = getattr(F, name)
        module = getattr(item, "__module__", None)
        if name.startswith("_") or type(item).__name__ != "builtin_function_or_method":
            continue
        bound = native.bindings["nn"].get(item.__name__) if module == "torch._C._nn" else None
        for group in bound or native.bindings["torch"].get(item.__name__, ()):
            needed.add(str(group.base.func.name))
            base.add("functional", name, torchdb_native.signature_text(group, False), str(group.base.func.name))
    failed = []
    for key in sorted(needed):
        try:
            base.rows[key] = native_row(native, key, samples)
        except Exception as error:  # noqa: BLE001 - collected, then raised together
            failed.append(f"{key}: {error}")
    for function in torchdb_python.functions():
        try:
            row = python_row(function)
        except Exception as error:  # noqa: BLE001
            failed.append(f"{function.key}: {error}")
            continue
        if row is None:
            continue
        base.rows[function.key] = row
        base.bindings[function.space].pop(function.name, None)
        base.add(function.space, function.name, function.signature, function.key)
    for space, table in (("method", torchdb_by_hand.METHODS), ("torch", torchdb_by_hand.FUNCTIONS)):
        for name, overloads in table.items():
            base.bindings[space].pop(name, None)
            for number, (signature, facts) in enumerate(overloads):
                key = f"hand.{space}.{name}" + (f".{number}" if number else "")
                base.rows[key] = dict(facts)
                base.add(space, name, signature, key)
    if failed:
        raise RuntimeError("sample calls that fail:\n" + "\n".join(f[:400] for f in failed))
    return base.as_json()


def write(data: dict[str, Any]) -> str:
    """The text of one data file: an entry of a table a line, so that a change shows as one line."""
    parts = []
    for key, value in data.items():
        if isinstance(value, dict):
            lines = ",\n".join(f"{json.dumps(k)}:{json.dumps(v, separators=(',', ':'))}" for k, v in value.items())
            parts.append(f"{json.dumps(key)}:{{\n{lines}\n}}")
        elif isinstance(value, list):
            lines = ",\n".join(json.dumps(v, separators=(",", ":")) for v in value)
            parts.append(f"{json.dumps(key)}:[\n{lines}\n]")
        else:
            parts.append(f"{json.dumps(key)}:{json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def generate() -> dict[str, str]:
    """The text of every generated file by its name."""
    torch.set_num_threads(1)
    torchdb_values.make("f3,3")
    modules = {
        "module": torchdb_modules.modules(agreed),
        "optimizer": torchdb_modules.optimizers(),
        "scheduler": torchdb_modules.schedulers(),
        "tensor": sorted(name for name in dir(torch.Tensor) if not name.startswith("_")),
    }
    return {
        "base.json": write(generate_base()),
        "modules.json": write(modules),
        "formulas.json": write(generate_formulas()),
    }


def generate_formulas() -> dict[str, Any]:
    """What the formulas of this torch keep: what a torch of another version is compared with."""
    text = Path(torchdb_native.DERIVATIVES).read_text(encoding="utf-8")
    kept = {name: formulas.kept(entry) for name, entry in formulas.read(text).items()}
    return {"ops": {name: found for name, found in sorted(kept.items()) if found}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed data, write nothing")
    options = parser.parse_args()
    quiet = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # torch prints C++ deprecation warnings for some ops
    try:
        texts = generate()
    finally:
        os.dup2(quiet, 2)
    stale = [
        n for n, text in texts.items() if not (DATA / n).exists() or (DATA / n).read_text(encoding="utf-8") != text
    ]
    if options.check:
        print("stale: " + " ".join(stale) if stale else "fresh")
        return 1 if stale else 0
    DATA.mkdir(exist_ok=True)
    for name, text in texts.items():
        (DATA / name).write_text(text, encoding="utf-8")
    print("written: " + (" ".join(stale) or "nothing new"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
