"""Keywords of calls: put in, taken out, changed."""

from __future__ import annotations

import ast
import re

from autograd_hazards.findings import Edit
from autograd_hazards.fixes.sheet import Sheet

_SPACE = re.compile(r"\s*")
_COMMA = re.compile(r"\s*,[ \t]*")


def add_keyword(sheet: Sheet, call: ast.Call, name: str, value: str) -> Edit | None:
    """Give a call one more keyword, at its end. None when it has it, or takes keywords nobody sees."""
    if any(keyword.arg in (name, None) for keyword in call.keywords):
        return None
    close = sheet.end(call) - 1
    items = [*call.args, *call.keywords]
    if not items:
        return sheet.insert(close, f"{name}={value}")
    if len(items) == 1 and isinstance(items[0], ast.GeneratorExp):
        return None
    last = max(sheet.end(item) for item in items)
    # Parentheses around the last argument, a comma behind it.
    match = re.compile(r"(?:\s*\))*(\s*,)?").match(sheet.text[:close], last)
    assert match is not None
    at = match.end() if match[1] else match.end() if match.group().strip() else last
    return sheet.insert(at, f" {name}={value}" if match[1] else f", {name}={value}")


def set_keyword(sheet: Sheet, call: ast.Call, name: str, value: str) -> Edit | None:
    """Give a keyword another value, or put it in."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return sheet.rewrite(keyword.value, value)
    return add_keyword(sheet, call, name, value)


def drop_keyword(sheet: Sheet, call: ast.Call, name: str) -> Edit | None:
    """Take a keyword out, with its comma. None when the call does not have it."""
    keyword = next((k for k in call.keywords if k.arg == name), None)
    return None if keyword is None else drop_argument(sheet, call, keyword)


def drop_argument(sheet: Sheet, call: ast.Call, argument: ast.expr | ast.keyword) -> Edit:
    """Take an argument out, with the comma before it or, for the first one, behind it."""
    start, end = sheet.start(argument), sheet.end(argument)
    before = sheet.text[:start].rstrip()
    if before.endswith(","):
        return sheet.replace(len(before) - 1, end, "")
    behind = _COMMA.match(sheet.text, end)
    return sheet.replace(start, behind.end() if behind else end, "")
