"""What derivative formulas read, from the ``derivatives.yaml`` that wheels of torch carry.

A formula that mentions an argument or a result keeps it for the backward, unless it only asks for its size, type or
layout, which is noted at once (torch's code generator does the same).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

DERIVATIVES = "torchgen/packaged/autograd/derivatives.yaml"
Formulas = dict[str, tuple[list[str], list[str]]]
"""Arguments that one formula is for, joined by commas -> the arguments and the results that it keeps, sorted."""

_ASKED = (
    r"{}(?:\.|->)sym_sizes\(\)", r"{}\.sym_blocksize\(\)", r"{}\.options\(\)", r"zeros_like\({}\)", r"{}\.sym_size\(-?\w+\)", r"{}\.(?:sym_)?numel\(\)",
    r"to_args_(?:sizes|sizes_symint|scalartypes)\({}\)", r"TensorGeometry\({}\)", r"{}\.scalar_type\(\)", r"{}\.dim\(\)", r"{}\.sym_strides\(\)",
    r"{}\.layout\(\)", r"{}\.is_conj\(\)",
)  # fmt: skip
_KEY = re.compile(r"( +)(\w[\w, ]*):(?: +(.*))?$")
_SCHEMA = re.compile(r"([\w.]+)\((.*)\) -> (.+)$")


@dataclass(frozen=True, slots=True)
class Schema:
    """A declared operator: its name with overload, arguments as (name, type, default or None, keyword-only), results."""

    name: str
    arguments: tuple[tuple[str, str, str | None, bool], ...]
    results: tuple[tuple[str, str], ...]

    @property
    def types(self) -> dict[str, str]:
        """Argument -> type."""
        return {name: kind for name, kind, _, _ in self.arguments}

    def output(self, name: str) -> int | None:
        """The index of the result that a formula calls ``result``, ``result1`` or by its own name."""
        for index, (own, _) in enumerate(self.results):
            if name == own:
                return index
        digits = re.fullmatch(r"result(\d*)", name)
        return int(digits[1] or 0) if digits else None


@dataclass(slots=True)
class Entry:
    """One operator of ``derivatives.yaml``: its formulas as text by what they are for."""

    schema: Schema
    texts: dict[str, str] = field(default_factory=dict)


def schema_of(text: str) -> Schema:
    """Read ``add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor``. ValueError where it is no schema."""
    found = _SCHEMA.match(text.strip())
    if found is None:
        raise ValueError(f"no schema: {text[:200]}")
    arguments, keyword_only = [], False
    for part in _parts(found[2]):
        if part == "*":
            keyword_only = True
            continue
        declared, _, default = part.partition("=")
        kind, _, name = declared.rpartition(" ")
        arguments.append((name, re.sub(r"\(.*?\)", "", kind), default or None, keyword_only))
    results = found[3].strip()
    listed = list(_parts(results[1:-1])) if results.startswith("(") else [results]
    outs = []
    for index, part in enumerate(listed):
        kind, _, name = re.sub(r"\([^)]*\)", "", part).strip().partition(" ")
        outs.append((name or (f"result{index}" if len(listed) > 1 else "result"), kind))
    return Schema(found[1], tuple(arguments), tuple(outs))


def _parts(text: str) -> Iterator[str]:
    """What stands between the commas that are in no brackets."""
    depth, start = 0, 0
    for index, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            yield text[start:index].strip()
            start = index + 1
    if text[start:].strip():
        yield text[start:].strip()


def read(text: str) -> dict[str, Entry]:
    """The entries of ``derivatives.yaml`` by operator; of several backends, what holds for all. ValueError if it is none."""
    entries: dict[str, Entry] = {}
    current: Entry | None = None
    key, skipped = "", False
    for line in text.split("\n"):
        if line.lstrip().startswith("#") or not line.strip():
            continue
        if line.startswith("- name:"):
            current = Entry(schema_of(line.partition(":")[2]))
            entries[current.schema.name] = current
            key, skipped = "", False
            continue
        if current is None:
            raise ValueError("formulas before the first operator")
        found = _KEY.match(line)
        deep = found is not None and len(found[1]) in (2, 4, 6)
        if found is not None and deep and not (len(found[1]) == 4 and found[3]):
            if len(found[1]) == 4:  # a backend
                skipped = found[2] != "Default"
            elif len(found[1]) == 2:
                skipped = False
            key = "" if skipped or found[3] is None else ",".join(part.strip() for part in found[2].split(","))
            if key:
                current.texts[key] = found[3]
        elif key:
            current.texts[key] += " " + line.strip()
    if not entries:
        raise ValueError("no formulas")
    return entries


def kept(entry: Entry) -> Formulas:
    """What the formulas of an operator keep."""
    types = entry.schema.types
    found: Formulas = {}
    for key, formula in entry.texts.items():
        names = key.split(",")
        if not set(names) <= set(types) or formula == "non_differentiable":
            continue
        inputs = [name for name, kind in types.items() if "Tensor" in kind and _mentions(formula, name)]
        named = [name for name, kind in entry.schema.results if "Tensor" in kind and name not in types]
        outputs = [name for name in dict.fromkeys([*named, "result"]) if _mentions(formula, name)]
        found[key] = (sorted(inputs), sorted(outputs))
    return found


def _mentions(formula: str, name: str) -> bool:
    if name not in formula:
        return False
    asked, whole = _patterns(name)
    return whole.search(asked.sub("", formula)) is not None


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    asked = "|".join(pattern.format(name) for pattern in _ASKED)
    return re.compile(rf"\b(?:{asked})"), re.compile(rf"(?<!\w){name}(?!\w)")


def row(schema: Schema, formulas: Mapping[str, tuple[list[str], list[str]]]) -> dict[str, object]:
    """Saves and saved outputs of the formulas, as in a row of the base table.

    An argument that one formula alone reads is kept only where that formula is wanted: the rule of torch's generator.
    """
    types = schema.types
    variables = [name for key in formulas for name in key.split(",")]
    lists = any("Tensor" in kind and kind.endswith("[]") for kind in types.values())
    saves: dict[str, list[str]] = {}
    for name in types:
        readers = [key for key, (inputs, _) in formulas.items() if name in inputs]
        if not readers:
            continue
        guarded = len(readers) == 1 and "," not in readers[0] and len(variables) > 1 and types[name] == "Tensor"
        saves[name] = [readers[0]] if guarded and not lists and "backward" not in schema.name else []
    indices = {schema.output(name) for _, outputs in formulas.values() for name in outputs}
    returned = sorted(i for i in indices if i is not None and i < len(schema.results))
    found: dict[str, object] = {}
    if saves:
        found["s"] = saves
    if returned:
        found["o"] = returned
    return found
