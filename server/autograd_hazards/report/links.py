"""Where the documentation of a rule is: a file that comes with the program, so that nothing has to be fetched."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from urllib.parse import quote

_HERE = Path(__file__).resolve()
# In an installed package, and in a checkout.
_DOCS = (_HERE.parents[1] / "docs", _HERE.parents[3] / "docs")
_RULES = {"zh-cn": Path("zh-CN", "rules")}


@cache
def rule_page(code: str, locale: str = "en") -> str | None:
    """The URI of the page of the rule ``code`` in the language ``locale``; None where the pages are not installed."""
    name = _RULES.get(locale, Path("rules")) / f"{code}.md"
    return next((file.as_uri() for docs in _DOCS if (file := docs / name).is_file()), None)


def rule_command(code: str) -> str:
    """A link by which the VS Code extension shows that page itself, in the reader's language and without a network."""
    return _command("openRule", code)


def timeline_command(uri: str, name: str) -> str:
    """A link by which the VS Code extension draws the story of the finding ``name`` in the document ``uri``."""
    return _command("showTimeline", uri, name)


def _command(command: str, *arguments: str) -> str:
    return f"command:autogradHazards.{command}?{quote(json.dumps(arguments))}"
