"""What autograd knows about a name or a call, in short Markdown, and in the few words of an inlay hint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograd_hazards.locales import ENGLISH, translate
from autograd_hazards.machine.facts import (
    BackwardFact,
    Change,
    ChangeFact,
    Fact,
    Known,
    ModuleFact,
    OptimizerFact,
    Spot,
    TensorFact,
)
from autograd_hazards.messages import Text, joined, quoted, say

Where = Callable[[Spot], Text]
"""How a line is named beside the text that is told."""


def facts_markdown(known: Known, where: Where, locale: str = ENGLISH) -> str:
    """The facts of a place as Markdown; empty where nothing is known."""
    lines = [line for fact in known.facts for line in _lines(fact, where)]
    if lines and known.guessed:
        lines.append(say("as far as it can be told: no call of `{function}` was found", function=known.guessed))
    return "\n".join(f"- {translate(line, locale)}" for line in lines)


def hint(fact: Fact, locale: str = ENGLISH) -> str:
    """What an inlay hint says behind a call; empty for other facts."""
    if isinstance(fact, BackwardFact) and fact.count != 0 and fact.frees is not None:
        named = _some(fact.roots, 2)
        if fact.frees:
            return translate(say("frees graph of {names}", names=named) if named else say("frees the graph"), locale)
        return translate(say("keeps the graph"), locale)
    if isinstance(fact, ChangeFact) and fact.step and fact.count != 0:
        named = _some(fact.names, 2)
        if named and fact.once:
            return translate(say("changes {names} (v+1)", names=named), locale)
        if named:
            return translate(say("changes {names}", names=named), locale)
        if fact.count is not None:
            return translate(say("changes {count} parameters", count=fact.count), locale)
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
        return _held(fact)
    return _module(fact)


def _tensor(fact: TensorFact, where: Where) -> list[Text]:
    lines = [_state(fact)]
    if fact.op and fact.made is not None:
        place = where(fact.made)
        saved = _saved(fact.saves)
        if saved:
            lines.append(
                say("made by `{op}` at {place}, which saved {names} for its backward", op=fact.op, place=place,
                    names=saved)
            )  # fmt: skip
        else:
            lines.append(say("made by `{op}` at {place}", op=fact.op, place=place))
    if fact.changed is not None:
        lines.append(say("changed in place at {place} by {op}", place=where(fact.changed.spot), op=_op(fact.changed)))
    if fact.later is not None and fact.later != fact.changed:
        lines.append(
            say("will be changed in place at {place} by {op}", place=where(fact.later.spot), op=_op(fact.later))
        )
    if fact.freed is not None:
        lines.append(say("its graph is freed by the backward at {place}", place=where(fact.freed)))
    return lines


def _state(fact: TensorFact) -> Text:
    if fact.requires_grad == "unknown":
        return say("may require grad: that depends on what is not known here")
    if fact.requires_grad == "sometimes":
        return say("requires grad at some times and not at others (by iteration, branch or call)")
    requires = fact.requires_grad == "yes"
    if fact.parameter:
        return say("a parameter that requires grad") if requires else say("a parameter that is frozen")
    if requires:
        return say("a leaf that requires grad") if fact.leaf else say("requires grad")
    return say("does not require grad: its graph was left behind") if fact.detached else say("does not require grad")


def _saved(names: Sequence[str]) -> Text | None:
    """The names of what was saved; an empty one is the op's own result."""
    if not names:
        return None
    return joined([f"`{name}`" if name else say("its result") for name in names], say(", "))


def _op(change: Change) -> Text:
    return say("an optimizer's step") if change.step else say("`{op}`", op=change.op)


def _backward(fact: BackwardFact, where: Where) -> list[Text]:
    lines = []
    if fact.names and fact.count == 1:
        lines.append(say("reaches one leaf: {names}", names=_listed(fact)))
    elif fact.names and fact.count is not None:
        lines.append(say("reaches {count} leaves: {names}", count=fact.count, names=_listed(fact)))
    elif fact.names:
        lines.append(say("reaches {names}", names=_listed(fact)))
    elif fact.count:
        lines.append(say("reaches {count} leaves", count=fact.count) if fact.count > 1 else say("reaches one leaf"))
    built = [where(spot) for spot in fact.built]
    if built and fact.frees is not None:
        if fact.frees:
            lines.append(say("frees the graph built up to {place}", place=built[0]))
        else:
            lines.append(say("keeps the graph built up to {place}", place=built[0]))
    return lines


def _change_lines(fact: ChangeFact) -> list[Text]:
    if not fact.step:
        if fact.names:
            return [say("`{op}` changes {names} in place", op=fact.op, names=_listed(fact))]
        return [say("`{op}` changes a tensor in place", op=fact.op)]
    if fact.names and fact.count == 1:
        return [say("changes one parameter in place: {names}", names=_listed(fact))]
    if fact.names and fact.count is not None:
        return [say("changes {count} parameters in place: {names}", count=fact.count, names=_listed(fact))]
    if fact.names:
        return [say("changes parameters in place: {names}", names=_listed(fact))]
    if fact.count:
        return [say("changes {count} parameters in place", count=fact.count)]
    return []


def _held(fact: OptimizerFact) -> list[Text]:
    if fact.names and fact.count == 1:
        return [say("`{kind}` holds one parameter: {names}", kind=fact.kind, names=_listed(fact))]
    if fact.names and fact.count is not None:
        return [
            say("`{kind}` holds {count} parameters: {names}", kind=fact.kind, count=fact.count, names=_listed(fact))
        ]
    if fact.names:
        return [say("`{kind}` holds parameters: {names}", kind=fact.kind, names=_listed(fact))]
    if fact.count:
        return [say("`{kind}` holds {count} parameters", kind=fact.kind, count=fact.count)]
    return []


def _module(fact: ModuleFact) -> list[Text]:
    if not fact.count:
        return []
    if fact.trained is None:
        return [say("`{kind}` has {count} parameters", kind=fact.kind, count=fact.count)]
    if fact.trained == fact.count:
        return [say("`{kind}` has {count} parameters, and all require grad", kind=fact.kind, count=fact.count)]
    if not fact.trained:
        return [say("`{kind}` has {count} parameters, and none requires grad", kind=fact.kind, count=fact.count)]
    return [
        say("`{kind}` has {count} parameters, of which {trained} require grad", kind=fact.kind, count=fact.count,
            trained=fact.trained)
    ]  # fmt: skip


def _listed(fact: BackwardFact | ChangeFact | OptimizerFact) -> Text:
    shown = quoted(fact.names)
    return shown if fact.whole else say("{names} …", names=shown)
