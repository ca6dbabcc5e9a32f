"""Ops of torch driven by the op table: functions, methods and operators on tensors.

What an op saves, writes and returns comes from torchdb; this file only binds arguments, chooses the overload and
performs the transition. Ops that are more than their row live in the other ``torch_*`` files.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ... import torchdb
from .. import autograd, geometry, shapes
from ..core import Call, Machine
from ..tensor import Shape, Tensor
from ..values import Function, Instance, LibClass, LibFunction, LibValue, Unknown, UserClass, Value
from . import torch_autocast, torch_fresh, torch_products, torch_refusals
from .registry import PROVIDERS, TENSOR_METHODS

FLOATS = {
    "float", "float16", "float32", "float64", "half", "double", "bfloat16", "float8_e4m3fn", "float8_e5m2", "FloatTensor", "DoubleTensor",
    "HalfTensor",
}  # fmt: skip
INTS = {
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "long",
    "short",
    "uint8",
    "char",
    "byte",
    "LongTensor",
    "IntTensor",
    "ByteTensor",
}


def dtype_kind(value: Value) -> str | None:
    """ "float", "int", "bool" or "complex" for a dtype value; None when it is unknown or not given."""
    if value is float:
        return "float"
    if value is int:
        return "int"
    if value is bool:
        return "bool"
    name = (
        value.name.rpartition(".")[2]
        if isinstance(value, LibValue)
        else value.rpartition(".")[2]
        if isinstance(value, str)
        else ""
    )
    if name in FLOATS:
        return "float"
    if name in INTS:
        return "int"
    if name in ("bool", "BoolTensor"):
        return "bool"
    if name.startswith(("complex", "cfloat", "cdouble")):
        return "complex"
    return None


def dtype_given(call: Call, default: str | None) -> str | None:
    """What a call's ``dtype=`` says: ``default`` where there is none, None where it is not known."""
    given = call.kwargs.get("dtype")
    return default if given is None else dtype_kind(given)


def precision(value: Value) -> str | None:
    """The precision that a float dtype names ("" for 32 bits, "64", "16"); None for what is no float dtype."""
    if dtype_kind(value) != "float":
        return None
    text = (
        value.name
        if isinstance(value, LibValue)
        else value
        if isinstance(value, str)
        else "64"
        if value is float
        else ""
    )
    if text.endswith(("64", "double", "DoubleTensor")):
        return "64"
    return "16" if text.endswith(("16", "half", "HalfTensor")) else ""


def is_dtype(value: Value) -> bool:
    return dtype_kind(value) is not None and not isinstance(value, str)


def kind_of(value: Value) -> str:
    """The kind of an argument, in torchdb's words."""
    if isinstance(value, Tensor):
        return "tensor"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float | complex):
        return "scalar"
    if isinstance(value, str):
        return "str"
    if isinstance(value, list | tuple):
        if any(isinstance(v, Tensor) for v in value):
            return "tensors"
        if value and all(isinstance(v, int) for v in value):
            return "ints"
        return "unknown" if value else "ints"
    if is_dtype(value):
        return "dtype"
    return "unknown"


def new_tensor(
    m: Machine, node: ast.AST, shape: Shape = None, dtype: str | None = "float", requires_grad: bool | None = False
) -> Tensor:
    """A fresh tensor without history."""
    out = Tensor(m.here(node), requires_grad, shape, dtype)
    out.inference = m.inference
    return out


# -- the generic op ---------------------------------------------------------------------------------------------------
def run(
    m: Machine,
    overloads: Sequence[Any] | None,
    args: list[Value],
    kwargs: Mapping[str, Value],
    node: ast.AST,
    name: str,
) -> Value:
    """Apply the overload that fits the arguments."""
    if overloads is None:
        m.ledger.escaped([*args, *kwargs.values()], node)
        return Unknown(name)
    key = (id(overloads), *[kind_of(a) for a in args], *[(k, kind_of(v)) for k, v in kwargs.items()])
    known = _CHOSEN.get(key)
    if known is not None and known[0] is overloads:
        chosen = known[1]
    else:
        positional = [kind_of(a) for a in args]
        chosen = torchdb.select(overloads, positional, {k: kind_of(v) for k, v in kwargs.items()})
        if chosen is None and "tensors" not in positional:
            chosen = overloads[0]
        _CHOSEN[key] = (overloads, chosen)
    if chosen is None:  # a tuple of tensors where torch takes none: what led here was not what we think
        m.ledger.escaped([*args, *kwargs.values()], node)
        return Unknown(name)
    if any(p.required and p.kind in ("tensor", "tensors") for p in chosen.params):
        if not operands_of([*args, *kwargs.values()]):
            return Unknown(name)  # torch.cat([]), torch.mean(0): torch takes no such thing
    return apply(m, chosen, bind(chosen, args, kwargs), node)


