"""``backward``, ``torch.autograd``, grad modes, anomaly mode, custom Functions, checkpoint."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

from .. import attributes, autograd, calls, shapes
from ..autograd import Backward
from ..core import Call, Machine
from ..syntax import walk
from ..tensor import Node, Saved, Tensor
from ..values import (
    BoundMethod,
    ClassMethod,
    Function,
    Instance,
    LibClass,
    NoGradWrapped,
    StaticMethod,
    Unknown,
    UserClass,
    Value,
)
from . import torch_ops as ops
from .registry import CONSTANTS, function, lib_class, method, prop, relies_on, tensor_method


# -- backward ---------------------------------------------------------------------------------------------------------
def tensors_of(m: Machine, value: Value, node: ast.AST) -> list[Tensor] | None:
    """The tensors in an ``inputs`` argument; None when it is not known what they are."""
    from .. import iteration

    if value is None or isinstance(value, Unknown):
        return None
    if isinstance(value, Tensor):
        return [value]
    found = []
    for item in iteration.iterate(m, value, node):
        if isinstance(item, Tensor):
            found.append(item)
        elif isinstance(item, tuple | list):
            found.extend(t for t in ops.flatten(item) if isinstance(t, Tensor))
    return found


def _flag(value: Value) -> bool | None:
    return value if isinstance(value, bool) else None if isinstance(value, Unknown) else bool(value)


def check_roots(m: Machine, roots: list[Tensor], gradients: Value, where: ast.AST) -> bool:
    """Torch's checks before a backward starts: a graph must be there, and a scalar when no gradient is given."""
    for root in roots:
        if root.requires_grad is False:
            switch = m.mode_trace if m.grad_enabled is False else None
            m.emit(
                "no_grad_graph",
                m.here(where),
                loud=True,
                tensor=root,
                made=root.created,
                cuts=root.cuts,
                switch=switch,
                trains=m.ledger.trains(),
            )
            return False
        if (
            root.requires_grad
            and gradients is None
            and root.shape is not None
            and shapes.numel(root.shape) not in (1, None)
        ):
            m.emit("non_scalar", m.here(where), loud=True, tensor=root, made=root.created)
            return False
        if (
            root.requires_grad
            and gradients is None
            and root.shape is not None
            and any(isinstance(d, int) and d > 1 for d in root.shape)
        ):
            m.emit("non_scalar", m.here(where), loud=True, tensor=root, made=root.created)
            return False
    return True


def check_wrt(m: Machine, inputs: Iterable[Tensor], where: ast.AST) -> bool:
    """Whether all that is differentiated with respect to requires grad; torch refuses the call otherwise."""
    for tensor in inputs:
        if tensor.requires_grad is False:
            m.emit(
                "no_grad_graph",
                m.here(where),
                loud=True,
                tensor=tensor,
                made=tensor.created,
                cuts=tensor.cuts,
                wrt=True,
            )
            return False
    return True


def run_backward(
    m: Machine,
    roots: list[Tensor],
    gradients: Value,
    retain: Value,
    create: Value,
    inputs: list[Tensor] | None,
    where: ast.AST,
    scaled: Any = None,
) -> Backward | None:
    create_graph = _flag(create) is True
    retain_flag = create_graph if retain is None else _flag(retain)
    if not check_roots(m, roots, gradients, where) or not check_wrt(m, inputs or (), where):
        return None
    backward = Backward(m.here(where), roots, retain_flag is not False, create_graph, inputs)
    backward.retain_given = _flag(retain) is True
    backward.scaled = scaled
    edges = [e for r in roots if (e := autograd.edge(m, r)) is not None]
    targets = None
    if inputs is not None:
        targets = [e for t in inputs if (e := autograd.edge(m, t)) is not None]
    m.backwards.append(backward)
    autograd.walk(m, backward, edges, targets, True, gradients)
    m.ledger.finished(backward)
    return backward


def _retain(call: Call, index: int) -> Value:
    """``retain_graph``, or ``retain_variables`` as it was called before torch 0.4."""
    return call.kwargs["retain_variables"] if "retain_variables" in call.kwargs else call.get(index, "retain_graph")


