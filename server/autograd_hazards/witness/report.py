"""The report of a run under the recorder, for people."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from ..findings import Finding
from ..locales import locale_of_environment
from ..messages import Text, say
from ..report import text
from ..report.style import style_for
from .syntax import Sources

_UNWATCHED: Mapping[str, Text] = {
    text: text
    for text in (
        say("the inside of compiled functions"),
        say("what is saved under dispatch modes"),
        say("writes to some numpy arrays that share memory with tensors"),
    )
}


def write(
    record: dict[str, Any], findings: Sequence[Finding], sources: Sources, out: TextIO, locale: str | None = None
) -> None:
    """The findings with their stories, and what was and was not watched."""
    style = style_for(out, locale=locale or locale_of_environment())
    if findings:
        out.write(text.render(findings, sources.lines, style))
    seen = {step["file"] for event in record["events"] for step in event["where"]}
    files = len(seen | {finding.place.filename for finding in findings})
    out.write(style.say(say("Backward passes observed: {backwards}.", backwards=record.get("backwards", 0))) + " ")
    out.write(text.summary(findings, max(files, 1), style))
    for what in record.get("unwatched", ()):
        out.write(style.say(say("Not watched: {what}.", what=_UNWATCHED.get(what, what))) + "\n")
    failures = record.get("failures", ())
    if failures:
        message = say("The recorder failed at {count} places; what it saw there is missing.", count=len(failures))
        out.write(style.say(message) + "\n")
        if os.environ.get("AUTOGRAD_HAZARDS_DEBUG"):
            out.writelines(f"  {failure}\n" for failure in failures)
