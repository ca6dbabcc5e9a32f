"""The transitions of autograd: recording nodes, in-place changes, views, backward. As torch has them."""

from __future__ import annotations

import ast
import heapq
from collections.abc import Iterable, Sequence
from typing import Any

from . import geometry
from . import gradients as gradients_
from .core import Machine
from .frames import Trace
from .records import leaves_below
from .tensor import Mutation, Node, Saved, Shape, Storage, Tensor
from .values import Unknown


class Backward:
    """One call of ``backward`` or ``autograd.grad``."""

    __slots__ = (
        "assumed", "consumed", "contributions", "create_graph", "erased", "executed", "failed", "first_use", "flow", "inputs", "leaves", "retain",
        "retain_given", "reused",
        "read", "roots", "scaled", "seq", "terms", "trace",
    )  # fmt: skip

    def __init__(
        self, trace: Trace, roots: list[Tensor], retain: bool, create_graph: bool, inputs: list[Tensor] | None
    ) -> None:
        self.trace = trace
        self.roots = roots
        self.retain = retain
        self.retain_given = retain
        self.create_graph = create_graph
        self.inputs = inputs
        self.executed: set[Node] = set()
        self.leaves: list[Tensor] = []
        self.reused = False  # a later backward walked a node that this one would have freed
        self.consumed: list[Any] = []
        self.read: set[Tensor] = set()  # leaves whose gradient the program then looked at
        self.first_use: int | None = None  # how many backwards there had been when a step first used its gradients
        self.contributions: list[Any] = []  # what it added to which leaf
        self.erased: list[Any] = []
        self.scaled: Any = None
        self.seq = 0  # of the last node made before it
        self.terms: list[Any] = []
        self.assumed = False
        self.failed = False  # torch raises during it
        self.flow: Any = None  # the gradients, where they are followed

    def consume(self, by: Any) -> None:
        """Its gradients are used: by an optimizer, or read by the program."""
        if by not in self.consumed:
            self.consumed.append(by)


REFUSED = {"multi": "multiview", "custom": "custom_view", "no_grad": "no_grad_view", "inference": "inference_view"}
"""How a view was made → the event of changing it in place."""


def wants_grad(tensors: Iterable[Any]) -> bool | None:
    """Whether an op on these differentiable inputs gives a result that requires grad (in grad mode)."""
    answer: bool | None = False
    for t in tensors:
        if isinstance(t, Tensor):
            rg = t.requires_grad
            if rg:
                return True
            if rg is None:
                answer = None
        elif not (isinstance(t, Unknown) and t.why == "number"):
            answer = None
    return answer


def edge(m: Machine, tensor: Tensor) -> Node | Tensor | None:
    """Where the gradient of ``tensor`` goes: its grad_fn, or itself when it is a leaf that requires grad."""
    fn = grad_fn(m, tensor)
    if fn is not None:
        return fn
    return tensor if tensor.requires_grad else None


def unseen(operands: Sequence[Any]) -> bool:
    """Whether autograd does not see an op: all its operands are inference tensors. A number that torch makes a tensor
    of is none."""
    return bool(operands) and all(isinstance(t, Tensor) and t.inference for t in operands)


def outdated(tensor: Tensor) -> bool:
    """Whether a view's base was changed since its grad_fn was made."""
    base = tensor.base
    return (
        base is not None
        and bool(tensor.grad_fn is not None or base.requires_grad)
        and tensor.attr_version != tensor.storage.version
    )


def grad_fn(m: Machine, tensor: Tensor) -> Node | None:
    """The grad_fn, regenerated for a view whose base was changed since, as torch does on access."""
    base = tensor.base
    if base is not None and outdated(tensor):
        tensor.attr_version = tensor.storage.version
        if tensor.creation != "default":
            kind = REFUSED[tensor.creation]
            m.emit(kind, m.here(), loud=True, tensor=tensor, made=tensor.created, op=tensor.storage.log[-1].op if tensor.storage.log else "",
                   module=None, switch=None, changed=tensor.storage.log[-1].trace if tensor.storage.log else tensor.created)  # fmt: skip
        target = edge(m, base)
        if target is not None:
            node = Node(tensor.view_op or "as_strided", tensor.created, m.next_seq(), [target], False)
            node.kind = "view"
            node.outputs = [tensor]
            tensor.grad_fn = node
        tensor.attr_version = tensor.storage.version
    return tensor.grad_fn