_CHOSEN: dict[Any, Any] = {}  # overloads by the kinds of the arguments


def bind(overload: Any, args: Sequence[Value], kwargs: Mapping[str, Value]) -> dict[str, Value]:
    bound: dict[str, Value] = {}
    positional = [p for p in overload.params if not p.keyword_only]
    for i, value in enumerate(args):
        if i < len(positional):
            param = positional[i]
            if i == len(positional) - 1 and len(args) > len(positional) and (param.variadic or param.kind == "ints"):
                bound[param.name] = tuple(args[i:])
                break
            if param.variadic and not isinstance(value, list | tuple):
                bound[param.name] = (value,)
                break
            bound[param.name] = value
    names = {p.name for p in overload.params}
    for key, value in kwargs.items():
        bound[ALIASES.get(key, key) if key not in names and ALIASES.get(key) in names else key] = value
    for param in overload.params:
        if param.name not in bound and param.default is not None:
            bound[param.name] = param.default
    return bound


ALIASES = {
    "input": "self",
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "self",
    "x2": "other",
    "mat2": "other",
    "self": "input",
}


def flatten(value: Value) -> Iterable[Value]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from flatten(item)
    elif value is not None:
        yield value


def operands_of(values: Iterable[Value]) -> list[Value]:
    """The tensors and unknowns among arguments and in their lists."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, Tensor | Unknown):
            found.append(value)
        elif isinstance(value, list | tuple) and value and not isinstance(value[0], int):
            found.extend(v for v in flatten(value) if isinstance(v, Tensor | Unknown))
    return found


def _no_tensor(value: Value) -> bool:
    """Whether a value is an object that no op takes for a tensor."""
    if isinstance(value, Instance):
        return not (value.is_a("numpy.ndarray") or value.is_a("torch.Tensor"))
    return isinstance(value, UserClass | LibClass | Function)


LOSSES = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div"})


def _makes_a_tensor(ov: Any, bound: Mapping[str, Value]) -> bool:
    """Whether an op works on one more tensor than it is given: it makes one of a number (``t + 1``), or by itself."""
    return (
        ov.op in DROPOUTS
        or ov.op in ("clone", "rsub")
        or any(p.accepts_number and isinstance(bound.get(p.name), int | float | complex) for p in ov.params)
    )


DROPOUTS = {f"{kind}dropout{end}" for kind in ("", "feature_", "alpha_", "feature_alpha_") for end in ("", "_")}
DROPOUTS |= {"dropout1d", "dropout2d", "dropout3d"}


def apply(m: Machine, ov: Any, bound: dict[str, Value], node: ast.AST) -> Value:
    for flag, variant in ov.variants.items():
        name, _, wanted = flag.partition("=")
        if str(bound.get(name)) == wanted and variant is not ov:
            return apply(m, variant, {k: v for k, v in bound.items() if k != name}, node)
    if ov.op in DROPOUTS and bound.get("p") == 0 and not isinstance(bound.get("p"), Tensor):
        return bound.get("input", bound.get("self"))  # torch hands the input itself back
    torch_refusals.refuse(m, ov, bound, node)
    if ov.writes and ov.writes[0] != "out":
        return _apply_inplace(m, ov, bound, node)
    if ov.returns and ov.returns[0] not in ("new", "void"):
        how, _, source_name = ov.returns[0].partition(":")
        source = bound.get(source_name)
        if isinstance(source, Tensor):
            return _apply_view(m, ov, how, source, bound, node)
    if ov.op == "bernoulli" and "p" in bound and not isinstance(bound.get("out"), Tensor):
        return torch_refusals.underived(m, ov.op, bound.get("self", bound.get("input")), node)
    if m.autocast:
        bound = torch_autocast.operands(m, ov.op, bound, node)
    operands = operands_of(bound.values())
    grad = operands_of([bound.get(name) for name in ov.diff])
    differentiable = bool(ov.diff)
    result_type = _dtype(ov, bound)
    shape = shapes.infer(ov.op, ov.shape, bound)
    rg = autograd.wants_grad(grad) if differentiable and result_type in ("float", "complex", None) else False
    if rg is False and differentiable and any(_no_tensor(bound.get(name)) for name in ov.diff):
        return Unknown(ov.op)  # torch takes no such thing: what led here was not what we think
    if rg and autograd.unseen(operands) and not _makes_a_tensor(ov, bound):
        torch_refusals.refuse_unseen(m, ov, operands, node)
        rg = False
    target = bound.get("out")
    if isinstance(target, Tensor) and m.grad_enabled is not False and (rg or target.requires_grad):
        m.emit("other", m.here(node), loud=True, message=torch_refusals.OUT, tensor=target)
        return target
    node_ = None
    scope = None
    if rg and m.grad_enabled is not False:
        node_ = autograd.make_node(m, ov.op, grad, hidden(m, ov, bound), node)
        node_.over = bound.get("dim")
        for tensor, role in saved_inputs(ov, bound):
            autograd.save(m, node_, tensor, role)
    elif m.grad_enabled is False:
        scope = m.ledger.shielded(grad, rg)
        rg = False
    outs: list[Tensor] = []
    count = max(1, len(ov.returns))
    for i in range(count):
        if i in ov.nondiff:
            outs.append(new_tensor(m, node, shape if i == 0 else None, "int" if i else result_type))
        else:
            outs.append(autograd.result(m, rg, node_, shape, result_type, node))
    if count > 1 and ov.op in (
        "max",
        "min",
        "median",
        "mode",
        "sort",
        "topk",
        "kthvalue",
        "cummax",
        "cummin",
        "aminmax",
    ):
        outs[1].shape = shape
    if (
        ov.shape == "pointwise"
        or ov.op in KEEPS_ORDER
        or (ov.op in ("max", "min") and isinstance(bound.get("other"), Tensor))
    ):
        keep_order(outs[0], operands)
    if node_ is not None:
        for i in ov.saves_out if not (ov.op == "scaled_dot_product_attention" and _composed(bound)) else ():
            if i < len(outs):
                autograd.save(m, node_, outs[i], "result", is_output=True)
    m.ledger.carry_cuts(operands, outs)
    precision = autograd.precision_of(operands[:1] if ov.op in torch_autocast.LIKE_FIRST else operands)
    if precision:
        for out in outs:
            out.precision = precision
    if scope is not None:
        for out in outs:
            out.cuts = (*out.cuts, scope)[-4:]
    if not rg and m.grad_enabled is not False and result_type != "bool":
        attached = [t for t in operands if isinstance(t, Tensor) and t.requires_grad]
        if attached:
            m.ledger.cut(ov.op, attached, outs[0], node)
    if node_ is not None and ov.op in LOSSES:
        m.ledger.compared(bound.get("self", bound.get("input")), bound.get("target"), outs[0], node)
    written = bound.get("out")
    if isinstance(written, Tensor):
        return _write_out(m, written, outs[0], node, ov.op)
    if torch_fresh.is_view(ov.op, bound, outs[0]):
        outs[0] = torch_fresh.view_of(m, outs[0], node)
    return outs[0] if count == 1 else _named(ov.op, outs)


KEEPS_ORDER = frozenset({
    "clone", "relu", "sigmoid", "tanh", "normalize", "gelu", "dropout", "flip", "index_fill", "sort", "celu", "elu", "hardsigmoid",
    "hardswish", "hardtanh", "leaky_relu", "mish",
    "relu6",
    "selu", "silu", "prelu", "mse_loss", "binary_cross_entropy_with_logits",
    "glu", "softplus", "softsign", "tanhshrink", "lerp", "nan_to_num", "deg2rad", "special_expit", "where",
})  # fmt: skip


def keep_order(out: Tensor, operands: Iterable[Value]) -> None:
    """A new result has its dimensions in memory in the order that its operands have them."""
    shape = out.shape
    if shape is None or len(shape) < 2 or None in shape:
        return
    given = [t for t in operands if isinstance(t, Tensor)]
    if any(t.layout is not None for t in given):
        strides = geometry.pointwise_strides(given, tuple(d or 0 for d in shape))
        if strides is not None and strides != geometry.in_order(shape):
            out.layout = (0, strides)


def _named(op: str, outs: list[Tensor]) -> Value:
    if op in ("max", "min", "median", "mode", "sort", "topk", "kthvalue", "cummax", "cummin", "nanmedian"):
        return NamedResult(outs, ("values", "indices"))
    fields = FIELDS.get(op.replace(".", "_"), ())
    return NamedResult(outs, fields) if len(fields) == len(outs) else tuple(outs)


FIELDS = {
    "cummax": ("values", "indices"), "cummin": ("values", "indices"), "aminmax": ("min", "max"), "linalg_eigh": ("eigenvalues", "eigenvectors"),
    "linalg_eig": ("eigenvalues", "eigenvectors"), "linalg_svd": ("U", "S", "Vh"), "svd": ("U", "S", "V"), "linalg_qr": ("Q", "R"),
    "qr": ("Q", "R"), "linalg_slogdet": ("sign", "logabsdet"), "slogdet": ("sign", "logabsdet"), "linalg_lu": ("P", "L", "U"),
    "linalg_inv_ex": ("inverse", "info"), "linalg_cholesky_ex": ("L", "info"), "frexp": ("mantissa", "exponent"),
    "triangular_solve": ("solution", "cloned_coefficient"),
}  # fmt: skip


class NamedResult(tuple):  # type: ignore[type-arg]
    """The result of ``t.max(dim)``: a tuple with ``.values`` and ``.indices``."""

    names: tuple[str, ...]

    def __new__(cls, values: Iterable[Value], names: tuple[str, ...]) -> NamedResult:
        made = super().__new__(cls, values)
        made.names = names
        return made


def _write_out(m: Machine, out: Tensor, result: Tensor, node: ast.AST, op: str) -> Tensor:
    if not autograd.overlap_check(m, out, [], node, op):
        return out
    autograd.mutate(m, out, "inplace", f"{op}(out=)", node)
    if result.shape is not None:
        out.shape = result.shape
    return out


def hidden(m: Machine, ov: Any, bound: Mapping[str, Value]) -> bool:
    """Whether the node keeps something that the user does not hold: then a second backward is refused."""
    if ov.hidden or (ov.op in ("matmul", "linear") and torch_products.copied(ov.op, bound)):
        return True
    if ov.op == "einsum" and len(list(flatten(bound.get("operands")))) > 2:
        return True
    for name in ov.hidden_if_scalar:
        value = bound.get(name)
        if isinstance(value, bool | int | float | complex | Unknown):
            return True
    return False


def _composed(bound: Mapping[str, Value]) -> bool:
    """Attention whose query has no head dimension is computed by plain ops: its result is not saved."""
    query = bound.get("query")
    return isinstance(query, Tensor) and query.shape is not None and len(query.shape) != 4


def _contracted(operands: list[Value]) -> list[tuple[Value, str]]:
    """einsum multiplies its operands from left to right: each side is saved where the other one needs a gradient."""
    result: list[tuple[Value, str]] = []
    needs = _needs_grad(operands[0]) if operands else False
    for i, operand in enumerate(operands[1:]):
        if needs:
            result.append((operand, "operands"))
        if i == 0 and _needs_grad(operand):
            result.append((operands[0], "operands"))
        needs = needs or _needs_grad(operand)
    return result


def saved_inputs(ov: Any, bound: Mapping[str, Value]) -> list[tuple[Value, str]]:
    if ov.op == "einsum":
        return [(t, role) for t, role in _contracted(list(flatten(bound.get("operands")))) if isinstance(t, Tensor)]
    result = []
    for name, condition in ov.saves.items():
        if condition and not any(_needs_grad(bound.get(c)) for c in condition):
            continue
        for tensor in flatten(bound.get(name)):
            if isinstance(tensor, Tensor):
                result.append((tensor, name))
    if ov.op in OTHER_FIRST:
        result.reverse()
    if result and ov.op in ("matmul", "linear"):
        away = torch_products.copied(ov.op, bound)
        return [entry for entry in result if entry[1] not in away] if away else result
    return result


OTHER_FIRST = frozenset(
    {
        "mul",
        "mul_",
        "div",
        "div_",
        "mm",
        "matmul",
        "bmm",
        "mv",
        "dot",
        "addcmul",
        "addcmul_",
        "linear",
        "maximum",
        "minimum",
    }
)
"""Ops whose backward takes out the second factor first, since the gradient of the first one comes first."""


def _needs_grad(value: Value) -> bool:
    return any(isinstance(t, Tensor) and bool(t.requires_grad) for t in flatten(value))


BOOLS = {"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "logical_xor",
         "greater", "less", "equal", "greater_equal", "less_equal", "not_equal", "isclose", "signbit", "isin"}  # fmt: skip


COMPLEX = {"polar", "complex", "view_as_complex", "linalg_eig", "linalg_eigvals"}
REAL_TRANSFORMS = ("fft_irfft", "fft_hfft", "fft_fftfreq", "fft_rfftfreq", "fft_fftshift", "fft_ifftshift")
REAL = {"abs", "absolute", "angle", *REAL_TRANSFORMS[:2], "fft_irfft2", "fft_irfftn"}


def _dtype(ov: Any, bound: Mapping[str, Value]) -> str | None:
    if ov.op in BOOLS:
        return "bool"
    if ov.op in COMPLEX or (ov.op.startswith("fft_") and not ov.op.startswith(REAL_TRANSFORMS)):
        return "complex"
    if ov.op in REAL and all(t.dtype == "complex" for t in bound.values() if isinstance(t, Tensor)):
        return "float"
    if (
        ov.nondiff
        and 0 in ov.nondiff
        and ov.op.startswith(("arg", "count", "bucketize", "searchsorted", "nonzero", "bincount", "multinomial"))
    ):
        return "int"
    given = bound.get("dtype")
    if given is not None:
        return dtype_kind(given)
    operands = [v for name, v in bound.items() if name not in ("index", "indices", "mask", "condition", "target")]
    kinds = {t.dtype for t in flatten(operands) if isinstance(t, Tensor)}
    if ov.op in ("where", "gather", "index_select", "masked_select", "embedding"):
        weight = bound.get("weight")
        if ov.op == "embedding" and isinstance(weight, Tensor):
            return weight.dtype
    if "complex" in kinds:
        return "complex"
    if "float" in kinds:
        return "float"
    if any(isinstance(v, float) for v in bound.values()) or ov.op in (
        "div",
        "mean",
        "true_divide",
        "exp",
        "log",
        "sqrt",
        "sigmoid",
        "tanh",
    ):
        return "float"
    if None in kinds or not kinds:
        return None if any(isinstance(v, Unknown) for v in bound.values()) else "float" if not kinds else None
    if any(isinstance(v, Unknown) for name in ov.diff for v in flatten(bound.get(name))):
        return None  # a mask times what may be a loss
    if kinds == {"bool"} and ov.op in ("sum", "add", "mul", "cumsum"):
        return "int"
    return "int" if "int" in kinds else "bool"


def _apply_inplace(m: Machine, ov: Any, bound: dict[str, Value], node: ast.AST) -> Value:
    target = bound.get(ov.writes[0])
    if not isinstance(target, Tensor):
        return target
    others = [t for name in ov.diff if name != ov.writes[0] for t in flatten(bound.get(name)) if isinstance(t, Tensor)]
    written = [t for t in flatten(list(bound.values())) if isinstance(t, Tensor) and t is not target]
    saves = saved_inputs(ov, bound)
    keeps = hidden(m, ov, bound)
    if ov.clones_self:
        if any(t is target and role == ov.writes[0] for t, role in saves):
            keeps = True
        saves = [(t, role) for t, role in saves if not (t is target and role == ov.writes[0])]
    name = ov.op if ov.op.endswith("_") else f"{ov.op}_"
    slope = (
        bound.get("negative_slope", bound.get("alpha")) if name in ("leaky_relu_", "elu_", "celu_", "rrelu_") else None
    )
    if isinstance(slope, int | float) and slope < 0 and target.requires_grad and m.grad_enabled is True:
        out = autograd.inplace(
            m, name, target, others, node, saves=saves, saves_out=bool(ov.saves_out), hidden=keeps, operands=written
        )
        made = out.grad_fn
        if made is not None:
            made.mode = NegativeSlope(m.callee)
        return out
    out = autograd.inplace(
        m, name, target, others, node, saves=saves, saves_out=bool(ov.saves_out), hidden=keeps, operands=written
    )
    if ov.clones_self and keeps and out.grad_fn is not None and out.grad_fn.kind == "":
        out.grad_fn.kind = "keeps_old"
    from . import torch_views

    if name in torch_views.RESHAPES_IN_PLACE:
        torch_views.reshape_in_place(out, name[:-1], bound)
    return out


class NegativeSlope:
    """The backward of an in-place leaky relu cannot tell the input's sign when the slope is negative."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def run_backward(self, m: Machine, node: Any, backward: Any) -> None:
        m.emit("negative_slope", backward.trace, loud=True, node=node, built=node.trace, module=self.module)


