"""What the analyser is known to get wrong on the corpus, with reasons. A listed entry that starts to pass fails."""

from __future__ import annotations

MISSES: dict[str, str] = {
    "adapter-blocks-under-reentrant-checkpoint": "AGH502 is not written yet",
    "clipping-helper-exhausts-parameter-generator": "AGH604 is not written yet",
    "last-parameter-group-never-appended": "AGH603 is not written yet",
    "network-instantiated-again-before-training-loop": "AGH602 is not written yet",
}
"""Case name → why its hazard is not found."""

FALSE_ALARMS: dict[str, str] = {}
"""Program name (``case/fixed`` or ``negatives/name``) → why a right program is accused."""