@tensor_method("backward")
def _backward(m: Machine, self: Tensor, call: Call) -> Value:
    inputs = tensors_of(m, call.get(3, "inputs"), call.node)
    scaler = self.facets.get("scaler") if self.facets else None
    run_backward(
        m, [self], call.get(0, "gradient"), _retain(call, 1), call.get(2, "create_graph"), inputs, call.node, scaler
    )
    return None


@function("torch.autograd.backward")
def _autograd_backward(m: Machine, call: Call) -> Value:
    roots = tensors_of(m, call.get(0, "tensors"), call.node) or []
    inputs = tensors_of(m, call.kwargs.get("inputs"), call.node)
    run_backward(
        m,
        roots,
        call.get(1, "grad_tensors"),
        call.get(2, "retain_graph"),
        call.get(3, "create_graph"),
        inputs,
        call.node,
    )
    return None


@function("torch.autograd.grad")
def _grad(m: Machine, call: Call) -> Value:
    roots = tensors_of(m, call.get(0, "outputs"), call.node)
    given = call.get(1, "inputs")
    inputs = tensors_of(m, given, call.node)
    if roots is None or inputs is None:
        for root in roots or []:
            if root.requires_grad:
                m.ledger.escaped([root], call.node)
        return Unknown("gradients")
    if not roots:
        return Unknown("gradients")
    create = _flag(call.get(4, "create_graph", False)) is True
    retain = call.get(3, "retain_graph")
    where = call.node
    failed = tuple(ops.new_tensor(m, where, t.shape) for t in inputs)
    if not check_roots(m, roots, call.get(2, "grad_outputs"), where):
        return failed
    if not check_wrt(m, inputs, where):
        return failed
    backward = Backward(m.here(where), roots, create if retain is None else _flag(retain) is not False, create, inputs)
    backward.retain_given = _flag(retain) is True
    edges = [e for r in roots if (e := autograd.edge(m, r)) is not None]
    targets = [autograd.edge(m, t) for t in inputs]
    m.backwards.append(backward)
    if create:
        backward.retain = True
    flow = autograd.walk(m, backward, edges, [t for t in targets if t is not None], False, call.get(2, "grad_outputs"))
    if backward.failed:
        return tuple(Unknown("gradient") for _ in inputs)  # torch has raised
    reached = set(backward.leaves) | backward.executed
    for leaf in _leaves_below(backward):
        reached.add(leaf)
    allow = (
        _flag(call.get(6, "allow_unused", False)) is not False
        or _flag(call.kwargs.get("materialize_grads", False)) is not False
    )
    result: list[Value] = []
    open_outputs = any(isinstance(v, Unknown) for v in ops.flatten(call.get(2, "grad_outputs")))
    taken: dict[Any, Tensor] = {}
    for tensor, target in zip(inputs, targets, strict=True):
        if target not in reached and target not in edges:
            open_ = (
                m.partial
                or not tensor.requires_grad
                or not all(r.requires_grad for r in roots)
                or autograd.open_below(edges)
            )
            if not allow and not open_:
                m.emit(
                    "unused",
                    m.here(where),
                    loud=True,
                    tensor=tensor,
                    made=tensor.created,
                    root=roots[0],
                    built=roots[0].created,
                )
                return failed
            known = allow and not open_
            result.append(
                None if known else ops.new_tensor(m, where, tensor.shape, tensor.dtype, None if create else False)
            )
            continue
        grad = flow.at.get(target) if flow is not None else None
        if grad is None:
            grad = ops.new_tensor(m, where, tensor.shape, tensor.dtype)
        if grad is call.get(2, "grad_outputs") or (not grad.requires_grad and grad.inference != m.inference):
            grad = _again(m, grad, where)
        if create and not grad.requires_grad and open_outputs:
            grad = ops.new_tensor(m, where, grad.shape, grad.dtype, None)
        elif target not in taken and not grad.requires_grad:
            m.ledger.cut("grad", roots, grad, where)
        taken[target] = grad
        result.append(grad)
    m.ledger.gradients_taken(backward)
    return tuple(result)


def _again(m: Machine, grad: Tensor, where: ast.AST) -> Tensor:
    """The gradient as a value of its own."""
    made = ops.new_tensor(m, where, grad.shape, grad.dtype)
    made.layout = grad.layout
    return made


def _leaves_below(backward: Backward) -> list[Any]:
    return [e for node in backward.executed for e in node.edges]