def make_node(m: Machine, op: str, inputs: Sequence[Any], hidden: bool, where: ast.AST | None = None) -> Node:
    found = [
        (i, e)
        for i, t in enumerate(inputs)
        if isinstance(t, Tensor) and (t.floating or t.dtype is None) and (e := edge(m, t)) is not None
    ]
    node = Node(op, m.here(where), m.next_seq(), [e for _, e in found], hidden)
    node.operands = tuple(i for i, _ in found)
    node.module = m.callee
    node.open = any(t.requires_grad is None if isinstance(t, Tensor) else isinstance(t, Unknown) for t in inputs)
    return node


def result(
    m: Machine, requires_grad: bool | None, node: Node | None, shape: Shape, dtype: str | None, where: ast.AST
) -> Tensor:
    out = Tensor(m.here(where), requires_grad if node is None else None, shape, dtype)
    if node is not None:
        out.grad_fn = node
        node.outputs.append(out)
    out.inference = m.inference
    if m.inference:
        out.facets = {"scope": m.mode_trace}
    return out


OWN_COUNTER = "own counter"


def take_inference(tensor: Tensor, scope: Trace | None) -> None:
    """An ordinary tensor gets the memory of an inference tensor (``p.data = …``): it becomes one, but counts versions."""
    if not tensor.inference:
        tensor.inference = True
        tensor.facets = {**(tensor.facets or {}), "scope": scope, OWN_COUNTER: True}


def _refuses_writes(tensor: Tensor) -> bool:
    """Whether a tensor is an inference tensor, without a version counter."""
    return tensor.inference and not (tensor.facets is not None and OWN_COUNTER in tensor.facets)


def inference_scope(tensor: Tensor) -> Trace | None:
    found: Trace | None = tensor.facets.get("scope") if tensor.facets else None
    return found


def save(m: Machine, node: Node, tensor: Any, role: str, is_output: bool = False) -> None:
    """Keep ``tensor`` for the backward of ``node``. Tensors made in inference mode are refused by torch."""
    if not isinstance(tensor, Tensor):
        return
    if tensor.inference and not m.inference and not is_output:
        m.emit(
            "inference",
            m.here(node.trace.node),
            loud=True,
            tensor=tensor,
            made=tensor.created,
            node=node,
            switch=inference_scope(tensor),
        )
    if tensor.is_param and tensor in m.ledger.constrained:
        m.ledger.parameter_used(tensor)
    node.saved.append(Saved(tensor, role, is_output))


def precision_of(inputs: Iterable[Any]) -> str:
    """The precision of a result of float tensors: the widest of those with dimensions, or of all if there are none."""
    floats = [t for t in inputs if isinstance(t, Tensor) and t.floating]
    found = {t.precision for t in ([t for t in floats if t.shape != ()] or floats)}
    return "64" if "64" in found else "16" if found == {"16"} else ""


def record(
    m: Machine,
    op: str,
    inputs: Sequence[Any],
    where: ast.AST,
    *,
    saves: Sequence[tuple[Any, str]] = (),
    saves_out: bool = False,
    hidden: bool = False,
    shape: Shape = None,
    dtype: str | None = "float",
    differentiable: bool = True,
    kind: str = "",
) -> Tensor:
    """An out-of-place op on ``inputs`` with one new result. ``saves`` are (tensor, role) kept when a node is made."""
    rg = wants_grad(inputs) if differentiable else False
    node = None
    scope = None
    if rg and op != "clone" and unseen(inputs):  # clone copies into a tensor of its own, which autograd sees
        rg = False
    if rg and m.grad_enabled is not False:
        node = make_node(m, op, inputs, hidden, where)
        node.kind = kind
        for tensor, role in saves:
            save(m, node, tensor, role)
    elif m.grad_enabled is False:
        scope = m.ledger.shielded(inputs, rg)
        rg = False
    out = result(m, rg, node, shape, dtype, where)
    m.ledger.carry_cuts(inputs, [out])
    if scope is not None:
        out.cuts = (*out.cuts, scope)[-4:]
    out.precision = precision_of(inputs)
    if node is not None and saves_out:
        save(m, node, out, "result", is_output=True)
    return out


