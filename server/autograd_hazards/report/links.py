"""Where the documentation of a rule is."""

from __future__ import annotations

HOMEPAGE = "https://github.com/autograd-hazards/autograd-hazards"


def rule_url(code: str) -> str:
    """The address of the page of the rule ``code``."""
    return f"{HOMEPAGE}/blob/main/docs/rules/{code}.md"
