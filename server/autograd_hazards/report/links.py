"""Where the documentation of a rule is."""

from __future__ import annotations

import json
from urllib.parse import quote

HOMEPAGE = "https://github.com/autograd-hazards/autograd-hazards"


_FOLDERS = {"zh-cn": "docs/zh-CN/rules"}


def rule_url(code: str, locale: str = "en") -> str:
    """The address of the page of the rule ``code`` in the language ``locale``."""
    return f"{HOMEPAGE}/blob/main/{_FOLDERS.get(locale, 'docs/rules')}/{code}.md"


def rule_command(code: str) -> str:
    """A link by which the VS Code extension shows that page itself, in the reader's language and without a network."""
    return f"command:autogradHazards.openRule?{quote(json.dumps([code]))}"