def _apply_view(m: Machine, ov: Any, how: str, source: Tensor, bound: dict[str, Value], node: ast.AST) -> Value:
    from . import torch_views

    return torch_views.apply(m, ov, how, source, bound, node)


# -- by name ----------------------------------------------------------------------------------------------------------
def functional(m: Machine, name: str, args: list[Value], kwargs: Mapping[str, Value], node: ast.AST) -> Value:
    """A function of torch.nn.functional."""
    return run(m, torchdb.functional(name), args, kwargs, node, name)


def torch_function(m: Machine, name: str, args: list[Value], kwargs: Mapping[str, Value], node: ast.AST) -> Value:
    """A function of the torch namespace."""
    from .registry import FUNCTIONS

    model = FUNCTIONS.get(f"torch.{name}")
    if model is not None:
        return model.model(m, Call(node, list(args), dict(kwargs)))
    return run(m, torchdb.function(name), args, kwargs, node, name)


def tensor_method(
    m: Machine, tensor: Tensor, name: str, args: list[Value], kwargs: Mapping[str, Value], node: ast.AST
) -> Value:
    """A method of a tensor."""
    model = TENSOR_METHODS.get(name) or m.session.tensor_method(name)
    if model is None:
        return Unknown(name)
    return model(m, tensor, Call(node, list(args), dict(kwargs)))


