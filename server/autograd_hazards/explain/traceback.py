"""Reads a pasted traceback: the error, the frames, and what anomaly detection adds.

Understood are tracebacks of Python, IPython and Jupyter (old and new), pytest and rich, and logs in which every line has a
prefix (ranks, processes, times), with or without ANSI colours. Lines are searched, not matched from their start, so
that a prefix does no harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..trace.kinds import details_of, kind_of, kind_of_cut

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*(?:\x07|\x1b\\)")
# `File "train.py", line 12, in main`
_PYTHON = re.compile(r'File "(?P<file>[^"]+)", line (?P<row>\d+)(?:, in (?P<function>[^\r\n]+?))?\s*$')
# `File ~/train.py:12, in main(args)` and `/x/train.py:12, in main(args)` (IPython 8)
_IPYTHON = re.compile(r"(?:^|\s)File (?P<file>[^\s:\"][^:\"]*):(?P<row>\d+)(?:, in (?P<function>[\w.<>]+))?")
# `Cell In[5], line 12, in train(model)`, `Input In [5], in <cell line: 3>()`
_CELL = re.compile(
    r"(?P<file>(?:Cell )?In(?:put In)? ?\[\d+\])(?:, line (?P<row>\d+))?(?:, in (?P<function>[\w.<>]+|<cell line: (?P<cell>\d+)>))?"
)
# `<ipython-input-5-abc> in train(model)`, `~/train.py in main()` (IPython 7), then `---> 12     code`
_OLD = re.compile(
    r"^\s*(?P<file><ipython-input-[^>]+>|[~/.\w][^\s:]*\.py) in (?P<function>[\w.<>]+|<cell line: \d+>)(?:\(.*\))?\s*$"
)
# `│ /home/me/train.py:31 in main   │`, then `│ ❱ 31     code   │` (rich)
_RICH = re.compile(r"^[│|]\s+(?P<file>\S.*?\.py):(?P<row>\d+) in (?P<function>[\w.<>]+)\s*[│|]?\s*$")
_MARKED = re.compile(r"^[│|]\s*❱\s*(?P<row>\d+)\s(?P<code>.*?)\s*[│|]?\s*$")
_ARROW = re.compile(r"^\s*-+>\s*(?P<row>\d+)\s(?P<code>.*)$")
# `train.py:12: RuntimeError` and `train.py:12:` (pytest)
_PYTEST = re.compile(
    r"(?:^|\s)(?P<file>[^\s:]+\.py):(?P<row>\d+):(?: (?P<function>in \w+)| \w+(?:Error|Exception)|\s*$)"
)
_ERROR = re.compile(
    r"(?:^|[\s|:\]>])(?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning))\s*:\s*(?P<message>.*)$"
)
_DETECTED = re.compile(r"Error detected in (?P<op>[\w:]+)\.")
_FORWARD = re.compile(r"Traceback of forward call that (?:caused|induced) the (?:error|previous calculation)")
_START = re.compile(r"Traceback \(most recent call last\)")


@dataclass(frozen=True, slots=True)
class Place:
    """One frame of a traceback. ``code`` is the line of code that it shows, if it shows one."""

    file: str
    row: int
    function: str = ""
    code: str = ""


@dataclass(slots=True)
class Traceback:
    """What a text says. ``kind`` is one of ``trace.kinds``, or None when the text holds no error of autograd."""

    kind: str | None
    error: str = ""
    message: str = ""
    frames: list[Place] = field(default_factory=list)  # outermost first
    forward: list[Place] = field(default_factory=list)  # of the op that failed, from anomaly detection
    op: str = ""  # the op whose backward failed, from anomaly detection
    details: dict[str, Any] = field(default_factory=dict)


def read(text: str) -> Traceback:
    """Read a text. The last error of autograd in it counts, with the frames that lead to it."""
    lines = [line.replace("\u00a0", " ").rstrip() for line in _ANSI.sub("", text).replace("\r\n", "\n").split("\n")]
    where, error, message = _find_error(lines)
    kind = kind_of(message) or kind_of_cut(message) if where is not None else kind_of(" ".join(lines))
    if where is None:
        found = Traceback(kind, "", _around(lines, kind))
        found.frames = _frames(lines)
    else:
        found = Traceback(kind, error, message)
        found.frames = _frames(lines[_start_of(lines, where) : where]) or _frames(lines[where:])
        trailing = [frame for line in lines[where:] if (frame := _pytest(line)) is not None]
        if trailing and not any(frame.row == trailing[-1].row for frame in found.frames):
            found.frames.append(trailing[-1])
    found.details = details_of(message if where is not None else " ".join(lines))
    _anomaly(lines, found)
    return found


def _find_error(lines: list[str]) -> tuple[int | None, str, str]:
    """The last line that names an error of autograd: its index, the error's class, its message in full."""
    best: tuple[int | None, str, str] = (None, "", "")
    for index, line in enumerate(lines):
        match = _ERROR.search(line)
        if match is None or "UserWarning: Error detected" in line:
            continue
        message = match["message"]
        for extra in lines[index + 1 : index + 12]:  # messages may be wrapped
            bare = _bare(extra)
            if not bare or _ERROR.search(extra) or _PYTHON.search(extra) or _START.search(extra):
                break
            message += " " + bare
        whole = (kind_of(match["message"]) or kind_of(message)) is not None
        if whole or kind_of_cut(match["message"]) is not None:
            if best[0] is not None and (match["type"].endswith("Warning") or not whole):
                continue
            best = (index, match["type"], message)
    return best


