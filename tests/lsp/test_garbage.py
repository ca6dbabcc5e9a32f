"""What no client should send: a clear error or silence, and a server that goes on."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.client import LIMIT, REPOSITORY, Editor, Marked
from tests.lsp.programs import CLEAN, SAVED_CHANGED

MARKED = Marked(SAVED_CHANGED)


async def alive(editor: Editor) -> None:
    """The server still finds things."""
    uri = editor.open("alive.py", MARKED.text)
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH301"]
    assert not [message for message in editor.messages if "failed" in message]


async def test_edits_past_the_end_and_of_unknown_documents(editor: Editor) -> None:
    uri = editor.open("train.py", CLEAN)
    far = types.Range(types.Position(900, 5), types.Position(1000, 7))
    backwards = types.Range(types.Position(2, 5), types.Position(1, 0))
    wide = types.Range(types.Position(0, 1000), types.Position(0, 2000))
    for area in (far, backwards, wide):
        editor.change(uri, [types.TextDocumentContentChangePartial(area, " ")])
    editor.versions["file:///nowhere.py"] = 1
    editor.change("file:///nowhere.py", [types.TextDocumentContentChangeWholeDocument("x")])
    editor.close("file:///nowhere.py")
    assert await editor.hover(uri, types.Position(5000, 5000)) is None
    assert await editor.hover("file:///nowhere.py", types.Position(0, 0)) is None
    assert await editor.actions(uri, far, ["quickfix"]) == []
    await alive(editor)


async def test_versions_that_go_backwards_and_double_opens(editor: Editor) -> None:
    uri = editor.open("train.py", CLEAN)
    editor.versions[uri] = 7
    editor.write(uri, MARKED.text)
    editor.versions[uri] = 2
    editor.write(uri, MARKED.text + "\n")
    assert len(await editor.diagnostics(uri)) == 1
    editor.open("train.py", CLEAN)
    assert await editor.diagnostics(uri) == []
    await alive(editor)


@pytest.mark.parametrize(
    "text",
    ["\0\1\2binary", "\ud800", "(" * 5000, "x = " + "-" * 20000 + "1", "\r\r\n\n\x0c\x85\u2028x", "if x:\n" * 200,
     "lambda: " * 3000, "f'{" * 500],
    ids=["binary", "surrogate", "parentheses", "signs", "line-ends", "blocks", "lambdas", "f-strings"],
)  # fmt: skip
async def test_texts_that_are_no_programs(editor: Editor, text: str) -> None:
    uri = editor.open("odd.py", CLEAN)
    await editor.diagnostics(uri)
    if text == "\ud800":
        text = "x = '\\ud800' + 1"  # a lone surrogate cannot travel as UTF-8
    editor.write(uri, text)
    await editor.diagnostics(uri)
    editor.write(uri, CLEAN)
    assert await editor.diagnostics(uri) == []
    await alive(editor)


async def test_a_very_large_file(editor: Editor) -> None:
    uri = editor.open("large.py", CLEAN + "x = 1  # a line that says nothing\n" * 150_000)
    assert len(editor.texts[uri]) > 5_000_000
    assert await editor.diagnostics(uri) == []
    editor.replace(uri, "torch.exp", "torch.tanh")
    assert await editor.diagnostics(uri) == []
    await alive(editor)


async def test_folders_that_are_deleted_and_renamed(editor: Editor) -> None:
    folder = editor.folder / "package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "helper.py").write_text("def grow(x):\n    return x\n")
    uri = editor.open("package/train.py", CLEAN, save=True)
    assert await editor.diagnostics(uri) == []
    folder.rename(editor.folder / "moved")
    event = types.FileEvent(editor.uri("package"), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    editor.write(uri, MARKED.text)
    assert len(await editor.diagnostics(uri)) == 1
    shutil.rmtree(editor.folder / "moved")
    editor.write(uri, CLEAN)
    assert await editor.diagnostics(uri) == []
    await alive(editor)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("autogradHazards/timeline", {}),
        ("autogradHazards/rule", {"code": 5}),
        ("autogradHazards/nothing", {}),
        ("workspace/executeCommand", {"command": "no.such"}),
        ("workspace/executeCommand", {"command": "autogradHazards.fixAll", "arguments": [1, 2, 3]}),
        ("textDocument/hover", {"textDocument": {"uri": 3}, "position": {}}),
    ],
)
async def test_requests_that_make_no_sense_are_answered(editor: Editor, method: str, params: Any) -> None:
    answer = await _raw(editor.folder, [_request(9, method, params)], wanted=9)
    assert "error" in answer or answer.get("result") is None


async def test_bytes_that_are_no_messages() -> None:
    for noise in (
        b"Content-Length: 5\r\n\r\nhello",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 3\r\n\r\n\xff\xfe\xfd",
    ):
        answer = await _raw(Path.cwd(), [noise, _request(9, "autogradHazards/debugInformation", {})], wanted=9)
        assert "Python" in answer["result"]["text"]


async def test_a_client_that_goes_away_takes_the_server_with_it() -> None:
    server = await _start()
    assert server.stdin is not None
    server.stdin.write(_request(1, "initialize", {"capabilities": {}, "processId": None, "rootUri": None}))
    await server.stdin.drain()
    server.stdin.close()
    await asyncio.wait_for(server.wait(), LIMIT)


def _request(number: int, method: str, params: Any) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "autograd_hazards",
        "server",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "server")},
    )


async def _raw(folder: Path, messages: list[bytes], wanted: int) -> dict[str, Any]:
    """The answer to request ``wanted`` among ``messages``, sent as they are to a server that has been greeted."""
    hello = {"capabilities": {}, "processId": None, "rootUri": folder.as_uri()}
    return (await _answers([_request(1, "initialize", hello), *messages], [wanted]))[wanted]


async def _answers(messages: list[bytes], wanted: list[int]) -> dict[int, dict[str, Any]]:
    """The answers to requests among ``messages``, sent as they are to a fresh server."""
    server = await _start()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(b"".join(messages))
    await server.stdin.drain()
    answers: dict[int, dict[str, Any]] = {}
    try:
        while not answers.keys() >= set(wanted):
            length = 0
            while line := (await asyncio.wait_for(server.stdout.readline(), LIMIT)).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            answer: dict[str, Any] = json.loads(await server.stdout.readexactly(length))
            if answer.get("id") in wanted and "method" not in answer:
                answers[answer["id"]] = answer
        return answers
    finally:
        server.stdin.write(_request(10, "shutdown", None))
        server.stdin.close()
        await asyncio.wait_for(server.wait(), LIMIT)


async def test_what_has_no_id_is_not_answered(editor: Editor) -> None:
    writer = editor.client.protocol.writer
    assert writer is not None
    hover = b'{"jsonrpc":"2.0","id":%s,"method":"textDocument/hover","params":[]}'
    for body in (hover % b"null", hover % b"[1]", b"[]", b"1"):
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    uri = editor.open("train.py", Marked(SAVED_CHANGED).text)
    assert [d.code for d in await editor.diagnostics(uri)] == ["AGH301"]


async def test_a_name_that_no_disk_can_have_costs_no_other_file(editor: Editor) -> None:
    name = "a" * 300 + ".py"
    editor.close(editor.open(name, MARKED.text))
    await alive(editor)


async def test_before_the_greeting_and_after_the_farewell_requests_are_refused(tmp_path: Path) -> None:
    hover = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
    command = {"command": "autogradHazards.fixAll", "arguments": ["file:///a.py"]}
    hello = {"capabilities": {}, "processId": None, "rootUri": tmp_path.as_uri()}
    early = [_request(1, "textDocument/hover", hover), _request(2, "workspace/executeCommand", command)]
    late = [_request(6, "textDocument/hover", hover), _request(7, "workspace/executeCommand", command)]
    again = [_request(3, "initialize", hello), _request(4, "initialize", hello), _request(5, "shutdown", None)]
    answers = await _answers([*early, *again, *late], [1, 2, 3, 4, 5, 6, 7])
    codes = {number: answer.get("error", {}).get("code") for number, answer in answers.items()}
    assert codes == {1: -32002, 2: -32002, 3: None, 4: -32600, 5: None, 6: -32600, 7: -32600}


async def test_headers_may_be_written_in_any_case(tmp_path: Path) -> None:
    small = _request(8, "autogradHazards/debugInformation", {}).replace(b"Content-Length: ", b"content-length:")
    answer = await _raw(tmp_path, [small, _request(9, "autogradHazards/debugInformation", {})], wanted=9)
    assert "Python" in answer["result"]["text"]


async def test_a_command_with_other_arguments_is_refused(tmp_path: Path) -> None:
    for arguments in ([], ["file:///a.py", 2, 3]):
        params = {"command": "autogradHazards.fixAll", "arguments": arguments}
        answer = await _raw(tmp_path, [_request(9, "workspace/executeCommand", params)], wanted=9)
        assert answer["error"]["code"] == -32602
