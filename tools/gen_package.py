"""Writes what package.json and package.nls*.json say about rules: the choices of the settings, and a sentence for each.

``python tools/gen_package.py`` writes, ``python tools/gen_package.py --check`` only says (exit 1) what is not fresh.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from autograd_hazards import __version__, catalogue  # noqa: E402 - the checkout's own package, installed or not

SEVERITIES = ["error", "warning", "information", "hint", "off"]
# Each file of strings, and the language of the rules' sentences in it.
STRINGS = {"package.nls.json": "en", "package.nls.zh-cn.json": "zh-cn"}
# Selectors for the groups of rules, as docs/rules/index.md has them.
GROUPS = {
    "AGH0": ("The text itself", "文本本身"),
    "AGH1": ("Graphs and backward", "计算图与反向传播"),
    "AGH2": ("Order of the training step", "训练步骤的顺序"),
    "AGH3": ("Changes in place", "原地修改"),
    "AGH4": ("Cut and uncut graphs", "计算图的截断"),
    "AGH5": ("Custom functions and wrappers", "自定义函数与封装"),
    "AGH6": ("Modules and optimizers", "模块与优化器"),
    "AGH7": ("Left-over settings", "遗留的设置"),
}


def sentences(locale: str) -> dict[str, str]:
    """The first sentence of each rule's documentation, by code."""
    return {
        code: entry.doc.strip().split("\n\n")[0].replace("\n", " ").strip()
        for code, entry in catalogue.entries(locale).items()
    }


def manifest(old: dict[str, Any]) -> dict[str, Any]:
    """package.json with the version of the server and the choices renewed."""
    codes = list(catalogue.entries())
    properties = old["contributes"]["configuration"]["properties"]
    selectors = ["AGH", *GROUPS, *codes]
    for name in ("select", "ignore"):
        items = properties[f"autogradHazards.{name}"]["items"]
        items["enum"] = selectors
        items["enumDescriptions"] = [f"%rule.{selector}%" for selector in selectors]
    properties["autogradHazards.severity"]["properties"] = {
        code: {"type": "string", "enum": SEVERITIES, "description": f"%rule.{code}%"} for code in codes
    }
    return {**old, "version": __version__}


def strings(old: dict[str, str], locale: str) -> dict[str, str]:
    """A file of strings with the sentences about rules renewed."""
    kept = {key: text for key, text in old.items() if not key.startswith("rule.")}
    chinese = locale != "en"
    rules = {"AGH": "全部规则" if chinese else "All rules"}
    rules |= {group: names[chinese] for group, names in GROUPS.items()}
    rules |= sentences(locale)
    return kept | {f"rule.{code}": text for code, text in rules.items()}


def wanted() -> dict[Path, str]:
    """All files that are generated in part, with what they should hold."""
    path = ROOT / "package.json"
    files = {path: _dump(manifest(json.loads(path.read_text(encoding="utf-8"))))}
    for name, locale in STRINGS.items():
        path = ROOT / name
        files[path] = _dump(strings(json.loads(path.read_text(encoding="utf-8")), locale))
    return files


def _dump(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write or check the files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when something is not fresh")
    changed = {path: text for path, text in wanted().items() if path.read_text(encoding="utf-8") != text}
    if parser.parse_args().check:
        for path in changed:
            print(f"not fresh: {path.relative_to(ROOT)}; run `make docs`")
        return 1 if changed else 0
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
