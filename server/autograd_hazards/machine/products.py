"""Weights of a loss that carry a graph of their own: advantages, baselines, targets computed by the network itself."""

from __future__ import annotations

import ast
import re
from typing import Any

from ..source.patterns import lazy
from . import autograd
from .overwritten import JOINING
from .records import Records, groups_of
from .tensor import Node, Tensor
from .values import Value

REWARD = lazy(r"\brs?\b|\brew|reward|_rew|\br_", re.IGNORECASE)
TARGET = lazy(r"target|teacher|pseudo|soft_?label", re.IGNORECASE)
LOG_PROBABILITY = lazy(r"log_?p|log_?softmax|logits?_pi|categorical", re.IGNORECASE)
SAME_SENSE = frozenset("neg mul div sum mean squeeze unsqueeze view reshape".split())  # of one thing: still what it was
JOINED = 8  # of what is joined so many parts are looked at
ADVANTAGE = lazy(r"adv|td|delta|baseline|return|gain", re.IGNORECASE)


class Products(Records):
    """Products and comparisons in losses."""

    def product(self, left: Value, right: Value, result: Value, node: ast.AST) -> None:
        """A product of a log-probability and a weight that has a graph of its own (an advantage that was not detached)."""
        for logp, weight in ((left, right), (right, left)):
            if not (isinstance(logp, Tensor) and isinstance(weight, Tensor) and isinstance(result, Tensor)):
                return
            if weight.grad_fn is None or logp.grad_fn is None or result.grad_fn is None:
                return
            if weight.grad_fn.op not in ("sub", "rsub", "add", "div", "mul", "neg") or not self._log_probability(
                logp.grad_fn
            ):
                continue
            if LOG_PROBABILITY.search(_names(weight.grad_fn, 3)):
                continue
            if weight.grad_fn.op not in ("sub", "rsub") and not ADVANTAGE.search(weight.name or ""):
                continue
            mine = {p for p in autograd.leaves_of(self.m, weight) if p.is_param}
            if mine - autograd.leaves_of(self.m, logp):
                self.products.append((result.grad_fn, weight, self.m.here(node), True))
                return

    def bootstrapped(self, left: Value, right: Value, result: Value, node: ast.AST) -> None:
        """``reward + gamma * value``: an estimate made of a network's own estimate."""
        if not isinstance(node, ast.BinOp) or not isinstance(result, Tensor) or result.grad_fn is None:
            return
        for reward, value, text in ((left, right, node.left), (right, left, node.right)):
            if isinstance(reward, Tensor) and reward.requires_grad:
                continue
            fn = value.grad_fn if isinstance(value, Tensor) else None
            if fn is not None and fn.op == "mul" and len(fn.edges) == 1:
                self.bootstraps[result.grad_fn] = bool(REWARD.search(ast.unparse(text)))

    def compared(self, estimate: Value, target: Value, result: Value, node: ast.AST) -> None:
        """A loss or difference of an estimate and what it should become: does it also move the latter?"""
        if not isinstance(estimate, Tensor) or not isinstance(target, Tensor) or not isinstance(result, Tensor):
            return
        if estimate.grad_fn is None or target.grad_fn is None or result.grad_fn is None:
            return
        own = self._bootstrap(target.grad_fn)
        if own is not True and (result.grad_fn.op == "sub" or not TARGET.search(target.name or "")):
            return
        theirs = {p for p in autograd.leaves_of(self.m, target) if p.is_param}
        shared = theirs & autograd.leaves_of(self.m, estimate)
        if own is not False and shared:
            self.products.append((result.grad_fn, target, self.m.here(node), own is True))
        elif not own and theirs and not shared:
            trained = {p for o in self.optimizers for g in groups_of(o) for p in g}
            if theirs & trained:
                self.products.append((result.grad_fn, target, self.m.here(node), True))

    def _bootstrap(self, node: Node) -> bool | None:
        """Whether the value is an estimate made of an estimate: True when of a reward too, None when of what is not told."""
        current: Any = node
        for _ in range(4):
            if current in self.bootstraps:
                return self.bootstraps[current] or None
            if isinstance(current, Node) and current.op in JOINING and len(current.edges) > 1:
                parts = [self._bootstrap(part) if isinstance(part, Node) else False for part in current.edges[:JOINED]]
                return True if all(part is True for part in parts) else None if any(p is None for p in parts) else False
            if not isinstance(current, Node) or len(current.edges) != 1:
                return False
            current = current.edges[0]
        return False

    def _log_probability(self, node: Node) -> bool:
        """Whether a value is a log-probability, by the names it was given or the call that it comes from."""
        if LOG_PROBABILITY.search(_names(node)):
            return True
        current: Any = node
        for _ in range(4):
            if self._called_so(current):
                return True
            if current.op not in SAME_SENSE or len(current.edges) != 1 or not isinstance(current.edges[0], Node):
                return False
            current = current.edges[0]
        return False

    def _called_so(self, node: Node) -> bool:
        for frame, site in node.trace.chain():
            func = site.node.func if isinstance(site.node, ast.Call) else None
            name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            if LOG_PROBABILITY.search(name):
                return True
            if frame is self.m.frame:
                return False
        return False


def _names(node: Any, limit: int = 12) -> str:
    """Ops and names along the last few nodes of a graph."""
    found: list[str] = []
    stack: list[Any] = [node]
    seen: set[Any] = set()
    while stack and len(seen) < limit:
        current = stack.pop(0)
        if current in seen or not isinstance(current, Node):
            continue
        seen.add(current)
        found.append(current.op)
        found.extend(t.name for t in current.outputs if t.name)
        stack.extend(current.edges)
    return " ".join(found)
