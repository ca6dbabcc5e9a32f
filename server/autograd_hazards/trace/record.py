"""What a recording found, written as JSON."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import torch

VERSION = 1


def to_dict(recording: Any) -> dict[str, Any]:
    """The record: events with everything that took part, and what was not watched."""
    recorder = recording.recorder
    return {
        "version": VERSION,
        "torch": str(torch.__version__),
        "python": sys.version.split()[0],
        "command": list(sys.argv),
        "folder": recording.folder,
        "events": recorder.events.found,
        "unwatched": sorted(recorder.unwatched),
        "failures": recorder.failures,
        "nodes": recorder.graphs.count,
        "backwards": recorder.ledger.backwards,
    }


def write(path: str, recording: Any) -> None:
    """Write the record in one step."""
    beside = f"{path}.{os.getpid()}.part"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(to_dict(recording), file)
    os.replace(beside, path)
