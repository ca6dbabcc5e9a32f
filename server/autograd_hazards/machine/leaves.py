"""Parameters as leaves: edits between steps, conversions, results that are thrown away."""

from __future__ import annotations

import ast
import re

from . import overwritten
from .records import Records, contributions_of, groups_of, origin_of
from .tensor import Mutation, Tensor
from .values import Instance, Value

PURE = frozenset(
    {"detach", "clamp", "clip", "add", "mul", "sub", "div", "abs", "exp", "squeeze", "unsqueeze", "view", "reshape", "transpose", "permute", "masked_fill",
     "relu", "sigmoid", "tanh", "float", "long", "half", "double", "contiguous", "scatter", "index_fill", "clamp_min", "clamp_max"}
)  # fmt: skip
EDITS = frozenset({"clamp_", "clip_", "clamp_min_", "clamp_max_", "renorm_", "hardtanh_"})
PROJECTING = frozenset({"div_", "mul_", "copy_", "set_"})
NORM = re.compile(r"norms?\b|normali[sz]e\b|clamp|clip")


class Leaves(Records):
    """What happens to leaves beside gradients."""

    def written(self, target: Tensor, mutation: Mutation) -> None:
        grad = self.grad_storages.get(target.storage.memory)
        if grad is not None and mutation.op in ("zero_", "fill_"):
            self.clears += 1
            for c in contributions_of(grad):
                if c.erased is None and not c.consumed:
                    c.erased = mutation.trace
                    c.backward.erased.append(mutation.trace)
            contributions_of(grad).clear()
        if mutation.op in overwritten.ACTIVATIONS and mutation.cause == "inplace":
            overwritten.mutated(self.m, target, mutation)
        if mutation.op in EDITS:
            owner = origin_of(target)
            if owner.is_param:
                self.constrained[owner] = (mutation, None)
                self._edited(owner, mutation)
        elif mutation.op in PROJECTING:
            owner = origin_of(target)
            if owner.is_param and isinstance(owner.grad, Tensor) and _projects(mutation.trace.node):
                self._edited(owner, mutation)

    def _edited(self, owner: Tensor, mutation: Mutation) -> None:
        """A parameter is brought back to where it may be, while a gradient waits for its step."""
        if isinstance(owner.grad, Tensor) and any(not c.consumed for c in contributions_of(owner.grad)):
            self.edits.append((owner, mutation))

    def replaced(self, owner: Tensor, value: Tensor, node: ast.AST) -> None:
        """``p.data = p.data.clamp(…)`` between a backward and its step."""
        made = value.created.node
        name = made.func.attr if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) else ""
        if owner.is_param and (f"{name}_" in EDITS or name == "normalize" or _divides_by_norm(made)):
            self._edited(owner, Mutation(self.m.here(node), "data", f"{name}_", False, owner))

    def parameter_used(self, parameter: Tensor) -> None:
        """A forward uses a parameter that was clamped, but stepped since."""
        mutation, step = self.constrained[parameter]
        if step is not None:
            del self.constrained[parameter]
            self.m.emit(
                "edited_before_step",
                step,
                tensor=parameter,
                mutation=mutation,
                changed=mutation.trace,
                step=step,
                optimizer=None,
                used=self.m.here(),
            )

    def discarded(self, result: Tensor, call: ast.Call) -> None:
        """An expression statement that calls a method without effect."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in PURE and not any(k.arg == "out" for k in call.keywords):
            self.m.emit("discarded_result", self.m.here(call), op=name, tensor=result)

    def lost(self, value: Value, name: str, stmt: ast.stmt) -> None:
        """The last statement of a loop's body gave the loop variable a new value that nothing reads."""
        if isinstance(value, Tensor):
            self.m.emit("discarded_result", self.m.here(stmt), op="=", tensor=value, name=name)

    def converted(self, tensor: Tensor, node: ast.AST) -> None:
        """``.to()``/``.cuda()`` on a new leaf: on another device the result is not that leaf any more."""
        inner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if tensor.is_leaf and tensor.requires_grad and isinstance(inner, ast.Call) and tensor.created.node is inner:
            self.conversions[tensor] = self.m.here(node)

    def optimizer_made(self, optimizer: Instance, node: ast.AST) -> None:
        self.optimizers.append(optimizer)
        if self.conversions:
            for group in groups_of(optimizer):
                for p in group:
                    self.used_as_leaf(p)


def _projects(node: ast.AST) -> bool:
    """``p.div_(p.norm())``, ``p.copy_(F.normalize(p))``, ``p /= p.norm()``: the new value is the old one, made to fit."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Div) and bool(NORM.search(ast.unparse(node.value)))
    return isinstance(node, ast.Call) and any(NORM.search(ast.unparse(argument)) for argument in node.args[:1])


def _divides_by_norm(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and bool(NORM.search(ast.unparse(node.right)))
