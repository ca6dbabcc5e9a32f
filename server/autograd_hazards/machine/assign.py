"""Binding names, attributes and items; augmented assignment; deletion; patterns."""

from __future__ import annotations

import ast
from typing import Any

from . import attributes, evaluate, iteration, operators, overwritten, subscripts
from .core import Machine, Raised
from .frames import carried
from .tensor import Tensor
from .values import ModuleValue, Unknown, UserClass, Value


def mark(m: Machine, value: Value, name: str, node: ast.AST, stored: bool = False) -> None:
    """Remember where a tensor was last given a name: stories speak of names."""
    if isinstance(value, Tensor):
        if value.bound is None or not carried(value.bound.loops, m.loops):
            value.bound = m.here(node)
            if stored:
                value.stored = value.bound
        if name.strip("_") or not value.assigned:  # `h, _ = state` names nothing
            value.assigned = name
    elif isinstance(value, tuple) and len(value) <= 4:
        for item in value:
            if isinstance(item, Tensor):
                mark(m, item, name, node, stored)


def bind(m: Machine, target: ast.expr, value: Value) -> None:
    kind = type(target)
    if kind is ast.Name:
        bind_name(m, target.id, value, target)  # type: ignore[attr-defined]
    elif kind is ast.Attribute:
        owner = evaluate.evaluate(m, target.value)  # type: ignore[attr-defined]
        mark(m, value, _text(target), target, True)
        attributes.set_attribute(m, owner, target.attr, value, target)  # type: ignore[attr-defined]
    elif kind is ast.Subscript:
        owner = evaluate.evaluate(m, target.value)  # type: ignore[attr-defined]
        index = evaluate.evaluate(m, target.slice)  # type: ignore[attr-defined]
        if not isinstance(owner, Tensor):
            mark(m, value, _text(target), target, True)
        subscripts.set_item(m, owner, index, value, target)
    elif kind is ast.Tuple or kind is ast.List:
        unpack(m, target.elts, value, target)  # type: ignore[attr-defined]
    elif kind is ast.Starred:
        bind(m, target.value, value)  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str:
    text: str | None = getattr(node, "_text", None)
    if text is None:
        text = ast.unparse(node)
        if len(text) > 40:
            text = text[:37] + "…"
        node._text = text  # type: ignore[attr-defined]
    return text


def unpack(m: Machine, targets: list[ast.expr], value: Value, node: ast.AST) -> None:
    star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
    values = iteration.unpack_values(m, value, len(targets), star, node)
    if star is None:
        for target, item in zip(targets, values, strict=False):
            bind(m, target, item)
        for target in targets[len(values) :]:
            bind(m, target, Unknown("unpacked"))
        return
    after = len(targets) - star - 1
    for target, item in zip(targets[:star], values[:star], strict=False):
        bind(m, target, item)
    middle = values[star : len(values) - after]
    bind(m, targets[star].value, list(middle))  # type: ignore[attr-defined]
    for target, item in zip(targets[star + 1 :], values[len(values) - after :], strict=False):
        bind(m, target, item)


def bind_name(m: Machine, name: str, value: Value, node: ast.AST) -> None:
    frame = m.frame
    if isinstance(value, Tensor | tuple):
        mark(m, value, name, node)
        if isinstance(value, Tensor) and "loss" in name.lower():
            m.ledger.loss_named(name, value, node)
    if m.clobbered:
        overwritten.rebound(m, frame, name)
    if frame.globals_ is not None and name in frame.globals_:
        frame.module.attrs[name] = value
        return
    if frame.nonlocals is not None and name in frame.nonlocals:
        outer = frame.enclosing
        while outer is not None:
            if name in outer.locals:
                outer.locals[name] = value
                return
            outer = outer.enclosing
    frame.locals[name] = value
    if m.clobbered and isinstance(value, Tensor) and value in m.clobbered:
        overwritten.taken(m, frame, name, value)


def augmented(m: Machine, node: ast.AugAssign) -> None:
    target = node.target
    if isinstance(target, ast.Name):
        old = evaluate.lookup(m, target.id, target)
        value = evaluate.evaluate(m, node.value)
        result = operators.augmented(m, node.op, old, value, node)
        if result is not old or not isinstance(old, Tensor):
            bind_name(m, target.id, result, node)
        m.ledger.accumulated(target.id, old, value, result, node)
    elif isinstance(target, ast.Attribute):
        owner = evaluate.evaluate(m, target.value)
        old = attributes.get_attribute(m, owner, target.attr, target)
        value = evaluate.evaluate(m, node.value)
        result = operators.augmented(m, node.op, old, value, node)
        mark(m, result, _text(target), node)
        m.tracks["augmenting"] = True
        attributes.set_attribute(m, owner, target.attr, result, node)
        m.tracks["augmenting"] = False
        m.ledger.accumulated(_text(target), old, value, result, node)
    elif isinstance(target, ast.Subscript):
        owner = evaluate.evaluate(m, target.value)
        index = evaluate.evaluate(m, target.slice)
        old = subscripts.get_item(m, owner, index, target)
        value = evaluate.evaluate(m, node.value)
        result = operators.augmented(m, node.op, old, value, node)
        before = len(m.events)
        if not (isinstance(owner, Tensor) and before and m.events[-1].where.node is node):
            subscripts.set_item(m, owner, index, result, node)
        if not isinstance(owner, Tensor):
            m.ledger.accumulated(_text(target), old, value, result, node)