def table_method(name: str) -> Callable[..., Value] | None:
    """The model of a method that only the table knows; None when it has no row."""
    overloads = torchdb.method(name)
    if overloads is None:
        return None

    def model(m: Machine, self: Value, call: Call) -> Value:
        if not isinstance(self, Tensor):
            return Unknown(name)
        return run(m, overloads, [self, *call.args], call.kwargs, call.node, name)

    return model


def _provide(name: str) -> Value:
    head, _, rest = name.partition(".")
    if head != "torch" or not rest:
        return None
    if rest.startswith("nn.functional."):
        short = rest[14:]
        if torchdb.functional(short) is not None:
            return LibFunction(name, lambda m, call: functional(m, short, call.args, call.kwargs, call.node))
        return None
    if rest.startswith("Tensor."):
        short = rest[7:]
        return LibFunction(name, lambda m, call: _unbound(m, short, call))
    if rest.startswith("nn.") or not all(p.isidentifier() for p in rest.split(".")):
        return None
    if torchdb.function(rest) is not None:
        return LibFunction(
            name, lambda m, call: run(m, torchdb.function(rest), call.args, call.kwargs, call.node, rest)
        )
    return None


def _unbound(m: Machine, name: str, call: Call) -> Value:
    if call.args and isinstance(call.args[0], Tensor):
        return tensor_method(m, call.args[0], name, call.args[1:], call.kwargs, call.node)
    return Unknown(name)


