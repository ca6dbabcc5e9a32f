"""What all models of ``torch.nn`` share: a module's state, walks over it, its parameters, constructors' arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .. import attributes, autograd, calls
from ..core import Machine
from ..geometry import layout_of
from ..tensor import Shape, Storage, Tensor
from ..values import Instance, LibClass, Unknown, UserClass, Value
from .registry import Call, lib_class

MODULE = lib_class("torch.nn.Module", aliases=("torch.nn.modules.module.Module", "torch.nn.modules.Module"))
OPAQUE = "opaque"  # key in a module's data: nobody knows its inside
REQUIRED: Any = object()


# -- state ------------------------------------------------------------------------------------------------------------
def is_module(value: Value) -> bool:
    return isinstance(value, Instance) and MODULE in value.cls.mro()


def state(module: Instance) -> dict[str, Any]:
    """What the models keep of a module: buffers, hooks, parametrizations."""
    if not isinstance(module.data, dict):
        module.data = {}
    found: dict[str, Any] = module.data
    return found


def start(module: Instance) -> dict[str, Any]:
    """``Module.__init__``: training mode, nothing registered."""
    module.attrs.setdefault("training", True)
    return state(module)


def buffers_of(module: Instance) -> dict[str, bool]:
    """Names of the registered buffers: whether each is in the state dict."""
    found: dict[str, bool] = state(module).setdefault("buffers", {})
    return found


def own_parameters(module: Instance) -> list[tuple[str, Tensor]]:
    """What ``_parameters`` holds: parameters, and tensors that the program has put there in their place."""
    kept = state(module)
    buffers, placed = kept.get("buffers", ()), kept.get("placed", ())
    return [
        (n, v)
        for n, v in module.attrs.items()
        if isinstance(v, Tensor) and (v.is_param or n in placed) and n not in buffers
    ]


def own_buffers(module: Instance) -> list[tuple[str, Tensor]]:
    names = buffers_of(module)
    for name, value in module.attrs.items():
        if isinstance(value, Tensor) and value.origin == "Buffer" and name not in names:
            names[name] = value.attrs is None or value.attrs.get("persistent") is not False
    return [(n, v) for n in names if isinstance(v := module.attrs.get(n), Tensor)]


def own_children(module: Instance) -> list[tuple[str, Instance]]:
    return [(n, v) for n, v in module.attrs.items() if is_module(v)]


def walk(module: Instance, prefix: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Instance]]:
    """The module and all below it with their dotted names, each once, in torch's order."""
    seen = set() if seen is None else seen
    if id(module) in seen:
        return
    seen.add(id(module))
    yield prefix, module
    for name, child in own_children(module):
        yield from walk(child, f"{prefix}.{name}" if prefix else name, seen)


