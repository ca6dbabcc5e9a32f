"""Find a sample call for every bound ATen op and keep it in `torchdb_recipes.json` (known recipes stay as they are).

Run by hand when a new torch brings new ops: `python tools/torchdb_search.py`. Each search runs in a forked child, since
arguments made by chance crash some kernels.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torchgen.model import NativeFunction

import torchdb_native
import torchdb_probe
import torchdb_values

RECIPES = Path(__file__).with_name("torchdb_recipes.json")
SKIPPED = re.compile(
    r"cudnn|miopen|mkldnn|quantiz|fbgemm|sparse|_copy$|xnnpack|nested|^q_|^is_|fake_quant|resize|^rename|named|align_"
    r"|^set_|dequant|int_repr|values|col_ind|row_ind|^_|(^|_)crow|ccol|from_file|^to_|hspmm|sspaddmm|refine_names|retain_grad"
)
SECONDS = 3.0


def native_call(function: NativeFunction) -> torchdb_probe.Call:
    """A call of the ATen overload itself with arguments by name."""
    packet = getattr(torch.ops.aten, str(function.func.name.name))
    overload = getattr(packet, function.func.name.overload_name or "default")
    return lambda given: overload(**given)


def is_listed(function: NativeFunction) -> bool:
    """Whether the op returns one list of tensors."""
    return len(function.func.returns) == 1 and "[]" in str(function.func.returns[0].type)


def schema_parameters(function: NativeFunction) -> list[tuple[str, str, str | None]]:
    """(name, kind code, default) of every argument but the out ones."""
    out = function.func.arguments.out
    return [
        (a.name, torchdb_native.kind_code(str(a.type)), torchdb_native._default(a))
        for a in function.func.schema_order_arguments()
        if a not in out
    ]


def accepts(call: torchdb_probe.Call, writes: list[str], listed: bool, differentiable: bool) -> torchdb_values.Accepts:
    """Rates arguments: 0 refused, 1 runs, 2 runs with its backward (or has none)."""

    def rate(values: Mapping[str, Any]) -> int:
        needs = frozenset(k for k, v in values.items() if torchdb_probe.can_require_grad(v))
        try:
            run = torchdb_probe.forward(call, values, needs, writes, listed)
        except Exception:  # noqa: BLE001 - any refusal of a random call is an answer
            return 0
        if not run.differentiable():
            return 1 if differentiable else 2
        try:
            torchdb_probe._backward(run)
        except Exception:  # noqa: BLE001
            return 1
        return 2

    return rate


Task = Callable[[], tuple[torchdb_values.Recipe | None, int]]


def in_children(tasks: list[tuple[str, Task]]) -> Iterator[tuple[str, Any]]:
    """The result of every task, run in a forked child; a task that kills its child gives None, the rest a new child."""
    position = 0
    while position < len(tasks):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            for name, task in tasks[position:]:
                signal.alarm(int(SECONDS * 3))
                os.write(writing, json.dumps([name, task()]).encode() + b"\n")
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as lines:
            for line in lines:
                yield tuple(json.loads(line))
                position += 1
        os.waitpid(child, 0)
        if position < len(tasks):
            yield tasks[position][0], None
            position += 1


def main() -> int:
    torch.set_num_threads(1)
    torchdb_values.make("f3,3")  # the first call loads much; the children inherit it
    known: dict[str, dict[str, str]] = json.loads(RECIPES.read_text()) if RECIPES.exists() else {}
    native = torchdb_native.load()
    wanted: dict[str, NativeFunction] = {}
    for groups in native.bindings.values():
        for overloads in groups.values():
            for group in overloads:
                wanted[str(group.base.func.name)] = group.base
    tasks: list[tuple[str, Task]] = []
    for name, function in sorted(wanted.items()):
        types = [str(a.type) for a in function.func.schema_order_arguments()]
        if name in known or SKIPPED.search(name) or any("Dimname" in t or "Stream" in t for t in types):
            continue
        inplace = str(function.func.name.name).endswith("_")
        has_formula = name in native.saved or function.has_composite_implicit_autograd_kernel or inplace
        rate = accepts(native_call(function), torchdb_native.writes_of(function), is_listed(function), has_formula)

        def task(name: str = name, function: NativeFunction = function, rate: torchdb_values.Accepts = rate) -> Any:
            until = time.monotonic() + SECONDS
            return torchdb_values.search(schema_parameters(function), rate, name, deadline=until)

        tasks.append((name, task))
    missing = []
    for name, result in in_children(tasks):
        if result is None or not result[1]:
            missing.append(name + ("!" if result is None else ""))
            continue
        known[name] = result[0]
        print(name, result[1], flush=True)
    lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(known.items()))
    RECIPES.write_text("{\n" + lines + "\n}\n")
    print("no sample:", " ".join(missing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