def view(m: Machine, tensor: Tensor, op: str, where: ast.AST, shape: Shape = None, creation: str = "default") -> Tensor:
    """A differentiable view: shares storage and version counter; its base is the root of the chain."""
    out = Tensor(m.here(where), False, shape, tensor.dtype, tensor.storage)
    out.inference = tensor.inference
    if not (tensor.inference and tensor.requires_grad):  # autograd does not see a view of an inference tensor
        out.base = tensor.base if tensor.base is not None else tensor
    out.view_op = op
    out.via_data = tensor.via_data
    out.precision = tensor.precision
    if tensor.base is not None and tensor.creation != "default":
        out.creation = tensor.creation
    elif m.inference:
        out.creation = "inference"
    elif m.grad_enabled is False:
        out.creation = "no_grad"
    else:
        out.creation = creation
    if tensor.requires_grad and m.grad_enabled is not False and not tensor.inference:
        node = make_node(m, op, [tensor], False, where)
        node.kind = "view"
        out.grad_fn = node
        node.outputs.append(out)
    elif tensor.requires_grad is None:
        out._requires_grad = None
    out.attr_version = tensor.storage.version
    return out


def detach(m: Machine, tensor: Tensor, where: ast.AST, via_data: bool = False) -> Tensor:
    """``t.detach()`` (shares the version counter) or ``t.data`` (does not)."""
    out = Tensor(
        m.here(where), False, tensor.shape, tensor.dtype, Storage(None, tensor.storage) if via_data else tensor.storage
    )
    out.via_data = via_data or tensor.via_data
    out.detached_from = tensor
    out.origin = "data" if via_data else "detach"
    out.precision = tensor.precision
    out.label = tensor.name
    out.layout = geometry.layout_of(tensor)
    out.inference = tensor.inference
    m.ledger.cut(out.origin, [tensor], out, where)
    return out


def check_inplace(m: Machine, target: Tensor, requires: bool | None, where: ast.AST, op: str) -> bool:
    """Torch's checks before an in-place change. False when the change is refused (an event was emitted)."""
    trace = m.here(where)
    if _refuses_writes(target) and not m.inference and (requires or target.requires_grad) and m.grad_enabled:
        m.emit(
            "inference", trace, loud=True, tensor=target, made=target.created, node=None, switch=inference_scope(target)
        )
        return False
    if not requires or m.grad_enabled is not True:
        return True
    base = target.base
    if base is not None:
        if target.creation != "default":
            kind = REFUSED[target.creation]
            m.emit(kind, trace, loud=True, tensor=target, made=target.created, op=op, module=m.callee)
            return False
        if target.requires_grad and base.is_leaf:
            m.emit(
                "view",
                trace,
                loud=True,
                tensor=target,
                made=target.created,
                base=base,
                built=base.created,
                op=op,
                module=m.callee,
            )
            return False
    elif target.requires_grad and target.is_leaf:
        m.emit("leaf", trace, loud=True, tensor=target, built=target.created, op=op)
        return False
    return True


def check_written(m: Machine, target: Tensor, where: ast.AST) -> None:
    """Torch refuses to write into an inference tensor, or a view of one, but not into what ``detach`` or ``.data`` gave."""
    own = target.base is None and (target.via_data or target.detached_from is not None)
    if _refuses_writes(target) and not m.inference and not own:
        m.emit(
            "inference",
            m.here(where),
            loud=True,
            tensor=target,
            made=target.created,
            node=None,
            switch=inference_scope(target),
        )


