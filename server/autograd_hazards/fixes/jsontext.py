"""Changing one value in a JSON text and not a character besides: a notebook keeps the form that its author's tool gave it."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[^ \t\r\n,\]}]+")
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def span(raw: str, path: Sequence[str | int]) -> tuple[int, int]:
    """The range of the value at ``path`` in a valid JSON text. Raises KeyError when there is none."""
    start = _space(raw, 0)
    end = _end(raw, start)
    for step in path:
        found = None
        for key, value_start, value_end in _parts(raw, start):
            if key == step:
                found = value_start, value_end  # of equal keys the last counts
        if found is None:
            raise KeyError(step)
        start, end = found
    return start, end


def with_lines(raw: str, path: Sequence[str | int], lines: Sequence[str]) -> str:
    """``raw`` with ``lines`` (line ends included) for the string or the list of strings at ``path``."""
    start, end = span(raw, path)
    ascii_only = raw.isascii() and "\\u" in raw
    if raw[start] == '"':
        return raw[:start] + json.dumps("".join(lines), ensure_ascii=ascii_only) + raw[end:]
    places = [(item_start, item_end) for _, item_start, item_end in _parts(raw, start)]
    literals = [raw[a:b] for a, b in places]
    old = [json.loads(literal) for literal in literals]
    new: list[str] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, list(lines), autojunk=False).get_opcodes():
        new += literals[i:j] if tag == "equal" else [json.dumps(line, ensure_ascii=ascii_only) for line in lines[k:m]]
    head, tail = raw[start : places[0][0]], raw[places[-1][1] : end]
    between = raw[places[0][1] : places[1][0]] if len(places) > 1 else f",{head[1:] or ' '}"
    return raw[:start] + head + between.join(new) + tail + raw[end:]


def _space(raw: str, at: int) -> int:
    match = _SPACE.match(raw, at)
    assert match is not None
    return match.end()


def _end(raw: str, start: int) -> int:
    """Where the value that begins at ``start`` ends."""
    if raw[start] not in "[{":
        match = (_STRING if raw[start] == '"' else _SCALAR).match(raw, start)
        assert match is not None
        return match.end()
    depth = 0
    for match in _STRUCTURE.finditer(raw, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if not depth:
            return match.end()
    raise ValueError("no valid JSON")


def _parts(raw: str, start: int) -> Iterator[tuple[str | int, int, int]]:
    """The members of the object or the elements of the list that begins at ``start``: key or index, range of the value."""
    index = 0
    at = _space(raw, start + 1)
    while raw[at] not in "]}":
        key: str | int = index
        if raw[start] == "{":
            end = _end(raw, at)
            key = json.loads(raw[at:end])
            at = _space(raw, _space(raw, end) + 1)  # behind the colon
        end = _end(raw, at)
        yield key, at, end
        index += 1
        at = _space(raw, end)
        if raw[at] == ",":
            at = _space(raw, at + 1)
