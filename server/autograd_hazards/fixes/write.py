"""Writing mended files: whole or not at all, in the encoding and with the rights that they had."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from autograd_hazards.messages import Text, UserError, say
from autograd_hazards.program.project import Project
from autograd_hazards.source.files import BOM, SourceFile, read_source


class NotWritten(UserError):
    """A file was left as it was; the message says why."""


def write(project: Project, path: Path, text: str) -> None:
    """Put ``text`` in the place of the file that ``project`` has read. Raises NotWritten.

    Whoever reads the file meanwhile, or whenever the process is killed, finds either the old content or the new one.
    """
    known = project.module_at(path).source
    now = read_source(path)
    if not isinstance(known, SourceFile) or not isinstance(now, SourceFile):
        raise NotWritten(say("it can no longer be read"))
    if now != known:
        raise NotWritten(say("it has changed since it was analysed"))
    try:
        data = ((BOM if now.bom else "") + text).encode(now.encoding)
    except (UnicodeEncodeError, LookupError) as error:
        raise NotWritten(say("the new text cannot be written in {encoding}", encoding=now.encoding)) from error
    try:
        replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        reason = error.strerror
        raise NotWritten(reason if isinstance(reason, Text) else say("{error}", error=reason or error)) from error


def replace(path: Path, data: bytes) -> None:
    """Replace the content of a file in one step. Raises OSError; the file is then what it was."""
    status = path.stat()
    if not status.st_mode & stat.S_IWUSR:
        raise PermissionError(0, say("it is write-protected"))
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, stat.S_IMODE(status.st_mode))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
