"""Explains a pasted traceback: what happened, in which lines of the program, how to mend it, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..findings import Finding
from ..locales import ENGLISH, told, translate
from ..messages import Text, say
from . import traceback_match as matching
from .traceback import Place, Traceback, read
from .traceback_meaning import MEANINGS, UNKNOWN
from .traceback_source import Program

SURE = {
    matching.CERTAIN: say("The lines and the message agree with this finding."),
    matching.LIKELY: say("This finding fits the traceback, but not in every respect."),
    matching.POSSIBLE: say(
        "This finding is of the right kind, but the traceback does not lead to it: take it as a guess."
    ),
}
NO_SOURCE = say("None of the traceback's files is at hand, so this is what the message means in general.")
NO_MATCH = say("The analysis of the program finds nothing of this kind, so this is what the message means in general.")


@dataclass(slots=True)
class Explanation:
    """The answer to a traceback. ``sure`` is ``certain``, ``likely``, ``possible``, or empty without a finding."""

    traceback: Traceback
    finding: Finding | None = None
    sure: str = ""
    where: Place | None = None  # the user's line that fails
    located: bool = False  # some file of the traceback is at hand

    @property
    def kind(self) -> str | None:
        return self.traceback.kind

    def headline(self) -> Text:
        """What the error means, in a sentence."""
        meaning = MEANINGS.get(self.kind or "")
        return meaning.says if meaning is not None else UNKNOWN

    def rule(self) -> str:
        """The code of the rule whose page tells more; empty when there is none."""
        if self.finding is not None:
            return self.finding.code
        meaning = MEANINGS.get(self.kind or "")
        return meaning.rule if meaning is not None else ""

    def notes(self) -> list[Text]:
        """How sure the answer is, what the message tells of the tensor, and what to look for."""
        found: list[Text] = []
        details = self.traceback.details
        if self.kind == "version" and "shape" in details:
            shape = "[" + ", ".join(str(n) for n in details["shape"]) + "]"
            if "op" in details and "version" in details:
                found.append(
                    say(
                        "The tensor has the shape {shape} and was made by `{op}`; it was saved at version {expected} and is at version {version} now.",
                        shape=shape, op=details["op"], expected=details["expected"], version=details["version"],
                    )
                )  # fmt: skip
            elif "version" in details:
                found.append(
                    say(
                        "The tensor has the shape {shape}; it was saved at version {expected} and is at version {version} now.",
                        shape=shape, expected=details["expected"], version=details["version"],
                    )
                )  # fmt: skip
        if self.traceback.op:
            found.append(say("Anomaly detection names `{op}` as the op whose backward fails.", op=self.traceback.op))
        if self.sure:
            found.append(SURE[self.sure])
            return found
        if self.kind is not None:
            found.append(NO_MATCH if self.located else NO_SOURCE)
            meaning = MEANINGS.get(self.kind)
            if meaning is not None:
                found.append(meaning.look)
        return found

    def markdown(self, locale: str = ENGLISH) -> str:
        """The answer as Markdown, for editors."""
        parts = [f"**{translate(self.headline(), locale)}**"]
        if self.finding is not None:
            finding = told(self.finding, locale)
            parts.append(f"`{finding.code}` {finding.message}")
            steps = [
                f"{number}. `{Path(step.place.filename).name}:{step.place.row}` {step.message}"
                for number, step in enumerate(finding.related, 1)
            ]
            if steps:
                parts.append("\n".join(steps))
            fixes = "\n".join(f"- {fix.title}" for fix in finding.fixes)
            if fixes:
                parts.append(translate(say("Fixes:"), locale) + "\n" + fixes)
        parts += [translate(note, locale) for note in self.notes()]
        return "\n\n".join(parts) + "\n"


def explain_text(
    text: str,
    root: Path | None,
    overlay: Mapping[Path, str] | None = None,
    *,
    entry: Path | None = None,
    torch_version: str | None = None,
    with_fixes: bool = True,
) -> Explanation:
    """Explain the traceback (or log) ``text`` with the program below ``root``.

    ``overlay`` holds texts that stand for files. ``entry`` is the program to look at when the text names no file that
    is at hand. Never raises for what the text or the program contains.
    """
    traceback = read(text)
    program = Program(root, overlay)
    frames = program.locate(traceback.frames)
    forward = program.locate(traceback.forward)
    answer = Explanation(traceback, where=frames[-1] if frames else None, located=bool(frames))
    if traceback.kind is None or not (frames or entry):
        return answer
    paths = matching.entries(frames) or ([entry] if entry is not None else [])
    best: matching.Match | None = None
    for path in paths[:4]:
        match = _match(traceback, frames, forward, root or path.parent, overlay, path, torch_version)
        if match is not None and (best is None or match.score > best.score):
            best = match
        if best is not None and best.sure == matching.CERTAIN:
            break
    if best is not None:
        answer.finding, answer.sure = best.finding, best.sure
        if with_fixes:
            answer.finding = _with_fixes(best, root, overlay, paths, torch_version)
    return answer


def _match(
    traceback: Traceback,
    frames: Sequence[Place],
    forward: Sequence[Place],
    root: Path,
    overlay: Mapping[Path, str] | None,
    path: Path,
    torch_version: str | None,
) -> matching.Match | None:
    from .. import machine, rules
    from ..program.project import Project

    project = Project([root, path.parent], dict(overlay or {}))
    analysis = machine.analyse(project, [path], torch_version=torch_version)
    return matching.choose(traceback, frames, forward, rules.pairs(analysis))


def _with_fixes(
    best: matching.Match,
    root: Path | None,
    overlay: Mapping[Path, str] | None,
    paths: Sequence[Path],
    torch_version: str | None,
) -> Finding:
    """The finding with the fixes that can be offered for it."""
    from ..fixes import Trial, fixes_of
    from ..fixes.table import KINDS
    from ..program.project import Project

    finding = best.finding
    if finding.code not in KINDS:
        return finding
    for path in paths[:2]:
        project = Project([root or path.parent, path.parent], dict(overlay or {}))
        state = Trial(project, [path], frozenset(), torch_version)
        event = next((event for f, event in state.pairs if (f.code, f.place) == (finding.code, finding.place)), None)
        if event is not None:
            return replace(finding, fixes=tuple(fixes_of(state, finding, event)))
    return finding
