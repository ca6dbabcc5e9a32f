"""What Python's parser says about a syntax error, as messages that can be told in other languages.

Only the most frequent reasons are known; any other stays in the parser's own words. Lines that a reason names become
arguments of the message, since they are counted anew when a text is parsed block by block.
"""

from __future__ import annotations

import re

from autograd_hazards.messages import Text, say
from autograd_hazards.source.patterns import lazy

_LINE = lazy(r"\bline (\d+)")
_PLAIN = {
    str(reason): reason
    for reason in (
        say("invalid syntax"),
        say("invalid syntax. Perhaps you forgot a comma?"),
        say("unexpected indent"),
        say("unindent does not match any outer indentation level"),
        say("expected an indented block"),
        say("expected ':'"),
        say("unterminated string literal"),
        say("unterminated triple-quoted string literal"),
        say("unexpected character after line continuation character"),
        say("inconsistent use of tabs and spaces in indentation"),
        say("invalid decimal literal"),
        say("expected 'except' or 'finally' block"),
        say("positional argument follows keyword argument"),
        say("'return' outside function"),
        say("'break' outside loop"),
        say("Missing parentheses in call to 'print'. Did you mean print(...)?"),
    )
}
_CLOSED = lazy(r"('.') was never closed")
_UNMATCHED = lazy(r"unmatched ('.')")
_OTHER = lazy(r"closing parenthesis ('.') does not match opening parenthesis ('.')")
_BLOCK = lazy(r"expected an indented block after ('\w+') statement")
_DEFINITION = lazy(r"expected an indented block after (function|class) definition")


def reason_of(said: str) -> str:
    """The reason in ``said``, the parser's own words."""
    found = _LINE.search(said)
    if found is None:
        return _known(said)
    before, line, after = said[: found.start()], int(found[1]), said[found.end() :]
    if before.endswith(" (detected at ") and after == ")":
        return say(
            "{reason} (detected at line {line})", reason=_known(before.removesuffix(" (detected at ")), line=line
        )
    if before.endswith(" on ") and not after:
        return say("{reason} on line {line}", reason=_known(before.removesuffix(" on ")), line=line)
    return say("{before}line {line}{after}", before=before, line=line, after=after)


def _known(said: str) -> str:
    if said in _PLAIN:
        return _PLAIN[said]
    if found := _CLOSED.fullmatch(said):
        return say("{bracket} was never closed", bracket=found[1])
    if found := _UNMATCHED.fullmatch(said):
        return say("unmatched {bracket}", bracket=found[1])
    if found := _OTHER.fullmatch(said):
        return _mismatch(found)
    if found := _BLOCK.fullmatch(said):
        return say("expected an indented block after {keyword} statement", keyword=found[1])
    if found := _DEFINITION.fullmatch(said):
        if found[1] == "class":
            return say("expected an indented block after class definition")
        return say("expected an indented block after function definition")
    return said


def _mismatch(found: re.Match[str]) -> Text:
    return say(
        "closing parenthesis {closing} does not match opening parenthesis {opening}",
        closing=found[1],
        opening=found[2],
    )
