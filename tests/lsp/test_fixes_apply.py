"""Applying what is offered leaves the document such that the finding is gone: over many cases, one server for all."""

from __future__ import annotations

import random
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.lsp.client import Editor, apply

CASES = sorted((Path(__file__).parents[1] / "rules" / "cases").glob("*/bad.py"))


@pytest_asyncio.fixture
async def shared(tmp_path: Path) -> AsyncIterator[Editor]:
    editor = Editor(tmp_path)
    await editor.start([sys.executable, "-m", "autograd_hazards", "server"])
    yield editor
    await editor.stop()


def count(diagnostics: list[types.Diagnostic], like: types.Diagnostic) -> int:
    return sum((d.code, d.message) == (like.code, like.message) for d in diagnostics)


async def check(editor: Editor, cases: list[Path]) -> int:
    """Apply every fix that is offered for every finding of the cases, each to the original text; gives how many."""
    applied = 0
    for number, case in enumerate(cases):
        text = case.read_text(encoding="utf-8")
        uri = editor.open(f"case{number}.py", text)
        found = await editor.diagnostics(uri)
        mended = []
        for diagnostic in found:
            for action in await editor.actions(uri, diagnostic.range, ["quickfix"]):
                mine = (action.diagnostics or [None])[0]
                if mine is not None and (mine.code, mine.message) == (diagnostic.code, diagnostic.message):
                    (change,) = (await editor.resolved(action)).document_changes or ()
                    assert isinstance(change, types.TextDocumentEdit)
                    mended.append((diagnostic, action.title, apply(text, change.edits, editor.encoding)))
        for diagnostic, title, after in mended:
            editor.write(uri, after)
            left = await editor.diagnostics(uri)
            assert count(left, diagnostic) < count(found, diagnostic), (case.parent.name, title)
            worse = [d for d in left if d.code not in {f.code for f in found} and d.severity == 1]
            assert not worse, (case.parent.name, title, worse)
        applied += len(mended)
        editor.close(uri)
    return applied


async def test_fixes_and_suppressions_of_cases_do_what_they_say(shared: Editor) -> None:
    assert await check(shared, random.Random(5).sample(CASES, 6)) >= 12


@pytest.mark.slow
async def test_fixes_and_suppressions_of_all_cases_do_what_they_say(shared: Editor) -> None:
    assert await check(shared, CASES) > 2 * len(CASES)
