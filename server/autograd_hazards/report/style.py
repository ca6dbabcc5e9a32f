"""Colours for a terminal, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from autograd_hazards.locales import ENGLISH, letters, translate
from autograd_hazards.messages import Text

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "information": "1;34",
    "gutter": "34",
    "secondary": "36",
    "bold": "1",
    "dim": "2",
    "good": "32",
}


@dataclass(frozen=True, slots=True)
class Style:
    """What the output can show, ``colour`` (ANSI sequences) and ``unicode`` (box drawing characters), and its language."""

    colour: bool = False
    unicode: bool = True
    locale: str = ENGLISH

    def paint(self, text: str, kind: str) -> str:
        """``text`` in the colour of ``kind``, unchanged when there are no colours."""
        return f"\x1b[{_CODES[kind]}m{text}\x1b[0m" if self.colour and text else text

    def say(self, text: Text) -> str:
        """A message in the language of the output."""
        return translate(text, self.locale)


def style_for(stream: TextIO, environ: Mapping[str, str] | None = None, *, locale: str = ENGLISH) -> Style:
    """What suits ``stream``: colours only on a terminal, obeying NO_COLOR, FORCE_COLOR and TERM=dumb.

    A stream that cannot show the letters of the language ``locale`` is written in English.
    """
    environ = os.environ if environ is None else environ
    if environ.get("NO_COLOR"):
        colour = False
    elif environ.get("FORCE_COLOR", "0") not in ("", "0"):
        colour = True
    else:
        colour = stream.isatty() and environ.get("TERM") != "dumb"
    told = locale if _can_show(letters(locale), stream.encoding or "utf-8") else ENGLISH
    return Style(colour, _can_show("│╰", stream.encoding or "ascii"), told)


def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
