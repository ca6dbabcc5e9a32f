"""The shape of a fact about torch: parameters, overloads, modules, optimizers, schedulers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a public signature.

    `kind` is one of "tensor", "tensors" (a list), "optional_tensor", "scalar" (int, float or complex), "scalars",
    "int", "ints", "bool", "str", "dtype", "other".
    """

    name: str
    kind: str
    required: bool
    keyword_only: bool
    default: object
    nullable: bool = False
    """None may be given although the kind is not "optional_tensor"."""
    single: bool = False
    """One int may be given where the kind is "ints" (kernel_size, dim)."""
    accepts_number: bool = False
    """A Python number may be given where the kind is "tensor" (`torch.add(x, 2)`)."""
    variadic: bool = False
    """The parameter collects the rest of the positional arguments (`*tensors`)."""


@dataclass(frozen=True, slots=True)
class Overload:
    """What one overload of an op does to autograd. All names are those of the public signature.

    A node is made where grad mode is on and one argument named in `diff` requires grad.
    """

    op: str
    """The base name without namespace suffixes, e.g. "mul" for `mul_`; "linalg_norm" for `torch.linalg.norm`."""
    params: tuple[Param, ...]
    """In call order; for methods the first is self."""
    saves: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    """Parameter saved for backward -> () where always, else the parameters of which one must require grad for it."""
    saves_out: tuple[int, ...] = ()
    """Indices of outputs that are saved."""
    hidden: bool = False
    """The node saves something the user does not hold, so a second backward is refused."""
    hidden_if_scalar: tuple[str, ...] = ()
    """Parameters which, given as a Python number, are wrapped and saved: a second backward is refused."""
    diff: tuple[str, ...] = ()
    """Parameters through which gradient flows."""
    writes: tuple[str, ...] = ()
    """Parameters whose version counter moves (`out` only where it is given)."""
    returns: tuple[str, ...] = ("new",)
    """Per output "new", "alias:p" (the same object), "view:p", "multiview:p", "maybe_view:p" (view or self where it can
    else a copy), "other" (no tensor). A list of tensors is one output."""
    nondiff: tuple[int, ...] = ()
    """Outputs that never require grad."""
    clones_self: bool = False
    """An in-place form that saves a hidden clone of the old self."""
    shape: str = "unknown"
    """"pointwise", "reduce", "same", "view", "matmul", "creation" or "unknown"."""
    variants: Mapping[str, Overload] = field(default_factory=dict)
    """Facts that differ under a flag: "inplace=True", "training=False" -> the overload as it is then."""
    probed: bool = False
    """The row comes from a run of torch, not from the text of its formulas alone."""

    @property
    def inplace_variant(self) -> Overload | None:
        """The facts when `inplace=True` is given, None where no such flag exists or it changes nothing."""
        return self.variants.get("inplace=True")

    def parameter(self, name: str) -> Param | None:
        """The parameter of that name."""
        return next((p for p in self.params if p.name == name), None)


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """What one class of `torch.nn` does when it is called, as probed with default flags and training on."""

    name: str
    params: tuple[Param, ...]
    """The constructor's parameters, without self."""
    parameters: tuple[str, ...]
    """Names in `named_parameters()` of the probed instance."""
    buffers: tuple[str, ...]
    inputs: tuple[str, ...]
    """The parameters of `forward`, without self."""
    saves: Mapping[str, tuple[str, ...]]
    """Parameter, buffer or input saved -> condition as in `Overload.saves`."""
    saves_out: tuple[int, ...]
    hidden: bool
    writes: tuple[str, ...]
    """What a training call changes with a bump of the version counter."""
    silent_writes: tuple[str, ...]
    """Buffers changed without a bump (running statistics)."""
    diff: tuple[str, ...]
    returns: tuple[str, ...]
    nondiff: tuple[int, ...]
    inplace: ModuleFacts | None
    """The facts with `inplace=True`, None where the class has no such flag."""
    evaluation: ModuleFacts | None
    """The facts after `.eval()`, None where they are the same."""
    probed: bool = True


@dataclass(frozen=True, slots=True)
class OptimizerFacts:
    """What `step()` of one optimizer does to its parameters."""

    name: str
    params: tuple[Param, ...]
    bumps: Mapping[str, bool]
    """Variant ("default", "foreach", "fused", "capturable") -> whether step moves the version counters. A variant that
    torch refuses on the CPU is missing."""
    closure: str
    """"optional" or "required" (LBFGS)."""


@dataclass(frozen=True, slots=True)
class SchedulerFacts:
    """The signature of one learning rate scheduler."""

    name: str
    params: tuple[Param, ...]
    needs_metric: bool
