"""What the analyser is known to get wrong on the corpus, with reasons. A listed entry that starts to pass fails."""

from __future__ import annotations

MISSES: dict[str, str] = {}
"""Case name → why its hazard is not found."""

FALSE_ALARMS: dict[str, str] = {}
"""Program name (``case/fixed`` or ``negatives/name``) → why a right program is accused."""
