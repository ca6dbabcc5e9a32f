"""Formulas over abstract values: models that are several ops write them as Python expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .. import autograd, operators
from ..core import Machine
from ..tensor import Tensor
from ..values import Unknown, Value
from . import torch_ops as ops
from .nn_functional import functional


class Term:
    """A value in a formula at one place of the program: operators and methods apply the ops of torch."""

    __slots__ = ("m", "node", "value")

    def __init__(self, m: Machine, node: ast.AST, value: Value) -> None:
        self.m = m
        self.node = node
        self.value = value

    def new(self, value: Value) -> Term:
        return Term(self.m, self.node, value)

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Term:
        return self.new(operators.binary(self.m, op, plain(left), plain(right), self.node))

    def __add__(self, other: Value) -> Term:
        return self._binary(ast.Add(), self, other)

    def __radd__(self, other: Value) -> Term:
        return self._binary(ast.Add(), other, self)

    def __sub__(self, other: Value) -> Term:
        return self._binary(ast.Sub(), self, other)

    def __rsub__(self, other: Value) -> Term:
        return self._binary(ast.Sub(), other, self)

    def __mul__(self, other: Value) -> Term:
        return self._binary(ast.Mult(), self, other)

    def __rmul__(self, other: Value) -> Term:
        return self._binary(ast.Mult(), other, self)

    def __truediv__(self, other: Value) -> Term:
        return self._binary(ast.Div(), self, other)

    def __pow__(self, other: Value) -> Term:
        return self._binary(ast.Pow(), self, other)

    def __neg__(self) -> Term:
        return self.new(operators.unary(self.m, ast.USub(), self.value, self.node))

    def do(self, method: str, *args: Value, **kwargs: Value) -> Term:
        """A method of the tensor."""
        if not isinstance(self.value, Tensor):
            return self.new(
                self.value.derive(("method", method)) if isinstance(self.value, Unknown) else Unknown(method)
            )
        given = {k: plain(v) for k, v in kwargs.items()}
        return self.new(ops.tensor_method(self.m, self.value, method, [plain(a) for a in args], given, self.node))

    def f(self, name: str, *args: Value, **kwargs: Value) -> Term:
        """A function of torch.nn.functional with this as its first argument."""
        if not isinstance(self.value, Tensor):
            return self.new(Unknown(name))
        return self.new(functional(self.m, name, [self.value, *(plain(a) for a in args)], kwargs, self.node))

    def t(self, name: str, *args: Value, **kwargs: Value) -> Term:
        """A function of torch with this as its first argument."""
        if not isinstance(self.value, Tensor):
            return self.new(Unknown(name))
        return self.new(ops.torch_function(self.m, name, [self.value, *(plain(a) for a in args)], kwargs, self.node))

    def log(self) -> Term:
        return self.do("log")

    def exp(self) -> Term:
        return self.do("exp")

    def sum(self, *args: Value) -> Term:
        return self.do("sum", *args)

    def copy(self) -> Term:
        """The same with memory of its own and nothing saved, as ``cat`` and ``stack`` make it."""
        if not isinstance(self.value, Tensor):
            return self
        return self.new(autograd.record(self.m, "stack", [self.value], self.node, shape=self.value.shape))


def plain(value: Value) -> Value:
    return value.value if isinstance(value, Term) else value


def formula(body: Callable[..., Any], m: Machine, node: ast.AST, *values: Value) -> Value:
    """Evaluate a formula over ``values``."""
    return plain(body(*(Term(m, node, v) for v in values)))