PROVIDERS.append(_provide)

# -- operators --------------------------------------------------------------------------------------------------------
BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floor_divide", ast.Mod: "remainder", ast.Pow: "pow",
    ast.MatMult: "matmul", ast.BitOr: "bitwise_or", ast.BitAnd: "bitwise_and", ast.BitXor: "bitwise_xor", ast.LShift: "bitwise_left_shift",
    ast.RShift: "bitwise_right_shift",
}  # fmt: skip
COMPARE: dict[type, str] = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def _operand(m: Machine, value: Value, node: ast.AST) -> Value:
    if isinstance(value, Instance) and value.is_a("numpy.ndarray"):
        from .numpy_arrays import as_tensor

        return as_tensor(m, value, node)
    return value


def binary(m: Machine, kind: type, left: Value, right: Value, node: ast.AST) -> Value:
    left, right = _operand(m, left, node), _operand(m, right, node)
    if not isinstance(left, Tensor | Unknown | bool | int | float | complex) or not isinstance(
        right, Tensor | Unknown | bool | int | float | complex
    ):
        return Unknown("operator")
    if kind in (ast.Add, ast.Sub):
        m.ledger.term(left, right, node)
    name = BINARY[kind]
    if isinstance(left, Tensor):
        result = _elementwise(m, kind, left, right, run(m, torchdb.method(name), [left, right], {}, node, name))
        if kind is ast.Mult:
            m.ledger.product(left, right, result, node)
        elif kind is ast.Add:
            m.ledger.bootstrapped(left, right, result, node)
        elif kind is ast.Sub:
            m.ledger.compared(right, left, result, node)
            m.ledger.compared(left, right, result, node)
        return result
    if kind in (ast.Add, ast.Mult):
        result = run(m, torchdb.method(name), [right, left], {}, node, name)
        if kind is ast.Add:
            m.ledger.bootstrapped(left, right, result, node)
        return result
    if kind is ast.Sub:
        return run(m, torchdb.function("rsub") or torchdb.function("sub"), [right, left], {}, node, "sub")
    if kind is ast.Div and not isinstance(left, Unknown):
        inverse = run(m, torchdb.method("reciprocal"), [right], {}, node, "reciprocal")
        return run(m, torchdb.method("mul"), [inverse, left], {}, node, "mul")
    return run(m, torchdb.function(name), [left, right], {}, node, name)


