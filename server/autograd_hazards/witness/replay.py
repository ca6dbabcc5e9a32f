"""Makes of a recorded event the event that the abstract machine would have reported, so that the rules can read it."""

from __future__ import annotations

import ast
import re
from types import SimpleNamespace
from typing import Any

from ..machine.events import Event
from ..machine.frames import Frame, Loops, Site, Trace
from ..machine.tensor import Node, Tensor
from .syntax import Located, Sources, start_of

_LAYERS = {
    "addmm": "linear", "mm": "matmul", "bmm": "matmul", "mv": "matmul", "native_batch_norm": "batch_norm", "native_layer_norm": "layer_norm",
    "native_group_norm": "group_norm", "native_dropout": "dropout", "convolution": "conv", "mkldnn_convolution": "conv", "slow_conv2d": "conv",
    "log_softmax": "log_softmax", "max_pool2d_with_indices": "max_pool2d", "mkldnn_rnn_layer": "lstm", "copy_slices": "an indexed write",
    "embedding": "embedding", "nll_loss": "cross_entropy", "leaky_relu": "leaky_relu", "scaled_dot_product_attention": "scaled_dot_product_attention",
}  # fmt: skip
# Iterations around a place, as seen from a backward: the loop is number 1, ``now`` its second iteration.
_NOW: Loops = ((1, 1),)
_AGES: dict[str, Loops] = {"now": _NOW, "carried": ((1, 0),), "before": ()}


def op_name(name: str) -> str:
    """What people call the op of a grad_fn: ``LeakyReluBackward0`` → ``leaky_relu``."""
    bare = re.sub(r"Backward\d*$", "", name.rpartition("::")[2])
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", bare).lower()
    return _LAYERS.get(snake, snake)


def write_name(name: str) -> str:
    """The machine's name for what wrote: ``__setitem__`` → ``setitem``, ``__iadd__`` → ``add_``."""
    match = re.fullmatch(r"__i(\w+)__", name)
    if match:
        return match[1] + "_"
    return name.strip("_") if name.startswith("__") else name


