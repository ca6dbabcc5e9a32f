"""Facts of every torch op: what it saves, writes, returns and lets gradient through.

The data is generated from torch itself by `tools/gen_torchdb.py`; reading it needs no torch. `use_version` selects the
facts of an older torch, `learn` reads those of a newer one from its wheel.

Rows do not know shapes or strides. Where `matmul` broadcasts batches it keeps a copy of the factor it had to expand
(a vector or matrix times a batch: the batch is copied), and `linear` and `matmul` keep a copy of a batched input that
is not contiguous: a later change of that factor goes unnoticed by torch although its row says saved.
"""

from __future__ import annotations

from .database import (
    covered,
    covers,
    function,
    functional,
    is_tensor_attribute,
    knows,
    learn,
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
    "covered",
    "covers",
    "function",
    "functional",
    "is_tensor_attribute",
    "knows",
    "learn",
    "method",
    "module_facts",
    "names",
    "optimizer_facts",
    "scheduler_facts",
    "select",
    "use_version",
    "version",
]
