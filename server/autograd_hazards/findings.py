"""What every layer after the machine speaks: places, findings, fixes. Plain data, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A range of source text. Rows and columns count from 1, columns in characters; the end column is exclusive."""

    filename: str
    row: int
    column: int
    end_row: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """One further place of a finding's story, in the order in which things happen.

    ``role`` says which part it plays: ``built``, ``saved``, ``changed``, ``freed``, ``fails``, ``called``.
    """

    place: Place
    message: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text at ``place`` (empty for an insertion) with ``content``."""

    place: Place
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A mend for a finding. ``applicability`` is ``safe`` (same numbers) or ``unsafe`` (training changes)."""

    title: str
    applicability: str
    edits: tuple[Edit, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One hazard, placed at the line to change.

    ``severity`` is ``error``, ``warning`` or ``information``; ``certainty`` is ``certain``, ``likely`` or ``possible``.
    ``fails_at`` is the line where torch raises, or None when torch stays silent.
    """

    code: str
    name: str
    severity: str
    place: Place
    message: str
    certainty: str
    fails_at: Place | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
