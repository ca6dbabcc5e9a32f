"""How formulas differed in older torch versions: tables dumped from wheels, and the deltas between them.

`python tools/torchdb_deltas.py dump 2.13.0.json` writes what the formulas of the installed wheel read;
`python tools/torchdb_deltas.py diff 2.1.2.json 2.3.1.json … 2.13.0.json` (oldest first) writes `data/deltas.json`.
An op that changed between two tables is taken to be the old one for all minor versions before the newer table.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torchdb_native

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from autograd_hazards.torchdb import formulas  # noqa: E402 - from the sources beside this tool

DELTAS = ROOT / "server/autograd_hazards/torchdb/data/deltas.json"
Table = dict[str, dict[str, dict[str, list[str]]]]


def dump() -> Table:
    """What the formulas of the installed wheel read: op -> differentiable inputs -> tensors read."""
    infos, _ = torchdb_native.load_derivatives(torchdb_native.DERIVATIVES, torchdb_native.NATIVE, torchdb_native.TAGS)
    result: Table = {}
    for schema, per_key in infos.items():
        info = per_key.get("Default")
        if info is None:
            continue
        tensors = {a.name for a in info.func.func.schema_order_arguments() if "Tensor" in str(a.type)}
        result[str(schema.name)] = {
            ",".join(d.var_names): {
                "in": [s.nctype.name for s in d.saved_inputs if s.nctype.name in tensors],
                "out": [s.nctype.name for s in d.saved_outputs if "Tensor" in str(s.nctype.type)],
            }
            for d in info.derivatives
        }
    return dict(sorted(result.items()))


def _plain(table: dict[str, dict[str, list[str]]]) -> formulas.Formulas:
    return {k: (sorted(v["in"]), sorted(v["out"])) for k, v in table.items()}


def _row(native: torchdb_native.Native, name: str, table: dict[str, dict[str, list[str]]]) -> dict[str, Any]:
    """Saves and saved outputs of old formulas, under the guard rule."""
    return formulas.row(formulas.schema_of(str(native.functions[name].func)), _plain(table))


def _before(version: str) -> str:
    major, minor = version.split(".")[:2]
    return f"{major}.{int(minor) - 1}"


def diff(paths: list[Path]) -> dict[str, Any]:
    """The deltas between tables, oldest first; every entry of an op holds for versions up to `until`."""
    native = torchdb_native.load()
    tables = [(p.stem, json.loads(p.read_text(encoding="utf-8"))) for p in paths]
    ops: dict[str, list[dict[str, Any]]] = {}
    for (_, old), (version, new) in zip(tables[:-1], tables[1:], strict=True):
        until = _before(version)
        for name in sorted(set(old) | set(new)):
            if name not in native.functions:
                continue
            # an op without a formula in one of the tables was a composite then: its facts do not follow from the table
            if name in old and name in new and _plain(old[name]) != _plain(new[name]):
                ops.setdefault(name, []).insert(0, {"until": until, "row": _row(native, name, old[name])})
    return {"tables": [v for v, _ in tables], "ops": ops}


def main() -> int:
    mode, *rest = sys.argv[1:]
    if mode == "dump":
        Path(rest[0]).write_text(json.dumps(dump(), indent=0) + "\n", encoding="utf-8")
    else:
        import gen_torchdb

        DELTAS.write_text(gen_torchdb.write(diff([Path(p) for p in rest])), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
