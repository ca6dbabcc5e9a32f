"""The languages that people are told things in: which one to use, and how a message or a rule's page reads in it.

English is what the code says itself. Every other language has a folder here: ``messages.json`` from templates to their
translations, and ``rules/AGHnnn.md`` with the prose of the rules' pages. What has no translation stays English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from autograd_hazards.findings import Finding
from autograd_hazards.messages import Text

ENGLISH = "en"
CHINESE = "zh-cn"
LOCALES = (ENGLISH, CHINESE)
EXAMPLE = "[example]"
"""The line in a translated page that stands for the next code block of the English page."""

_SIMPLIFIED = frozenset({"zh", "zh-cn", "zh-sg", "zh-my", "zh-hans"})
_OPEN, _CLOSE = "\ue000", "\ue001"  # around messages in messages while a template is filled in
_HAN = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
_NEEDLESS = re.compile(f"(?<={_HAN}) (?={_OPEN}+{_HAN})|(?<={_HAN}{_CLOSE}) (?={_HAN})")
_BLOCK = re.compile(r"^```\w+\n.*?^```$", re.MULTILINE | re.DOTALL)


def letters(locale: str) -> str:
    """Some text that can be shown only where the language can."""
    return "中文" if locale == CHINESE else ""


def locale_of(name: str | None) -> str:
    """The language for the name of a locale, as editors (``zh-cn``) or systems (``zh_CN.UTF-8``) give it."""
    tag = re.split(r"[.@]", name or "")[0].replace("_", "-").lower()
    return CHINESE if tag in _SIMPLIFIED or tag.startswith("zh-hans-") else ENGLISH


def locale_of_environment(environ: Mapping[str, str] | None = None) -> str:
    """The language that the environment asks for, as gettext reads it; on Windows else that of the desktop."""
    environ = os.environ if environ is None else environ
    name = next((value for key in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environ.get(key))), None)
    if name is None:
        return locale_of(_windows_language() if os.name == "nt" else None)
    wishes = environ.get("LANGUAGE", "")
    if wishes and name.partition(".")[0] not in ("C", "POSIX"):
        name = wishes.partition(":")[0]
    return locale_of(name)


def _windows_language() -> str | None:
    import ctypes
    import locale

    windll = getattr(ctypes, "windll", None)
    return locale.windows_locale.get(windll.kernel32.GetUserDefaultUILanguage()) if windll is not None else None


def translate(text: str, locale: str) -> str:
    """``text`` in the language ``locale``; text that is no message, or has no translation, as it is."""
    if locale == ENGLISH or not isinstance(text, Text):
        return text
    template = messages(locale).get(text.template, text.template)
    arguments = {
        name: f"{_OPEN}{translate(value, locale)}{_CLOSE}" if isinstance(value, Text) else value
        for name, value in text.arguments.items()
    }
    # Templates have spaces around placeholders, for code and names; between Chinese characters there are none.
    return _NEEDLESS.sub("", template.format_map(arguments)).replace(_OPEN, "").replace(_CLOSE, "")


def told(finding: Finding, locale: str) -> Finding:
    """The finding with all that it says in the language ``locale``. Translate last: what comes back is plain text."""
    if locale == ENGLISH:
        return finding
    return replace(
        finding,
        message=translate(finding.message, locale),
        related=tuple(replace(step, message=translate(step.message, locale)) for step in finding.related),
        fixes=tuple(
            replace(fix, title=translate(fix.title, locale), note=translate(fix.note, locale)) for fix in finding.fixes
        ),
    )


def page(code: str, doc: str, locale: str) -> str:
    """The documentation of a rule in the language ``locale``, where ``doc`` is the English one."""
    path = _folder(locale) / "rules" / f"{code}.md"
    if locale == ENGLISH or not path.is_file():
        return doc
    blocks = iter(_BLOCK.findall(doc))
    lines = path.read_text(encoding="utf-8").split("\n")
    return "\n".join(next(blocks) if line == EXAMPLE else line for line in lines)


@cache
def messages(locale: str) -> dict[str, str]:
    """The translations of a language by the templates of the messages."""
    import json

    loaded: dict[str, str] = json.loads((_folder(locale) / "messages.json").read_text(encoding="utf-8"))
    return loaded


def _folder(locale: str) -> Path:
    return Path(__file__).parent / locale.replace("-", "_")
