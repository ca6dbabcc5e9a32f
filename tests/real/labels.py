"""The labelled places of ``labels.json``: where public code has a hazard, and where it only looks like one.

No code is kept here, only where to look and what is to be seen. An entry has the ``repository`` (``owner/name`` on
GitHub), the ``commit``, the ``file`` and its ``line`` (in a notebook the ``cell``, counted from 1, and the line in it),
a ``kind``, the ``rules`` that may say it, the ``verdict`` and one sentence of why.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("labels.json")
HAZARD, ALARM = "hazard", "false alarm"
NEAR = 2  # lines from a hazard within which one of a finding's lines counts
AT = 1  # lines from a false alarm within which a finding accuses it


@dataclass(frozen=True, slots=True)
class Label:
    """One judged place."""

    repository: str
    commit: str
    file: str
    line: int
    cell: int | None
    kind: str
    rules: tuple[str, ...]
    verdict: str
    because: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the analyser said at a place: the codes of the findings there, those that the label names first."""

    label: Label
    codes: tuple[str, ...]

    @property
    def right(self) -> bool:
        """A hazard that is found, a false alarm that is not raised."""
        return bool(self.codes) is (self.label.verdict == HAZARD)


def labels(path: Path = FILE) -> list[Label]:
    """All labelled places."""
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [Label(**{"cell": None, **entry, "rules": tuple(entry["rules"])}) for entry in entries]


def folder_of(root: Path, repository: str) -> Path | None:
    """Where a repository is checked out below ``root``: ``owner__name``, ``owner/name`` or ``name``."""
    owner, name = repository.split("/")
    candidates = (root / f"{owner}__{name}", root / owner / name, root / name)
    return next((folder for folder in candidates if folder.is_dir()), None)


def outcomes(places: Iterable[Label], findings: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Outcome]:
    """What was said at each place. ``findings`` holds findings in the JSON of ``check`` by repository."""
    return [
        Outcome(place, _said(place, findings[place.repository])) for place in places if place.repository in findings
    ]


def _said(place: Label, findings: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    hits = [f["code"] for f in findings if (_found if place.verdict == HAZARD else _accused)(place, f)]
    return tuple(sorted(set(hits), key=lambda code: (code not in place.rules, code)))


def _found(place: Label, finding: Mapping[str, Any]) -> bool:
    parts = [finding, *finding.get("related", ()), *([finding["fails_at"]] if finding.get("fails_at") else ())]
    return any(_at(place, part, finding["filename"], NEAR) for part in parts)


def _accused(place: Label, finding: Mapping[str, Any]) -> bool:
    return finding["severity"] in ("error", "warning") and _at(place, finding, finding["filename"], AT)


def _at(place: Label, part: Mapping[str, Any], filename: str, reach: int) -> bool:
    where = Path(part.get("filename", filename)).as_posix()
    row = part["location"]["row"] if "location" in part else part["row"]
    same_cell = place.cell is None or part.get("cell") == place.cell
    return (where == place.file or where.endswith("/" + place.file)) and same_cell and abs(row - place.line) <= reach


def table(results: Sequence[Outcome]) -> str:
    """Hazards found by kind, false alarms raised, in text."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for outcome in results:
        if outcome.label.verdict == HAZARD:
            total[outcome.label.kind] += 1
            found[outcome.label.kind] += outcome.right
    alarms = [outcome for outcome in results if outcome.label.verdict == ALARM]
    lines = [f"{kind:36} {found[kind]:3} of {count}" for kind, count in sorted(total.items())]
    lines.append(f"hazards found: {sum(found.values())} of {sum(total.values())}")
    lines.append(f"places accused wrongly: {sum(not a.right for a in alarms)} of {len(alarms)}")
    return "\n".join(lines)
