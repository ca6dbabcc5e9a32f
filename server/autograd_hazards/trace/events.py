"""What went wrong, as plain data: one entry per kind and place, with the chains of everything that took part."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from . import graph
from .frames import Chain
from .graph import Node, Saved
from .memory import Write

if TYPE_CHECKING:
    from .backward import Backward
    from .recorder import Recorder

MARK = "_autograd_hazards_event"  # on an exception: which event it is
MOST = 500  # events of one run
PATH = 60  # nodes of a path that are told


class Events:
    """Collects events. ``found`` is ready for JSON."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.found: list[dict[str, Any]] = []
        self._keys: dict[Any, dict[str, Any]] = {}
        self.on_loud: Callable[[], None] = lambda: None

    def add(self, kind: str, key: Any, where: Chain, error: BaseException | None = None, **data: Any) -> None:
        """Note an event at ``where``; one with the same ``key`` is only counted."""
        known = self._keys.get((kind, key))
        if known is not None:
            known["count"] += 1
            _mark(error, known)
            return
        if len(self.found) >= MOST:
            return
        event = {
            "kind": kind,
            "loud": error is not None,
            "caught": error is not None,
            "count": 1,
            "expected": 0,  # of these, those that a test waited for
            "where": self.places(where),
        }
        if error is not None:
            event["message"] = str(error)[:2000]
        event.update(data)
        self._keys[kind, key] = event
        self.found.append(event)
        _mark(error, event)
        if error is not None:
            self.on_loud()

    def places(self, chain: Chain) -> list[dict[str, Any]]:
        return self.recorder.frames.places(chain)

    def node(self, node: Node) -> dict[str, Any]:
        """A node as data."""
        name = getattr(node.function, "__name__", "")
        return {"op": node.op, "function": name, "at": self.places(node.chain), "module": self._module(node.module)}

    def _module(self, chain: Chain | None) -> Any:
        return self.places(chain) if chain else None

    def write(self, write: Write) -> dict[str, Any]:
        return {
            "op": write.op,
            "cause": write.cause,
            "at": self.places(write.chain),
            "module": self._module(write.module),
            "counted": write.counted,
            "seq": write.seq,
        }

    def saved(self, saved: Saved) -> dict[str, Any]:
        tensor = saved.leaf.ref() if saved.leaf is not None else None
        if tensor is None:
            tensor = self.recorder.parameter_in(saved.memory)
        name = self.recorder.name_of(tensor) if tensor is not None else ""
        return {
            "role": saved.attribute[len("_saved_") :] if saved.attribute.startswith("_saved_") else saved.attribute,
            "leaf": saved.is_leaf,
            "parameter": isinstance(tensor, torch.nn.Parameter),
            "name": name,
            "shape": list(saved.shape),
            "version": saved.version,
        }

    def _route(self, backward: Backward, node: Node) -> dict[str, Any]:
        """The way from a root to ``node``, and how old each step is as seen from this backward."""
        path = graph.path_to(backward.roots, node)
        if len(path) > PATH:
            path = [*path[: PATH - 1], path[-1]]
        return {
            "path": [
                {
                    "op": n.op,
                    "function": getattr(n.function, "__name__", ""),
                    "at": self.places(n.chain)[:4],
                    "seq": n.seq,
                    "age": self.age(n, backward),
                }
                for n in path
            ]
        }

    def age(self, node: Node, backward: Backward) -> str:
        """``now``, ``carried`` (from an earlier iteration of the loop around the backward) or ``before`` (that loop)."""
        calls = self.recorder.calls.get(backward.chain)
        previous = max((seq for seq in calls or () if seq < backward.seq), default=0)
        if node.seq >= previous:
            return "now"
        return "carried" if self.recorder.last_made.get(node.chain, 0) > previous else "before"

    # -- what a backward meets
    def version(self, backward: Backward, node: Node, saved: Saved, write: Write, error: BaseException) -> None:
        self.add(
            "version", (backward.chain, node.chain, write.chain), backward.at, error,
            node=self.node(node), saved=self.saved(saved), write=self.write(write), **self._route(backward, node),
        )  # fmt: skip

    def stale(self, backward: Backward, node: Node, saved: Saved, write: Write) -> None:
        self.add(
            "stale", (backward.chain, node.chain, write.chain), backward.chain,
            node=self.node(node), saved=self.saved(saved), write=self.write(write), **self._route(backward, node),
        )  # fmt: skip

    def freed(self, backward: Backward, node: Node, error: BaseException) -> None:
        first = node.freed
        self.add(
            "freed", (backward.chain, node.chain, first.chain), backward.at, error,
            node=self.node(node), first=self.places(first.chain), first_seq=first.seq, consumed=bool(first.consumed),
            own_roots=not any(r is past() for r in backward.roots for past in first.past), walked=node.walked is first,
            **self._route(backward, node),
        )  # fmt: skip

    # -- what torch refuses at once
    def refused(
        self,
        kind: str,
        error: BaseException,
        name: str,
        args: Any,
        chain: Chain,
        backward: Backward | None = None,
        nodes: list[Node] | None = None,
    ) -> None:
        if getattr(error, MARK, None) is not None:
            return
        recorder = self.recorder
        data: dict[str, Any] = {"op": name}
        tensors = [a for a in args if isinstance(a, torch.Tensor)]
        if tensors:
            tensor = tensors[0]
            made = recorder.made_at(tensor)
            data["made"] = self.places(made) if made else []
            data["shape"] = list(tensor.shape)
            data["name"] = recorder.name_of(tensor)
            data["cuts"] = [{"kind": c.kind, "at": self.places(c.chain)} for c in recorder.cuts.of(tensor)]
            base = tensor._base
            if base is not None:
                built = recorder.made_at(base)
                data["built"] = self.places(built) if built else []
            module = recorder.frames.owner_of_forward()
            if module is not None and module in recorder.modules:
                data["module"] = self.places(recorder.modules[module])
        if kind == "no_grad_graph" and not torch.is_grad_enabled() and recorder.cuts.scope:
            data["switch"] = self.places(recorder.cuts.scope)
        if kind == "inference" and recorder.cuts.inference:
            data["switch"] = self.places(recorder.cuts.inference)
        if nodes:
            function = _custom(nodes, str(error))
            if function is not None:
                data["node"] = self.node(function)
                if function.module:
                    data["module"] = self.places(function.module)
                if function.function is not None:
                    data["function"] = _class(function.function)
        self.add(kind, (chain, name), chain, error, **data)


def _custom(nodes: list[Node], message: str) -> Node | None:
    """The node that an error of a backward names."""
    named = [node for node in nodes if node.op in message]
    if not named and "slope" in message:
        named = [node for node in nodes if node.op.lower().startswith(("leakyrelu", "rrelu", "elu", "celu", "selu"))]
    return max(named, key=lambda node: node.sequence) if named else None


def _class(function: Any) -> dict[str, Any]:
    """Where a custom Function's backward is."""
    code = getattr(getattr(function, "backward", None), "__code__", None)
    if code is None:
        return {"name": function.__name__, "file": "", "row": 0}
    return {"name": function.__name__, "file": os.path.abspath(code.co_filename), "row": code.co_firstlineno}


def _mark(error: BaseException | None, event: dict[str, Any]) -> None:
    if error is not None:
        try:
            setattr(error, MARK, event)
        except AttributeError:  # an exception class with slots
            return
