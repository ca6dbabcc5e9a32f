"""Keeps the catalogues of translated messages in step with what the package says.

``python tools/messages.py`` brings the translations into the order in which the package says the messages, drops those
that are not said any more, and lists what has no translation yet (exit 1). With ``--pages`` it notes that the translated
pages of the rules have been brought up to date with the English ones as they are now.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "server" / "autograd_hazards"
TRANSLATED = ROOT / "tests" / "locales" / "translated.json"
"""The English pages that the translated ones were made from, by their digests."""
sys.path.insert(0, str(ROOT / "server"))


def said() -> dict[str, str]:
    """Every template that the package gives to ``say``, with the place where it is said first. Raises ValueError."""
    found: dict[str, str] = {}
    for where, call in _calls():
        template = call.args[0] if call.args else None
        if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
            raise ValueError(f"{where}: say() needs its template as a literal")
        found.setdefault(template.value, where)
    return found


def misfits() -> list[str]:
    """The places where the arguments of ``say`` are not those that its template names."""
    found = []
    for where, call in _calls():
        names = {keyword.arg for keyword in call.keywords}
        wanted = {name for _, name, _, _ in Formatter().parse(ast.literal_eval(call.args[0])) if name is not None}
        if None not in names and names != wanted:  # what comes by ** is only known when it is said
            found.append(f"{where}: {sorted(map(str, names))} for {sorted(wanted)}")
    return found


def _calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of ``say`` in the package, in order, with its place."""
    for path in sorted(PACKAGE.rglob("*.py")):
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"
        ]
        for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
            yield f"{path.relative_to(PACKAGE).as_posix()}:{call.lineno}", call


def digests() -> dict[str, str]:
    """For the code of each rule a digest of the prose of its English page."""
    from autograd_hazards import catalogue

    found = {}
    for code, rule in catalogue.entries().items():
        prose = " ".join(re.sub(r"^```\w+\n.*?^```$", "", rule.doc, flags=re.MULTILINE | re.DOTALL).split())
        found[code] = hashlib.blake2b(prose.encode(), digest_size=6).hexdigest()
    return found


def main() -> int:
    """Bring every catalogue into order."""
    if sys.argv[1:] == ["--pages"]:
        TRANSLATED.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
    templates = said()
    missing = 0
    for path in sorted((PACKAGE / "locales").glob("*/messages.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        ordered = {template: known[template] for template in templates if template in known}
        path.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for template in templates.keys() - known.keys():
            missing += 1
            print(f"{path.parent.name}: {templates[template]}: {template}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
