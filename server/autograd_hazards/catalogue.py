"""Every rule with its documentation: those that read the machine's events, and the two about the text itself."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as documentation shows it. ``doc`` is Markdown whose first paragraph is one sentence."""

    code: str
    name: str
    doc: str


UNUSED_SUPPRESSION = Entry(
    "AGH001",
    "unused-suppression",
    """A suppression comment suppresses nothing.

## What it does
Reports `# noqa: AGH…` and `# autograd-hazards: ignore[…]` comments, and the codes in them, that no finding needed. A
plain `# noqa` is left alone, since it may be meant for another tool, and so is a rule that did not run.

## Why is this bad?
The comment says that there is a hazard here which somebody has accepted. When that is no longer so, it misleads the
reader, and it would hide the next hazard on its line.

## Example
```python
h = h * 2  # noqa: AGH301
```

## Use instead
```python
h = h * 2
```
""",
)
UNREADABLE_SOURCE = Entry(
    "AGH002",
    "unreadable-source",
    """A file, or a part of it, cannot be analysed.

## What it does
Reports syntax errors, files that cannot be read or decoded, notebooks that are none, and files whose analysis failed
or took too long.

## Why is this bad?
A syntax error costs the statement it is in (in a class, the method); everything else in the file is analysed, but what
the lost part would have done is not known. When nothing is found in such a file, that says little.

## Example
```python
def train(model:
    model.step()
```

## Use instead
Mend the syntax, save the file as UTF-8, or exclude it. For a file written for a newer Python, run the tool under that
Python: parsing follows the interpreter.
""",
)


def entries(locale: str = "en") -> dict[str, Entry]:
    """All rules by code, in the order of their codes, documented in the language ``locale``."""
    from autograd_hazards.locales import page
    from autograd_hazards.rules import ALL

    found = {entry.code: entry for entry in (UNUSED_SUPPRESSION, UNREADABLE_SOURCE)}
    for code, rule in ALL.items():
        found[code] = Entry(code, rule.name, rule.doc)
    if locale != "en":
        found = {code: replace(entry, doc=page(code, entry.doc, locale)) for code, entry in found.items()}
    return dict(sorted(found.items()))