def _elementwise(m: Machine, kind: type, left: Tensor, right: Value, result: Value) -> Value:
    """Known values of constant scalars stay known."""
    if isinstance(result, Tensor) and isinstance(left.elements, int | float) and not result.requires_grad:
        other = right.elements if isinstance(right, Tensor) else right
        if isinstance(other, int | float) and not isinstance(other, bool):
            from .. import operators

            try:
                result.elements = operators.NATIVE[kind](left.elements, other)
            except (ArithmeticError, ValueError, TypeError):
                result.elements = None
    return result


def unary(m: Machine, kind: type, value: Tensor, node: ast.AST) -> Value:
    names: dict[type, str] = {ast.USub: "neg", ast.UAdd: "positive", ast.Invert: "bitwise_not"}
    name = names[kind]
    if kind is ast.UAdd:
        return value
    return run(m, torchdb.method(name), [value], {}, node, name)


def compare(m: Machine, kind: type, left: Value, right: Value, node: ast.AST) -> Value:
    tensor = left if isinstance(left, Tensor) else right
    assert isinstance(tensor, Tensor)
    other = right if tensor is left else left
    out = new_tensor(m, node, shapes.broadcast(tensor.shape, shapes.of(other)), "bool")
    keep_order(out, [left, right])
    first = tensor.elements
    second = other.elements if isinstance(other, Tensor) else other
    if isinstance(first, int | float) and isinstance(second, int | float):
        from .. import operators

        out.elements = operators.COMPARE[kind](*((first, second) if tensor is left else (second, first)))  # type: ignore[index]
    m.ledger.cut("comparison", [t for t in (left, right) if isinstance(t, Tensor)], out, node)
    return out


def augmented(m: Machine, kind: type, old: Tensor, value: Value, node: ast.AST) -> Value:
    value = _operand(m, value, node)
    if not isinstance(value, Tensor | Unknown | bool | int | float | complex):
        return old
    if kind in (ast.Add, ast.Sub):
        m.ledger.term(old, value, node)
    if kind is ast.MatMult:
        return binary(m, kind, old, value, node)
    name = f"{BINARY[kind]}_"
    model = m.session.tensor_method(name)
    if model is None:
        return old
    return model(m, old, Call(node, [value], {}))


# -- items and attributes (see torch_views and torch_tensor) ----------------------------------------------------------
def get_item(m: Machine, owner: Tensor, index: Value, node: ast.AST) -> Value:
    from . import torch_views

    return torch_views.get_item(m, owner, index, node)


def set_item(m: Machine, owner: Tensor, index: Value, value: Value, node: ast.AST) -> None:
    from . import torch_views

    torch_views.set_item(m, owner, index, value, node)


def set_attribute(m: Machine, owner: Tensor, name: str, value: Value, node: ast.AST) -> None:
    from . import torch_tensor

    torch_tensor.set_attribute(m, owner, name, value, node)
