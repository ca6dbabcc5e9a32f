"""Reading source files: encoding, byte order mark, line ends, notebooks. Trouble becomes a SourceProblem."""

from __future__ import annotations

import codecs
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from autograd_hazards.messages import Text, say
from autograd_hazards.source.notebook import NotebookError, PositionMap, join_cells

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-A-Za-z0-9_.]+)")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
BOM = "\ufeff"
MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file's text. ``text`` has no byte order mark and keeps its line ends; for a notebook it is the joined code.

    ``newline`` is the line end that edits should use. ``encoding`` is a codec's name to write the file back with.
    """

    path: Path
    text: str
    encoding: str = "utf-8"
    newline: str = "\n"
    bom: bool = False
    kind: str = "python"  # or "notebook"
    positions: PositionMap | None = None  # for a notebook


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """Why a file could not be read: one sentence. ``row`` and ``column`` count from 1."""

    path: Path
    message: Text
    row: int = 1
    column: int = 1


def read_source(path: Path) -> SourceFile | SourceProblem:
    """Read a file as Python reads it. Never raises for a file that is missing, unreadable, binary or undecodable."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe or a device may never end
            folder = stat.S_ISDIR(status.st_mode)
            return SourceProblem(
                path,
                say("This cannot be read as source: it is a folder.")
                if folder
                else say("This cannot be read as source: it is no regular file."),
            )
        if status.st_size > MOST_BYTES:
            return SourceProblem(
                path, say("This file is larger than {size} MB and is not analysed.", size=MOST_BYTES // 1_000_000)
            )
        data = path.read_bytes()
    except OSError as error:
        return SourceProblem(path, say("This file cannot be read: {error}.", error=error.strerror or error))
    except ValueError as error:  # a NUL in the path
        return SourceProblem(path, say("This file cannot be read: {error}.", error=error))
    return decode_source(path, data)


def decode_source(path: Path, data: bytes) -> SourceFile | SourceProblem:
    """Turn a file's bytes into its text, by byte order mark and PEP 263 cookie."""
    bom = data.startswith(codecs.BOM_UTF8)
    if bom:
        data = data[len(codecs.BOM_UTF8) :]
    if b"\0" in data:
        return SourceProblem(path, say("This file holds NUL bytes: it is binary or in UTF-16, not Python source."))
    encoding = "utf-8"
    cookie = _declared(data) if path.suffix != ".ipynb" else None
    if cookie is not None:
        known = _encoding(cookie)
        if known is None:
            return SourceProblem(
                path, say("This file declares the encoding {cookie!r}, which is none for source text.", cookie=cookie)
            )
        if bom and known not in ("utf-8", "utf-8-sig"):
            return SourceProblem(
                path, say("This file starts with a UTF-8 mark but declares the encoding {cookie!r}.", cookie=cookie)
            )
        encoding = known
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        bad = f"{data[error.start]:#04x}"
        message = say(
            "This file is not valid {encoding}: byte {bad} in line {line}.", encoding=encoding, bad=bad, line=row
        )
        return SourceProblem(path, message, row)
    except ValueError as error:  # codecs such as idna say it so
        return SourceProblem(path, say("This file is not valid {encoding}: {error}.", encoding=encoding, error=error))
    return source_from_text(path, text, encoding=encoding, bom=bom)


def source_from_text(
    path: Path, text: str, *, encoding: str = "utf-8", bom: bool = False
) -> SourceFile | SourceProblem:
    """A file's content that is already text (an editor's buffer, standard input). A notebook's is its JSON."""
    if text.startswith(BOM):
        text, bom = text[1:], True
    newline = _newline_of(text)
    if path.suffix == ".ipynb":
        try:
            joined, positions = join_cells(text)
        except NotebookError as error:
            return SourceProblem(path, error.message)
        return SourceFile(path, joined, encoding, newline, bom, "notebook", positions)
    return SourceFile(path, text, encoding, newline, bom)


def _declared(data: bytes) -> str | None:
    """The encoding that one of the first two lines declares (PEP 263)."""
    position = 0
    for _ in range(2):
        end = _LINE_END.search(data, position)
        line = data[position : end.start() if end else len(data)]
        match = _COOKIE.match(line)
        if match:
            return match[1].decode("ascii")
        if end is None or not _BLANK.match(line):
            return None
        position = end.end()
    return None


def _encoding(cookie: str) -> str | None:
    """The codec that a cookie names; None when there is none, or when source cannot be written in it."""
    name = cookie.lower().replace("_", "-")
    for usual in ("utf-8", "latin-1", "iso-8859-1", "iso-latin-1"):
        if name.startswith(usual + "-") and name != "utf-8-sig":  # Emacs says utf-8-unix
            name = usual
    try:
        codec = codecs.lookup(name)
        return codec.name if "# coding".encode(codec.name).endswith(b"# coding") else None
    except (LookupError, ValueError):
        return None


def _newline_of(text: str) -> str:
    """The line end that most lines have."""
    crlf = text.count("\r\n")
    if not crlf and "\r" not in text:
        return "\n"
    lf = text.count("\n") - crlf
    cr = text.count("\r") - crlf
    return max((crlf, "\r\n"), (lf, "\n"), (cr, "\r"))[1]