class Replay:
    """Turns recorded events into machine events."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._frames: dict[Any, Frame] = {}

    def trace(self, chain: list[Located], loops: Loops = _NOW) -> Trace:
        """A recorded chain of calls as a trace of the machine."""
        caller: Frame | None = None
        call: ast.AST | None = None
        key: tuple[Any, ...] = ()
        frame: Frame | None = None
        node: ast.AST | None = None
        for place in reversed(chain):
            key = (*key, place["file"], place["function"])
            frame = self._frames.get(key)
            if frame is None:
                module: Any = SimpleNamespace(path=place["file"])
                frame = self._frames[key] = Frame(module, None, None, caller, call, {})
            node = self.sources.node(place)
            key = (*key, place["row"], place["column"])
            caller, call = frame, node
        assert frame is not None and node is not None
        made = Trace(frame, node, loops)
        made.stmt = self.sources.statement(chain[0]["file"], node)
        return made

    def event(self, record: dict[str, Any]) -> Event | None:
        """The machine's event for a recorded one; None when nothing is known of where it happened."""
        if not record["where"]:
            return None
        make = getattr(self, "_" + record["kind"], None)
        where = self.trace(record["where"])
        data = make(record, where) if make is not None else self._plain(record, where)
        if data is None:
            return None
        event = Event(data.pop("kind", record["kind"]), where, record["loud"], (), data)
        event.caught = record["caught"]
        return event

    # -- values
    def tensor(self, chain: list[Located] | None, where: Trace, name: str = "", loops: Loops = _NOW) -> Tensor:
        """A tensor made at ``chain``, with the name that it gets there."""
        made = Tensor(self.trace(chain, loops) if chain else where)
        made.label = name
        if chain and not name:
            self._bind(made, chain, loops)
        return made

    def _bind(self, tensor: Tensor, chain: list[Located], loops: Loops) -> None:
        for depth, statement, name, stored in self.sources.bindings(chain):
            trace = self.trace(chain[depth:], loops)
            trace = Trace(trace.frame, statement, loops)
            if stored:
                tensor.stored = trace
                tensor.assigned = tensor.assigned or name
            else:
                tensor.bound = trace
                tensor.assigned = (
                    name or tensor.assigned
                )  # the last name, as in the machine: the callers' after the callee's

    def node(self, record: dict[str, Any], loops: Loops = _NOW) -> Node:
        """A graph node with the tensor that it gave."""
        chain = record["at"]
        if loops != _NOW:
            # An older value: a person looks for it where it got the name that it was kept by.
            chain = chain[max((depth for depth, *_ in self.sources.bindings(chain)), default=0) :]
        trace = self.trace(chain, loops)
        node = Node(record["function"] or op_name(record["op"]), trace, record.get("seq", 0), [], True)
        output = Tensor(trace)
        output.grad_fn = node
        self._bind(output, record["at"], loops)
        node.outputs = [output]
        if record.get("module"):
            node.module = SimpleNamespace(site=self.trace(record["module"]))
        return node

    def _path(self, record: dict[str, Any]) -> tuple[list[Node], Any]:
        """The way from the failing backward's root to the failing node, and that backward."""
        steps = [step for step in record["path"] if step["at"]]
        nodes = [self.node(step, _AGES[step["age"]]) for step in steps]
        for above, below in zip(nodes, nodes[1:], strict=False):
            above.edges = [below]
        root = Tensor(nodes[0].trace) if nodes else None
        if root is not None:
            root.grad_fn = nodes[0]
        return nodes, SimpleNamespace(roots=[root] if root is not None else [], consumed=[])

    # -- events of a backward
    def _version(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        nodes, backward = self._path(record)
        node = nodes[-1] if nodes else self.node(record["node"])
        if record["node"].get("module"):
            node.module = SimpleNamespace(site=self.trace(record["node"]["module"]))
        saved, write = record["saved"], record["write"]
        changed = self.trace(write["at"])
        if write["cause"] == "numpy":
            changed = Trace(changed.frame, self.sources.array_write(write["at"][0]["file"], changed.node), _NOW)
        tensor = Tensor(node.trace)
        tensor.label = saved["name"] or self._name_of_saved(record)
        tensor.is_param = saved["parameter"]
        mutation = SimpleNamespace(
            cause=write["cause"], op=write_name(write["op"]), trace=changed, bump=write["counted"], seq=write["seq"],
            module=SimpleNamespace(site=self.trace(write["module"])) if write["module"] else None,
        )  # fmt: skip
        output = saved["role"].startswith("result") or saved["role"] in ("output", "grid")
        node.walked = None
        return {
            "node": node,
            "saved": SimpleNamespace(tensor=tensor, role=saved["role"], is_output=output),
            "built": node.trace,
            "changed": changed,
            "mutation": mutation,
            "backward": backward,
        }

    _stale = _version

    def _name_of_saved(self, record: dict[str, Any]) -> str:
        """The name of a saved tensor: of a saved result what it was assigned to, else what the write names."""
        if record["saved"]["role"].startswith("result"):
            for _, _, name, _ in self.sources.bindings(record["node"]["at"]):
                return name
        node = self.sources.node(record["write"]["at"][0])
        target: ast.AST = node
        if isinstance(node, ast.AugAssign):
            target = node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            target = node.func.value
        while isinstance(target, ast.Subscript | ast.Attribute) and (
            isinstance(target, ast.Subscript) or target.attr == "data"
        ):
            target = target.value
        return ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else ""

    def _freed(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        nodes, backward = self._path(record)
        node = nodes[-1] if nodes else self.node(record["node"])
        first = self.trace(record["first"])
        earlier = SimpleNamespace(
            roots=[] if record["own_roots"] else backward.roots, consumed=["step"] if record["consumed"] else [],
            executed=set(nodes), trace=first, seq=record["first_seq"],
        )  # fmt: skip
        node.walked = earlier
        return {"node": node, "built": node.trace, "first": first, "backward": backward, "earlier": earlier}

    # -- what torch refuses at once
    def _plain(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        made = record.get("made") or None
        tensor = self.tensor(made, where, record.get("name", ""))
        if not tensor.name:
            tensor.label = _receiver(where.node)
        data: dict[str, Any] = {
            "tensor": tensor,
            "made": tensor.created,
            "built": self.trace(record["built"]) if record.get("built") else tensor.created,
            "op": write_name(record.get("op", "")),
            "cuts": self._cuts(record),
            "switch": self.trace(record["switch"]) if record.get("switch") else None,
            "module": SimpleNamespace(site=self.trace(record["module"])) if record.get("module") else None,
            "node": self.node(record["node"]) if record.get("node") else None,
            "first": self.trace(record["first"]) if record.get("first") else where,
        }
        if data["node"] is not None:
            data["built"] = data["node"].trace
        return data

    def _cuts(self, record: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(
            SimpleNamespace(kind=cut["kind"], trace=self.trace(cut["at"]))
            for cut in record.get("cuts", ())
            if cut["at"]
        )

    def _wrt(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        return {**self._plain(record, where), "kind": "no_grad_graph", "wrt": True}

    def _gradient_count(self, record: dict[str, Any], where: Trace) -> dict[str, Any] | None:
        counts = re.search(r"expected (\d+), got (\d+)", record["message"])
        function = record.get("function")
        if counts is None or function is None:
            return None
        tree = self.sources.tree(function["file"])
        found = next(
            (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "backward"
             and start_of(n) <= function["row"] <= (n.end_lineno or n.lineno)),
            None,
        ) if tree is not None else None  # fmt: skip
        cls = SimpleNamespace(
            attrs={"backward": SimpleNamespace(node=found)} if found is not None else {},
            module=SimpleNamespace(path=function["file"]), name=function["name"],
        )  # fmt: skip
        node = self.node(record["node"]) if record.get("node") else None
        return {
            "kind": "wrong_gradient_count", "function": cls, "expected": int(counts[1]), "given": int(counts[2]),
            "built": node.trace if node is not None else where,
        }  # fmt: skip

    # -- gradients
    def _gradients_not_cleared(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        tensor = Tensor(self.trace(record["made"]) if record.get("made") else where)
        tensor.label = record["name"]
        return {
            "tensor": tensor, "first": self.trace(record["first"]), "second": self.trace(record["second"]),
            "earlier": self.trace(record["earlier"]) if record.get("earlier") else None, "step": where, "sure": record.get("sure", True),
        }  # fmt: skip

    _foreign_gradients = _gradients_not_cleared

    def _parameters_cut_off(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        tensor = Tensor(where)
        tensor.label = record["name"]
        return {"cut_kind": record["cut_kind"], "step": self.trace(record["step"]), "tensor": tensor, "source": tensor}

    def _chains(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        """An event whose data are places and a tensor with a name."""
        tensor = Tensor(self.trace(record["made"]) if record.get("made") else where)
        tensor.label = record.get("name", "")
        data: dict[str, Any] = {"tensor": tensor, "source": tensor, "made": tensor.created}
        for key in ("cut", "backward", "term", "step", "first", "zero", "built", "changed"):
            if key in record:
                data[key] = self.trace(record[key])
        for key in ("cut_kind", "scoped", "order"):
            if key in record:
                data[key] = record[key]
        return data

    _stale_optimizer = _unowned_parameters = _dead_term = _broken_graph_masked = _anomaly_mode = _chains
    _checkpoint_cuts = _scheduler_first = _clip_without_gradients = _gradients_erased = _leaf_converted = _chains
    _clip_scaled = _step_scaled = _edited_before_step = _chains

    def _needless_retain(self, record: dict[str, Any], where: Trace) -> dict[str, Any] | None:
        node = where.node.value if isinstance(where.node, ast.Expr) else where.node
        asked = isinstance(node, ast.Call) and any(k.arg in ("retain_graph", "keep_graph") for k in node.keywords)
        return {} if asked else None  # else a function of torch, such as jacobian, has asked for it

    def _graph_kept(self, record: dict[str, Any], where: Trace) -> dict[str, Any] | None:
        statement = where.stmt
        target = getattr(statement, "target", None) or next(iter(getattr(statement, "targets", ())), None)
        name = ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else ""
        if record["how"] == "state" and not isinstance(target, ast.Attribute | ast.Subscript):
            return None  # a loop of its own function: gone with it
        return {**self._chains(record, where), "how": record["how"], "name": name}

    def _module_not_registered(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        classes = [found for place in record["owner"]["constructors"] if (found := self.sources.class_of(place))]
        owner = SimpleNamespace(cls=SimpleNamespace(name=record["owner"]["name"], mro=lambda: classes))
        holders: dict[str, Any] = {"list": [], "tuple": (), "dict": {}, "set": set()}
        return {
            **self._chains(record, where), "owner": owner, "attribute": record["attribute"],
            "holder": holders.get(record["holder"]),
        }  # fmt: skip

    def _term_cut_off(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        data = self._chains(record, where)
        data["source"].label = _receiver(where.node)
        return data

    def _custom_view(self, record: dict[str, Any], where: Trace) -> dict[str, Any]:
        return {**self._plain(record, where), "kind": "custom_view"}

    _module_hook = _custom_view


def _receiver(node: ast.AST) -> str:
    """The name that a method is called on, or that is written to."""
    target: ast.AST | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value
    elif isinstance(node, ast.AugAssign):
        target = node.target
    elif isinstance(node, ast.Subscript):
        target = node.value
    return ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else ""


def site(trace: Trace) -> Site:
    """The site of a trace."""
    return trace.site
