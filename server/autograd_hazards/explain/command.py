"""The command ``explain``: a traceback from a file or standard input, answered on standard output."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TextIO

from .. import walk
from ..cli import CLEAN, FOUND, UsageError
from ..locales import locale_of_environment, told
from ..messages import say
from ..report import text as report
from ..report.style import style_for
from ..witness.syntax import Sources
from .traceback_explain import Explanation, explain_text
from .traceback_source import Program

STDIN = "-"


def run(options: argparse.Namespace, out: TextIO) -> int:
    """Carry out ``explain``: CLEAN with an answer, FOUND when the text holds no error of autograd.

    Raises UsageError when the file cannot be read.
    """
    text = _text(options.file)
    root = Path(os.path.abspath(options.root)) if options.root is not None else None
    if root is not None and not root.is_dir():
        raise UsageError(say("{name}: no such file or folder", name=options.root))
    answer = explain_text(text, root or _root_for(text), torch_version=options.torch_version)
    if options.output_format == "json":
        out.write(_json(answer))
    else:
        _write(answer, options, out)
    return CLEAN if answer.kind is not None else FOUND


def _text(name: str) -> str:
    if name == STDIN:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(say("{name}: {reason}", name=name, reason=error.strerror or str(error))) from error


def _root_for(text: str) -> Path:
    """The project that the traceback's files belong to, when they are here; else the current folder."""
    from .traceback import read

    here = Program(None)
    paths = [Path(frame.file) for frame in here.locate(read(text).frames)]
    if paths:
        return walk.find_root(paths)[0]
    return Path.cwd()


def _write(answer: Explanation, options: argparse.Namespace, out: TextIO) -> None:
    locale = options.locale or locale_of_environment()
    style = style_for(out, locale=locale)
    out.write(style.paint(style.say(answer.headline()), "bold") + "\n")
    for note in answer.notes():
        out.write(style.say(note) + "\n")
    if answer.finding is not None:
        out.write("\n" + report.render_one(told(answer.finding, style.locale), Sources().lines, style))
    elif answer.where is not None:
        where = answer.where
        out.write(style.say(say("It fails at {file}:{row}.", file=where.file, row=where.row)) + "\n")
    meaning = answer.rule()
    if meaning:
        out.write("\n" + style.say(say("More about it: autograd-hazards rule {code}", code=meaning)) + "\n")


def _json(answer: Explanation) -> str:
    import json

    from ..report.json import to_dict

    content = {
        "kind": answer.kind,
        "error": answer.traceback.error,
        "message": answer.traceback.message,
        "details": answer.traceback.details,
        "meaning": str(answer.headline()),
        "notes": [str(note) for note in answer.notes()],
        "sure": answer.sure,
        "finding": to_dict(answer.finding) if answer.finding is not None else None,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
