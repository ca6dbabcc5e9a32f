"""Facts of a torch that the tables do not know, read from its installed files; nothing of it is imported or run.

A wheel carries the declarations of its operators and the formulas of their derivatives. What the formulas keep is compared
with what those of the base table's torch keep; operators that are new are taken from their declarations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import formulas, rows
from .formulas import Entry, Schema

DECLARATIONS = "torchgen/packaged/ATen/native/native_functions.yaml"
MODULES = {"linalg": "linalg.", "fft": "fft.", "special": "special."}
"""Python modules of operators that the tables know -> what their names begin with there; the operator's name has ``_``."""
CODES = {
    "Tensor": "T", "Tensor?": "O", "Tensor[]": "L", "Scalar": "N", "Scalar?": "N?", "float": "N", "float?": "N?", "int": "I", "int?": "I?",
    "SymInt": "I", "SymInt?": "I?", "bool": "B", "bool?": "B?", "str": "Z", "str?": "Z?", "ScalarType": "D", "ScalarType?": "D?",
}  # fmt: skip


@dataclass(slots=True)
class Differences:
    """What is other than in the base table."""

    changed: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Operator -> what it saves now, as in a row of the base table."""
    added: dict[str, dict[str, list[tuple[str, dict[str, Any]]]]] = field(default_factory=dict)
    """"torch" or "method" -> name -> (signature, row) of its overloads."""
    gone: list[str] = field(default_factory=list)
    """Operators that this torch does not have any more."""

    def as_json(self) -> dict[str, Any]:
        """For ``from_json``."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Differences:
        """Raises KeyError, TypeError or ValueError where the data is none of ours."""
        found = Differences(dict(data["changed"]), dict(data["added"]), list(data["gone"]))
        for overloads in (o for names in found.added.values() for o in names.values()):
            for signature, row in overloads:
                rows.decode_overload(signature, row)
        return found


def read(packages: Path, base: Mapping[str, Any], known: Mapping[str, Mapping[str, list[Any]]]) -> Differences:
    """What the torch in a ``site-packages`` folder has that differs.

    ``base`` are the kept inputs of the base's formulas, ``known`` its bindings. Raises OSError where the files cannot be
    read (a torch without ``torchgen``), ValueError where they do not look as they should.
    """
    entries = formulas.read((packages / formulas.DERIVATIVES).read_text(encoding="utf-8"))
    declared = _declarations((packages / DECLARATIONS).read_text(encoding="utf-8"))
    found = Differences()
    for name, entry in entries.items():
        kept = formulas.kept(entry)
        if kept and name in base and json.loads(json.dumps(kept)) != base[name]:
            found.changed[name] = formulas.row(entry.schema, kept)
    for name, (schema, options) in declared.items():
        if name in entries and name not in base:
            _add(found, entries[name], schema, options, known)
    found.gone = [name for name in base if name not in declared]
    return found


def _declarations(text: str) -> dict[str, tuple[Schema, dict[str, str]]]:
    """The operators of ``native_functions.yaml`` with their simple options."""
    found: dict[str, tuple[Schema, dict[str, str]]] = {}
    options: dict[str, str] = {}
    for line in text.split("\n"):
        if line.startswith("- func:"):
            schema = formulas.schema_of(line.partition(":")[2].split("#")[0])
            options = {"shares memory": "yes"} if "(a" in line else {}
            found[schema.name] = (schema, options)
        elif line.startswith("  ") and not line.startswith("   "):
            key, _, value = line.partition(":")
            options[key.strip()] = value.split("#")[0].strip()
    if not found:
        raise ValueError("no operators")
    return found


def _add(
    found: Differences,
    entry: Entry,
    schema: Schema,
    options: Mapping[str, str],
    known: Mapping[str, Mapping[str, list[Any]]],
) -> None:
    """Bind a new operator where Python has it. Views and in-place forms stay unknown: formulas do not tell of them."""
    short = schema.name.partition(".")[0]
    prefix = MODULES.get(options.get("python_module", ""))
    if short.startswith("_") or "shares memory" in options or (options.get("python_module") and prefix is None):
        return
    public = short if prefix is None else prefix + short.removeprefix(prefix.replace(".", "_"))
    variants = [part.strip() for part in options.get("variants", "function").split(",")]
    kept = formulas.kept(entry)
    if not kept:
        return
    row = {"op": short, **formulas.row(schema, kept), "d": [n for key in kept for n in key.split(",")], "u": 1}
    row["r"] = ["new" for _ in schema.results]
    for variant, space in (("function", "torch"), ("method", "method")):
        if variant in variants and public not in known[space]:
            found.added.setdefault(space, {}).setdefault(public, []).append(
                (_signature(schema, space == "method"), row)
            )


def _signature(schema: Schema, method: bool) -> str:
    """The parameters in the notation of the base table."""
    parts: list[str] = []
    starred = False
    for name, kind, default, keyword_only in schema.arguments:
        if keyword_only and not starred:
            parts.append("*")
            starred = True
        code = CODES.get(kind) or ("S" if kind.partition("[")[0] in ("int", "SymInt") else "X")
        shown = "input" if name == "self" and not method and kind == "Tensor" else name
        parts.append(f"{shown}:{code}" + ("" if default is None else f"={_json(default)}"))
    return ";".join(parts)


def _json(default: str) -> str:
    """A default of a schema as JSON; null for what only torch has a name for."""
    plain = {"True": "true", "False": "false"}.get(default, default)
    try:
        return json.dumps(json.loads(plain))
    except ValueError:
        return "null"