def mutate(
    m: Machine, target: Tensor, cause: str, op: str, where: ast.AST, bump: bool = True, optimizer: Any = None
) -> Mutation:
    """Write to the memory of ``target``."""
    if bump:
        check_written(m, target, where)
    mutation = Mutation(m.here(where), cause, op, bump and not target.via_data, target, optimizer)
    mutation.module, mutation.seq = m.callee, m.seq
    target.storage.mutate(mutation)
    target.elements = None
    if target.base is not None:
        target.base.elements = None
    m.ledger.written(target, mutation)
    return mutation


def inplace(
    m: Machine,
    op: str,
    target: Tensor,
    others: Sequence[Any],
    where: ast.AST,
    *,
    cause: str = "inplace",
    saves: Sequence[tuple[Any, str]] = (),
    saves_out: bool = False,
    hidden: bool = False,
    bump: bool = True,
    operands: Sequence[Any] = (),
) -> Tensor:
    """An in-place op: checks, mutation in the log, rebased history. Returns ``target``."""
    rg = wants_grad([target, *others])
    if not check_inplace(m, target, rg, where, op):
        return target
    if not overlap_check(m, target, [*others, *operands], where, op, cause):
        return target
    if target.inference and not m.inference:
        rg = False  # refused at the write
    node = None
    if rg and m.grad_enabled is True:
        base = target.base
        if base is not None:
            base_edge = edge(m, base)
            edges = [base_edge] if base_edge is not None else []
            edges += [e for t in others if isinstance(t, Tensor) and (e := edge(m, t)) is not None]
            own = Node(op, m.here(where), m.next_seq(), edges, hidden)
            own.kind = "copy_slices"
            own.hidden = True
            node = own
        else:
            node = make_node(m, op, [target, *others], hidden, where)
        for tensor, role in saves:
            save(m, node, tensor, role)
    mutate(m, target, cause, op, where, bump)
    if node is not None:
        if target.base is not None:
            node.seq = m.next_seq()
            target.base.grad_fn = node
            target.base._requires_grad = None
            node.outputs.append(target.base)
            target.attr_version = -1
            grad_fn(m, target)
        else:
            target.grad_fn = node
            node.outputs.append(target)
        if saves_out:
            save(m, node, target, "result", is_output=True)
    target.bound = m.here(where)
    return target


UNCHECKED = frozenset({
    "zero_", "fill_", "masked_fill_", "threshold_", "index_fill_", "index_put_", "tril_", "triu_", "t_", "transpose_", "squeeze_", "unsqueeze_", "zeros_",
    "ones_", "constant_",
})  # fmt: skip
"""Writes that torch allows although they meet one place of memory several times."""
SMEARING = frozenset({"masked_fill_", "index_put_"})
"""Those of them that write to some positions: torch warns that this is deprecated, and others may change with them."""
TRANSPOSING = frozenset({"t", "T", "mT", "transpose", "permute", "swapaxes", "swapdims", "adjoint", "H", "mH"})


def overlap_check(
    m: Machine, target: Tensor, others: Sequence[Any], where: ast.AST, op: str, cause: str = "inplace"
) -> bool:
    """Writing to memory of which one place is seen several times (expand), or that the source overlaps (x += x.T)."""
    if cause == "setitem":  # ``x[i] = y`` expands y, ``x[i].copy_(y)`` does not
        others = [other for other in others if not geometry.is_expanded(other, target)]
    if op == "copy_" and any(isinstance(o, Tensor) and geometry.same_place(target, o) for o in others):
        return True  # nothing to do (the end of ``x[i] += y``)
    if op in SMEARING and any(isinstance(o, Tensor) and geometry.smeared(target, o) for o in others):
        m.emit("smeared", m.here(where), tensor=target, made=target.created, op=op)
    elif op not in UNCHECKED and geometry.inside_overlap(target):
        m.emit("overlap", m.here(where), loud=True, tensor=target, made=target.created, op=op)
        return False
    for other in others:
        if not isinstance(other, Tensor):
            continue
        turned = (
            target.shape is None and other.base is target and other.view_op in TRANSPOSING
        )  # x += x.T of unknown shape
        if turned or geometry.partial_overlap(target, other):
            m.emit("overlap", m.here(where), loud=True, tensor=other, made=other.created, op=op)
            return False
    return True