def named_parameters(module: Instance, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
    """Each parameter once, with its dotted name."""
    seen: set[int] = set()
    for path, owner in walk(module, prefix) if recurse else [(prefix, module)]:
        for name, tensor in own_parameters(owner):
            if id(tensor) not in seen:
                seen.add(id(tensor))
                yield (f"{path}.{name}" if path else name), tensor


def parameters(module: Instance) -> list[Tensor]:
    return [tensor for _, tensor in named_parameters(module)]


def named_buffers(module: Instance, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
    seen: set[int] = set()
    for path, owner in walk(module, prefix) if recurse else [(prefix, module)]:
        for name, tensor in own_buffers(owner):
            if id(tensor) not in seen:
                seen.add(id(tensor))
                yield (f"{path}.{name}" if path else name), tensor


def parameters_in(values: Any) -> list[Tensor]:
    """Tensors and modules' parameters found in plain arguments."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += parameters_in(value)
        elif isinstance(value, dict):
            found += parameters_in(value.values())
    return found


def part(m: Machine, module: Instance, name: str, node: ast.AST) -> Value:
    """An attribute of a module; computed ones (parametrizations) included."""
    if name in module.attrs:
        return module.attrs[name]
    return attributes.get_attribute(m, module, name, node)


def submodule(module: Instance, path: str) -> Instance | None:
    """The module at a dotted path."""
    found: Any = module
    for name in path.split(".") if path else ():
        found = found.attrs.get(name) if isinstance(found, Instance) else None
    return found if is_module(found) else None


# -- making parts -----------------------------------------------------------------------------------------------------
def new_parameter(m: Machine, name: str, shape: Shape, node: ast.AST, requires_grad: bool | None = True) -> Tensor:
    """A parameter as a layer makes it: a new leaf with memory of its own."""
    made = Tensor(m.here(node), requires_grad, shape, "float")
    made.is_param = True
    made.assigned = name
    made.inference = m.inference
    return made


def new_buffer(
    m: Machine, module: Instance, name: str, shape: Shape, node: ast.AST, dtype: str = "float", persistent: bool = True
) -> Tensor:
    made = Tensor(m.here(node), False, shape, dtype)
    made.assigned = name
    set_buffer(module, name, made, persistent)
    return made


def set_buffer(module: Instance, name: str, value: Value, persistent: bool = True) -> None:
    buffers_of(module)[name] = persistent
    module.attrs[name] = value


def as_parameter(m: Machine, data: Tensor, requires_grad: bool | None, node: ast.AST) -> Tensor:
    """``nn.Parameter(data)``: a new leaf that shares memory and version counter with ``data``."""
    made = Tensor(m.here(node), requires_grad, data.shape, data.dtype, data.storage)
    made.is_param = True
    made.inference = data.inference
    made.detached_from = data
    made.layout = layout_of(data)
    made.origin = "Parameter"
    m.ledger.cut("Parameter", [data], made, node)
    return made


def alias(m: Machine, tensor: Tensor, node: ast.AST) -> Tensor:
    """The same memory without history: what a state dict holds."""
    made = Tensor(m.here(node), False, tensor.shape, tensor.dtype, tensor.storage)
    made.detached_from = tensor
    made.layout = layout_of(tensor)
    made.origin = "detach"
    made.assigned = tensor.name
    return made


def rebind(tensor: Tensor, memory: Storage | None = None) -> None:
    """``p.data = new``: other memory from now on; graphs keep the old one."""
    tensor.storage = Storage(tensor.storage, memory)


# -- arguments --------------------------------------------------------------------------------------------------------
class Signature:
    """Parameters of a constructor or function, written as in Python: ``a, b=1, *, c=None``."""

    __slots__ = ("entries",)

    def __init__(self, text: str) -> None:
        self.entries: list[tuple[str, Value, bool]] = []  # name, default, keyword only
        spec = ast.parse(f"def f({text}): ...").body[0].args  # type: ignore[attr-defined]
        offset = len(spec.args) - len(spec.defaults)
        for i, arg in enumerate(spec.args):
            self.entries.append(
                (arg.arg, ast.literal_eval(spec.defaults[i - offset]) if i >= offset else REQUIRED, False)
            )
        for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
            self.entries.append((arg.arg, REQUIRED if default is None else ast.literal_eval(default), True))

    def bind(self, call: Call) -> dict[str, Value]:
        """Argument values by name; a missing required one is unknown."""
        values: dict[str, Value] = {}
        for i, (name, default, keyword_only) in enumerate(self.entries):
            if not keyword_only and i < len(call.args):
                values[name] = call.args[i]
            else:
                values[name] = call.kwargs.get(name, Unknown(name) if default is REQUIRED else default)
        return values


def known(value: Value) -> int | None:
    """A size, when it is known."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def sizes(value: Value, count: int) -> tuple[int | None, ...]:
    """A size for each of ``count`` dimensions from a number or a tuple."""
    if isinstance(value, list | tuple) and len(value) == count:
        return tuple(known(v) for v in value)
    return (known(value),) * count


def dims(value: Value) -> Shape:
    """A shape from a number or a sequence of numbers."""
    if isinstance(value, list | tuple):
        return tuple(known(v) for v in value)
    return (known(value),) if not isinstance(value, Unknown) else None


def call_part(m: Machine, module: Value, args: list[Value], node: ast.AST) -> Value:
    return calls.call(m, module, args, {}, node)


def declare(name: str, *bases: str, aliases: tuple[str, ...] = ()) -> LibClass:
    """A class ``torch.nn.<name>``."""
    made = lib_class(f"torch.nn.{name}", *(bases or ("torch.nn.Module",)), aliases=aliases)
    made.exact = True
    return made


def has_own(cls: UserClass | LibClass, name: str) -> bool:
    """Whether the user's source overrides ``name`` of a library class."""
    for c in cls.mro():
        if isinstance(c, UserClass) and name in c.attrs:
            return True
        if isinstance(c, LibClass) and name in c.methods:
            return False
    return False


def record_many(
    m: Machine,
    op: str,
    inputs: list[Any],
    node: ast.AST,
    shapes: list[Shape],
    saves: list[tuple[Any, str]],
    saved_outputs: tuple[int, ...] = (),
) -> list[Tensor]:
    """An op with several results and something hidden among what it saves."""
    first = autograd.record(
        m, op, inputs, node, saves=saves, saves_out=0 in saved_outputs, hidden=True, shape=shapes[0]
    )
    outs = [first]
    for i, shape in enumerate(shapes[1:], 1):
        out = autograd.result(m, first._requires_grad, first.grad_fn, shape, "float", node)
        if first.grad_fn is not None and i in saved_outputs:
            autograd.save(m, first.grad_fn, out, "result", is_output=True)
        outs.append(out)
    return outs