@function("torch.autograd.functional.jacobian", "torch.autograd.functional.hessian", "torch.autograd.functional.vjp", "torch.autograd.functional.jvp",
          "torch.autograd.functional.hvp", "torch.autograd.functional.vhp")  # fmt: skip
def _functional(m: Machine, call: Call) -> Value:
    """Runs the function on fresh leaves and walks its graph once, as torch does for each output."""
    inputs = call.get(1, "inputs")
    given = list(inputs) if isinstance(inputs, tuple) else [inputs]
    name = _name_of(call)
    create = _flag(
        call.kwargs.get("create_graph", call.get(2 if name in ("jacobian", "hessian") else 3, "create_graph", False))
    )
    fresh: list[Value] = []
    for value in given:
        if isinstance(value, Tensor) and create is not False and value.requires_grad:
            fresh.append(autograd.record(m, "view_as", [value], call.node, shape=value.shape))
        elif isinstance(value, Tensor):
            fresh.append(Tensor(m.here(call.node), True, value.shape, value.dtype))
        else:
            fresh.append(value)
    with m.grad_mode("on"):
        out = calls.call(m, call.get(0, "func"), fresh, {}, call.node)
    for result in ops.flatten(out):
        if isinstance(result, Tensor) and result.requires_grad:
            _walk_back(m, result, call.node)
            if create is False and len(given) == 1 and isinstance(out, Tensor):
                found = ops.new_tensor(m, call.node)
                m.ledger.cut("grad", [result], found, call.node)
                single = isinstance(inputs, Tensor)
                if name == "jacobian":
                    return found if single else (found,)
                if name == "hessian":
                    return found if single else ((found,),)
                return autograd.detach(m, result, call.node), found if single or name == "jvp" else (found,)
    return Unknown("jacobian")


@function("torch.autograd.gradcheck", "torch.autograd.gradcheck.gradcheck")
def _gradcheck(m: Machine, call: Call) -> Value:
    """Calls the function (several times, with other numbers) and compares gradients; True unless that raises."""
    inputs = call.get(1, "inputs")
    given = list(inputs) if isinstance(inputs, tuple) else [inputs]
    with m.grad_mode("on"):
        out = calls.call(m, call.get(0, "func"), given, {}, call.node)
    for result in ops.flatten(out):
        if isinstance(result, Tensor) and result.requires_grad:
            _walk_back(m, result, call.node)
    return True


def _walk_back(m: Machine, result: Tensor, node: ast.AST) -> None:
    """Go backward through the graph of a result, which stays, and give no gradients to anybody."""
    backward = Backward(m.here(node), [result], True, False, None)
    root = autograd.edge(m, result)
    autograd.walk(m, backward, [root] if root is not None else [], None, accumulate=False)