def _bare(line: str) -> str:
    """A line without the prefixes of logs and of pytest."""
    return re.sub(
        r"^(?:\[(?!\w[\w.]*\s*\[)[^\]]*\](?:<\w+>)?:?\s*|\(\w[^)]*pid=\d+[^)]*\)\s*|E\s{2,}|\|\s|\w+\d+:\s)+", "", line
    ).strip()


def _around(lines: list[str], kind: str | None) -> str:
    if kind is None:
        return ""
    found = next((line for line in lines if kind_of(line) == kind), "")
    return _bare(found) or " ".join(" ".join(lines).split())[:500]


def _start_of(lines: list[str], end: int) -> int:
    """Where the traceback that ends at a line begins."""
    for index in range(end - 1, -1, -1):
        if _START.search(lines[index]):
            return index
    return 0


def _frames(lines: list[str]) -> list[Place]:
    """The frames in some lines, in their order."""
    found: list[Place] = []
    header: tuple[str, str] | None = None  # of an IPython frame whose row is at an arrow
    for index, line in enumerate(lines):
        if _FORWARD.search(line):
            return found
        match = _PYTHON.search(line) or _IPYTHON.search(line)
        if match is not None:
            code = _code_below(lines, index, match["file"])
            found.append(Place(match["file"], int(match["row"]), (match["function"] or "").strip(), code))
            header = match["file"], match["function"] or ""
            continue
        cell = _CELL.search(line)
        if cell is not None:
            row = cell["row"] or cell["cell"]
            if row is not None:
                found.append(Place(cell["file"], int(row), cell["function"] or "", ""))
            header = cell["file"], cell["function"] or ""
            continue
        old = _OLD.search(line)
        if old is not None:
            header = old["file"], old["function"]
            continue
        rich = _RICH.search(line)
        if rich is not None:
            found.append(Place(rich["file"], int(rich["row"]), rich["function"]))
            continue
        marked = _MARKED.search(line)
        if marked is not None and found and found[-1].row == int(marked["row"]):
            code = marked["code"].lstrip("│ ")
            found[-1] = Place(found[-1].file, found[-1].row, found[-1].function, code)
            continue
        arrow = _ARROW.search(line)
        if arrow is not None and header is not None:
            place = Place(header[0], int(arrow["row"]), header[1], arrow["code"].strip())
            if found and found[-1].file == place.file and found[-1].row == place.row:
                found[-1] = Place(place.file, place.row, found[-1].function or place.function, place.code)
            else:
                found.append(place)
            continue
        plain = _pytest(line)
        if plain is not None:
            found.append(plain)
    return found


def _pytest(line: str) -> Place | None:
    match = _PYTEST.search(line)
    return Place(match["file"], int(match["row"])) if match is not None and "UserWarning" not in line else None


def _code_below(lines: list[str], index: int, file: str) -> str:
    """The line of code that Python shows below a frame."""
    if index + 1 >= len(lines):
        return ""
    line = lines[index + 1]
    prefix = lines[index].partition("File ")[0]
    bare = line[len(prefix) :] if line.startswith(prefix.rstrip()) else line
    bare = _bare(bare)
    if _PYTHON.search(line) or _ERROR.search(line) or re.fullmatch(r"[\^~\s]*", bare):
        return ""
    return bare


def _anomaly(lines: list[str], found: Traceback) -> None:
    """What anomaly detection says: which op failed, and where its forward ran."""
    for index, line in enumerate(lines):
        detected = _DETECTED.search(line)
        if detected is not None:
            found.op = detected["op"]
        if _FORWARD.search(line):
            block: list[str] = []
            for following in lines[index + 1 :]:
                if "(Triggered internally" in following or _START.search(following) or _ERROR.search(following):
                    break
                block.append(following)
            found.forward = _frames(block)