def delete(m: Machine, target: ast.expr) -> None:
    if isinstance(target, ast.Name):
        m.frame.locals.pop(target.id, None)
    elif isinstance(target, ast.Attribute):
        owner = evaluate.evaluate(m, target.value)
        attrs = getattr(owner, "attrs", None)
        if isinstance(attrs, dict):
            attrs.pop(target.attr, None)
    elif isinstance(target, ast.Subscript):
        owner = evaluate.evaluate(m, target.value)
        index = evaluate.evaluate(m, target.slice)
        subscripts.delete_item(m, owner, index, target)
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            delete(m, element)


def match_pattern(m: Machine, pattern: Any, subject: Value) -> bool | None:
    """Whether ``subject`` fits (None: undecidable). Captures are bound as they are met."""
    kind = type(pattern).__name__
    if kind == "MatchValue":
        return m.known_truth(
            operators.compare(m, ast.Eq(), subject, evaluate.evaluate(m, pattern.value), pattern.value)
        )
    if kind == "MatchSingleton":
        return None if isinstance(subject, Unknown) else subject is pattern.value
    if kind == "MatchAs":
        fits = True if pattern.pattern is None else match_pattern(m, pattern.pattern, subject)
        if pattern.name:
            bind_name(m, pattern.name, subject, pattern)
        return fits
    if kind == "MatchOr":
        answers = [match_pattern(m, p, subject) for p in pattern.patterns]
        return True if True in answers else None if None in answers else False
    if kind == "MatchSequence":
        if isinstance(subject, Unknown):
            for i, p in enumerate(pattern.patterns):
                match_pattern(m, p, subject.derive(("item", i)))
            return None
        if not isinstance(subject, list | tuple):
            return False
        parts = _sequence_parts(m, pattern, list(subject))
        if parts is None:
            return False
        answers = [match_pattern(m, p, v) for p, v in parts]
        return False if False in answers else None if None in answers else True
    if kind == "MatchMapping":
        if not isinstance(subject, dict):
            return None if isinstance(subject, Unknown) else False
        answers = []
        for key, p in zip(pattern.keys, pattern.patterns, strict=True):
            k = evaluate.evaluate(m, key)
            answers.append(match_pattern(m, p, subject[k]) if k in subject else False)
        if pattern.rest is not None:
            named = [evaluate.evaluate(m, key) for key in pattern.keys]
            bind_name(m, pattern.rest, {k: v for k, v in subject.items() if k not in named}, pattern)
        return False if False in answers else None if None in answers else True
    if kind == "MatchClass":
        cls = evaluate.evaluate(m, pattern.cls)
        fits = attributes.is_instance(m, subject, cls)
        inside: list[tuple[str | None, Any]] = [(None, p) for p in pattern.patterns]
        if isinstance(cls, UserClass) and cls.fields is not None:
            inside = [(name, p) for (name, _), p in zip(cls.fields, pattern.patterns, strict=False)]
        for name, p in [*inside, *zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)]:
            if fits is not False:  # without a name, as in float(x), the part is the value itself
                part = subject if name is None else attributes.get_attribute(m, subject, name, pattern)
                inner = match_pattern(m, p, part)
                fits = False if inner is False else fits if inner else None
        return fits
    return None


def _sequence_parts(m: Machine, pattern: Any, subject: list[Value]) -> list[tuple[Any, Value]] | None:
    """Each pattern of a sequence with its element, what a star takes bound; None where the lengths do not fit."""
    star = next((i for i, p in enumerate(pattern.patterns) if type(p).__name__ == "MatchStar"), None)
    if star is None:
        return list(zip(pattern.patterns, subject, strict=True)) if len(pattern.patterns) == len(subject) else None
    after = len(pattern.patterns) - star - 1
    if len(subject) < star + after:
        return None
    end = len(subject) - after
    if pattern.patterns[star].name:
        bind_name(m, pattern.patterns[star].name, subject[star:end], pattern)
    return [
        *zip(pattern.patterns, subject[:star], strict=False),
        *zip(pattern.patterns[star + 1 :], subject[end:], strict=True),
    ]


def error(m: Machine, name: str, message: str, node: ast.AST) -> Raised:
    return Raised(m.session.make_exception(name, message), m.here(node))


__all__ = ["ModuleValue", "augmented", "bind", "bind_name", "delete", "error", "mark", "match_pattern", "unpack"]
