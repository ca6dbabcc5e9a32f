"""A day of editing in some minutes: random edits over many documents, with requests and cancellations in between.

    python bench/soak.py [--edits 20000] [--documents 20] [--seed 1]

Texts are cases of the rules and examples, some of them of several files that import one another. Edits insert, delete,
duplicate and paste halves of files, and undo. From time to time every document is brought back to a text that parses and
what the server then says is compared with a fresh analysis. Fails when the server logs an error, when anything differs, or
when memory keeps growing.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "server")]

from tests.lsp.client import Editor, position_at  # noqa: E402

from autograd_hazards.config import Config  # noqa: E402
from autograd_hazards.live import LiveWorkspace  # noqa: E402
from autograd_hazards.workspace import Workspace  # noqa: E402

CHECKED_EVERY = 1000  # edits


def sources(count: int, chance: random.Random) -> dict[str, str]:
    """Programs to edit, by the name of the file: real ones with hazards, half of the files of programs of several."""
    cases = REPOSITORY / "tests" / "rules"
    found: dict[str, str] = {}
    folders = sorted(path for path in cases.glob("*/*/*") if (path / "main.py").is_file())
    for number, folder in enumerate(chance.sample(folders, len(folders))):
        if len(found) >= count // 2:
            break
        for path in sorted(folder.rglob("*.py")):
            found[f"program{number}/{path.relative_to(folder).as_posix()}"] = path.read_text(encoding="utf-8")
    paths = sorted((cases / "cases").glob("*/*.py")) + sorted((REPOSITORY / "examples").glob("*.py"))
    for number, path in enumerate(chance.sample(paths, max(count - len(found), 1))):
        found[f"file{number}.py"] = path.read_text(encoding="utf-8")
    return found


def parses(text: str) -> bool:
    """Whether a text is Python."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


