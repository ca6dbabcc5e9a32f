"""Progress bars: iterating one is iterating what it was given."""

from __future__ import annotations

import ast

from .. import attributes
from ..values import Instance, Unknown, Value
from .builtins_lazy import iterator_of
from .registry import ALIASES, Call, Machine, function, lib_class, method, prop

BAR = lib_class(
    "tqdm.tqdm",
    aliases=("tqdm.tqdm_notebook", "fastprogress.master_bar", "fastprogress.progress_bar", "alive_progress.alive_it"),
)
for _name in ("auto", "notebook", "std", "autonotebook", "rich", "asyncio"):
    ALIASES[f"tqdm.{_name}"] = "tqdm"
ALIASES["accelerate.utils.tqdm"] = "tqdm.tqdm"
ALIASES["fastprogress.fastprogress"] = "fastprogress"
ALIASES["tqdm.tqdm.write"] = "tqdm.write"


@method("tqdm.tqdm", "__init__")
def _init(m: Machine, self: Instance, call: Call) -> Value:
    self.data = call.get(0, "iterable")
    self.attrs.update(n=Unknown("count"), total=call.get(2, "total", Unknown("total")))
    return None


@function("tqdm.trange", "tqdm.tnrange")
def _trange(m: Machine, call: Call) -> Value:
    made = Instance(BAR, m.here(call.node))
    made.data = m.session.registry.construct(m, range, Call(call.node, call.args, {}))
    made.attrs.update(n=Unknown("count"), total=Unknown("total"))
    return made


@function("rich.progress.track", "click.progressbar", "mmcv.track_iter_progress")
def _track(m: Machine, call: Call) -> Value:
    return call.get(0, "sequence", call.kwargs.get("iterable"))


@method("tqdm.tqdm", "__iter__")
def _iter(m: Machine, self: Instance, call: Call) -> Value:
    return self.data if isinstance(self.data, range | list | tuple) else iterator_of(m, self.data, call.node)


@method("tqdm.tqdm", "__len__")
def _len(m: Machine, self: Instance, call: Call) -> Value:
    return attributes.length(m, self.data, call.node)


@method("tqdm.tqdm", "__bool__")
def _bool(m: Machine, self: Instance, call: Call) -> Value:
    return True


@prop("tqdm.tqdm", "iterable")
def _iterable(m: Machine, self: Instance, node: ast.AST) -> Value:
    return self.data


@method("tqdm.tqdm", "__enter__")
def _enter(m: Machine, self: Instance, call: Call) -> Value:
    return self


@method(
    "tqdm.tqdm",
    "__exit__",
    "set_description",
    "set_description_str",
    "set_postfix",
    "set_postfix_str",
    "update",
    "close",
    "refresh",
    "reset",
    "clear",
    "display",
    "unpause",
    "moveto",
)
def _nothing(m: Machine, self: Instance, call: Call) -> Value:
    return None


@function("tqdm.write")
def _write(m: Machine, call: Call) -> Value:
    return None
