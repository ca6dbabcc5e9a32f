"""The import statements of a text, found by scanning lines, without parsing."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import[ \t]*"
    r"(?P<names>\([^)]{0,20000}\)|(?:[^\n\\;#]|\\\n)+)"
    r"|import[ \t]+(?P<modules>(?:[^\n\\;#]|\\\n)+))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")
_PART = re.compile(r"[\s,()\\]*([\w.]+|\*)(?:[\s\\]+as[\s\\]+\w+)?")


@dataclass(frozen=True, slots=True)
class Import:
    """``from ..module import name`` (level 2), or ``import module`` (level 0, no names). A star is the name ``*``."""

    module: str
    level: int = 0
    names: tuple[str, ...] = ()


def scan_imports(text: str) -> list[Import]:
    """All imports in a text, those in functions included. Lines in strings that look like imports are taken too."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    found: list[Import] = []
    end = 0
    at = text.find("import")
    while at >= 0:  # far quicker than to try the pattern on every line
        match = _IMPORT.match(text, text.rfind("\n", 0, at) + 1)
        if match is None or match.start() < end:  # no statement, or within one over several lines
            at = text.find("import", at + 1)
            continue
        end = match.end()
        at = text.find("import", end)
        if match["modules"] is not None:
            found.extend(Import(name) for name in _names(match["modules"]))
        else:
            found.append(Import(match["module"], len(match["dots"]), tuple(_names(match["names"]))))
    return found


def _names(listed: str) -> list[str]:
    return _PART.findall(_COMMENT.sub("", listed))