# -- backward ---------------------------------------------------------------------------------------------------------
def needed_nodes(roots: Sequence[Any], inputs: Sequence[Any] | None) -> set[Any] | None:
    """The nodes that reach one of ``inputs`` (nodes or leaves); None means all."""
    if inputs is None:
        return None
    wanted = set(inputs)
    memo: dict[Any, bool] = {}
    for root in roots:
        stack: list[tuple[Any, bool]] = [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                memo[node] = node in wanted or any(memo.get(e, False) for e in node.edges)
            elif node not in memo:
                if isinstance(node, Node):
                    memo[node] = False
                    stack.append((node, True))
                    stack.extend((e, False) for e in node.edges)
                else:
                    memo[node] = node in wanted
    return {node for node, need in memo.items() if need}


def walk(
    m: Machine,
    backward: Backward,
    roots: Sequence[Any],
    inputs: Sequence[Any] | None,
    accumulate: bool,
    gradients: Any = None,
) -> gradients_.Flow | None:
    """Execute the graph from ``roots`` in the engine's order, checking freed nodes and saved versions.

    Gives back the gradients where they were followed.
    """
    backward.seq = m.seq
    needed = needed_nodes(roots, inputs)
    stop = set(inputs) if inputs is not None else set()
    counts: dict[Any, int] = {}
    seen: set[Any] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in seen or not isinstance(node, Node):
            continue
        seen.add(node)
        for e in node.edges:
            counts[e] = counts.get(e, 0) + 1
            stack.append(e)
    flow: gradients_.Flow | None = None
    if (
        backward.create_graph
        or not accumulate
        or any(n.mode is not None or any(o.hooks for o in n.outputs) for n in seen)
    ):
        flow = gradients_.Flow(m, backward, gradients)
    backward.flow = flow
    ready: list[tuple[int, int, Any]] = []
    tie = 0
    for root in dict.fromkeys(roots):
        if counts.get(root, 0) == 0:
            tie += 1
            heapq.heappush(ready, (_priority(root), tie, root))
    failed = False
    while ready:
        _, _, node = heapq.heappop(ready)
        if needed is not None and node not in needed:
            continue
        if isinstance(node, Tensor):
            backward.leaves.append(node)
            if accumulate and node.requires_grad is not False:  # frozen since the forward
                m.ledger.accumulate(m, node, backward)
            elif not accumulate and node.hooks:
                m.session.interp.run_hooks(m, node, backward)
            continue
        shared = flow.shared(node, backward) if flow is not None else None
        if not (node in stop and not any(needed is None or e in needed for e in node.edges)):
            if node.walked is not None and node.walked is not backward:
                node.walked.reused = True
            if not failed:
                failed = backward.failed = not _execute(m, backward, node)
                if flow is not None:
                    flow.through(node)
            if not backward.retain:
                node.freed = node.freed or backward
            backward.executed.add(node)
        if accumulate:
            for out in node.outputs:
                if out.retains_grad and out.grad_fn is node:
                    m.ledger.accumulate(m, out, backward)
                elif out.hooks:
                    m.session.interp.run_hooks(m, out, backward)
        if shared is not None and shared.mutation is not None:
            m.emit(
                "hook_writes_gradient" if node.mode is None else "function_writes_gradient",
                shared.mutation.trace,
                node=node,
                other=_made(shared.other),
                backward=backward.trace,
                built=node.trace,
                function=getattr(node.mode, "cls", None),
            )
        for e in node.edges:
            counts[e] -= 1
            if counts[e] == 0:
                tie += 1
                heapq.heappush(ready, (_priority(e), tie, e))
    return flow


def _made(target: Any) -> Trace:
    """Where an edge's end comes from."""
    found: Trace = target.trace if isinstance(target, Node) else target.created
    return found


def _priority(node: Any) -> int:
    return -node.seq if isinstance(node, Node) else -(1 << 60)


def _execute(m: Machine, backward: Backward, node: Node) -> bool:
    """Run one node; False when torch would raise."""
    if node.op == "checkpoint" and node.kind == "checkpoint" and backward.inputs is not None:
        m.emit("checkpoint_refuses", backward.trace, loud=True, node=node, built=node.trace)
        return False
    if getattr(node.mode, "unpacks", False):  # a Function's own backward asks for what it saved, or does not
        intact = True
    else:
        intact = unpack(m, backward, node, backward.trace)
    if intact and node.mode is not None:
        intact = node.mode.run_backward(m, node, backward) is not False
    if not intact:
        return False
    node.walked = backward
    return True


COMPOSED = frozenset({"gru", "rnn_tanh", "rnn_relu"})
"""Recurrent layers that torch computes with many small ops, one node here."""
RECOMPUTED = "recomputed"
"""The role of a parameter that a checkpoint reads again in the backward: a change goes unnoticed."""


def _unpacked(saved: Saved) -> tuple[bool, str]:
    """The order in which torch's generated code takes out what a node saved: inputs by name, then outputs by name. What
    the documentation calls ``input`` is ``self`` there."""
    return saved.is_output, "self" if saved.role == "input" else saved.role


def unpack(m: Machine, backward: Backward, node: Node, where: Trace) -> bool:
    """Take out what the node saved; False when torch would raise: it was freed, or changed since."""
    if node.freed is not None and node.keeps:
        m.emit("freed", where, loud=True, assumed=_assumed(node), node=node, built=node.trace, first=node.freed.trace,
               backward=backward, earlier=node.freed)  # fmt: skip
        return False
    for saved in sorted(node.saved, key=_unpacked):
        if not saved.is_output and saved.tensor.creation != "default" and outdated(saved.tensor):
            grad_fn(m, saved.tensor)  # torch asks for it before it compares versions, and cannot give it
            return False
        storage = saved.storage
        if saved.role == RECOMPUTED and storage.version != saved.version:
            mutation = storage.log[saved.version]
            m.emit("stale", where, assumed=_assumed(node, mutation), node=node, saved=saved, built=node.trace,
                   changed=mutation.trace, mutation=mutation, backward=backward)  # fmt: skip
            continue
        if storage.version != saved.version:
            mutation = storage.log[saved.version]
            if node.op in COMPOSED and not backward.retain:
                node.freed = backward  # in torch it is many nodes, of which the first have run
            m.emit("version", where, loud=True, assumed=_assumed(node, mutation), node=node, saved=saved, built=node.trace,
                   changed=mutation.trace, mutation=mutation, backward=backward)  # fmt: skip
            return False
        if len(storage.silent) != saved.silent:
            mutation = storage.silent[saved.silent]
            m.emit("stale", where, assumed=_assumed(node, mutation), node=node, saved=saved, built=node.trace,
                   changed=mutation.trace, mutation=mutation, backward=backward)  # fmt: skip
    return True


def _assumed(node: Node, mutation: Mutation | None = None) -> tuple[str, ...]:
    found = ("opaque module",) if node.assumed else ()
    return (*found, mutation.assumed) if mutation is not None and mutation.assumed else found


def open_below(roots: Iterable[Any], limit: int = 4000) -> bool:
    """Whether a graph may reach more than is known of it: some node has an input that nothing is known of."""
    stack = list(roots)
    seen: set[Any] = set()
    while stack:
        node = stack.pop()
        if node in seen or not isinstance(node, Node):
            continue
        if node.open or len(seen) >= limit:
            return True
        seen.add(node)
        stack.extend(node.edges)
    return False


def leaves_of(m: Machine, tensor: Tensor) -> set[Tensor]:
    """The leaves that require grad which the graph of ``tensor`` reaches."""
    refused = tensor.creation != "default" and outdated(tensor)  # torch raises where a program asks; here only we look
    start = tensor.grad_fn if refused else edge(m, tensor)
    return leaves_below(start) if start is not None else set()
