"""Edits of a finished program, as slips of a person: statements that change places, cuts that are lost, writes in place."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator

Edit = Callable[[], None]
Put = Callable[[ast.expr], None]

TENSORS = frozenset(
    "x y z h u q t w out fake real made loss total pred goal value adv code state sim feats logits action mixed score image noisy mean"
    " rec std mu logvar memory token batch term outer energy force d_loss g_loss q_loss pi_loss q1 q2 kept seen result".split()
)
"""Names that mostly mean tensors in the scenes."""
IN_PLACE = frozenset(
    "add mul sub div clamp exp relu sigmoid tanh pow sqrt lerp masked_fill unsqueeze squeeze t".split()
)
CUTS = frozenset("detach clone item".split())
MODES = ("no_grad", "enable_grad", "inference_mode", "autocast")
OPTIONS = frozenset("retain_graph create_graph inputs inplace set_to_none".split())
WRITES = (
    "{0} *= 0.5", "{0} += 1.0", "{0}.add_(1.0)", "{0}.mul_(2.0)", "{0}.relu_()", "{0}.exp_()", "{0}[0] = 0.0", "{0}[:1] *= 2.0", "{0}.data.mul_(0.5)",
    "{0}.detach().zero_()", "with torch.no_grad():\n    {0}.mul_(0.5)", "{0} = {0}.detach()", "{0} = {0}.clone()", "{0} = {0} * 1.0", "{0}.requires_grad_()",
    "{0}.sum().backward()", "{0}.sum().backward(retain_graph=True)", "{0}.detach_()", "{0} = {0}.detach().requires_grad_()", "{0}.zero_()", "{0}.t().add_(1.0)",
    "{0} = F.relu({0}, inplace=True)", "{0}.clamp_(-1.0, 1.0)", "{0}.copy_(torch.ones_like({0}))", "{0}.view(-1)[0] = 1.0", "{0}.numpy()",
    "{0}.detach().numpy()",
)  # fmt: skip


def edited(text: str, rng: random.Random) -> str:
    """The program with one to three slips. It parses; whether it runs is torch's to say."""
    tree = ast.parse(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        edits = list(_edits(tree, rng))
        kind = rng.choice(sorted({kind for kind, _ in edits}))
        rng.choice([edit for found, edit in edits if found == kind])()
        ast.fix_missing_locations(tree)
    return ast.unparse(tree) + "\n"


def _edits(tree: ast.Module, rng: random.Random) -> Iterator[tuple[str, Edit]]:
    """Every slip that can be made, by its kind."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and not isinstance(node, ast.ClassDef):
                yield from _moves(block)
                yield from _writes(block, rng)
        for put, part in _parts(node):
            yield from _slips(put, part)


def _moves(block: list[ast.stmt]) -> Iterator[tuple[str, Edit]]:
    """Statements that change places, come twice or not at all."""
    for index, statement in enumerate(block):
        if not _movable(statement):
            continue
        after = block[index + 1] if index + 1 < len(block) and _movable(block[index + 1]) else None
        if after is not None and not _needs(after, statement):
            yield "swap", lambda i=index: block.insert(i, block.pop(i + 1))
        if isinstance(statement, ast.Expr):
            yield "twice", lambda i=index: block.insert(i, copy.deepcopy(block[i]))
            if len(block) > 1:
                yield "lost", lambda i=index: block.pop(i)
        if isinstance(statement, ast.With) and any(mode in ast.unparse(statement.items[0]) for mode in MODES):
            yield "mode lost", lambda i=index, s=statement: block.__setitem__(slice(i, i + 1), s.body)
        if isinstance(statement, ast.For):
            first, last = statement.body[0], statement.body[-1]
            if len(statement.body) > 1 and _movable(last):
                yield "out of the loop", lambda i=index, s=statement: block.insert(i + 1, s.body.pop())
            if (
                len(statement.body) > 1
                and _movable(first)
                and not _names(statement.target, ast.Store) & _names(first, ast.Load)
            ):
                yield "before the loop", lambda i=index, s=statement: block.insert(i, s.body.pop(0))
            if isinstance(after, ast.Expr):
                yield "into the loop", lambda i=index, s=statement: s.body.append(block.pop(i + 1))


def _writes(block: list[ast.stmt], rng: random.Random) -> Iterator[tuple[str, Edit]]:
    """A statement on a tensor that was just made; sums that are taken in place and back."""
    for index, statement in enumerate(block):
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            plain = ast.Assign([statement.target], ast.BinOp(ast.Name(name, ast.Load()), statement.op, statement.value))
            yield "out of place", lambda i=index, new=plain: block.__setitem__(i, new)
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        target, value = statement.targets[0], statement.value
        if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and target.id == value.left.id:
            made = ast.AugAssign(target, value.op, value.right)
            yield "in place", lambda i=index, new=made: block.__setitem__(i, new)
        if target.id in TENSORS:
            text = rng.choice(WRITES).format(target.id)
            yield "written", lambda i=index, new=text: block.insert(i + 1, ast.parse(new).body[0])


def _slips(put: Put, part: ast.expr) -> Iterator[tuple[str, Edit]]:
    """Cuts lost or made, options lost, methods in their other form."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        function, method = part.func, part.func.attr
        if method in CUTS and not part.args:
            yield "cut lost", lambda: put(function.value)
        if method in IN_PLACE and ast.unparse(function.value) not in ("torch", "F"):
            yield "in place", lambda: setattr(function, "attr", method + "_")
        if method.endswith("_") and method[:-1] in IN_PLACE:
            yield "out of place", lambda: setattr(function, "attr", method[:-1])
        if method == "backward" and not part.keywords:
            yield "kept", lambda: part.keywords.append(ast.keyword("retain_graph", ast.Constant(True)))
        if part.keywords and part.keywords[-1].arg in OPTIONS:
            yield "option lost", lambda: part.keywords.pop()
    if isinstance(part, ast.Attribute) and part.attr == "data" and isinstance(part.ctx, ast.Load):
        yield "cut lost", lambda: put(part.value)
    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in TENSORS:
        yield "cut", lambda: put(ast.Call(ast.Attribute(part, "detach", ast.Load()), [], []))


def _parts(node: ast.AST) -> Iterator[tuple[Put, ast.expr]]:
    """The expressions right below a node, each with what replaces it."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            yield lambda new, field=field: setattr(node, field, new), value
        elif isinstance(value, list) and field != "targets":
            for index, part in enumerate(value):
                if isinstance(part, ast.expr):
                    yield lambda new, value=value, index=index: value.__setitem__(index, new), part


def _movable(statement: ast.stmt) -> bool:
    fixed = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Return, ast.Global, ast.Nonlocal, ast.Raise)
    starts = isinstance(statement, ast.Expr) and "super()" in ast.unparse(statement)
    return not isinstance(statement, fixed) and not starts


def _needs(after: ast.stmt, before: ast.stmt) -> bool:
    """Whether a statement reads what the one before it binds."""
    return bool(_names(before, ast.Store) & _names(after, ast.Load))


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    """Names, and attributes of ``self``, that are bound or read within."""
    found = [n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, context)]
    return {n.id if isinstance(n, ast.Name) else ast.unparse(n) for n in found}
