"""Facts of every torch op: what it saves, writes, returns and lets gradient through.

The data is generated from torch itself by `tools/gen_torchdb.py`; reading it needs no torch. `use_version` selects the
facts of an older torch.
"""

from __future__ import annotations

from .database import (
    function,
    functional,
    method,
    module_facts,
    names,
    optimizer_facts,
    scheduler_facts,
    use_version,
    version,
)
from .model import ModuleFacts, OptimizerFacts, Overload, Param, SchedulerFacts
from .select import select

__all__ = [
    "ModuleFacts",
    "OptimizerFacts",
    "Overload",
    "Param",
    "SchedulerFacts",
    "function",
    "functional",
    "method",
    "module_facts",
    "names",
    "optimizer_facts",
    "scheduler_facts",
    "select",
    "use_version",
    "version",
]