def _name_of(call: Call) -> str:
    func = call.node.func if isinstance(call.node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


# -- grad modes -------------------------------------------------------------------------------------------------------
MODES = {"torch.no_grad": "off", "torch.enable_grad": "on", "torch.inference_mode": "inference"}
for _qualname, _mode in MODES.items():
    lib_class(_qualname, aliases=(f"torch.autograd.grad_mode.{_qualname[6:]}", f"torch.autograd.{_qualname[6:]}"))
lib_class(
    "torch.set_grad_enabled", aliases=("torch.autograd.grad_mode.set_grad_enabled", "torch.autograd.set_grad_enabled")
)


def _mode_init(qualname: str) -> Any:
    def new(m: Machine, cls: Value, call: Call) -> Value:
        first = call.get(0, "mode")
        if isinstance(first, Function | BoundMethod | NoGradWrapped):
            return NoGradWrapped(first, MODES[qualname])
        made = Instance(cls, m.here(call.node))
        made.data = {"mode": MODES[qualname], "trace": m.here(call.node)}
        if qualname == "torch.inference_mode" and isinstance(first, bool) and not first:
            made.data["mode"] = "inference_off"
        elif qualname == "torch.inference_mode" and isinstance(first, Unknown):
            made.data["mode"] = "inference" if m.truth(first, call.node) else "inference_off"
        return made

    return new


def _enter(m: Machine, self: Instance, call: Call) -> Value:
    self.data.setdefault("stack", []).append((m.grad_enabled, m.inference, m.mode_trace))
    if self.data["mode"] is not None:
        m.set_mode(self.data["mode"], self.data.get("trace"))
    return self


def _exit(m: Machine, self: Instance, call: Call) -> Value:
    stack = self.data.get("stack")
    if stack:
        m.grad_enabled, m.inference, m.mode_trace = stack.pop()
    return None


def _decorate(m: Machine, self: Instance, call: Call) -> Value:
    target = call.get(0, "func")
    if isinstance(target, StaticMethod | ClassMethod):
        return type(target)(NoGradWrapped(target.func, self.data["mode"]))
    if isinstance(target, UserClass):
        return target
    return NoGradWrapped(target, self.data["mode"])


for _qualname in MODES:
    _cls = lib_class(_qualname)
    _cls.methods["__new__"] = _mode_init(_qualname)
    _cls.methods["__init__"] = lambda m, self, call: None
    _cls.methods["__enter__"] = _enter
    _cls.methods["__exit__"] = _exit
    _cls.methods["__call__"] = _decorate
    relies_on(_qualname, dict)
relies_on("torch.set_grad_enabled", dict)


def _set_grad_enabled(m: Machine, cls: Value, call: Call) -> Value:
    flag = call.get(0, "mode", True)
    made = Instance(cls, m.here(call.node))
    known = m.truth(flag, call.node)
    made.data = {"mode": "on" if known else "off", "stack": [(m.grad_enabled, m.inference, m.mode_trace)]}
    m.set_mode(made.data["mode"], m.here(call.node))
    return made


_switch = lib_class("torch.set_grad_enabled")
_switch.methods["__new__"] = _set_grad_enabled
_switch.methods["__init__"] = lambda m, self, call: None
_switch.methods["__enter__"] = lambda m, self, call: self
_switch.methods["__exit__"] = _exit


def _switch_decorate(m: Machine, self: Instance, call: Call) -> Value:
    _exit(m, self, call)
    return NoGradWrapped(call.get(0, "func"), self.data["mode"])


_switch.methods["__call__"] = _switch_decorate


@function("torch.is_grad_enabled")
def _is_grad_enabled(m: Machine, call: Call) -> Value:
    return Unknown("grad mode") if m.grad_enabled is None else m.grad_enabled


@function("torch.is_inference_mode_enabled")
def _is_inference(m: Machine, call: Call) -> Value:
    return m.inference


@function("torch._C._set_grad_enabled")
def _raw_set(m: Machine, call: Call) -> Value:
    m.set_mode("on" if m.truth(call.get(0, "mode", True), call.node) else "off", m.here(call.node))
    return None


# -- anomaly mode -----------------------------------------------------------------------------------------------------
SETTING = re.compile(r"anomal|debug|detect|nan|arg|cfg|conf|opt|flag|hparam|param|verbose|check")


lib_class("torch.autograd.set_detect_anomaly", aliases=("torch.autograd.anomaly_mode.set_detect_anomaly",))
lib_class("torch.autograd.detect_anomaly", aliases=("torch.autograd.anomaly_mode.detect_anomaly",))


def _asked_for(m: Machine, node: ast.AST) -> bool:
    """Whether the place lies behind a setting that the program leaves to whoever runs it (``if args.debug:``)."""
    open_ = {key for key, _ in m.plan.asked}
    if not open_:
        return False
    for frame, site in m.here(node).chain():
        scope = frame.function.node if frame.function is not None else frame.module.source.parsed.tree
        row = getattr(site.node, "lineno", 0)
        for found in walk(scope):
            if not isinstance(found, ast.If | ast.IfExp) or not found.lineno <= row <= (found.end_lineno or 0):
                continue
            if SETTING.search(ast.unparse(found.test)) and any(
                (frame.module.path, part.lineno, part.col_offset) in open_
                for part in walk(found.test)
                if isinstance(part, ast.expr)
            ):
                return True
    return False


@method("torch.autograd.set_detect_anomaly", "__init__")
def _set_anomaly(m: Machine, self: Instance, call: Call) -> Value:
    flag = call.get(0, "mode", True)
    self.data = {"trace": m.here(call.node), "before": list(m.anomaly)}
    if flag is True and not _asked_for(m, call.node):
        m.anomaly = [m.here(call.node)]
    elif flag is False:
        m.anomaly = []
    return None


relies_on("torch.autograd.detect_anomaly", dict)
relies_on("torch.autograd.set_detect_anomaly", dict)


@method("torch.autograd.detect_anomaly", "__init__")
def _detect_init(m: Machine, self: Instance, call: Call) -> Value:
    self.data = {"trace": m.here(call.node), "before": list(m.anomaly)}
    return None


@method("torch.autograd.detect_anomaly", "__enter__")
def _detect_enter(m: Machine, self: Instance, call: Call) -> Value:
    if not _asked_for(m, self.data["trace"].node):
        m.emit("anomaly_mode", self.data["trace"], scoped=True)
    return self


@method("torch.autograd.detect_anomaly", "__exit__")
@method("torch.autograd.set_detect_anomaly", "__exit__")
def _detect_exit(m: Machine, self: Instance, call: Call) -> Value:
    m.anomaly = self.data["before"]
    return None


@method("torch.autograd.set_detect_anomaly", "__enter__")
def _set_enter(m: Machine, self: Instance, call: Call) -> Value:
    if m.anomaly:
        m.emit("anomaly_mode", self.data["trace"], scoped=True)
    return self


# -- custom functions -------------------------------------------------------------------------------------------------
lib_class(
    "torch.autograd.Function", aliases=("torch.autograd.function.Function", "torch.autograd.function.InplaceFunction")
)
CONTEXT = lib_class("torch.autograd.function.FunctionCtx")
relies_on("torch.autograd.function.FunctionCtx", dict)


@method("torch.autograd.function.FunctionCtx", "save_for_backward", "save_for_forward")
def _save_for_backward(m: Machine, self: Instance, call: Call) -> Value:
    self.data["saved"] = list(call.args)
    return None


@method("torch.autograd.function.FunctionCtx", "mark_dirty")
def _mark_dirty(m: Machine, self: Instance, call: Call) -> Value:
    self.data["dirty"] = [t for t in call.args if isinstance(t, Tensor)]
    return None


@method("torch.autograd.function.FunctionCtx", "mark_non_differentiable", "set_materialize_grads")
def _mark_non_differentiable(m: Machine, self: Instance, call: Call) -> Value:
    self.data["nondiff"] = [t for t in call.args if isinstance(t, Tensor)]
    return None


@prop("torch.autograd.function.FunctionCtx", "saved_tensors", "saved_variables")
def _saved_tensors(m: Machine, self: Instance, node: ast.AST) -> Value:
    made = self.data.get("node")
    if isinstance(made, Node) and m.backwards and not autograd.unpack(m, m.backwards[-1], made, m.here(node)):
        self.data["failed"] = m.backwards[-1]
    return tuple(self.data["saved"])


@prop("torch.autograd.function.FunctionCtx", "needs_input_grad")
def _needs_input_grad(m: Machine, self: Instance, node: ast.AST) -> Value:
    return tuple(bool(isinstance(t, Tensor) and t.requires_grad) for t in self.data["inputs"])


class CustomBackward:
    """Runs the ``backward`` of a custom Function when the engine reaches its node."""

    unpacks = True

    def __init__(self, cls: Value, ctx: Instance, outputs: int) -> None:
        self.cls = cls
        self.ctx = ctx
        self.outputs = outputs

    def run_backward(self, m: Machine, node: Node, backward: Backward) -> bool:
        """False when torch raises in it."""
        func = attributes.class_attribute(self.cls, "backward")
        if isinstance(func, StaticMethod | ClassMethod):
            func = func.func
        if not isinstance(func, Function | NoGradWrapped):
            return autograd.unpack(m, backward, node, backward.trace)
        known = backward.flow.at.get(node) if backward.flow is not None and self.outputs == 1 else None
        grads = (
            [known] if isinstance(known, Tensor) else [Tensor(backward.trace, False, None) for _ in range(self.outputs)]
        )
        if isinstance(func, Function) and _takes_at_most(func) < self.outputs:
            m.emit("backward_arguments", backward.trace, loud=True, node=node, built=node.trace, expected=self.outputs,
                   given=_takes_at_most(func), function=self.cls)  # fmt: skip
            return False
        with m.grad_mode("on" if backward.create_graph else "off"):
            result = calls.call(m, func, [self.ctx, *grads], {}, backward.trace.node)
        given = list(result) if isinstance(result, tuple) else [result]
        expected = len(self.ctx.data["inputs"])
        if not isinstance(result, Unknown) and len(given) >= expected and self._misshapen(m, node, backward, given):
            return False
        if not isinstance(result, Unknown) and len(given) < expected:
            m.emit(
                "wrong_gradient_count",
                backward.trace,
                loud=True,
                node=node,
                built=node.trace,
                expected=expected,
                given=len(given),
                function=self.cls,
            )
            return False
        return self.ctx.data.get("failed") is not backward

    def _misshapen(self, m: Machine, node: Node, backward: Backward, given: list[Value]) -> bool:
        """A gradient whose shape cannot be that of its input."""
        for position, (value, grad) in enumerate(zip(self.ctx.data["inputs"], given, strict=False)):
            if not (isinstance(value, Tensor) and isinstance(grad, Tensor) and value.requires_grad):
                continue
            wanted, got = value.shape, grad.shape
            if wanted is None or got is None or None in wanted or None in got or wanted == got:
                continue
            if shapes.broadcast(wanted, got) != got:
                m.emit("wrong_gradient_shape", backward.trace, loud=True, node=node, built=node.trace, position=position,
                       expected=wanted, given=got, function=self.cls)  # fmt: skip
                return True
        return False


def _takes_at_most(function: Function) -> int:
    """How many gradients a ``backward`` can be given, the context not counted."""
    spec = function.node.args
    return 1_000 if spec.vararg is not None else len(spec.posonlyargs) + len(spec.args) - 1


@method("torch.autograd.Function", "__call__")
def _legacy(m: Machine, self: Instance, call: Call) -> Value:
    m.emit("legacy_function", m.here(call.node), loud=True, function=self.cls)
    return Unknown("result")


def _apply(m: Machine, call: Call) -> Value:
    cls = call.args[0]
    args = call.args[1:]
    ctx = Instance(CONTEXT, m.here(call.node))
    ctx.data = {"saved": [], "inputs": args, "dirty": [], "nondiff": []}
    forward = attributes.class_attribute(cls, "forward")
    forward = forward.func if isinstance(forward, StaticMethod | ClassMethod) else forward
    setup = attributes.class_attribute(cls, "setup_context")
    setup = setup.func if isinstance(setup, StaticMethod | ClassMethod) else setup
    inputs = [t for t in args if isinstance(t, Tensor)]
    rg = autograd.wants_grad(inputs) if m.grad_enabled is not False else False
    before = [(t, t.storage, len(t.storage.log)) for t in inputs if rg and t.requires_grad]
    with m.grad_mode("off"):
        if isinstance(setup, Function):
            result = calls.call(m, forward, list(args), {}, call.node)
            calls.call(m, setup, [ctx, tuple(args), result], {}, call.node)
        else:
            result = calls.call(m, forward, [ctx, *args], {}, call.node)
    if isinstance(result, Unknown) or rg is not True:
        return result
    for tensor, storage, version in before:
        if len(storage.log) > version and tensor not in ctx.data["dirty"]:
            m.emit("not_marked_dirty", storage.log[version].trace, tensor=tensor, function=cls, built=m.here(call.node))
    node = autograd.make_node(m, cls.name, inputs, False, call.node)
    node.kind = "custom"
    outs = list(result) if isinstance(result, tuple) else [result]
    made: list[Value] = []
    for out in outs:
        if not isinstance(out, Tensor) or out in ctx.data["nondiff"] or out.dtype in ("int", "bool"):
            made.append(out)
            continue
        if out in ctx.data["dirty"]:
            if out.is_leaf and out.requires_grad:
                m.emit("leaf", m.here(call.node), loud=True, tensor=out, built=out.created, op=cls.name)
            out.grad_fn = node
            node.outputs.append(out)
            made.append(out)
            continue
        fresh = Tensor(m.here(call.node), None, out.shape, out.dtype, out.storage if out not in inputs else None)
        fresh.grad_fn = node
        node.outputs.append(fresh)
        made.append(fresh)
    for saved in ctx.data["saved"]:
        if isinstance(saved, Tensor):
            autograd.save(m, node, made[outs.index(saved)] if saved in outs else saved, "saved")
    node.mode = CustomBackward(cls, ctx, len(outs))
    ctx.data["node"] = node
    ctx.data["saved"] = [made[outs.index(s)] if isinstance(s, Tensor) and s in outs else s for s in ctx.data["saved"]]
    return tuple(made) if isinstance(result, tuple) else made[0]


def _apply_method(m: Machine, self: Value, call: Call) -> Value:
    return _apply(m, Call(call.node, [self, *call.args], call.kwargs))


_apply_method.classmethod = True  # type: ignore[attr-defined]


class _ClassModel:
    """A class method's model: the attribute lookup binds the class."""

    classmethod = True

    def __call__(self, m: Machine, call: Call) -> Value:
        return _apply(m, call)


def _install_apply() -> None:
    from ..values import LibFunction

    function_class = lib_class("torch.autograd.Function")
    function_class.attrs["apply"] = LibFunction("torch.autograd.Function.apply", _ClassModel())


_install_apply()


@function("torch.autograd.function.once_differentiable")
def _once(m: Machine, call: Call) -> Value:
    return call.get(0, "fn")


RECOMPUTED = autograd.RECOMPUTED


def _parameters_of(func: Value) -> list[Tensor]:
    """The parameters that a checkpointed module computes with."""
    from . import nn_core

    return [p for p in nn_core.parameters(func) if p.requires_grad] if nn_core.is_module(func) else []


def _recompute(node: Node, parameters: list[Tensor]) -> None:
    node.saved += [Saved(p, RECOMPUTED) for p in parameters]


# -- checkpoint -------------------------------------------------------------------------------------------------------
@function("torch.utils.checkpoint.checkpoint", "torch.utils.checkpoint.checkpoint_sequential")
def _checkpoint(m: Machine, call: Call) -> Value:
    """The function is run now; its inner tensors are not kept, and it is run again in the backward with new weights."""
    name = (
        call.node.func.attr
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute)
        else "checkpoint"
    )
    func = call.get(0, "function")
    kwargs = {
        k: v
        for k, v in call.kwargs.items()
        if k not in ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug")
    }
    args = call.args[1:]
    if name == "checkpoint_sequential":
        args = call.args[2:] or [call.kwargs.get("input")]
        kwargs = {}
    reentrant = call.kwargs.get("use_reentrant", True)
    tensors = [t for t in args if isinstance(t, Tensor)]
    if reentrant is not False:
        here = m.here(call.node)
        with m.grad_mode("off", here):
            result = calls.call(m, func, args, kwargs, call.node)
        if not any(t.requires_grad for t in tensors):
            scope = m.ledger.scope_cut
            if (
                m.grad_enabled
                and scope is not None
                and scope.trace is here
                and all(t.requires_grad is False for t in tensors)
            ):
                m.emit("checkpoint_cuts", here, source=scope.sources[0])
            return result
        inside = _parameters_of(func)
        node = autograd.make_node(m, "checkpoint", [*tensors, *inside], True, call.node)
        _recompute(node, inside)
    else:
        before = m.seq
        held = [Saved(t, "input") for t in (*args, *kwargs.values()) if isinstance(t, Tensor)]
        held += [Saved(p, RECOMPUTED) for p in _parameters_of(func)]
        result = calls.call(m, func, args, kwargs, call.node)
        _forget_saved(result, before, held)
        return result
    node.kind = "checkpoint"
    for tensor in tensors:
        autograd.save(m, node, tensor, "input")
    outs = []
    for out in ops.flatten(result):
        if isinstance(out, Tensor) and out.dtype == "float":
            out = autograd.result(m, None, node, out.shape, out.dtype, call.node)
        outs.append(out)
    return tuple(outs) if isinstance(result, tuple | list) else outs[0] if outs else result


def _forget_saved(result: Value, since: int, held: list[Saved]) -> None:
    """Nodes built inside a non-reentrant checkpoint compute again what they need, from the inputs that it holds."""
    stack = [t.grad_fn for t in ops.flatten(result) if isinstance(t, Tensor) and t.grad_fn is not None]
    seen: set[Any] = set()
    while stack:
        node = stack.pop()
        if node in seen or node.seq <= since:
            continue
        seen.add(node)
        if node.saved or node.hidden:
            node.saved = list(held)
            node.hidden = True
        stack.extend(e for e in node.edges if isinstance(e, Node))


CONSTANTS["torch.autograd.Function"] = lib_class("torch.autograd.Function")
__all__ = ["LibClass", "run_backward", "tensors_of"]
