"""What the witness saw: shown at its lines, wherever these are now, as long as they read as they did."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from autograd_hazards.lsp.observed import moves
from autograd_hazards.witness.record import VERSION, digest
from tests.lsp.client import Editor
from tests.lsp.programs import CLEAN
from tests.lsp.test_workspace_changes import changed, configure, last

TWICE = "import torch\n\n\ndef one(loss):\n    loss.backward()\n\n\ndef two(loss):\n    loss.backward()\n"


def seen(name: str, row: int, **more: Any) -> dict[str, Any]:
    """A finding of the witness."""
    return {
        "code": "AGH101", "name": "backward-through-freed-graph", "severity": "error", "filename": name,
        "location": {"row": row, "column": 5}, "end_location": {"row": row, "column": 10}, "message": "seen",
        "certainty": "observed", "related": [], "fixes": [], **more,
    }  # fmt: skip


def record(folder: Path, findings: Sequence[dict[str, Any]], texts: dict[str, str], version: int = VERSION) -> Path:
    """Leave what a run leaves in its folder."""
    lines = {name: [digest(line) for line in text.split("\n")] for name, text in texts.items()}
    content = {"version": version, "torch": "2.13", "command": [], "findings": findings, "lines": lines}
    file = folder / ".autograd-hazards" / "last-run.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


async def shown(editor: Editor, text: str, row: int, **more: Any) -> str:
    """Open a file with a finding of the witness in it; gives its URI."""
    uri = editor.open("train.py", text, save=True)
    assert await editor.diagnostics(uri) == []
    name = str(editor.folder / "train.py")
    record(editor.folder, [seen(name, row, **more)], {name: text})
    changed(editor, ".autograd-hazards/last-run.json", types.FileChangeType.Created)
    await editor.until(lambda: last(editor, uri) != [], "what was seen")
    return uri


async def rows(editor: Editor, uri: str) -> list[int]:
    """The rows (from 1) of what is shown for the newest version."""
    return [found.range.start.line + 1 for found in await editor.diagnostics(uri)]


async def test_it_is_shown_while_its_lines_stand(editor: Editor) -> None:
    uri = await shown(editor, CLEAN, 4)
    (found,) = last(editor, uri)
    assert found.source == "autograd-hazards (observed at run time)" and found.code == "AGH101"
    line = CLEAN.split("\n")[3]
    editor.replace(uri, line, line + "  # changed")
    assert await editor.diagnostics(uri) == []
    editor.replace(uri, line + "  # changed", line + "  ")  # nobody sees that
    assert await rows(editor, uri) == [4]
    configure(editor, observed=False)
    await editor.until(lambda: last(editor, uri) == [], "nothing")


async def test_it_moves_with_its_lines(editor: Editor) -> None:
    uri = await shown(editor, TWICE, 9)
    editor.replace(uri, "import torch\n", "import torch\n# two\n# lines\n")
    assert await rows(editor, uri) == [11]
    editor.replace(uri, "# two\n", "")
    editor.replace(uri, "    loss.backward()\n\n\ndef two", "    loss.mean().backward()\n\n\ndef two")
    assert await rows(editor, uri) == [10]  # the line that reads the same as that one did
    editor.replace(uri, "def two(loss):\n", "def two(loss):\n    loss = loss.mean()\n")
    assert await rows(editor, uri) == [11]
    editor.write(uri, TWICE.replace("def two(loss):\n    loss.backward()\n", ""))
    assert await rows(editor, uri) == []
    editor.write(uri, TWICE)
    assert await rows(editor, uri) == [9]


async def test_all_lines_of_its_story_count(editor: Editor) -> None:
    name = str(editor.folder / "train.py")
    step = {"filename": name, "location": {"row": 5, "column": 5}, "message": "before", "role": "used"}
    uri = await shown(editor, TWICE, 9, related=[step], fails_at={"filename": name, "row": 9})
    editor.replace(uri, "import torch\n", "import torch\n\n")
    (found,) = await editor.diagnostics(uri)
    assert found.related_information is not None
    assert [each.location.range.start.line + 1 for each in found.related_information] == [6]
    editor.replace(uri, "loss.backward()", "loss.sum().backward()")
    assert await rows(editor, uri) == []


async def test_a_statement_over_several_lines_counts_as_a_whole(editor: Editor) -> None:
    text = "import torch\n\nx = torch.add(\n    torch.ones(3),\n    torch.ones(3),\n)\n"
    uri = await shown(editor, text, 3, end_location={"row": 6, "column": 2})
    editor.replace(uri, "\n\n", "\n\n\n")
    (found,) = await editor.diagnostics(uri)
    assert (found.range.start.line, found.range.end.line) == (3, 6)
    editor.replace(uri, "ones(3),\n)", "ones(4),\n)")
    assert await rows(editor, uri) == []


async def test_a_record_of_another_version_counts_for_nothing(editor: Editor) -> None:
    uri = await shown(editor, CLEAN, 4)
    name = str(editor.folder / "train.py")
    record(editor.folder, [seen(name, 4)], {name: CLEAN}, version=1)
    changed(editor, ".autograd-hazards/last-run.json")
    await editor.until(lambda: last(editor, uri) == [], "nothing")


async def test_a_run_leaves_its_record_in_its_own_project(editor: Editor) -> None:
    uri = editor.open("project/train.py", CLEAN, save=True)
    assert await editor.diagnostics(uri) == []
    name = str(editor.folder / "project" / "train.py")
    for folder, findings, time in ((".", [], 1_000_000_000), ("project", [seen(name, 4)], 2_000_000_000)):
        os.utime(record(editor.folder / folder, findings, {}), (time, time))
    changed(editor, "project/.autograd-hazards/last-run.json", types.FileChangeType.Created)
    await editor.until(lambda: last(editor, uri) != [], "what was seen")
    os.utime(editor.folder / ".autograd-hazards" / "last-run.json", (2_100_000_000, 2_100_000_000))
    changed(editor, ".autograd-hazards/last-run.json", types.FileChangeType.Changed)
    await editor.until(lambda: last(editor, uri) == [], "the newer record")


@pytest.mark.parametrize(
    "before, after, expected",
    [
        ("abc", "abc", [1, 2, 3]),
        ("abc", "xabc", [2, 3, 4]),
        ("abc", "axbxc", [1, 3, 5]),
        ("abc", "xbx", [None, 2, None]),
        ("abc", "cab", [2, 3, 1]),  # moved, and known by themselves
        ("axbx", "bxax", [3, None, 1, 4]),
        ("-axb-", "-bxa-", [1, 4, 3, 2, 5]),
        ("-ax-bx-", "-ax-cx-", [1, 2, 3, 4, None, 6, 7]),
        ("-fxgx-", "-hxkx-", [1, None, None, None, 5, 6]),  # which x it was cannot be told
        ("abc", "", [None, None, None]),
    ],
)
def test_where_rows_are_now(before: str, after: str, expected: list[int | None]) -> None:
    row = moves(before, after)
    assert [row(number) for number in range(1, len(before) + 1)] == expected
    assert row(len(before) + 1) is None
