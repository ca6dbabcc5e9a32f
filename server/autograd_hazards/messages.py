"""Messages for people: English text that remembers how it was made, so that it can be told in another language.

``say`` makes one. It is a ``str`` like any other; ``translate`` (in ``locales``) takes its template and its arguments
apart again. Templates are whole sentences or whole phrases that stand alone: what is glued together from words follows
English grammar only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

_PLAIN = (str, int, float)
LINES = ("line", "first", "last")
"""The arguments of messages that are numbers of lines: they change when a place is told relative to a notebook's cell."""


class Text(str):
    """A message in English, with the ``template`` and the ``arguments`` that it was formatted from.

    Arguments that are messages themselves are translated with it. What string methods return is plain ``str``.
    """

    __slots__ = ("arguments", "template")

    template: str
    arguments: Mapping[str, object]

    def __new__(cls, template: str, arguments: Mapping[str, object]) -> Text:
        """Raises LookupError when the template names an argument that is not there."""
        text = super().__new__(cls, template.format_map(arguments))
        text.template = template
        text.arguments = arguments
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return Text, (self.template, self.arguments)


def say(template: str, /, **arguments: object) -> Text:
    """The message that ``template`` gives with ``arguments``, in the syntax of ``str.format``."""
    return Text(
        template, {name: value if isinstance(value, _PLAIN) else str(value) for name, value in arguments.items()}
    )


class UserError(Exception):
    """An error that is told to the user, in their language."""

    def __init__(self, message: Text) -> None:
        super().__init__(message)
        self.message = message


def joined(parts: Sequence[str], separator: Text) -> Text:
    """The texts one after the other, ``separator`` (a message, too: `, ` or `; `) between them."""
    whole = Text("", {})
    for part in parts:
        whole = (
            Text("{before}{separator}{part}", {"before": whole, "separator": separator, "part": part})
            if whole
            else Text("{part}", {"part": part})
        )
    return whole


def quoted(names: Sequence[str]) -> Text:
    """Several pieces of code, each between backticks."""
    return joined([f"`{name}`" for name in names], say(", "))


def with_arguments(text: str, change: Callable[[str, object], object]) -> str:
    """``text`` with each of its arguments changed to ``change(name, value)``, also within messages in it."""
    if not isinstance(text, Text):
        return text
    return Text(
        text.template,
        {
            name: with_arguments(value, change) if isinstance(value, Text) else change(name, value)
            for name, value in text.arguments.items()
        },
    )


def moved(text: str, rows: int) -> str:
    """``text`` with the lines that it names ``rows`` further down; what begins in an earlier cell begins in line 1."""
    return with_arguments(
        text, lambda name, value: max(value + rows, 1) if name in LINES and isinstance(value, int) else value
    )


def pack(text: str) -> Any:
    """``text`` as JSON data: a string, or for a message its template and its arguments."""
    if not isinstance(text, Text):
        return text
    return [text.template, {name: _pack_argument(value) for name, value in text.arguments.items()}]


def unpack(data: Any) -> str:
    """The text that ``pack`` gave. Raises LookupError, TypeError or ValueError for data that it did not make."""
    if isinstance(data, str):
        return data
    template, arguments = data
    return Text(str(template), {str(name): _unpack_argument(value) for name, value in arguments.items()})


def _pack_argument(value: object) -> Any:
    return pack(value) if isinstance(value, str) else value


def _unpack_argument(value: Any) -> object:
    return value if isinstance(value, int | float) else unpack(value)
