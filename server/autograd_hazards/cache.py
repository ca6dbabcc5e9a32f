"""The on-disk cache of findings: what was found from each file, valid while nothing that was read for it changed.

There is one record per file: the hash of its text, the imports that the analysis resolved from it, and the results of
analysing it. A result holds while the file and everything reached from it over those imports is unchanged, and every
import still leads where it led. Records are JSON: a cache that came with somebody's project can be wrong, not harmful.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograd_hazards import __version__
from autograd_hazards.findings import Edit, Finding, Fix, Place, Related
from autograd_hazards.messages import pack, unpack
from autograd_hazards.program.project import Project
from autograd_hazards.whole_file import write_whole

try:
    # The very function that hashlib offers, without the 5 ms that hashlib takes to load OpenSSL.
    from _blake2 import blake2b as blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b as blake2b

FOLDER = ".autograd_hazards_cache"
Edge = tuple[str, int, str | None]
"""An import in a file: the dotted name, the level, and the path of the module it led to (None: not the project's)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What one file's entries gave: findings in any file, and the functions of other files that were called.

    ``hurried`` says that it was a first look that was left early: such a unit is not kept.
    """

    findings: tuple[Finding, ...] = ()
    called: frozenset[str] = frozenset()
    hurried: bool = False


@dataclass(slots=True)
class _Record:
    digest: str
    edges: set[Edge]
    units: dict[str, Unit]
    fresh: bool | None = None  # whether text and imports are still the same; None: not looked at yet
    dirty: bool = False


@dataclass
class Cache:
    """The cache in one folder. ``context`` is whatever else results depend on, such as the torch version."""

    folder: Path
    context: str
    project: Project
    _records: dict[str, _Record | None] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context = "|".join((__version__, _own_state(), sys.version, self.context))

    def get(self, path: Path, called: frozenset[str]) -> Unit | None:
        """The stored result for the entries of ``path``, when it still holds. ``called`` as when it was stored."""
        record = self._record(str(path))
        unit = record.units.get(_key(called)) if record else None
        return unit if unit is not None and self._holds(str(path)) else None

    def put(self, path: Path, called: frozenset[str], unit: Unit, edges: dict[str, set[Edge]]) -> None:
        """Store a result. ``edges`` are the imports resolved so far, by the path of the importing file."""
        for name in closure(str(path), edges):
            record = self._record(name)
            digest = self._digest(name)
            known = edges.get(name, set())
            if record is None or record.digest != digest or not self._fresh(name):
                record = _Record(digest, set(), {}, fresh=True, dirty=True)
                self._records[name] = record
            if not known <= record.edges:
                record.edges |= known
                record.dirty = True
        own = self._records[str(path)]
        assert own is not None
        own.units[_key(called)] = unit
        own.dirty = True

    def save(self) -> None:
        """Write what is new, each record whole or not at all. A folder that cannot be written costs only time."""
        changed = [(name, record) for name, record in self._records.items() if record is not None and record.dirty]
        if not changed:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
            for name, record in changed:
                write_whole(self._file(name), self._encode(name, record))
                record.dirty = False
        except OSError:
            return

    def _holds(self, start: str) -> bool:
        waiting, seen = [start], {start}
        while waiting:
            name = waiting.pop()
            record = self._record(name)
            if record is None or not self._fresh(name):
                return False
            for _, _, target in record.edges:
                if target is not None and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return True

    def _fresh(self, name: str) -> bool:
        record = self._record(name)
        if record is None:
            return False
        if record.fresh is None:
            record.fresh = record.digest == self._digest(name) and self._same_imports(name, record.edges)
        return record.fresh

    def _same_imports(self, name: str, edges: Iterable[Edge]) -> bool:
        if not edges:
            return True
        importer = self.project.module_at(Path(name))
        for imported, level, target in edges:
            module = self.project.resolve(imported, importer, level)
            if (str(module.path) if module else None) != target:
                return False
        return True

    def _digest(self, name: str) -> str:
        digest = self._digests.get(name)
        if digest is None:
            try:
                data = Path(name).read_bytes()
            except OSError:  # gone, or a folder: its being so is what is remembered
                data = b"\0" + os.fsencode(name)
            digest = self._digests[name] = blake2b(data, digest_size=16).hexdigest()
        return digest

    def _file(self, name: str) -> Path:
        return self.folder / f"{blake2b(os.fsencode(name), digest_size=12).hexdigest()}.json"

    def _record(self, name: str) -> _Record | None:
        if name not in self._records:
            self._records[name] = self._read(name)
        return self._records[name]

    def _read(self, name: str) -> _Record | None:
        try:
            data = json.loads(self._file(name).read_bytes())
            if data["context"] != self.context or data["path"] != name:
                return None
            edges = {(str(edge[0]), int(edge[1]), None if edge[2] is None else str(edge[2])) for edge in data["edges"]}
            units = {str(key): _decode_unit(unit) for key, unit in data["units"].items()}
            return _Record(str(data["digest"]), edges, units)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            # Missing, or not something that this version wrote: as if it were not there.
            return None

    def _encode(self, name: str, record: _Record) -> bytes:
        data = {
            "context": self.context,
            "path": name,
            "digest": record.digest,
            "edges": sorted(record.edges, key=repr),
            "units": {key: _encode_unit(unit) for key, unit in record.units.items()},
        }
        return json.dumps(data, separators=(",", ":")).encode()


def closure(start: str, edges: dict[str, set[Edge]]) -> set[str]:
    """The files reached from the file ``start`` over ``edges``, itself included."""
    waiting, seen = [start], {start}
    while waiting:
        for _, _, target in edges.get(waiting.pop(), ()):
            if target is not None and target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def _key(called: frozenset[str]) -> str:
    return blake2b("\n".join(sorted(called)).encode(), digest_size=8).hexdigest() if called else ""


def _own_state() -> str:
    """Changes whenever a file of this package does, so that results of an edited analyser are never reused."""
    newest = count = 0
    waiting = [os.path.dirname(__file__)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                else:
                    count += 1
                    newest = max(newest, entry.stat().st_mtime_ns)
    return f"{count}:{newest}"


def _encode_place(place: Place | None) -> list[Any] | None:
    return None if place is None else [place.filename, place.row, place.column, place.end_row, place.end_column]


def _decode_place(data: list[Any]) -> Place:
    filename, row, column, end_row, end_column = data
    return Place(str(filename), int(row), int(column), int(end_row), int(end_column))


def _encode_unit(unit: Unit) -> dict[str, Any]:
    return {"called": sorted(unit.called), "findings": [_encode_finding(finding) for finding in unit.findings]}


def _decode_unit(data: dict[str, Any]) -> Unit:
    return Unit(tuple(map(_decode_finding, data["findings"])), frozenset(map(str, data["called"])))


def _encode_finding(finding: Finding) -> list[Any]:
    return [
        finding.code,
        finding.name,
        finding.severity,
        _encode_place(finding.place),
        pack(finding.message),
        finding.certainty,
        _encode_place(finding.fails_at),
        [[_encode_place(related.place), pack(related.message), related.role] for related in finding.related],
        [
            [
                pack(fix.title),
                fix.applicability,
                [[_encode_place(edit.place), edit.content] for edit in fix.edits],
                pack(fix.note),
            ]
            for fix in finding.fixes
        ],
    ]


def _decode_finding(data: list[Any]) -> Finding:
    code, name, severity, place, message, certainty, fails_at, related, fixes = data
    return Finding(
        code,
        name,
        severity,
        _decode_place(place),
        unpack(message),
        certainty,
        None if fails_at is None else _decode_place(fails_at),
        tuple(Related(_decode_place(where), unpack(text), role) for where, text, role in related),
        tuple(
            Fix(
                unpack(title),
                kind,
                tuple(Edit(_decode_place(where), content) for where, content in edits),
                unpack(note),
            )
            for title, kind, edits, note in fixes
        ),
    )