class Soak:
    """One run."""

    def __init__(self, editor: Editor, texts: dict[str, str], seed: int) -> None:
        self.editor = editor
        self.chance = random.Random(seed)
        self.originals = list(texts.values())
        self.paths = {editor.open(name, text, save=True): editor.folder / name for name, text in texts.items()}
        self.uris = list(self.paths)
        self.good = dict(zip(self.uris, texts.values()))
        self.requests: list[asyncio.Future[object]] = []
        self.compared = 0
        self.memory: list[float] = []

    def edited(self, text: str) -> str:
        """A text with one random edit."""
        chance = self.chance
        lines = text.split("\n")
        row = chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind == 0:
            at = chance.randrange(len(text) + 1)
            return text[:at] + chance.choice(["x", " ", "\n", "(", ")", '"', "#", ".", "é", "😀", "    "]) + text[at:]
        if kind == 1 and text:
            at = chance.randrange(len(text))
            return text[:at] + text[at + chance.choice((1, 1, 3, 20)) :]
        if kind == 2:
            del lines[row]
        elif kind == 3:
            lines.insert(row, lines[row])
        elif kind == 4:
            other = chance.choice(self.originals).split("\n")
            lines[row:row] = other[len(other) // 2 :]
        elif kind == 5:
            lines[row] = lines[row].replace(".backward()", ".backward(retain_graph=True)").replace("+", "-")
        else:
            lines.insert(row, "# a comment")
        result = "\n".join(lines)
        return result if len(result) < 8_000 else chance.choice(self.originals)

    def edit(self) -> None:
        """Edit some document, as an edit of a range."""
        uri = self.chance.choice(self.uris)
        before = self.editor.texts[uri]
        after = self.good[uri] if self.chance.random() < 0.25 else self.edited(before)  # undo
        if parses(after):
            self.good[uri] = after
        head = 0
        while head < min(len(before), len(after)) and before[head] == after[head]:
            head += 1
        tail = 0
        while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
            tail += 1
        encoding = self.editor.encoding
        end = len(before) - tail
        area = types.Range(position_at(before, head, encoding), position_at(before, end, encoding))
        self.editor.texts[uri] = after
        change = types.TextDocumentContentChangePartial(area, after[head : len(after) - tail])
        self.editor.change(uri, [change])

    def request(self) -> None:
        """Ask for something, and perhaps take that back."""
        uri = self.chance.choice(self.uris)
        spot = types.Position(self.chance.randrange(60), self.chance.randrange(30))
        document = types.TextDocumentIdentifier(uri)
        protocol = self.editor.client.protocol
        if self.chance.random() < 0.6:
            future = protocol.send_request(types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, spot))
        else:
            context = types.CodeActionContext([])
            params = types.CodeActionParams(document, types.Range(spot, spot), context)
            future = protocol.send_request(types.TEXT_DOCUMENT_CODE_ACTION, params)
        if self.chance.random() < 0.5:
            number = next(key for key, value in protocol._request_futures.items() if value is future)
            protocol.notify(types.CANCEL_REQUEST, types.CancelParams(number))
        else:
            self.requests.append(asyncio.wrap_future(future))

    async def compare(self) -> None:
        """Bring every document to a text that parses; the server must say what a fresh analysis says."""
        for uri in self.uris:
            if not parses(self.editor.texts[uri]):
                self.editor.write(uri, self.good[uri])
        await asyncio.gather(*self.requests, return_exceptions=True)
        self.requests.clear()
        overlay = {path: self.editor.texts[uri] for uri, path in self.paths.items()}
        workspace = LiveWorkspace(self.editor.folder, Config(), overlay=overlay)
        workspace.check(list(self.paths.values()))
        for uri, path in self.paths.items():
            shown = await self.editor.diagnostics(uri)
            fresh = [*Workspace(self.editor.folder, Config(), overlay=overlay).check([path]), *workspace.failures(path)]
            mine = sorted((str(d.code), d.range.start.line + 1, d.message) for d in shown)
            theirs = sorted((f.code, f.place.row, str(f.message)) for f in fresh)
            if mine != theirs:
                for other, text in overlay.items():
                    kept = Path("soak-difference") / other.relative_to(self.editor.folder)
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    kept.write_text(text, encoding="utf-8")
                raise AssertionError(f"{uri}: the server says {mine}, a fresh analysis {theirs}")
            self.compared += 1
        self.memory.append(self.rss())

    def rss(self) -> float:
        """Resident memory of the server in MB; 0 where that cannot be told."""
        server = self.editor.client._server
        try:
            status = Path(f"/proc/{server.pid if server else 0}/status").read_text()
        except OSError:
            return 0.0
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    async def run(self, edits: int) -> None:
        """Edit, ask, and compare now and then."""
        for number in range(1, edits + 1):
            self.edit()
            if self.chance.random() < 0.1:
                self.request()
            if self.chance.random() < 0.3:
                await asyncio.sleep(self.chance.choice((0, 0.001, 0.01)))
            if number % CHECKED_EVERY == 0 or number == edits:
                await self.compare()
                print(f"{number} edits, {self.compared} states compared, {self.memory[-1]:.0f} MB", flush=True)
        wrong = [message for message in self.editor.messages if "failed" in message or "handled" in message]
        assert not wrong, wrong
        settled = self.memory[len(self.memory) // 3 :]
        assert settled[-1] <= settled[0] * 1.25 + 10, f"memory grows: {self.memory}"


async def soak(edits: int, documents: int, seed: int, folder: Path) -> Soak:
    """Run one soak with a server of its own."""
    editor = Editor(folder)
    await editor.start([sys.executable, "-m", "autograd_hazards", "server"])
    made = Soak(editor, sources(documents, random.Random(seed)), seed)
    try:
        await made.run(edits)
    finally:
        await editor.stop()
    return made


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=20_000)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(soak(options.edits, options.documents, options.seed, Path(folder).resolve()))
    first, last = made.memory[0], made.memory[-1]
    print(f"{options.edits} edits in {time.time() - began:.0f} s: {made.compared} states as of a fresh analysis, "
          f"{first:.0f} MB at first, {last:.0f} MB at last")  # fmt: skip


if __name__ == "__main__":
    main()
