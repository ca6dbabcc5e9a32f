"""The state of a recording: what the mode, the engine and the hooks report comes together here."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch

from . import graph
from .cuts import Cuts
from .events import MARK, Events
from .exports import Exports
from .frames import CLEAR, INIT, LOAD, PUT_BACK, STEP, WRAP, Chain, Frames
from .graph import Graphs, Node
from .kinds import details_of, kind_of
from .ledger import Ledger
from .memory import Memories, Memory, Write, address_of
from .sums import ADDING, Sums

# Ops whose layer a person would change: with ``inplace=True``.
ACTIVATIONS = frozenset({
    "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "silu", "mish", "hardtanh", "hardswish", "hardsigmoid", "threshold", "rrelu", "dropout",
    "sigmoid", "tanh", "softmax",
})  # fmt: skip
_CONVERSIONS = frozenset({"to", "cuda", "cpu", "double", "float", "half", "bfloat16", "type", "type_as"})
_CLEARING = frozenset({"zero_", "fill_", "copy_", "_foreach_zero_"})
_BOUNDING = frozenset({"clamp_", "clip_", "clamp_min_", "clamp_max_", "renorm_", "hardtanh_"})
LIMIT = 2_000_000  # nodes of live graphs that are looked at; beyond it nothing new is recorded


class Recorder:
    """One recording. Its methods are called by the mode and the engine; none of them changes what it is given."""

    def __init__(self) -> None:
        self.frames = Frames(torch.__path__[0])
        self.memories = Memories()
        self.graphs = Graphs(self.memories)
        self.events = Events(self)
        self.cuts = Cuts(self)
        self.exports = Exports(self)
        self.ledger = Ledger(self)
        self.sums = Sums(self)
        self.seq = 0
        self.checkpoints = 0  # those of them that belong to checkpoints
        self.collected: dict[int, Any] | None = None  # leaves that a reentrant checkpoint has used so far
        self.packing = 0  # saved-tensor hooks of the program that are in effect
        self.modes: Callable[[], int] = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)
        self.paused = False  # nothing is looked at: the recording has stopped, or rests between samples
        self.stopped = False
        self.busy = False  # the recorder itself is at work: what it calls is not the program's doing
        self.anomaly: Chain | None = None  # where anomaly detection was switched on
        self.conversions: list[Node] = []  # of parameters to another device or dtype
        self.checked = 0  # when arrays were last compared
        self.stepping = False  # an optimizer of torch is at work
        self.child = False  # a fork of the process that is recorded
        self.calls: dict[Chain, list[int]] = {}
        self.undo: list[Callable[[], None]] = []
        self.inside: Callable[[Any], bool] = lambda mode: False
        self.compiled = False  # some of the program is compiled
        self.unwatched: set[str] = set()
        self.failures: list[str] = []  # of the recorder itself: they cost an entry, never the program
        self.modules: weakref.WeakKeyDictionary[Any, Chain] = weakref.WeakKeyDictionary()
        self.last_made: dict[Chain, int] = {}  # when a place last made a node

    def blind(self) -> bool:
        """Whether reading what a node has saved would be seen by the program: by its hooks, or by its dispatch modes."""
        if self.modes():
            self.unwatched.add("what is saved under dispatch modes")
            return True
        return self.packing > 0

    def tick(self) -> int:
        self.seq += 1
        return self.seq

    def safely(self, method: Callable[..., Any], *args: Any) -> None:
        """Call a part of the recorder. A defect of ours must not change what the program does."""
        was, self.busy = self.busy, True
        try:
            method(*args)
        except Exception as error:  # noqa: BLE001 - told in the report as not watched
            if len(self.failures) < 20:
                self.failures.append(f"{method.__name__}: {type(error).__name__}: {str(error)[:200]}")
        finally:
            self.busy = was

    # -- what the mode sees
    def computed(self, name: str, result: Any, args: Any) -> None:
        """An op gave ``result``."""
        if self.exports.shared:
            self.exports.check()
        if name == "grad" and isinstance(result, tuple):
            self.cuts.gradients(result)
            return
        if isinstance(result, torch.Tensor):
            fn = graph.fn_of(result)
            if fn is None:
                self.cuts.without_graph(name, result, args)
                if result.requires_grad and result._base is None:
                    self.leaf_made(result)
            elif graph.KEY not in fn.metadata:
                self._note(name, fn, args)
            return
        for item in result[:64]:
            if isinstance(item, torch.Tensor):
                fn = graph.fn_of(item)
                if fn is None:
                    self.cuts.without_graph(name, item, args)
                elif graph.KEY not in fn.metadata:
                    self._note(name, fn, args)

    def _note(self, name: str, fn: Any, args: Any) -> Node:
        chain, _ = self.frames.here()
        seq = self.tick()
        self.last_made[chain] = seq
        node = self.graphs.note(fn, chain, seq, self.blind())
        if self.checkpoints:
            self.recompute(node, graph.tensors_in(args))
        if name in ACTIVATIONS:
            module = self.frames.owner_of_forward()
            if module is not None:
                node.module = self.modules.get(module)
        if name in _CONVERSIONS and len(self.conversions) < 100 and isinstance(args[0], torch.nn.Parameter):
            self.conversions.append(node)
        self.cuts.with_graph(name, node, args)
        if name in ADDING:
            self.sums.added(node, args)
        return node

    def written(self, op: str, target: Any, counted: bool) -> None:
        """``target`` was written to; ``counted`` says whether its own version moved."""
        memory = self.memories.find(target)
        if memory is None:
            return
        chain, flags = self.frames.here()
        if flags & PUT_BACK:
            return
        initialised = flags & INIT and graph.fn_of(target if target._base is None else target._base) is None
        cause = "load" if flags & LOAD else "init" if initialised else "step" if flags & STEP else "inplace"
        write = Write(self.tick(), chain, cause, op, target._version, counted, tuple(target.shape))
        if cause == "inplace":
            module = self.frames.owner_of_forward()
            if module is not None:
                write.module = self.modules.get(module)
        memory.writes.append(write)
        memory.last = write.seq

    def changed(self, name: str, targets: Any, args: Any) -> None:
        """An in-place op has run: its targets may have new nodes, and so may what they are views of."""
        if name in _CLEARING:
            self.ledger.overwritten(targets)
        elif name in _BOUNDING:
            for target in targets:
                self.ledger.edited(target)
        elif name == "requires_grad_":
            for target in targets:
                if target.requires_grad and graph.fn_of(target) is None:
                    self.cuts.masked(target)
        if not torch.is_grad_enabled():
            return
        for target in targets[:64]:
            fn = graph.fn_of(target)
            if fn is None:
                continue
            base = target._base
            if base is not None:
                below = base.grad_fn
                if below is not None and graph.KEY not in below.metadata:
                    self._inside(self._note(name, below, args), target, args)
            if graph.KEY not in fn.metadata:
                self._note(name, fn, args)
            node = self.graphs.known(fn)
            if node is not None and node.broken:
                self._mend(node, name, target)

    def recompute(self, node: Node, tensors: Any) -> None:
        """The backward of ``node`` computes it again, with the values that its leaves have then."""
        for tensor in tensors:
            if graph.is_leaf(tensor):
                memory = self.memories.keep(tensor)
                if memory is not None:
                    node.again = True
                    saved = graph.Saved("recomputed", -1, memory, tensor._version, tuple(tensor.shape), self.seq)
                    saved.is_leaf, saved.leaf = True, self.graphs.leaf(tensor, node.chain)
                    node.maybe.append(saved)

    def _inside(self, node: Node, target: Any, args: Any) -> None:
        """An in-place op on a view: its own node is hidden in the one that its base has got, with all that it saved."""
        for tensor in (target, *args[1:]):
            if isinstance(tensor, torch.Tensor):
                memory = self.memories.keep(tensor)
                if memory is not None:
                    saved = graph.Saved("inside", -1, memory, tensor._version, tuple(tensor.shape), self.seq)
                    saved.is_leaf = graph.is_leaf(tensor)
                    if saved.is_leaf:
                        saved.leaf = self.graphs.leaf(tensor, node.chain)
                    node.maybe.append(saved)

    def _mend(self, node: Node, op: str, target: Any) -> None:
        """An in-place op has changed what it had itself saved for its backward, as ``x *= x`` does."""
        memory = self.memories.keep(target)
        broken, node.broken = node.broken, []
        if memory is None:
            return
        chain, _ = self.frames.here()
        saved_at = self.seq
        write = Write(self.tick(), chain, "inplace", op, target._version, True, tuple(target.shape))
        memory.writes.append(write)
        memory.last = write.seq
        for attribute, message in broken:
            details = details_of(message)
            version = int(str(details.get("expected", target._version - 1)))
            node.saved.append(graph.Saved(attribute, -1, memory, version, tuple(target.shape), saved_at))

    def gradient_read(self, tensor: Any) -> None:
        """``.grad`` was read: by the program itself, or by an optimizer."""
        flags = self.frames.here()[1]
        if flags & STEP:
            self.ledger.used(tensor)
        elif not flags & CLEAR:
            self.ledger.read(tensor)

    def setting(self, name: str, args: Any) -> None:
        """A property of a tensor is about to be set."""
        if name == "grad" and len(args) == 2:
            now = args[0].grad
            if now is None or args[1] is None or address_of(now) != address_of(args[1]):
                self.ledger.erase(args[0], self.frames.here()[0])
        elif name == "requires_grad" and len(args) == 2 and args[1] and not args[0].requires_grad:
            self.cuts.masked(args[0])

    def leaf_made(self, tensor: Any) -> None:
        """A leaf that requires grad has come to be."""
        self.graphs.leaf(tensor, self.frames.here()[0])

    def cut(self, name: str, result: Any, args: Any) -> None:
        """A call that leaves the graph gave ``result``."""
        if name == "tensor" and result.requires_grad:
            self.leaf_made(result)
        if not self.frames.here()[1] & WRAP:  # DistributedDataParallel detaches for its own ends
            self.cuts.made(name, result, args)

    def switched(self, was: bool, args: Any) -> None:
        """Grad mode was set."""
        self.cuts.switched(was, bool(args[0]) if args else True)

    def raised(self, error: BaseException, name: str, args: Any) -> None:
        """A call of torch raised."""
        kind = kind_of(str(error))
        if kind is not None:
            self.events.refused(kind, error, name, args, self.frames.here()[0])

    def made_at(self, tensor: Any) -> Chain | None:
        """Where a tensor was computed, or where a leaf was first met."""
        fn = graph.fn_of(tensor)
        if fn is not None:
            node = self.graphs.known(fn)
            return node.chain if node is not None else None
        leaf = self.graphs.leaves.get(id(tensor))
        if leaf is not None and leaf.ref() is tensor:
            return leaf.chain
        return None

    def name_of(self, tensor: Any) -> str:
        """The name of a parameter in the largest module that holds it, or the empty string."""
        best = ""
        for module in list(self.modules):
            for name, held in module._parameters.items() if hasattr(module, "_parameters") else ():
                if held is tensor:
                    best = name
        if not best:
            return ""
        for module in list(self.modules):
            for name, held in module.named_parameters():
                if held is tensor and name.count(".") > best.count("."):
                    best = name
        return best

    def parameter_in(self, memory: Memory) -> Any:
        """The parameter whose memory this is: a layer may have saved a view of it."""
        for module in list(self.modules):
            for held in module._parameters.values():
                if held is not None and self.memories.find(held) is memory:
                    return held
        return None

    def is_of_layer(self, tensor: Any) -> bool:
        """Whether a parameter belongs to a layer of torch, rather than to a module of the program itself."""
        for module in list(self.modules):
            if any(held is tensor for held in module._parameters.values()):
                return type(module).__module__.startswith("torch.")
        return False

    def place_of_parameter(self, tensor: Any) -> Chain | None:
        """Where the module that holds a parameter was made."""
        for module, chain in list(self.modules.items()):
            if any(held is tensor for held in module._parameters.values()):
                return chain
        return None

    def uncaught(self, error: BaseException) -> None:
        """The program ends with ``error``: the events that it stands for were not handled."""
        seen: set[int] = set()
        stack: list[BaseException | None] = [error]
        while stack:
            current = stack.pop()
            if current is None or id(current) in seen:
                continue
            seen.add(id(current))
            event = getattr(current, MARK, None)
            if event is not None:
                event["caught"] = False
            elif current is error and (kind := kind_of(str(error))) is not None:
                chain = self.frames.of_traceback(error.__traceback__)
                if chain:
                    self.events.refused(kind, error, "", (), chain)
                    self.events.found[-1]["caught"] = False
            stack += [current.__cause__, current.__context__]

    def ended(self) -> None:
        """The recording stops: what only shows at the end is noted now."""
        self.ledger.ended()
