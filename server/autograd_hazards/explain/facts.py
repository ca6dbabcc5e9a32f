"""What autograd knows about a name or a call, in short Markdown, and in the few words of an inlay hint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.machine.facts import (
    BackwardFact,
    Change,
    ChangeFact,
    Fact,
    ModuleFact,
    OptimizerFact,
    Spot,
    TensorFact,
)
from autograd_hazards.messages import Text, quoted, say

Where = Callable[[Spot], Text]
"""How a line is named beside the text that is told."""


def facts_markdown(facts: Sequence[Fact], where: Where, locale: str = ENGLISH) -> str:
    """The facts as Markdown; empty where nothing is known."""
    parts = ["\n".join(f"- {translate(line, locale)}" for line in _lines(fact, where)) for fact in facts]
    return "\n".join(part for part in parts if part)


def hint(fact: Fact, locale: str = ENGLISH) -> str:
    """What an inlay hint says behind a call; empty for other facts."""
    if isinstance(fact, BackwardFact) and fact.count:
        named = _some(fact.roots, 2)
        if fact.frees:
            return translate(say("frees graph of {names}", names=named) if named else say("frees the graph"), locale)
        return translate(say("keeps the graph"), locale)
    if isinstance(fact, ChangeFact) and fact.step and fact.count:
        named = _some(fact.names, 2)
        if named:
            return translate(say("changes {names} (v+1)", names=named), locale)
        return translate(say("changes {count} parameters (v+1)", count=fact.count), locale)
    return ""


def _some(names: Sequence[str], most: int) -> str:
    return ", ".join(names[:most]) + ("…" if len(names) > most else "")


def _lines(fact: Fact, where: Where) -> list[Text]:
    if isinstance(fact, TensorFact):
        return _tensor(fact, where)
    if isinstance(fact, BackwardFact):
        return _backward(fact, where)
    if isinstance(fact, ChangeFact):
        return _change_lines(fact)
    if isinstance(fact, OptimizerFact):
        return [_held(fact)]
    return [_module(fact)]


def _tensor(fact: TensorFact, where: Where) -> list[Text]:
    lines = []
    if fact.parameter:
        lines.append(say("a parameter that requires grad") if fact.requires_grad else say("a parameter that is frozen"))
    elif fact.requires_grad and fact.leaf:
        lines.append(say("a leaf that requires grad"))
    elif fact.requires_grad:
        lines.append(say("requires grad"))
    elif fact.requires_grad is None:
        lines.append(say("may require grad: that depends on what is not known here"))
    elif fact.detached:
        lines.append(say("does not require grad: its graph was left behind"))
    else:
        lines.append(say("does not require grad"))
    if fact.op and fact.made is not None:
        place = where(fact.made)
        if fact.saves:
            lines.append(
                say("made by `{op}` at {place}, which saved {names} for its backward", op=fact.op, place=place,
                    names=quoted(fact.saves))
            )  # fmt: skip
        else:
            lines.append(say("made by `{op}` at {place}, which saved nothing", op=fact.op, place=place))
    if fact.changes:
        change = fact.changes[-1]
        lines.append(
            say(
                "changed in place at {place} by {op} (version {version})", place=where(change.spot), op=_op(change),
                version=change.version,
            )
        )  # fmt: skip
    if fact.later:
        change = fact.later[0]
        lines.append(say("will be changed in place at {place} by {op}", place=where(change.spot), op=_op(change)))
    if fact.freed is not None:
        lines.append(say("its graph is freed by the backward at {place}", place=where(fact.freed)))
    return lines


def _op(change: Change) -> Text:
    return say("an optimizer's step") if change.step else say("`{op}`", op=change.op)


def _backward(fact: BackwardFact, where: Where) -> list[Text]:
    lines = []
    if not fact.count:
        lines.append(say("reaches no leaf that requires grad"))
    elif fact.names:
        lines.append(say("reaches {count} leaves: {names}", count=fact.count, names=_listed(fact)))
    else:
        lines.append(say("reaches {count} leaves", count=fact.count))
    built = [where(spot) for spot in fact.built]
    if built and fact.frees:
        lines.append(say("frees the graph built up to {place}", place=built[0]))
    elif built:
        lines.append(say("keeps the graph built up to {place}", place=built[0]))
    return lines


def _change_lines(fact: ChangeFact) -> list[Text]:
    names = _listed(fact)
    if fact.step:
        if fact.names:
            return [say("changes {count} parameters in place: {names}", count=fact.count, names=names)]
        return [say("changes {count} parameters in place", count=fact.count)]
    if fact.names:
        return [say("`{op}` changes {names} in place (version {version})", op=fact.op, names=names,
                    version=fact.version)]  # fmt: skip
    return [say("`{op}` changes a tensor in place (version {version})", op=fact.op, version=fact.version)]


def _held(fact: OptimizerFact) -> Text:
    if fact.names:
        return say(
            "`{kind}` holds {count} parameters: {names}", kind=fact.kind, count=fact.count,
            names=_listed(fact),
        )  # fmt: skip
    return say("`{kind}` holds {count} parameters", kind=fact.kind, count=fact.count)


def _module(fact: ModuleFact) -> Text:
    return say(
        "`{kind}` has {count} parameters, of which {trained} require grad",
        kind=fact.kind,
        count=fact.count,
        trained=fact.trained,
    )


def _listed(fact: BackwardFact | ChangeFact | OptimizerFact) -> Text:
    shown = quoted(fact.names)
    return shown if fact.whole else say("{names} …", names=shown)


__all__ = ["ModuleFact", "facts_markdown", "hint"]
