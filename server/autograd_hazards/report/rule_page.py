"""The command ``rule``: a rule's documentation in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from autograd_hazards.cli import CLEAN, UsageError
from autograd_hazards.locales import ENGLISH
from autograd_hazards.messages import say
from autograd_hazards.report.style import style_for


def write(codes: Sequence[str], every: bool, out: TextIO, locale: str = ENGLISH) -> int:
    """Print the pages of the rules named by code or name; without any, the list of rules."""
    from autograd_hazards import catalogue

    style = style_for(out, locale=locale)
    entries = catalogue.entries(style.locale)
    if not codes and not every:
        for code, rule in entries.items():
            out.write(f"{code}  {rule.name}\n")
        return CLEAN
    by_name = {rule.name: code for code, rule in entries.items()}
    wanted = list(entries) if every else []
    for given in codes:
        code = by_name.get(given.lower(), given.upper())
        if code not in entries:
            raise UsageError(say("there is no rule {given!r}; `autograd-hazards rule` lists them", given=given))
        wanted.append(code)
    pages = []
    for code in dict.fromkeys(wanted):
        rule = entries[code]
        lines = [style.paint(f"# {code} {rule.name}", "bold"), ""]
        lines += [style.paint(line, "bold") if line.startswith("#") else line for line in rule.doc.strip().split("\n")]
        pages.append("\n".join(lines) + "\n")
    out.write("\n".join(pages))
    return CLEAN
