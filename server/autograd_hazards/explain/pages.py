"""The pages of rules in the reader's language."""

from __future__ import annotations

from autograd_hazards import catalogue


def page(code: str, locale: str) -> str | None:
    """The page of a rule as Markdown; None for a code that no rule has. English where there is no translation."""
    entry = catalogue.entries(locale).get(code.upper())
    if entry is None:
        return None
    return f"# {entry.code} {entry.name}\n\n{entry.doc.strip()}\n"
