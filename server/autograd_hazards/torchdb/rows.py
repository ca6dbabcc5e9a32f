"""Decode the compact JSON of `data/` into the dataclasses of `model`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .model import ModuleFacts, OptimizerFacts, Overload, Param, SchedulerFacts

_KINDS = {
    "T": "tensor",
    "W": "tensor",
    "O": "optional_tensor",
    "L": "tensors",
    "N": "scalar",
    "F": "scalars",
    "I": "int",
    "S": "ints",
    "s": "ints",
    "B": "bool",
    "Z": "str",
    "D": "dtype",
    "X": "other",
}


def decode_params(text: str) -> tuple[Param, ...]:
    """`self:T;other:W;*;alpha:N=1` to parameters; a default is JSON, a name with a star collects the rest."""
    result: list[Param] = []
    keyword_only = False
    for part in _split(text):
        if part == "*":
            keyword_only = True
            continue
        name, _, rest = part.partition(":")
        code, equals, default = rest.partition("=")
        variadic = name.startswith("*")
        if variadic:
            keyword_only = False
        result.append(
            Param(
                name.lstrip("*"),
                _KINDS[code[0]],
                not equals and not variadic,
                keyword_only,
                json.loads(default) if equals else None,
                nullable=code.endswith("?"),
                single=code[0] == "s",
                accepts_number=code[0] == "W",
                variadic=variadic,
            )
        )
        if variadic:
            keyword_only = True
    return tuple(result)


def _split(text: str) -> list[str]:
    return text.split(";") if text else []


def _rename(facts: Mapping[str, Any], params: tuple[Param, ...]) -> dict[str, str]:
    """Rows are kept under the schema's names; torch calls the first argument of a function `input`."""
    names = {p.name for p in params}
    return {"self": "input"} if "self" not in names and "input" in names else {}


def decode_overload(text: str, facts: Mapping[str, Any]) -> Overload:
    """One signature and its facts."""
    params = decode_params(text)
    known = {p.name for p in params}
    rename = _rename(facts, params)

    def public(name: str) -> str:
        return rename.get(name, name)

    def build(row: Mapping[str, Any], variants: Mapping[str, Overload]) -> Overload:
        writes = tuple(public(n) for n in row.get("w", ()))
        if "out" in known:
            writes += ("out",)
        returns = []
        for item in row.get("r", ("new",)):
            relation, colon, name = item.partition(":")
            returns.append(f"{relation}:{public(name)}" if colon else item)
        return Overload(
            op=row["op"],
            params=params,
            saves={public(k): tuple(public(n) for n in v) for k, v in row.get("s", {}).items() if public(k) in known},
            saves_out=tuple(row.get("o", ())),
            hidden=bool(row.get("h")),
            hidden_if_scalar=tuple(public(n) for n in row.get("hs", ())),
            diff=tuple(public(n) for n in row.get("d", ()) if public(n) in known),
            writes=writes,
            returns=tuple(returns),
            nondiff=tuple(row.get("n", ())),
            clones_self=bool(row.get("c")),
            shape=row.get("f", "unknown"),
            variants=variants,
            probed=not row.get("u"),
        )

    variants = {flag: build({"op": facts["op"], **row}, {}) for flag, row in facts.get("v", {}).items()}
    return build(facts, variants)


def decode_module(name: str, row: Mapping[str, Any]) -> ModuleFacts:
    """One class of torch.nn."""

    def build(facts: Mapping[str, Any], inplace: ModuleFacts | None, evaluation: ModuleFacts | None) -> ModuleFacts:
        return ModuleFacts(
            name=name,
            params=decode_params(row["params"]),
            parameters=tuple(row.get("parameters", ())),
            buffers=tuple(row.get("buffers", ())),
            inputs=tuple(row.get("inputs", ())),
            saves={k: tuple(v) for k, v in facts.get("s", {}).items()},
            saves_out=tuple(facts.get("o", ())),
            hidden=bool(facts.get("h")),
            writes=tuple(facts.get("w", ())),
            silent_writes=tuple(facts.get("sw", ())),
            diff=tuple(facts.get("d", ())),
            returns=tuple(facts.get("r", ("new",))),
            nondiff=tuple(facts.get("n", ())),
            inplace=inplace,
            evaluation=evaluation,
            probed=not row.get("u"),
        )

    inplace = build(row["inplace"], None, None) if "inplace" in row else None
    evaluation = build(row["eval"], None, None) if "eval" in row else None
    return build(row, inplace, evaluation)


def decode_optimizer(name: str, row: Mapping[str, Any]) -> OptimizerFacts:
    """One class of torch.optim."""
    return OptimizerFacts(name, decode_params(row["params"]), dict(row["bumps"]), row["closure"])


def decode_scheduler(name: str, row: Mapping[str, Any]) -> SchedulerFacts:
    """One class of torch.optim.lr_scheduler."""
    return SchedulerFacts(name, decode_params(row["params"]), bool(row.get("metric")))
