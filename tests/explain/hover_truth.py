"""Run a program under torch and write down what tensors, optimizers and networks are at each place where it reads them.

``watch`` runs in the process of the program; ``hover_claims`` compares what it wrote with what a hover would say.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

WATCHED = (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript)
MOST = 400  # visits of one place that are looked at


class _Wrap(ast.NodeTransformer):
    """Put every expression that is read into a call of ``__see__``, with where it stands."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.AnnAssign):
            node.value = self.visit(node.value) if node.value is not None else None
            return node
        if type(node).__name__ == "match_case":
            return node
        where = (node.lineno, node.col_offset) if isinstance(node, ast.expr) else None
        end = (node.end_lineno, node.end_col_offset) if isinstance(node, ast.expr) else None
        self.generic_visit(node)
        if not isinstance(node, WATCHED) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        assert where is not None and end is not None
        place = ast.Constant((*where, *end))
        return ast.copy_location(ast.Call(ast.Name("__see__", ast.Load()), [place, node], []), node)


def _leaves(roots: Any) -> set[int]:
    pending = [root.grad_fn for root in roots if getattr(root, "grad_fn", None) is not None]
    found = {id(root) for root in roots if getattr(root, "grad_fn", True) is None and root.requires_grad}
    seen = set()
    for fn in pending:
        for following, _ in fn.next_functions:
            if following is None or following in seen:
                continue
            seen.add(following)
            if hasattr(following, "variable"):
                found.add(id(following.variable))
            pending.append(following)
    return found


def watch(program: str, out: str) -> None:
    """Run ``program`` as a script and write what was seen to the file ``out`` as JSON."""
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

    seen: dict[str, list[Any]] = {}
    steps: dict[int, list[Any]] = {}
    backwards: dict[int, list[Any]] = {}

    def note(place: Any, told: Any) -> None:
        mine = seen.setdefault(",".join(map(str, place)), [])
        if told not in mine and len(mine) < 20:
            mine.append(told)

    counts: dict[Any, int] = {}

    def see(place: Any, value: Any) -> Any:
        count = counts[place] = counts.get(place, 0) + 1
        if count <= MOST:
            with contextlib.suppress(
                Exception
            ):  # objects in the middle of being made, views that torch refuses to read
                look(place, value)
        return value

    def look(place: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor):
            note(place, ["tensor", value.requires_grad, value.is_leaf, isinstance(value, torch.nn.Parameter),
                         value.grad_fn is not None])  # fmt: skip
        elif isinstance(value, torch.optim.Optimizer):
            note(place, ["optimizer", len({id(p) for group in value.param_groups for p in group["params"]})])
        elif isinstance(value, torch.nn.Module):
            held = list(value.parameters())
            note(place, ["network", len(held), sum(p.requires_grad for p in held)])

    def row() -> int:
        frame: Any = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != program:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def stepping(optimizer: Any, *_: Any) -> None:
        held = [p for group in optimizer.param_groups for p in group["params"]]
        optimizer._before = [(p, p._version, p.detach().clone()) for p in held]

    def stepped(optimizer: Any, *_: Any) -> None:
        changed = [p for p, version, old in optimizer._before if p._version > version or not torch.equal(p, old)]
        risen = {p._version - version for p, version, _ in optimizer._before}
        steps.setdefault(row(), []).append([len(changed), sorted(risen - {0})])

    register_optimizer_step_pre_hook(stepping)
    register_optimizer_step_post_hook(stepped)

    def watched(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def backward(tensor: Any, *given: Any, **named: Any) -> Any:
            keep = named.get("retain_graph") or named.get("create_graph") or any(item is True for item in given[1:])
            backwards.setdefault(row(), []).append([len(_leaves([tensor])), bool(keep), bool(named.get("inputs"))])
            return original(tensor, *given, **named)

        return backward

    torch.Tensor.backward = watched(torch.Tensor.backward)  # type: ignore[method-assign]
    tree = ast.fix_missing_locations(_Wrap().visit(ast.parse(Path(program).read_text(encoding="utf-8"))))
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=program, __see__=see)
    sys.modules["__main__"] = module
    try:
        exec(compile(tree, program, "exec"), module.__dict__)
    except SystemExit:
        pass
    finally:
        text = json.dumps({"seen": seen, "steps": steps, "backwards": backwards})
        Path(out).write_text(text, encoding="utf-8")


def contradictions(known: Any, truth: Any) -> list[str]:
    """Each claim about a place that torch does not bear out, in words; ``known`` is what ``facts_of`` gives."""
    from autograd_hazards.machine import facts

    found = []
    for place in known:
        if place.guessed:
            continue
        seen = truth["seen"].get(",".join(map(str, (*place.start, *place.end))), [])
        where = f"{place.start[0]}:{place.start[1] + 1}"
        for fact in place.facts:
            if isinstance(fact, facts.TensorFact):
                tensors = [each[1:] for each in seen if each[0] == "tensor"]
                if not tensors:
                    continue
                requires, leaves, parameters, made = map(set, zip(*tensors, strict=True))
                if fact.requires_grad in ("yes", "no") and requires != {fact.requires_grad == "yes"}:
                    found.append(f"{where}: requires grad {fact.requires_grad}, torch {tensors}")
                elif fact.requires_grad == "yes" and fact.leaf and leaves != {True}:
                    found.append(f"{where}: leaf, torch {tensors}")
                elif fact.parameter and parameters != {True}:
                    found.append(f"{where}: parameter, torch {tensors}")
                elif fact.op and made != {True}:
                    found.append(f"{where}: made by {fact.op}, torch {tensors}")
            elif isinstance(fact, facts.OptimizerFact):
                optimizers = {each[1] for each in seen if each[0] == "optimizer"}
                if optimizers and fact.count is not None and optimizers != {fact.count}:
                    found.append(f"{where}: holds {fact.count}, torch {optimizers}")
            elif isinstance(fact, facts.ModuleFact):
                networks = [each[1:] for each in seen if each[0] == "network"]
                if fact.count and any(
                    count != fact.count or fact.trained not in (None, trained) for count, trained in networks
                ):
                    found.append(f"{where}: {fact.trained} of {fact.count}, torch {networks}")
            elif isinstance(fact, facts.ChangeFact):
                steps = truth["steps"].get(str(place.start[0]), [])
                if fact.step and steps and fact.once and any(risen not in ([], [1]) for _, risen in steps):
                    found.append(f"{where}: (v+1), torch {steps}")
                if fact.step and steps and fact.count is not None and {count for count, _ in steps} != {fact.count}:
                    found.append(f"{where}: changes {fact.count}, torch {steps}")
            else:
                backwards = truth["backwards"].get(str(place.start[0]), [])
                if any(keep == fact.frees for _, keep, _ in backwards):
                    found.append(f"{where}: frees {fact.frees}, torch {backwards}")
                whole = [count for count, _, inputs in backwards if not inputs]
                if whole and fact.count is not None and set(whole) != {fact.count}:
                    found.append(f"{where}: reaches {fact.count}, torch {whole}")
    return found
